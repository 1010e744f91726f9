#include "server/render/json_report.h"

#include "server/render/explanation.h"
#include "server/render/finding_group.h"
#include "server/version.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

Json inputJson(const InputValue& input) {
  Json object = {{"name", input.name}, {"line", input.place.line}, {"value", input.value}};
  if (input.isUnsigned) object["value"] = static_cast<uint64_t>(input.value);
  if (!input.thread.empty()) object["thread"] = input.thread;
  return object;
}

Json stepJson(const Step& step) {
  return {
      {"thread", step.thread}, {"file", step.place.file}, {"line", step.place.line}, {"event", step.event}};
}

template <typename Items, typename ToJson>
Json arrayOf(const Items& items, ToJson toJson) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(toJson(item));
  return array;
}

Json threadsJson(const std::vector<ThreadDescription>& threads) {
  return arrayOf(threads, [](const ThreadDescription& thread) {
    Json described{{"label", thread.label}, {"function", thread.function}};
    if (thread.ofSignal) described["ofSignal"] = true;
    return described;
  });
}

Json repairJson(const Repair& repair) {
  return {{"title", repair.title},
          {"status", toString(repair.status)},
          {"kind", repair.kind},
          {"fixed_orderings", repair.fixedOrderings},
          {"edits", arrayOf(repair.edits, [](const TextEditAt& edit) {
             return Json{
                 {"file", edit.file},       {"startLine", edit.startLine}, {"startColumn", edit.startColumn},
                 {"endLine", edit.endLine}, {"endColumn", edit.endColumn}, {"newText", edit.newText}};
           })}};
}

Json placeJson(const std::string& thread, const SourcePlace& place) {
  return {{"thread", thread}, {"file", place.file}, {"line", place.line}};
}

Json orderingJson(const OrderingFact& fact) {
  Json object = {{"before", placeJson(fact.beforeThread, fact.before)},
                 {"after", placeJson(fact.afterThread, fact.after)}};
  if (!fact.text.empty()) object["text"] = fact.text;
  return object;
}

Json accessJson(const SourceAccess& access) {
  return {{"file", access.place.file},
          {"line", access.place.line},
          {"column", access.place.column},
          {"function", access.place.function},
          {"object", access.object}};
}

Json planJson(const RepairPlan& plan) {
  return {{"kind", toString(plan.kind)},
          {"text", planText(plan, "")},
          {"regions",
           arrayOf(plan.regions,
                   [](const std::vector<SourceAccess>& region) { return arrayOf(region, accessJson); })},
          {"orders", arrayOf(plan.orders,
                             [](const PlannedOrder& order) {
                               return Json{{"before", accessJson(order.before)},
                                           {"after", accessJson(order.after)},
                                           {"signals", order.signals}};
                             })},
          {"existing_lock", plan.existingLock},
          {"why", plan.why},
          {"covers_cores", plan.coversCores},
          {"permissive", plan.permissive}};
}

Json explanationJson(const Explanation& explanation) {
  Json object = {
      {"claim", explanation.claim},
      {"pattern", explanation.pattern},
      {"facts",
       arrayOf(explanation.facts,
               [](const RelatedPlace& fact) {
                 return Json{{"file", fact.place.file}, {"line", fact.place.line}, {"message", fact.message}};
               })},
      {"steps", arrayOf(explanation.steps, stepJson)},
      {"cores", arrayOf(explanation.cores,
                        [](const std::vector<OrderingFact>& core) { return arrayOf(core, orderingJson); })},
      {"minimal", explanation.minimal},
      {"all_failures", explanation.allFailures},
      {"fails_always", explanation.failsAlways},
      {"orderings", explanation.orderings},
      {"killers", explanation.killers},
      {"elementary_solutions", explanation.elementary},
      {"composite_solution", explanation.composite},
      {"diagnose_seconds", explanation.diagnoseSeconds},
      {"plan_seconds", explanation.planSeconds},
      {"passing", nullptr}};
  if (explanation.passing)
    object["passing"] = {{"schedule", explanation.passing->schedule},
                         {"changed", arrayOf(explanation.passing->changed, orderingJson)},
                         {"fewest", explanation.passing->fewest}};
  if (!explanation.problem.empty()) object["problem"] = explanation.problem;
  if (explanation.amongExecutions != 0) object["among_executions"] = explanation.amongExecutions;
  return object;
}

Json findingJson(const Finding& finding) {
  Json object = {{"id", finding.id},
                 {"kind", toString(finding.kind)},
                 {"message", finding.message},
                 {"file", finding.place.file},
                 {"line", finding.place.line},
                 {"column", finding.place.column},
                 {"function", finding.place.function},
                 {"related", arrayOf(finding.related,
                                     [](const RelatedPlace& related) {
                                       return Json{{"file", related.place.file},
                                                   {"line", related.place.line},
                                                   {"column", related.place.column},
                                                   {"message", related.message}};
                                     })},
                 {"threads", threadsJson(finding.threads)},
                 {"inputs", arrayOf(finding.inputs, inputJson)},
                 {"schedule", finding.schedule},
                 {"steps", arrayOf(finding.steps, stepJson)},
                 {"core", arrayOf(finding.core, orderingJson)},
                 {"repairs", arrayOf(finding.repairs, repairJson)}};
  if (finding.possible) object["possible"] = true;
  if (!finding.assumes.empty()) object["assumes"] = finding.assumes;
  if (finding.explanation) {
    object["explanation"] = explanationJson(*finding.explanation);
    object["plans"] = arrayOf(finding.plans, planJson);
  }
  return object;
}

/// One of each bug, with the others' places.
Json groupJson(const FindingGroup& group) {
  Json object = findingJson(*group.head);
  if (group.also.empty()) return object;
  object["also"] = arrayOf(group.also, [](const Finding* finding) {
    return Json{{"id", finding->id},
                {"kind", toString(finding->kind)},
                {"message", finding->message},
                {"file", finding->place.file},
                {"line", finding->place.line},
                {"column", finding->place.column},
                {"function", finding->place.function},
                {"schedule", finding->schedule}};
  });
  return object;
}

Json statsJson(const Stats& stats) {
  Json object = {{"paths", stats.paths},
                 {"executions", stats.executions},
                 {"events", stats.events},
                 {"queries", stats.queries},
                 {"sat", stats.sat},
                 {"unsat", stats.unsat},
                 {"unknown", stats.unknown},
                 {"open_leaves", stats.openLeaves},
                 {"states", stats.states},
                 {"solver_seconds", stats.solverSeconds},
                 {"interp_seconds", stats.interpSeconds},
                 {"compile_seconds", stats.compileSeconds},
                 {"wall_seconds", stats.wallSeconds},
                 {"first_finding_seconds", nullptr},
                 {"peak_rss_mb", stats.peakRssMb}};
  if (stats.firstFindingSeconds >= 0) object["first_finding_seconds"] = stats.firstFindingSeconds;
  return object;
}

Json placeJson(const SourcePlace& place) {
  return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

Json sizedJson(const SizedRun& run) {
  const auto sizeJson = [](const ChosenSize& size) {
    Json object = placeJson(size.place);
    object["name"] = size.name;
    object["written"] = size.written;
    object["value"] = size.value;
    return object;
  };
  return {{"sizes", arrayOf(run.sizes, sizeJson)},
          {"verdict", toString(run.verdict)},
          {"bounds", arrayOf(run.bounds, [](const NamedBound& bound) { return Json(bound.text); })},
          {"findings", arrayOf(run.findings, findingJson)},
          {"wall_seconds", run.wallSeconds}};
}

Json reachJson(const Reach& reach) {
  const auto countJson = [](const ReachCount& count) {
    return Json{{"reached", count.reached}, {"all", count.all}};
  };
  const auto threadJson = [](const ReachedThread& thread) {
    Json object = placeJson(thread.place);
    object["function"] = thread.function;
    object["started"] = thread.started;
    object["ended"] = thread.ended;
    return object;
  };
  const auto unreachedJson = [](const Unreached& what) {
    Json object = placeJson(what.place);
    object["kind"] = toString(what.kind);
    object["text"] = what.text;
    object["function"] = what.function;
    return object;
  };
  return {{"threads", arrayOf(reach.threads, threadJson)},
          {"functions", countJson(reach.functions)},
          {"branch_sides", countJson(reach.branchSides)},
          {"assertions", countJson(reach.assertions)},
          {"unreached", arrayOf(reach.unreached, unreachedJson)}};
}

Json unknownJson(const UnknownCall& call) {
  return {{"name", call.name},
          {"effect", call.effect},
          {"places", arrayOf(call.places, [](const SourcePlace& place) { return placeJson(place); })},
          {"stub", call.stub}};
}

}  // namespace

Json reportJson(const Report& report, const std::map<std::string, std::string>& suppressed) {
  Json properties = Json::object();
  for (const auto& [name, verdict] : report.properties) properties[toString(name)] = toString(verdict);
  Json object = {{"heddle", heddleVersion()},
                 {"format", kReportFormat},
                 {"file", report.file},
                 {"entry", report.entry},
                 {"strategy", report.strategy},
                 {"memory", report.memory},
                 {"verdict", toString(report.verdict)},
                 {"properties", properties},
                 {"bounds", arrayOf(report.bounds, [](const NamedBound& bound) { return Json(bound.text); })},
                 {"bound_kinds",
                  arrayOf(report.bounds, [](const NamedBound& bound) { return Json(toString(bound.kind)); })},
                 {"assumptions", arrayOf(report.assumptions,
                                         [](const Assumption& assumption) {
                                           return Json{{"text", assumption.text},
                                                       {"file", assumption.place.file},
                                                       {"line", assumption.place.line}};
                                         })},
                 {"findings", arrayOf(groupsOf(report.findings, suppressed), groupJson)},
                 {"warnings", arrayOf(report.warnings, findingJson)},
                 {"stats", statsJson(report.stats)},
                 {"command_source", report.commandSource}};
  for (Json& finding : object["findings"])
    if (const auto reason = suppressed.find(finding["id"].get<std::string>()); reason != suppressed.end())
      finding["suppressed"] = reason->second;
  if (report.reach) object["reach"] = reachJson(*report.reach);
  if (report.provedLocations != 0) object["proved_locations"] = report.provedLocations;
  if (!report.missing.empty())
    object["missing_headers"] = arrayOf(report.missing, [](const MissingHeader& header) {
      Json missing = placeJson(header.place);
      missing["name"] = header.name;
      missing["candidates"] = header.candidates;
      return missing;
    });
  if (!report.reported.empty())
    object["reported"] = arrayOf(report.reported, [](const ConfirmedRace& race) {
      return Json{{"name", race.name},
                  {"state", toString(race.state)},
                  {"why", race.why},
                  {"schedule", race.schedule}};
    });
  if (!report.saved.empty())
    object["saved"] = arrayOf(report.saved, [](const SavedRun& run) {
      Json saved = placeJson(run.place);
      saved["name"] = run.name;
      saved["kind"] = toString(run.kind);
      saved["state"] = toString(run.state);
      saved["why"] = run.why;
      saved["schedule"] = run.schedule;
      return saved;
    });
  if (!report.sized.empty()) object["sized"] = arrayOf(report.sized, sizedJson);
  if (!report.open.empty())
    object["open"] = arrayOf(report.open, [](const OpenPlace& open) {
      Json place = placeJson(open.place);
      place["function"] = open.place.function;
      place["what"] = open.what;
      place["branches"] = open.branches;
      return place;
    });
  if (!report.harness.empty()) object["harness"] = report.harness;
  if (!report.unknownCalls.empty()) object["unknown"] = arrayOf(report.unknownCalls, unknownJson);
  if (report.coverage)
    object["coverage"] = {{"branches", report.coverage->branches},
                          {"by_interferences", report.coverage->byInterferences},
                          {"scenarios", report.coverage->scenarios},
                          {"unrealizable", report.coverage->unrealizable},
                          {"finding_runs", report.coverage->findingRuns}};
  if (!report.problem.empty()) {
    object["problem"] = {{"text", report.problem},
                         {"kind", toString(report.problemKind)},
                         {"file", report.problemPlace.file},
                         {"line", report.problemPlace.line},
                         {"column", report.problemPlace.column}};
  }
  return object;
}

Json replayJson(const std::string& file, const std::string& schedule, const ReplayResult& result) {
  Json object = {{"heddle", heddleVersion()},
                 {"format", kReportFormat},
                 {"file", file},
                 {"schedule", schedule},
                 {"ok", result.ok},
                 {"threads", threadsJson(result.threads)},
                 {"inputs", arrayOf(result.inputs, inputJson)},
                 {"steps", arrayOf(result.steps, stepJson)},
                 {"failures", arrayOf(result.failures, findingJson)},
                 {"output", result.output}};
  if (!result.error.empty()) object["error"] = result.error;
  return object;
}

Json unknownCallsJson(const std::vector<UnknownCall>& calls) {
  return {{"heddle", heddleVersion()}, {"unknown", arrayOf(calls, unknownJson)}};
}

std::string dumpLine(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace heddle
