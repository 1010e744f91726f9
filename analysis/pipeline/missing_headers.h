// Missing headers: all headers that a file includes and that are not found, with the files of that name in
// the tree around it, so that the message can name the missing folders at once.
//
// Threading: any thread. Reads folders, up to a fixed number of entries.
#pragma once

#include <vector>

#include "analysis/compile/compiler.h"
#include "analysis/report.h"

namespace heddle {

/// `path`: the absolute path of the file that was compiled.
std::vector<MissingHeader> missingHeadersOf(const std::vector<CompileMessage>& messages,
                                            const std::string& path);

}  // namespace heddle
