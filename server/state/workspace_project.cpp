// Which program a document is explored in: the one that begins in it, with the files of the project that it
// needs; else the first program of the project that reaches it; else the file alone.
#include <algorithm>

#include "server/driver/unknown_option.h"
#include "server/source/harness.h"
#include "server/source/outline.h"
#include "server/state/workspace.h"

namespace heddle {

Workspace::Subject Workspace::subjectOf(const Document& document, FileSession& session) const {
  Subject subject;
  subject.snapshot.path = *document.path;
  subject.snapshot.text = document.map->text();
  for (const auto& [key, other] : documents_.all())
    if (other.path && key != document.key) subject.snapshot.overlays[*other.path] = other.map->text();
  subject.snapshot.environment = session.settings.environment;
  subject.options = session.settings.options;
  subject.options.entry = entryOf(session);
  if (const auto harness = harnessText(subject.snapshot.text, subject.options.entry)) {
    const TextPosition at = document.map->positionOf(harness->comment.begin, PositionEncoding::Utf8);
    subject.harness = {*document.path, at.line + 1, at.character + 1, ""};
    subject.added = harness->text.size() - subject.snapshot.text.size();
    subject.snapshot.text = harness->text;
    subject.options.entry = kHarnessEntry;
  }
  chooseProgram(document, session, subject);
  // Alone, and nothing to begin in: calls that are worth running side by side.
  const bool isAlone = subject.program.entry.empty() || subject.program.entry == *document.path;
  if (subject.added == 0 && !subject.waits && isAlone &&
      outlineOf(document.map->text(), session.tokensOf(document.map)).find(subject.options.entry) ==
          nullptr) {
    subject.options.harness = askedHarness(document.map->text(), subject.options.entry);
    if (subject.options.harness.empty()) subject.options.harness = kBestHarness;
  }
  return subject;
}

void Workspace::chooseProgram(const Document& document, FileSession& session, Subject& subject) const {
  if (session.database.empty()) return;
  const std::shared_ptr<const ProjectGraph> graph = projects_.graph(session.database);
  const CText& tokens = session.tokensOf(document.map);
  const bool begins =
      subject.added != 0 || outlineOf(document.map->text(), tokens).find(subject.options.entry) != nullptr;
  if (!graph) {
    subject.waits = !begins;
    return;
  }
  if (begins) {
    subject.program = graph->programFrom(*document.path);
  } else {
    std::vector<ProjectProgram> programs = graph->programsReaching(*document.path);
    if (programs.empty()) return;
    subject.program = std::move(programs.front());
  }
  Snapshot& snapshot = subject.snapshot;
  snapshot.onlyNeededUnits = true;
  if (subject.program.entry != *document.path) {
    snapshot.overlays[*document.path] = std::move(snapshot.text);
    snapshot.path = subject.program.entry;
    snapshot.text.clear();
    subject.textFromDisk = true;
  }
  for (const std::string& other : subject.program.others) snapshot.units.push_back({other, "", {}});
}

ReplayContext Workspace::replayOf(const Document& document, const FileSession& session) const {
  const ProjectProgram& program = session.program;
  ReplayContext context{program.entry.empty() ? *document.path : program.entry, entryOf(session), {}};
  if (const Signals signals = session.settings.environment.signals; signals != Signals::None) {
    context.options.emplace_back("--signals");
    context.options.emplace_back(toString(signals));
  }
  for (std::string& word : unknownWords(session.settings.environment)) {
    context.options.emplace_back("--unknown");
    context.options.push_back(std::move(word));
  }
  if (const auto& arguments = session.settings.environment.arguments) {
    std::string words;
    for (const std::string& argument : *arguments) words += (words.empty() ? "" : " ") + argument;
    context.options.emplace_back("--args");
    context.options.push_back(std::move(words));
  }
  if (session.lastReport && !session.lastReport->harness.empty()) {
    context.options.emplace_back("--harness");
    context.options.push_back(session.lastReport->harness);
  }
  context.otherFiles = program.others;
  context.shownIn = *document.path;
  return context;
}

void Workspace::projectChanged(const std::string& database, const std::string& log) {
  if (down_) return;
  if (!log.empty()) say(lsp::MessageType::Log, log);
  for (const auto& [key, session] : sessions_) {
    const Document* document = documents_.findKey(key);
    if (session->database != database || document == nullptr || !session->settings.automatic()) continue;
    const Subject subject = subjectOf(*document, *session);
    // A program of one file is the file alone.
    const auto othersOf = [&](const ProjectProgram& program) {
      std::vector<std::string> others = program.others;
      if (!program.entry.empty() && program.entry != *document->path) others.push_back(program.entry);
      return others;
    };
    if (std::holds_alternative<AwaitingProject>(session->run) ||
        othersOf(subject.program) != othersOf(session->program))
      runNow(*document, *session, Cause::Asked);
  }
}

void Workspace::runUsersOf(const std::string& path) {
  for (const auto& [key, session] : sessions_) {
    const Document* document = documents_.findKey(key);
    if (document == nullptr || *document->path == path || session->settings.trigger != Trigger::OnIdle)
      continue;
    const ProjectProgram& program = session->program;
    const bool uses = program.entry == path ||
                      std::find(program.others.begin(), program.others.end(), path) != program.others.end();
    if (!uses) continue;
    settle(*session, *document);
    forget(*session, key);
    for (LocatedFinding& located : session->shown) located.stale = true;
    session->stale = session->lastReport.has_value();
    session->explored.reset();  // what it is linked with has changed
    runSoon(*document, *session);
  }
}

}  // namespace heddle
