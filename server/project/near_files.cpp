#include "server/project/near_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "analysis/compile/inferred_flags.h"
#include "analysis/pipeline/unknown_calls.h"
#include "server/project/c_files.h"
#include "server/project/project_graph.h"
#include "server/project/unit_facts.h"
#include "server/source/c_tokens.h"
#include "server/source/outline.h"

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

/// What stands in front of a parenthesis and calls nothing that another file defines.
bool isOfLanguage(std::string_view word) {
  constexpr std::array<std::string_view, 22> kWords = {
      "if",       "for",    "while",  "switch", "return",   "sizeof",       "void",   "int",
      "char",     "typeof", "do",     "else",   "case",     "main",         "assert", "offsetof",
      "va_start", "va_end", "va_arg", "goto",   "_Alignof", "__attribute__"};
  const bool isMacro = std::none_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return isMacro || word.starts_with("heddle_") || word.starts_with("__VERIFIER_") ||
         std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

}  // namespace

bool mayNeedOthers(const std::string& text) {
  const CText lexed = lexC(text);
  const Outline outline = outlineOf(text, lexed);
  const auto word = [&](size_t i) {
    const ByteRange range = lexed.tokens[i].range;
    return std::string_view(text).substr(range.begin, range.end - range.begin);
  };
  bool isDirective = false;
  for (size_t i = 0; i + 1 < lexed.tokens.size(); ++i) {
    const CTokenKind kind = lexed.tokens[i].kind;
    if (kind == CTokenKind::DirectiveBegin) isDirective = true;
    if (kind == CTokenKind::DirectiveEnd) isDirective = false;
    if (isDirective && word(i) == "include" && word(i + 1).starts_with('"')) return true;
    if (isDirective || kind != CTokenKind::Word) continue;
    if (word(i) == "extern") return true;
    const bool isCalled = word(i + 1) == "(" && !isOfLanguage(word(i)) && !hasModel(word(i));
    if (isCalled && !outline.find(word(i))) return true;
  }
  return false;
}

std::vector<std::string> nearFiles(const std::string& path, const std::string& text, const NearLimit& limit) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + limit.time;
  std::vector<std::string> paths = filesIn(projectRootOf(path), path);
  std::stable_sort(paths.begin(), paths.end(), [&](const std::string& a, const std::string& b) {
    return commonLength(a, path) > commonLength(b, path);
  });
  std::map<std::string, UnitFacts> facts = {{path, factsOf(text)}};
  const bool isProgram = !facts.at(path).mayLackMain();
  std::map<std::string, size_t> sizes;
  for (const std::string& other : paths) {
    if (Clock::now() >= end) break;
    const std::optional<std::string> read = readText(other);
    if (!read) continue;
    sizes[other] = read->size();
    UnitFacts found = factsOf(*read);
    // Who defines pthread_mutex_lock wraps the library's own.
    std::erase_if(found.defines, hasModel);
    facts.emplace(other, std::move(found));
  }
  std::vector<std::string> near;
  size_t bytes = 0;
  for (std::string& other : ProjectGraph(std::move(facts), !isProgram).programFrom(path).others) {
    const size_t size = sizes[other];
    if (near.size() == limit.files) break;
    if (bytes + size > limit.bytes) continue;
    bytes += size;
    near.push_back(std::move(other));
  }
  return near;
}

}  // namespace heddle
