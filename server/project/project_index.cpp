#include "server/project/project_index.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "protocol/json.h"

namespace heddle {
namespace {

using lsp::json;
namespace fs = std::filesystem;

constexpr const char* kFormat = "heddle-index-2";
constexpr uintmax_t kLargestIndex = 256U << 20;
constexpr uintmax_t kLargestSource = 8U << 20;

/// FNV-1a: tells a damaged file, not a forged one.
uint64_t checksum(std::string_view text) {
  uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

std::string hex(uint64_t number) {
  std::ostringstream out;
  out << std::hex << number;
  return out.str();
}

std::optional<std::string> readFile(const fs::path& path, uintmax_t largest) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > largest || error) return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (stream.bad()) return std::nullopt;
  return text.str();
}

int64_t modifiedAt(const fs::path& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  return error ? 0 : static_cast<int64_t>(time.time_since_epoch().count());
}

/// The C files that the database names, in order. `problem`: it cannot be read.
std::set<std::string> filesOf(const std::string& database, std::string& problem) {
  std::set<std::string> files;
  const std::optional<std::string> text = readFile(database, kLargestIndex);
  const auto parsed = lsp::parseJson(text.value_or(""));
  const json* list = std::get_if<json>(&parsed);
  if (list == nullptr || !list->is_array()) {
    problem = database + ": is no list of compile commands";
    return files;
  }
  for (const json& entry : *list) {
    if (!entry.is_object() || !entry.contains("file") || !entry["file"].is_string()) continue;
    fs::path path(entry["file"].get<std::string>());
    if (path.is_relative() && entry.contains("directory") && entry["directory"].is_string())
      path = fs::path(entry["directory"].get<std::string>()) / path;
    path = path.lexically_normal();
    if (path.extension() == ".c") files.insert(path.string());
  }
  return files;
}

std::set<std::string> wordsOf(const json& value) {
  std::set<std::string> words;
  if (value.is_array())
    for (const json& word : value)
      if (word.is_string()) words.insert(word.get<std::string>());
  return words;
}

}  // namespace

std::string compileDatabaseOf(const std::string& path) {
  std::error_code error;
  for (fs::path folder = fs::path(path).parent_path();; folder = folder.parent_path()) {
    for (const char* below : {"", "build"}) {
      const fs::path file = folder / below / "compile_commands.json";
      if (fs::is_regular_file(file, error)) return file.lexically_normal().string();
    }
    if (folder == folder.parent_path()) return "";
  }
}

ProjectIndex::ProjectIndex(std::string database, const std::string& cacheFolder)
    : database_(std::move(database)) {
  if (!cacheFolder.empty())
    file_ = (fs::path(cacheFolder) / "index" / (hex(checksum(database_)) + ".json")).string();
}

bool ProjectIndex::refresh() {
  problem_.clear();
  filesRead_ = 0;
  const bool first = !std::exchange(loaded_, true);
  if (first) load();
  const std::set<std::string> files = filesOf(database_, problem_);
  size_t gone = 0;
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const bool keep = files.contains(entry->first);
    gone += keep ? 0 : 1;
    entry = keep ? std::next(entry) : entries_.erase(entry);
  }
  std::error_code error;
  for (const std::string& path : files) {
    const uintmax_t size = fs::file_size(path, error);
    if (error) {
      gone += entries_.erase(path);
      continue;
    }
    const int64_t modified = modifiedAt(path);
    const auto known = entries_.find(path);
    if (known != entries_.end() && known->second.size == size && known->second.modified == modified) continue;
    const std::optional<std::string> text = readFile(path, kLargestSource);
    if (!text) continue;
    entries_[path] = {size, modified, factsOf(*text)};
    filesRead_++;
  }
  const bool changed = gone > 0 || filesRead_ > 0;
  if (changed) save();
  return changed || first;
}

std::shared_ptr<const ProjectGraph> ProjectIndex::graph() const {
  std::map<std::string, UnitFacts> files;
  for (const auto& [path, entry] : entries_) files.emplace(path, entry.facts);
  return std::make_shared<const ProjectGraph>(std::move(files));
}

void ProjectIndex::load() {
  if (file_.empty()) return;
  const std::optional<std::string> text = readFile(file_, kLargestIndex);
  if (!text) return;
  // First line: format and checksum of the rest.
  const size_t line = text->find('\n');
  const std::string_view body =
      line == std::string::npos ? std::string_view() : std::string_view(*text).substr(line + 1);
  const auto parsed = lsp::parseJson(body);
  const json* kept = std::get_if<json>(&parsed);
  if (line == std::string::npos ||
      text->substr(0, line) != std::string(kFormat) + " " + hex(checksum(body)) || kept == nullptr ||
      !kept->is_object()) {
    problem_ = file_ + ": the kept index is damaged or of another version; it is made anew";
    return;
  }
  for (auto entry = kept->begin(); entry != kept->end(); ++entry) {
    const json& value = entry.value();
    if (!value.is_object()) continue;
    Entry& known = entries_[entry.key()];
    known.size = value.value("size", uint64_t{0});
    known.modified = value.value("modified", int64_t{0});
    known.facts = {wordsOf(value.value("defines", json())), wordsOf(value.value("words", json())),
                   value.value("main", false), value.value("conditional", false)};
  }
}

/// Written beside and renamed, so that a reader never sees half of it. That it cannot be kept is no error.
void ProjectIndex::save() {
  if (file_.empty()) return;
  json kept = json::object();
  for (const auto& [path, entry] : entries_)
    kept[path] = {{"size", entry.size},
                  {"modified", entry.modified},
                  {"defines", entry.facts.defines},
                  {"words", entry.facts.words},
                  {"main", entry.facts.hasMain},
                  {"conditional", entry.facts.isMainConditional}};
  const std::string body = lsp::printJson(kept);
  std::error_code error;
  fs::create_directories(fs::path(file_).parent_path(), error);
  const std::string beside = file_ + "." + std::to_string(getpid());
  {
    std::ofstream stream(beside, std::ios::binary | std::ios::trunc);
    stream << kFormat << ' ' << hex(checksum(body)) << '\n' << body;
    if (!stream.flush()) {
      fs::remove(beside, error);
      return;
    }
  }
  fs::rename(beside, file_, error);
  if (error) fs::remove(beside, error);
}

}  // namespace heddle
