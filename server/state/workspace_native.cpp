// The workspace's commands for native programs: what the user asked for, and nothing by itself.
#include <filesystem>
#include <utility>

#include "server/features/code_lens.h"
#include "server/features/native_action.h"
#include "server/state/workspace.h"

namespace heddle {
namespace {

using lsp::json;

/// Beside the file, unless the client names another place.
std::string outputOf(const json& argument, const std::string& path, const std::string& suffix) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const std::string given = lsp::textMember(argument, "output").value_or("");
  if (!given.empty()) return (folder / given).string();
  return (folder / (std::filesystem::path(path).stem().string() + suffix)).string();
}

json resultOf(const NativeDesk::Request& request, const NativeDesk::Outcome& outcome) {
  json result = json::object();
  if (!request.output.empty()) result["output"] = request.output;
  if (request.schedule) {
    result["finding"] = outcome.program.finding;
    result["threads"] = outcome.program.threads;
    result["steps"] = outcome.program.steps;
    result["notes"] = outcome.program.notes;
  }
  return result;
}

}  // namespace

NativeDesk::Request Workspace::nativeRequest(const Document& document, FileSession& session) const {
  Subject subject = subjectOf(document, session);
  NativeDesk::Request request;
  request.snapshot = std::move(subject.snapshot);
  request.textFromDisk = subject.textFromDisk;
  request.options = std::move(subject.options);
  request.options.workers = 1;  // the editor needs the rest
  request.options.diagnose = request.options.summarizeAccesses = false;
  request.budget = session.settings.saveBudget;
  return request;
}

void Workspace::executeNative(const FileCommand& given, lsp::Reply<json> reply) {
  const auto& [name, argument, document, session] = given;
  const auto refuse = [&](const std::string& why) { reply.error(lsp::ErrorCode::InvalidParams, why); };
  NativeDesk::Request request = nativeRequest(document, session);
  if (name == command::kReproduce) {
    const std::string id = lsp::textMember(argument, "finding").value_or("");
    const LocatedFinding* meant = nullptr;
    for (const LocatedFinding& located : session.shown)
      if (!located.stale && located.finding.id == id) meant = &located;
    if (!native_.canReproduce() || meant == nullptr || meant->finding.schedule.empty())
      return refuse("there is no finding '" + id + "' of this text");
    request.schedule.emplace(meant->finding.schedule, meant->finding.kind);
    request.output = outputOf(argument, *document.path, "-" + id + ".reproducer");
  } else {
    if (!native_.canConstrain()) return refuse("this server finds no constraints");
    if (!safeRunText(session, document).empty()) request.prefix = session.safeRun->prefix;
    if (name == command::kBuild) request.output = outputOf(argument, *document.path, "-constrained");
  }
  auto answer = std::make_shared<lsp::Reply<json>>(std::move(reply));
  native_.start(request, [this, answer, request, key = document.key,
                          map = document.map](const NativeDesk::Outcome& outcome) {
    if (!outcome.problem.empty())
      return answer->error(lsp::ErrorCode::RequestFailed, "heddle: " + outcome.problem);
    json result = resultOf(request, outcome);
    std::string told =
        request.schedule ? request.output + " fails each time: " + outcome.program.finding : "";
    const auto [latest, current] = settledKey(key);
    if (!request.schedule && !request.prefix && current != nullptr && latest->map == map) {
      current->safeRun = SafeRun{map, outcome.enforcement.prefix, {}, outcome.enforcement.verdict};
      for (const Constraint& constraint : outcome.enforcement.prefix.constraints)
        current->safeRun->constraints.push_back(describe(constraint, outcome.enforcement.sites));
    }
    if (!request.schedule && current != nullptr && latest->map == map && current->safeRun) {
      result["constraints"] = current->safeRun->constraints;
      result["verdict"] = toString(current->safeRun->verdict);
      told = safeRunText(*current, *latest);
      for (const std::string& constraint : current->safeRun->constraints) told += "; " + constraint;
      if (!request.output.empty()) told = request.output + ": " + told;
    }
    for (const std::string& note : outcome.program.notes) told += "; but " + note;
    (*answer)(result);
    say(lsp::MessageType::Info, "heddle: " + told);
    if (request.schedule || current == nullptr) return;
    tellStatus(*current, *latest, true);
    refreshLenses();
  });
}

}  // namespace heddle
