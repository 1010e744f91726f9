#include "server/driver/bench_suite.h"

#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

#include "server/source/c_tokens.h"

namespace heddle {
namespace {

constexpr size_t kFields = 7;  // and one that may be left out

std::vector<std::string> fieldsOf(std::string_view line) {
  std::vector<std::string> fields;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.size(), line.find('|', begin));
    std::string field(trimmed(line.substr(begin, end - begin)));
    fields.push_back(field == "-" ? std::string() : std::move(field));
    begin = end + 1;
  }
  return fields;
}

std::vector<std::string> wordsOf(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::optional<double> numberOf(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// What is wrong with the words that say how to explore, or nothing.
std::string takeOptions(const std::vector<std::string>& words, BenchRow& row) {
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals),
                      value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (word == "census") {
      row.census = true;
    } else if (name == "strategy" && !value.empty()) {
      row.strategy = value;
    } else if (name == "without" && !value.empty()) {
      for (size_t begin = 0; begin <= value.size();) {
        const size_t end = std::min(value.size(), value.find(',', begin));
        row.without.push_back(value.substr(begin, end - begin));
        begin = end + 1;
      }
    } else if (name == "inputs" && !value.empty()) {
      row.inputs += (row.inputs.empty() ? "" : " ") + value;
    } else if (name == "paper-paths" && numberOf(value)) {
      row.paperPaths = static_cast<uint64_t>(*numberOf(value));
    } else if (name == "paper-speed-up" && !value.empty()) {
      row.paperSpeedUp = value;
    } else {
      return "'" + word + "' says nothing about how to explore";
    }
  }
  return {};
}

/// What is wrong with the row, or nothing.
std::string takeFields(const std::vector<std::string>& fields, BenchRow& row) {
  if (fields.size() != kFields && fields.size() != kFields + 1)
    return "has " + std::to_string(fields.size()) + " fields instead of " + std::to_string(kFields);
  if (fields[0].empty() || fields[1].empty() || fields[3].empty())
    return "needs a name, a file and expected verdicts";
  row.name = fields[0];
  row.file = fields[1];
  row.flags = wordsOf(fields[2]);
  for (const std::string& word : wordsOf(fields[3])) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
      return "'" + word + "' is not property=verdict";
    row.expected[word.substr(0, equals)] = word.substr(equals + 1);
  }
  row.paper = fields[4];
  if (!fields[5].empty()) {
    row.targetSeconds = numberOf(fields[5]);
    if (!row.targetSeconds) return "the target '" + fields[5] + "' is not a number of seconds";
  }
  row.peer = fields[6];
  if (fields.size() > kFields) return takeOptions(wordsOf(fields[kFields]), row);
  return {};
}

/// A name or a pattern first; what fits no name is looked for in the titles of the sections.
std::set<std::string> selectedBy(const std::string& name, const std::vector<BenchRow>& rows) {
  std::set<std::string> byName, bySection;
  for (const BenchRow& row : rows) {
    if (fnmatch(name.c_str(), row.name.c_str(), 0) == 0) byName.insert(row.name);
    if (row.section.find(name) != std::string::npos) bySection.insert(row.name);
  }
  return byName.empty() ? bySection : byName;
}

}  // namespace

std::optional<std::vector<BenchRow>> parseSuite(std::string_view text, std::string& problem) {
  std::vector<BenchRow> rows;
  std::set<std::string> names;
  std::string section;
  size_t lineNumber = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.size(), text.find('\n', begin));
    const std::string_view line = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    ++lineNumber;
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '[' && line.back() == ']') {
      section = line.substr(1, line.size() - 2);
      continue;
    }
    BenchRow row;
    std::string wrong = takeFields(fieldsOf(line), row);
    if (wrong.empty() && !names.insert(row.name).second) wrong = "the name '" + row.name + "' stands twice";
    if (!wrong.empty()) {
      problem = "line " + std::to_string(lineNumber) + ": " + wrong;
      return std::nullopt;
    }
    row.section = section;
    rows.push_back(std::move(row));
  }
  if (rows.empty()) {
    problem = "no rows";
    return std::nullopt;
  }
  return rows;
}

std::optional<std::vector<BenchRow>> selectRows(const std::vector<BenchRow>& rows,
                                                const std::vector<std::string>& names, std::string& problem) {
  if (names.empty()) return rows;
  std::set<std::string> selected;
  for (const std::string& name : names) {
    std::set<std::string> more = selectedBy(name, rows);
    if (more.empty()) {
      problem = "no benchmark is called '" + name + "'; see heddle bench --list";
      return std::nullopt;
    }
    selected.merge(more);
  }
  std::vector<BenchRow> chosen;
  for (const BenchRow& row : rows)
    if (selected.count(row.name) != 0) chosen.push_back(row);
  return chosen;
}

}  // namespace heddle
