#include "server/project/c_files.h"

#include <algorithm>

#include "analysis/compile/outer_switch.h"
#include "analysis/support/name_words.h"

namespace heddle {

namespace fs = std::filesystem;

std::vector<std::string> cFilesBelow(const fs::path& folder, size_t most, const std::string& ending) {
  std::vector<std::string> paths;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && at != end && paths.size() < most; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const bool isHidden = name.starts_with(".");
    if (isHidden && at->is_directory(error)) at.disable_recursion_pending();
    if (!isHidden && name.ends_with(ending) && at->is_regular_file(error))
      paths.push_back(at->path().lexically_normal().string());
  }
  return paths;
}

bool isOfOtherSystem(const fs::path& file) {
  return isOfSystem(file.stem().string()) || isOfSystem(file.parent_path().filename().string());
}

bool isBesideProject(const fs::path& file, const fs::path& root) {
  const fs::path below = file.parent_path().lexically_relative(root);
  return std::any_of(below.begin(), below.end(), [](const fs::path& folder) {
    return hasWord(folder.string(),
                   {"test", "tests", "testing", "example", "examples", "sample", "samples", "fuzz", "fuzzing",
                    "fuzzer", "bench", "benchmark", "benchmarks", "demo", "demos", "contrib"});
  });
}

}  // namespace heddle
