#include "server/sizes/own_texts.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "analysis/compile/command_database.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostOfHeader = size_t{1} << 20;  // bytes
constexpr size_t kMostTexts = 100;

/// Collects texts, each followed by the headers that it includes.
class Collector {
 public:
  explicit Collector(const Snapshot& snapshot) : snapshot_(snapshot) {}

  void add(const std::string& path, const std::string& text, const CompileCommand& command) {
    if (texts_.size() == kMostTexts || !seen_.insert(path).second) return;
    OwnText own{path, text, {}};
    own.lexed = lexC(own.text);
    const std::vector<std::string> included = headersIn(own);
    texts_.push_back(std::move(own));
    for (const std::string& header : included) addHeader(header, path, command);
  }

  std::vector<OwnText> take() { return std::move(texts_); }

 private:
  static std::vector<std::string> headersIn(const OwnText& own) {
    std::vector<std::string> headers;
    for (size_t i = 0; i + 2 < own.lexed.tokens.size(); ++i) {
      if (own.lexed.tokens[i].kind != CTokenKind::DirectiveBegin || !own.is(i + 1, "include")) continue;
      const std::string_view name = own.word(i + 2);
      if (name.size() > 2 && name.front() == '"') headers.emplace_back(name.substr(1, name.size() - 2));
    }
    return headers;
  }

  void addHeader(const std::string& name, const std::string& from, const CompileCommand& command) {
    std::vector<std::string> folders = {fs::path(from).parent_path().string()};
    for (size_t i = 0; i + 1 < command.arguments.size(); ++i)
      if (command.arguments[i] == "-I" || command.arguments[i] == "-iquote")
        folders.push_back(absolutePath(command.arguments[i + 1], command.directory));
    for (const std::string& folder : folders) {
      const std::string path = absolutePath(name, folder);
      const auto overlay = snapshot_.overlays.find(path);
      const auto text = overlay != snapshot_.overlays.end() ? std::optional(overlay->second)
                                                            : readRegularFile(path, kMostOfHeader);
      if (!text) continue;
      add(path, *text, command);
      return;
    }
  }

  const Snapshot& snapshot_;
  std::set<std::string> seen_;
  std::vector<OwnText> texts_;
};

}  // namespace

std::vector<OwnText> ownTexts(const Snapshot& snapshot) {
  Collector collector(snapshot);
  collector.add(snapshot.path, snapshot.text, snapshot.command);
  for (const Unit& unit : snapshot.units) {
    const auto overlay = snapshot.overlays.find(unit.path);
    collector.add(unit.path, overlay != snapshot.overlays.end() ? overlay->second : unit.text, unit.command);
  }
  return collector.take();
}

}  // namespace heddle
