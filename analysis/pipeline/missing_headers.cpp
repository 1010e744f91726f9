#include "analysis/pipeline/missing_headers.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "analysis/compile/inferred_flags.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMostEntries = 50'000;  // of the tree that are looked at
constexpr size_t kMostCandidates = 5;    // of one header

/// "b/c.h" is at the end of "/a/b/c.h".
bool endsWithPath(const std::string& path, const std::string& name) {
  return path.size() > name.size() && path.ends_with(name) && path[path.size() - name.size() - 1] == '/';
}

}  // namespace

std::vector<MissingHeader> missingHeadersOf(const std::vector<CompileMessage>& messages,
                                            const std::string& path) {
  std::vector<MissingHeader> missing;
  for (const CompileMessage& message : messages)
    if (!message.missingHeader.empty()) missing.push_back({message.missingHeader, message.place, {}});
  if (missing.empty()) return missing;
  std::error_code error;
  size_t entries = 0;
  fs::recursive_directory_iterator at(projectRootOf(path), fs::directory_options::skip_permission_denied,
                                      error),
      end;
  for (; !error && at != end && entries < kMostEntries; at.increment(error), ++entries) {
    const std::string entry = at->path().string();
    if (at->is_directory(error)) {
      if (at->path().filename().string().starts_with(".")) at.disable_recursion_pending();
      continue;
    }
    for (MissingHeader& header : missing) {
      if (header.candidates.size() >= kMostCandidates) continue;
      // What a build makes of a template is not there before it has run.
      for (const char* made : {"", ".in", ".cmake", ".cmake.in"})
        if (endsWithPath(entry, header.name + made)) header.candidates.push_back(entry);
    }
  }
  for (MissingHeader& header : missing) std::sort(header.candidates.begin(), header.candidates.end());
  return missing;
}

}  // namespace heddle
