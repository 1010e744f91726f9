#include "tests/tidy/include_rules.h"

#include <algorithm>
#include <array>
#include <regex>
#include <utility>

namespace heddle::tidy {

namespace {

bool isBelow(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder + "/");
}

std::string folderOf(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

bool isOurs(const std::string& header) {
  return header.starts_with("analysis/") || header.starts_with("protocol/") ||
         header.starts_with("server/") || header.starts_with("tests/");
}

bool allowsFolder(const FolderRule& rule, const std::string& header) {
  const std::string folder = folderOf(header);
  // `analysis` alone stands for the files right in it (report.h), not for everything below.
  return std::any_of(rule.folders.begin(), rule.folders.end(), [&](const std::string& allowed) {
    return allowed == "analysis" ? folder == allowed : isBelow(folder, allowed);
  });
}

/// Of a table's third column; others lie below `analysis`.
bool isWhole(const std::string& folder) {
  const std::string first = folder.substr(0, folder.find('/'));
  return first == "analysis" || first == "server" || first == "protocol";
}

}  // namespace

Rules parseRules(const std::string& markdown) {
  Rules rules;
  for (const auto& row : markdownTable(markdown, "Folder")) {
    if (row.size() < 4) continue;
    const auto names = quotedWords(row[0]);
    if (names.size() != 1) continue;
    auto folders = quotedWords(row[2]);
    const auto libraries = quotedWords(row[3]);
    for (std::string& folder : folders)
      if (!isWhole(folder)) folder.insert(0, "analysis/");
    rules.folders[names[0]] = {{folders.begin(), folders.end()}, {libraries.begin(), libraries.end()}};
  }
  for (const auto& row : markdownTable(markdown, "Word")) {
    if (row.size() < 2) continue;
    const auto patterns = quotedWords(row[0]);
    const auto folders = quotedWords(row[1]);
    for (const auto& pattern : patterns) rules.words.push_back({pattern, {folders.begin(), folders.end()}});
  }
  return rules;
}

std::string libraryOf(const std::string& header) {
  static const std::array<std::pair<const char*, const char*>, 16> prefixes = {{{"llvm/", "llvm"},
                                                                                {"llvm-c/", "llvm"},
                                                                                {"clang/", "clang"},
                                                                                {"clang-c/", "clang"},
                                                                                {"nlohmann/", "nlohmann"},
                                                                                {"boost/asio", "asio"},
                                                                                {"boost/", "boost"},
                                                                                {"CLI/", "cli11"},
                                                                                {"dtl/", "dtl"},
                                                                                {"yaml-cpp/", "yaml"},
                                                                                {"gtest/", "gtest"},
                                                                                {"gmock/", "gtest"},
                                                                                {"z3", "z3"},
                                                                                {"sys/socket", "sockets"},
                                                                                {"netinet/", "sockets"},
                                                                                {"sys/", "posix"}}};
  for (const auto& [prefix, library] : prefixes) {
    if (header.starts_with(prefix)) return library;
  }
  static const std::set<std::string> posix = {"unistd.h", "fcntl.h", "pthread.h", "signal.h",  "poll.h",
                                              "dirent.h", "spawn.h", "dlfcn.h",   "fnmatch.h", "malloc.h"};
  if (header == "mpi.h") return "mpi";
  static const std::set<std::string> sockets = {"netdb.h", "arpa/inet.h"};
  if (posix.contains(header)) return "posix";
  if (sockets.contains(header)) return "sockets";
  // The C++ library: no folder, no suffix.
  if (header.find('/') == std::string::npos && header.find('.') == std::string::npos) return "std";
  return "";
}

std::string ruleFor(const Rules& rules, const std::string& path) {
  std::string best;
  for (const auto& [folder, rule] : rules.folders) {
    // The rule of `analysis` is for the files right in it: folders below need their own.
    const bool applies = folder == "analysis" ? folderOf(path) == folder : isBelow(path, folder);
    if (applies && folder.size() > best.size()) best = folder;
  }
  return best;
}

std::vector<std::string> violations(const Rules& rules, const SourceFile& file) {
  std::vector<std::string> result;
  const std::string name = ruleFor(rules, file.path);
  if (name.empty()) return {file.path + ": no rule for this folder in docs/architecture.md"};
  const FolderRule& rule = rules.folders.at(name);
  const std::string code = withoutComments(file.text);

  static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  int number = 0;
  for (const auto& line : splitLines(code)) {
    ++number;
    const std::string place = file.path + ":" + std::to_string(number) + ": ";
    std::smatch match;
    if (!std::regex_search(line, match, include)) continue;
    const std::string header = match[2];
    const std::string library = libraryOf(header);
    if (isOurs(header)) {
      const bool own = name == "analysis" ? folderOf(header) == name : isBelow(header, name);
      if (!own && !allowsFolder(rule, header)) {
        result.push_back(place + name + " must not include " + header);
      }
    } else if (match[1] == "\"" && (library.empty() || library == "std")) {
      result.push_back(place + "our headers are included by their path from the repository root: " + header);
    } else if (library.empty()) {
      result.push_back(place + "no library is known for <" + header + ">");
    } else if (library != "std" && !rule.libraries.contains(library)) {
      result.push_back(place + name + " must not include <" + header + "> of " + library);
    }
  }

  for (const auto& word : rules.words) {
    const bool allowed = std::any_of(word.folders.begin(), word.folders.end(),
                                     [&](const std::string& folder) { return isBelow(file.path, folder); });
    if (!allowed && std::regex_search(code, std::regex(word.pattern, std::regex::icase))) {
      result.push_back(file.path + ": '" + word.pattern + "' has no place here");
    }
  }
  return result;
}

}  // namespace heddle::tidy
