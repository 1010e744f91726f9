// Configuration files in the workspace: what holds for a file, and what is wrong in them.
#include "protocol/uri.h"
#include "server/config/config_file.h"
#include "server/state/workspace.h"

namespace heddle {
namespace {

lsp::Diagnostic problemDiagnostic(const ConfigProblem& problem) {
  lsp::Diagnostic diagnostic;
  diagnostic.source = "heddle";
  diagnostic.code = lsp::DiagnosticCode{std::string("heddle-config")};
  diagnostic.severity = lsp::DiagnosticSeverity::Error;
  diagnostic.message = problem.message;
  // To the end of the line: clients cut it there.
  constexpr uint32_t kLineEnd = 1000;
  diagnostic.range = {{problem.line, problem.column}, {problem.line, problem.column + kLineEnd}};
  return diagnostic;
}

}  // namespace

void Workspace::readConfig(FileSession& session, const Document& document) {
  std::map<std::string, std::string> unsaved;
  for (const auto& [key, other] : documents_.all())
    if (other.path && other.path->ends_with(".yaml")) unsaved[*other.path] = other.map->text();
  const Configs configs = findConfigs(*document.path, options_.userFolder, unsaved);
  std::vector<std::string> wrong;
  session.settings = readSettings(settings_, session.scoped, wrong);
  for (const std::string& each : wrong) warnOnce(each);
  std::string problem;
  session.baseline = readBaselineFile(configs, *document.path, problem);
  if (!problem.empty()) warnOnce("baseline: " + problem);
  session.settings.environment.modelFolder = modelFolderOf(configs);
  // The one that counts most comes last.
  for (const std::optional<ConfigFile>* file : {&configs.user, &configs.project}) {
    if (!*file) continue;
    std::vector<std::string> known;  // told as diagnostics
    session.settings = readSettings(session.settings, (*file)->config.settings, known);
    lsp::PublishDiagnosticsParams shown;
    shown.uri = lsp::uriFromPath((*file)->path);
    for (const ConfigProblem& each : (*file)->config.problems)
      shown.diagnostics.push_back(problemDiagnostic(each));
    const bool before = configsShown_.erase(shown.uri) != 0;
    if (!shown.diagnostics.empty()) configsShown_.insert(shown.uri);
    if (before || !shown.diagnostics.empty()) client_.notify("textDocument/publishDiagnostics", shown);
  }
}

void Workspace::askSettings(const Document& document) {
  if (!style_.configuration) return;
  lsp::ConfigurationParams params;
  params.items.push_back({document.uri, "heddle"});
  client_.request<std::vector<lsp::json>>(
      "workspace/configuration", params,
      [weakSelf = std::weak_ptr(self_), key = document.key](lsp::Decoded<std::vector<lsp::json>> answer) {
        const auto self = weakSelf.lock();
        const auto* values = std::get_if<std::vector<lsp::json>>(&answer);
        if (!self || (*self)->down_ || values == nullptr || values->size() != 1) return;
        Workspace& workspace = **self;
        const auto [open, session] = workspace.settledKey(key);
        if (session == nullptr || session->scoped == values->front()) return;
        session->scoped = values->front();
        workspace.rereadConfig(*session, *open);
      });
}

void Workspace::rereadConfig(FileSession& session, const Document& document) {
  const Settings before = session.settings;
  readConfig(session, document);
  if (session.settings == before || !session.settings.automatic()) return;
  settle(session, document);
  runNow(document, session, Cause::Asked);
}

/// Live: every file is verified again as it would be by the new configuration.
void Workspace::configChanged() {
  if (down_) return;
  for (const auto& [key, session] : sessions_) {
    const Document* document = documents_.findKey(key);
    if (document == nullptr) continue;
    session->database = projects_.open(*document->path);  // there may be one now, or none
    readConfig(*session, *document);
  }
  runOthers("", Cause::Asked);
}

}  // namespace heddle
