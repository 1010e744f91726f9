#include "server/saved/saved_finding.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "protocol/json.h"
#include "server/schedule/text_of_file.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kFileFormat = 1;
constexpr const char* kExtension = ".json";

/// Reads members of one object, and remembers the first that is not what it must be.
class Members {
 public:
  Members(const lsp::json& object, std::string& problem) : object_(object), problem_(problem) {
    if (!object.is_object()) fail("an object is missing");
  }
  std::string text(const char* name) const {
    const std::optional<std::string> found = lsp::textMember(object_, name);
    if (!found) fail(std::string("'") + name + "' must be a text");
    return found.value_or("");
  }
  int64_t number(const char* name) const {
    const auto found = object_.is_object() ? object_.find(name) : object_.end();
    if (!object_.is_object() || found == object_.end() || !found->is_number_integer()) {
      fail(std::string("'") + name + "' must be a number");
      return 0;
    }
    return found->get<int64_t>();
  }
  template <typename Each>
  void list(const char* name, const Each& each) const {
    const auto found = object_.is_object() ? object_.find(name) : object_.end();
    if (!object_.is_object() || found == object_.end() || !found->is_array())
      return fail(std::string("'") + name + "' must be a list");
    for (const lsp::json& one : *found) each(Members(one, problem_));
  }

 private:
  void fail(std::string text) const {
    if (problem_.empty()) problem_ = std::move(text);
  }
  const lsp::json& object_;
  std::string& problem_;
};

}  // namespace

std::string projectFolderOf(const std::string& path) {
  const fs::path own = fs::path(path).parent_path();
  for (const char* mark : {".heddle", ".heddle.yaml", ".git"})
    for (fs::path folder = own;; folder = folder.parent_path()) {
      std::error_code ignored;
      if (fs::exists(folder / mark, ignored)) return folder.string();
      if (folder == folder.parent_path()) break;
    }
  return own.string();
}

std::string savedFolder(const std::string& projectFolder) {
  return (fs::path(projectFolder) / ".heddle" / "saved").string();
}

std::string toText(const SavedFinding& saved) {
  Json turns = Json::array(), inputs = Json::array();
  for (const Turn& turn : saved.run.turns)
    turns.push_back({{"thread", turn.thread},
                     {"kind", turn.kind},
                     {"text", turn.text},
                     {"function", turn.function},
                     {"nth", turn.nth}});
  for (const NamedInput& input : saved.run.inputs)
    inputs.push_back({{"thread", input.thread}, {"name", input.name}, {"value", input.value}});
  const Json object = {{"format", kFileFormat},
                       {"file", saved.file},
                       {"entry", saved.entry},
                       {"harness", saved.harness},
                       {"id", saved.id},
                       {"kind", toString(saved.kind)},
                       {"message", saved.message},
                       {"function", saved.function},
                       {"schedule", saved.run.schedule},
                       {"turns", turns},
                       {"inputs", inputs}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::variant<SavedFinding, std::string> readSaved(std::string_view text) {
  const auto parsed = lsp::parseJson(text);
  if (const auto* error = std::get_if<lsp::JsonError>(&parsed))
    return "no JSON at byte " + std::to_string(error->offset) + ": " + error->message;
  std::string problem;
  const Members members(std::get<lsp::json>(parsed), problem);
  if (members.number("format") != kFileFormat && problem.empty())
    problem = "'format' must be " + std::to_string(kFileFormat) + ": a later Heddle wrote it";
  SavedFinding saved;
  saved.file = members.text("file");
  saved.entry = members.text("entry");
  saved.harness = members.text("harness");
  saved.id = members.text("id");
  saved.message = members.text("message");
  saved.function = members.text("function");
  saved.run.schedule = members.text("schedule");
  const std::string kind = members.text("kind");
  if (const std::optional<Property> known = parseProperty(kind))
    saved.kind = *known;
  else if (problem.empty())
    problem = "'kind' is no property";
  members.list("turns", [&](const Members& turn) {
    saved.run.turns.push_back({turn.text("thread"), turn.text("function"), turn.text("text"),
                               turn.text("kind"), static_cast<uint32_t>(turn.number("nth"))});
  });
  members.list("inputs", [&](const Members& input) {
    saved.run.inputs.push_back({input.text("thread"), input.text("name"), input.number("value")});
  });
  if (!problem.empty()) return problem;
  return saved;
}

std::vector<SavedFile> savedBeside(const std::string& path) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator at(savedFolder(projectFolderOf(path)), error), end; !error && at != end;
       at.increment(error))
    if (at->path().extension() == kExtension) paths.push_back(at->path());
  std::sort(paths.begin(), paths.end());
  if (paths.size() > kMostSaved) paths.resize(kMostSaved);
  std::vector<SavedFile> files;
  for (const fs::path& each : paths) {
    const std::optional<std::string> text = textOfFile(each.string());
    files.push_back({each.stem().string(), text ? readSaved(*text) : "it cannot be read"});
  }
  return files;
}

std::string writeSaved(const std::string& projectFolder, const std::string& name, const SavedFinding& saved) {
  const fs::path folder = savedFolder(projectFolder);
  std::error_code error;
  fs::create_directories(folder, error);
  const fs::path path = folder / (name + kExtension);
  std::ofstream out(path, std::ios::binary);
  out << toText(saved) << std::flush;
  return out ? "" : path.string() + ": cannot be written; make the folder writable";
}

}  // namespace heddle
