// NearFiles: which files of the same tree a C file needs, where no compile database names the files of its
// project: by the words of their texts, the nearest of those that define one. Each is linked only as far as
// it is needed.
//
// Threading: any thread; reads files.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace heddle {

struct NearLimit {
  size_t files = 24;                    // each is compiled before anything is explored
  size_t bytes = size_t{1500} << 10;    // of what is linked
  std::chrono::milliseconds time{700};  // for looking at texts
};

/// The text of a program may use what other files define: it includes a file of the project, or declares or
/// calls what it does not define and the C library does not either. By the text; cheap.
bool mayNeedOthers(const std::string& text);

/// Paths; in front of others those that are needed directly, and of these the ones of which most is needed;
/// `path` is absolute and `text` what the file says. Files of other systems by their names
/// are left out, and programs unless `path` is none and needs what one of them alone defines.
std::vector<std::string> nearFiles(const std::string& path, const std::string& text, const NearLimit& limit);

}  // namespace heddle
