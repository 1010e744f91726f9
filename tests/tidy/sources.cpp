#include "tests/tidy/sources.h"
#include "tests/paths/paths.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace heddle::tidy {

namespace fs = std::filesystem;

namespace {

const fs::path& root() {
  static const fs::path path = sourceDirectory();
  return path;
}

std::string readFile(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool endsWithOneOf(const std::string& name, const std::vector<std::string>& suffixes) {
  return std::any_of(suffixes.begin(), suffixes.end(),
                     [&](const std::string& s) { return name.ends_with(s); });
}

bool isTracked(const std::string& path) {
  return path.find("node_modules/") == std::string::npos && path.find(".cache/") == std::string::npos;
}

}  // namespace

std::vector<SourceFile> readSources(const std::vector<std::string>& roots,
                                    const std::vector<std::string>& suffixes) {
  std::vector<SourceFile> files;
  const auto add = [&](const fs::path& path) {
    const std::string relative = fs::relative(path, root()).generic_string();
    if (endsWithOneOf(relative, suffixes) && isTracked(relative)) files.push_back({relative, readFile(path)});
  };
  for (const auto& name : roots) {
    const fs::path start = root() / name;
    if (fs::is_regular_file(start)) add(start);
    if (!fs::is_directory(start)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(start)) {
      if (entry.is_regular_file()) add(entry.path());
    }
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

std::string readSource(const std::string& path) {
  return readFile(root() / path);
}

bool existsInRepository(const std::string& path) {
  return fs::exists(root() / path);
}

std::string withoutComments(const std::string& text) {
  enum class State { Code, Line, Block, String, Character } state = State::Code;
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    switch (state) {
      case State::Code:
        if (c == '/' && next == '/') {
          state = State::Line;
          continue;
        }
        if (c == '/' && next == '*') {
          state = State::Block;
          ++i;
          continue;
        }
        if (c == '"') state = State::String;
        // An apostrophe between digits separates them: 1'000.
        if (c == '\'' && (i == 0 || !isalnum(static_cast<unsigned char>(text[i - 1]))))
          state = State::Character;
        break;
      case State::Line:
        if (c != '\n') continue;
        state = State::Code;
        break;
      case State::Block:
        if (c == '*' && next == '/') {
          state = State::Code;
          ++i;
          continue;
        }
        if (c != '\n') continue;
        break;
      case State::String:
      case State::Character:
        if (c == '\\' && next != '\0') {
          result += c;
          result += next;
          ++i;
          continue;
        }
        if (c == (state == State::String ? '"' : '\'') || c == '\n') state = State::Code;
        break;
    }
    result += c;
  }
  return result;
}

std::vector<std::string> splitLines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<Row> markdownTable(const std::string& markdown, const std::string& firstHeader) {
  std::vector<Row> rows;
  bool inside = false;
  for (const auto& line : splitLines(markdown)) {
    if (!inside) {
      inside = line.starts_with("| " + firstHeader + " |");
      continue;
    }
    if (!line.starts_with("|")) break;
    if (line.starts_with("|---")) continue;
    Row row;
    std::istringstream cells(line.substr(1));
    for (std::string cell; std::getline(cells, cell, '|');) row.push_back(trimmed(cell));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> quotedWords(const std::string& cell) {
  std::vector<std::string> words;
  for (size_t open = cell.find('`'); open != std::string::npos;) {
    const size_t close = cell.find('`', open + 1);
    if (close == std::string::npos) break;
    words.push_back(cell.substr(open + 1, close - open - 1));
    open = cell.find('`', close + 1);
  }
  return words;
}

std::string joined(const std::vector<std::string>& entries) {
  std::string text;
  for (const auto& entry : entries) text += "  " + entry + "\n";
  return text;
}

}  // namespace heddle::tidy
