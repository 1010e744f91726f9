#include "server/capture/captured_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include <unistd.h>

#include "analysis/compile/command_database.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string sourceOf(const CapturedEntry& entry) {
  return absolutePath(entry.file, entry.directory);
}

auto orderOf(const CapturedEntry& entry) {
  return std::make_tuple(sourceOf(entry), entry.output, entry.arguments, entry.directory);
}

std::optional<CapturedEntry> entryOf(const nlohmann::json& value) {
  if (!value.is_object()) return std::nullopt;
  CapturedEntry entry;
  for (const auto& [key, to] : {std::pair<const char*, std::string*>{"directory", &entry.directory},
                                {"file", &entry.file},
                                {"output", &entry.output}}) {
    const auto found = value.find(key);
    if (found != value.end() && found->is_string()) *to = found->get<std::string>();
  }
  const auto arguments = value.find("arguments");
  if (arguments == value.end() || !arguments->is_array()) return std::nullopt;
  for (const nlohmann::json& word : *arguments) {
    if (!word.is_string()) return std::nullopt;
    entry.arguments.push_back(word.get<std::string>());
  }
  return entry;
}

}  // namespace

std::string capturedText(const std::vector<CapturedEntry>& entries) {
  std::string text = "[";
  for (const CapturedEntry& entry : entries) {
    text += text.size() == 1 ? "\n" : ",\n";
    text += R"({"directory": )" + quoted(entry.directory) + R"(, "file": )" + quoted(entry.file);
    if (!entry.output.empty()) text += R"(, "output": )" + quoted(entry.output);
    text += R"(, "arguments": [)";
    for (size_t i = 0; i < entry.arguments.size(); ++i)
      text += (i == 0 ? "" : ", ") + quoted(entry.arguments[i]);
    text += "]}";
  }
  return text + "\n]\n";
}

std::optional<std::vector<CapturedEntry>> capturedEntries(const std::string& text) {
  const nlohmann::json list = nlohmann::json::parse(text, nullptr, false);
  if (!list.is_array()) return std::nullopt;
  std::vector<CapturedEntry> entries;
  for (const nlohmann::json& value : list) {
    std::optional<CapturedEntry> entry = entryOf(value);
    if (!entry) return std::nullopt;
    entries.push_back(std::move(*entry));
  }
  if (capturedText(entries) != text) return std::nullopt;
  return entries;
}

std::vector<CapturedEntry> mergedEntries(const std::vector<CapturedEntry>& before,
                                         const std::vector<CapturedEntry>& seen) {
  std::set<std::pair<std::string, std::string>> renewed;  // source and output
  for (const CapturedEntry& entry : seen) renewed.emplace(sourceOf(entry), entry.output);
  std::vector<CapturedEntry> entries = seen;
  for (const CapturedEntry& entry : before)
    if (!renewed.contains({sourceOf(entry), entry.output})) entries.push_back(entry);
  std::erase_if(entries, [](const CapturedEntry& entry) {
    std::error_code error;
    return !fs::is_regular_file(sourceOf(entry), error);
  });
  std::sort(entries.begin(), entries.end(),
            [](const CapturedEntry& a, const CapturedEntry& b) { return orderOf(a) < orderOf(b); });
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  return entries;
}

size_t sourcesOf(const std::vector<CapturedEntry>& entries) {
  std::set<std::string> sources;
  for (const CapturedEntry& entry : entries) sources.insert(sourceOf(entry));
  return sources.size();
}

bool replaceFile(const std::string& path, const std::string& text) {
  const std::string beside = path + "." + std::to_string(getpid());
  std::ofstream out(beside, std::ios::binary | std::ios::trunc);
  out << text << std::flush;
  out.close();
  std::error_code error;
  if (out) fs::rename(beside, path, error);
  if (out && !error) return true;
  fs::remove(beside, error);
  return false;
}

}  // namespace heddle
