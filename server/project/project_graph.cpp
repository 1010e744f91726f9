#include "server/project/project_graph.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <deque>
#include <set>
#include <utility>

namespace heddle {
namespace {

constexpr size_t kMostFiles = 200;  // of one program

std::string lowered(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool isTest(const std::string& path) {
  return lowered(path).find("test") != std::string::npos;
}

size_t sharedPrefix(const std::string& a, const std::string& b) {
  const size_t most = std::min(a.size(), b.size());
  return static_cast<size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(most), b.begin()).first - a.begin());
}

}  // namespace

ProjectGraph::ProjectGraph(std::map<std::string, UnitFacts> files, bool withPrograms)
    : files_(std::move(files)) {
  std::map<std::string, std::vector<std::string>> inPrograms;
  for (const auto& [path, facts] : files_)
    for (const std::string& name : facts.defines)
      (facts.mayLackMain() ? definedIn_ : inPrograms)[name].push_back(path);
  if (!withPrograms) return;
  for (auto& [name, paths] : inPrograms)
    if (paths.size() == 1) definedIn_.try_emplace(name, std::move(paths));
}

ProjectProgram ProjectGraph::programFrom(const std::string& path) const {
  ProjectProgram program{path, {}};
  std::set<std::string> members{path}, defined;
  std::deque<std::string> waiting{path};
  while (!waiting.empty() && members.size() < kMostFiles) {
    const auto file = files_.find(waiting.front());
    waiting.pop_front();
    if (file == files_.end()) continue;
    defined.insert(file->second.defines.begin(), file->second.defines.end());
    std::map<std::string, size_t> needed;  // how much of each
    for (const std::string& word : file->second.words) {
      const auto found = definedIn_.find(word);
      if (found == definedIn_.end() || defined.contains(word)) continue;
      // Of several definitions the one that is nearest in the tree.
      const std::string& nearest = *std::max_element(
          found->second.begin(), found->second.end(), [&](const std::string& a, const std::string& b) {
            return sharedPrefix(a, file->first) < sharedPrefix(b, file->first);
          });
      defined.insert(word);
      ++needed[nearest];
    }
    std::vector<std::pair<std::string, size_t>> most(needed.begin(), needed.end());
    std::stable_sort(most.begin(), most.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    for (auto& [other, words] : most) {
      if (!members.insert(other).second) continue;
      program.others.push_back(other);
      waiting.push_back(std::move(other));
    }
  }
  return program;
}

std::vector<ProjectProgram> ProjectGraph::programsReaching(const std::string& path) const {
  std::vector<ProjectProgram> found;
  for (const auto& [entry, facts] : files_) {
    if (!facts.hasMain || entry == path) continue;
    ProjectProgram program = programFrom(entry);
    if (std::find(program.others.begin(), program.others.end(), path) != program.others.end())
      found.push_back(std::move(program));
  }
  std::stable_sort(found.begin(), found.end(), [](const ProjectProgram& a, const ProjectProgram& b) {
    const auto rank = [](const ProjectProgram& p) { return std::pair(!isTest(p.entry), p.others.size()); };
    return rank(a) < rank(b);
  });
  return found;
}

}  // namespace heddle
