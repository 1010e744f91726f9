#include "analysis/compile/command_database.h"

#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/StringSaver.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr size_t kDatabaseLimit = size_t{512} << 20;
constexpr size_t kEntryLimit = size_t{4} << 20;
constexpr size_t kDepthLimit = 16;
constexpr size_t kMostFound = 24;

// Cuts the top-level array into its objects. It knows only strings, brackets and commas: enough to find the
// entries, and the JSON parser then sees one small, shallow piece at a time.
class EntryScanner {
 public:
  explicit EntryScanner(std::string_view text) : text_(text) {}

  /// The next entry, or nothing at the end; then `damaged()` tells whether the end was a proper one.
  std::optional<std::string_view> next() {
    for (; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      if (c == '"') {
        if (depth_ == 0 || !skipString()) return fail();
        continue;
      }
      if (c == '[' || c == '{') {
        if (depth_ == 0 && (c == '{' || started_)) return fail();
        if (depth_ == kDepthLimit) return fail();
        open_[depth_++] = c;
        started_ = true;
        if (depth_ == 2 && c == '{') entry_ = at_;
      } else if (c == ']' || c == '}') {
        if (depth_ == 0 || open_[--depth_] != (c == ']' ? '[' : '{')) return fail();
        if (depth_ == 1 && c == '}') {
          ++at_;
          return text_.substr(entry_, at_ - entry_);
        }
      } else if (depth_ == 0 && !std::isspace(static_cast<unsigned char>(c))) {
        return fail();
      }
    }
    if (depth_ != 0 || !started_) damaged_ = true;
    return std::nullopt;
  }

  bool damaged() const { return damaged_; }

 private:
  std::optional<std::string_view> fail() {
    damaged_ = true;
    at_ = text_.size();
    return std::nullopt;
  }

  bool skipString() {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '"') {
        return true;
      }
    }
    return false;
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t entry_ = 0;
  size_t depth_ = 0;
  std::array<char, kDepthLimit> open_{};  // the brackets around the place
  bool started_ = false;
  bool damaged_ = false;
};

std::vector<std::string> splitCommand(llvm::StringRef command) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char*, 64> words;
  llvm::cl::TokenizeGNUCommandLine(command, saver, words);
  return {words.begin(), words.end()};
}

std::optional<std::vector<std::string>> argumentsOf(const llvm::json::Object& entry) {
  if (const llvm::json::Array* list = entry.getArray("arguments")) {
    std::vector<std::string> result;
    for (const llvm::json::Value& value : *list) {
      auto text = value.getAsString();
      if (!text) return std::nullopt;
      result.push_back(text->str());
    }
    return result;
  }
  if (auto command = entry.getString("command")) return splitCommand(*command);
  return std::nullopt;
}

enum class Match { No, Yes, Damaged };

Match matchEntry(std::string_view text, const std::string& path, const std::string& databaseDirectory,
                 DatabaseEntry& result) {
  if (text.size() > kEntryLimit) return Match::Damaged;
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(llvm::StringRef(text.data(), text.size()));
  if (!value) {
    llvm::consumeError(value.takeError());
    return Match::Damaged;
  }
  const llvm::json::Object* entry = value->getAsObject();
  if (!entry) return Match::Damaged;
  auto file = entry->getString("file");
  if (!file) return Match::Damaged;
  auto directory = entry->getString("directory");
  result.directory = absolutePath(directory ? directory->str() : "", databaseDirectory);
  if (!samePath(absolutePath(file->str(), result.directory), path)) return Match::No;
  std::optional<std::vector<std::string>> arguments = argumentsOf(*entry);
  if (!arguments) return Match::Damaged;
  result.arguments = std::move(*arguments);
  return Match::Yes;
}

}  // namespace

std::optional<std::string> readRegularFile(const std::string& path, size_t limit) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  uintmax_t size = fs::file_size(path, error);
  if (error || size > limit) return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  std::string text(static_cast<size_t>(size), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<size_t>(stream.gcount()));
  return text;
}

std::string absolutePath(const std::string& path, const std::string& directory) {
  fs::path result = fs::path(directory) / path;
  std::string text = result.lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

bool samePath(const std::string& left, const std::string& right) {
  if (left == right) return true;
  // Resolving links costs system calls; files of different names are taken to differ.
  if (fs::path(left).filename() != fs::path(right).filename()) return false;
  std::error_code error;
  fs::path first = fs::weakly_canonical(left, error);
  if (error) return false;
  fs::path second = fs::weakly_canonical(right, error);
  return !error && first == second;
}

std::vector<DatabaseEntry> findInDatabase(const std::string& database, const std::string& path,
                                          std::string& problem) {
  std::error_code error;
  if (!fs::exists(database, error)) return {};
  std::optional<std::string> text = readRegularFile(database, kDatabaseLimit);
  if (!text) {
    problem = database + ": not a readable file of at most 512 MiB";
    return {};
  }
  std::string name = fs::path(path).filename().string();
  std::string directory = fs::path(database).parent_path().string();
  EntryScanner scanner(*text);
  std::vector<DatabaseEntry> found;
  bool damagedEntry = false;
  while (std::optional<std::string_view> entry = scanner.next()) {
    // Without an escape the name stands in the text as it is, so most entries need no parsing.
    bool mayMatch =
        entry->find(name) != std::string_view::npos || entry->find("\\") != std::string_view::npos;
    if (found.size() == kMostFound || !mayMatch) continue;
    DatabaseEntry candidate;
    Match match = matchEntry(*entry, path, directory, candidate);
    if (match == Match::Yes) found.push_back(std::move(candidate));
    damagedEntry = damagedEntry || match == Match::Damaged;
  }
  if (scanner.damaged() || (damagedEntry && found.empty())) {
    problem = database + ": damaged; not used";
    return {};
  }
  return found;
}

}  // namespace heddle
