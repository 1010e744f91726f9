#include "server/project/near_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "analysis/compile/inferred_flags.h"
#include "server/project/c_files.h"
#include "server/project/project_graph.h"
#include "server/project/unit_facts.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFilesSeen = 4000;
constexpr uintmax_t kLargestFile = uintmax_t{2} << 20;

/// Small enough to be read for its words.
std::vector<std::string> filesIn(const fs::path& root, const std::string& path) {
  // Where nothing says that there is a project, only the folder itself is near.
  const bool isProject = beginsProject(root.string());
  std::vector<std::string> files = cFilesBelow(root, kMostFilesSeen);
  std::erase_if(files, [&](const std::string& file) {
    std::error_code error;
    return file == path || isOfOtherSystem(file) ||
           (isBesideProject(file, root) && !isBesideProject(path, root)) ||
           (!isProject && fs::path(file).parent_path() != root) ||
           fs::file_size(file, error) > kLargestFile || error;
  });
  return files;
}

std::optional<std::string> readText(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) return std::nullopt;
  return text.str();
}

}  // namespace

std::vector<std::string> nearFiles(const std::string& path, const std::string& text, const NearLimit& limit) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + limit.time;
  std::vector<std::string> paths = filesIn(projectRootOf(path), path);
  std::stable_sort(paths.begin(), paths.end(), [&](const std::string& a, const std::string& b) {
    return commonLength(a, path) > commonLength(b, path);
  });
  std::map<std::string, UnitFacts> facts = {{path, factsOf(text)}};
  std::map<std::string, size_t> sizes;
  for (const std::string& other : paths) {
    if (Clock::now() >= end) break;
    const std::optional<std::string> read = readText(other);
    if (!read) continue;
    sizes[other] = read->size();
    facts.emplace(other, factsOf(*read));
  }
  std::vector<std::string> near;
  size_t bytes = 0;
  for (std::string& other : ProjectGraph(std::move(facts)).programFrom(path).others) {
    const size_t size = sizes[other];
    if (near.size() == limit.files) break;
    if (bytes + size > limit.bytes) continue;
    bytes += size;
    near.push_back(std::move(other));
  }
  return near;
}

}  // namespace heddle
