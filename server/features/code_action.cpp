#include "server/features/code_action.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

#include "analysis/repair/text_edits.h"
#include "server/convert/located_finding.h"
#include "server/render/interleaving.h"

namespace heddle {
namespace {

std::string capitalized(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

const Document* openDocument(const DocumentStore& documents, const std::string& path) {
  for (const auto& [key, document] : documents.all())
    if (document.path == path) return &document;
  return nullptr;
}

std::optional<std::string> textOnDisk(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  std::ostringstream text;
  if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  return text.str();
}

/// A file that nobody may write; root could, but whoever marked it meant it.
bool isReadOnly(const std::string& path) {
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) return false;  // not saved yet
  return (file.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 || access(path.c_str(), W_OK) != 0;
}

lsp::CodeAction actionOf(const std::string& title, const std::vector<lsp::Diagnostic>& diagnostics) {
  lsp::CodeAction action;
  action.title = title;
  action.kind = lsp::code_action_kind::quickFix;
  if (!diagnostics.empty()) action.diagnostics = diagnostics;
  return action;
}

}  // namespace

lsp::json toJson(const FixTicket& ticket) {
  return {
      {"uri", ticket.uri}, {"version", ticket.version}, {"finding", ticket.finding}, {"patch", ticket.patch}};
}

std::optional<FixTicket> fixTicketOf(const lsp::json& data) {
  if (!data.is_object()) return std::nullopt;
  const auto text = [&](const char* name) -> const lsp::json* {
    const auto found = data.find(name);
    return found != data.end() && found->is_string() ? &*found : nullptr;
  };
  const auto number = [&](const char* name) -> const lsp::json* {
    const auto found = data.find(name);
    return found != data.end() && found->is_number_integer() ? &*found : nullptr;
  };
  if (!text("uri") || !text("finding") || !number("version") || !number("patch")) return std::nullopt;
  return FixTicket{text("uri")->get<std::string>(), number("version")->get<int64_t>(),
                   text("finding")->get<std::string>(), number("patch")->get<int>()};
}

std::string fixTitle(const Patch& patch) {
  if (patch.cures.size() < 2) return "Heddle: " + patch.repair.title;
  // The variables that it is about; what has no name of its own ("heap object …") says nothing here.
  std::vector<std::string> names;
  for (const std::string& object : patch.objects) {
    const std::string name = object.substr(0, object.find_first_of("[. "));
    if (object.find(' ') == std::string::npos && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  std::string of;
  constexpr size_t kNamed = 3;
  for (size_t i = 0; i < names.size() && names.size() <= kNamed; ++i)
    of += (i == 0 ? " of '" : i + 1 == names.size() ? " and '" : ", '") + names[i] + "'";
  return "Heddle: fix " + std::string(patch.after.findings.empty() ? "all " : "") +
         std::to_string(patch.cures.size()) + " findings" + of + ": " + patch.repair.title;
}

std::vector<lsp::CodeAction> fixActions(const RepairResult& fixes, const FixTicket& ticket,
                                        const std::vector<lsp::Diagnostic>& diagnostics,
                                        const FixStyle& style) {
  std::vector<lsp::CodeAction> actions;
  for (size_t i = 0; i < fixes.patches.size(); ++i) {
    const Patch& patch = fixes.patches[i];
    if (std::find(patch.cures.begin(), patch.cures.end(), ticket.finding) == patch.cures.end()) continue;
    lsp::CodeAction action = actionOf(fixTitle(patch), diagnostics);
    if (style.preferred && actions.empty() && patch.repair.status == RepairStatus::Verified)
      action.isPreferred = true;
    FixTicket own = ticket;
    own.patch = static_cast<int>(i);
    action.data = toJson(own);
    actions.push_back(std::move(action));
  }
  return actions;
}

lsp::CodeAction fixLater(const std::string& claim, const FixTicket& ticket,
                         const std::vector<lsp::Diagnostic>& diagnostics) {
  lsp::CodeAction action = actionOf("Heddle: find and apply a verified fix for: " + claim, diagnostics);
  action.data = toJson(ticket);
  return action;
}

lsp::CodeAction noFix(const std::string& claim, const std::string& reason,
                      const std::vector<lsp::Diagnostic>& diagnostics) {
  lsp::CodeAction action = actionOf("Heddle: no fix for: " + claim, diagnostics);
  action.disabled = lsp::CodeActionDisabled{reason};
  return action;
}

EditOrProblem fixEdit(const Patch& patch, const std::function<std::string(const std::string& path)>& before,
                      const DocumentStore& documents, const FixStyle& style) {
  EditOrProblem result;
  std::vector<lsp::TextDocumentEdit> changes;
  const bool explain = style.annotations && style.documentChanges && patch.texts.size() > 1;
  for (const auto& [path, after] : patch.texts) {
    const Document* document = openDocument(documents, path);
    const std::string verified = before(path);
    const std::optional<std::string> now = document ? document->map->text() : textOnDisk(path);
    if (!now || *now != verified) {
      result.problem = baseName(path) + " has changed since this fix was verified; ask for fixes again";
      return result;
    }
    if (isReadOnly(path)) {
      result.problem = baseName(path) + " is read-only; make it writable to apply this fix";
      return result;
    }
    const PositionMap map(verified);
    lsp::TextDocumentEdit change;
    change.textDocument.uri = document ? document->uri : lsp::uriFromPath(path);
    if (document) change.textDocument.version = document->version;
    for (const TextEditAt& edit : editsBetween(path, verified, after)) {
      lsp::TextEdit text;
      text.range = toLsp(map,
                         {map.offsetOfPlace(edit.startLine, edit.startColumn),
                          edit.endLine > map.lineCount() ? verified.size()
                                                         : map.offsetOfPlace(edit.endLine, edit.endColumn)},
                         style.encoding);
      text.newText = edit.newText;
      if (explain) text.annotationId = "heddle";
      change.edits.push_back(std::move(text));
    }
    changes.push_back(std::move(change));
  }
  lsp::WorkspaceEdit edit;
  if (style.documentChanges) {
    edit.documentChanges = std::move(changes);
    if (explain)
      edit.changeAnnotations = std::map<std::string, lsp::ChangeAnnotation>{
          {"heddle",
           {capitalized(patch.repair.title), std::nullopt, "all files together, or the fix does not hold"}}};
  } else {
    edit.changes.emplace();
    for (lsp::TextDocumentEdit& change : changes)
      (*edit.changes)[change.textDocument.uri] = std::move(change.edits);
  }
  result.edit = std::move(edit);
  return result;
}

}  // namespace heddle
