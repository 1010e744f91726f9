#include "server/render/sarif_report.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string_view>

#include "protocol/uri.h"
#include "server/convert/position_map.h"
#include "server/convert/source_token.h"
#include "server/render/finding_group.h"
#include "server/render/interleaving.h"
#include "server/render/sized_text.h"
#include "server/render/text_report.h"
#include "server/version.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostLocations = 5000;  // of one flow: code scanning takes 10,000 in all

size_t ruleIndex(Property property) {
  return static_cast<size_t>(&infoOf(property) - kProperties.data());
}

Json rulesJson(const std::map<std::string, std::string>& help) {
  Json rules = Json::array();
  for (const PropertyInfo& rule : kProperties) {
    const std::string code = codeOf(rule.property);
    Json object = {
        {"id", code},
        {"name", rule.ruleName},
        {"shortDescription", {{"text", rule.ruleText}}},
        {"fullDescription",
         {{"text", std::string(rule.ruleText) +
                       " Heddle explores all schedules and all inputs; each finding was replayed."}}},
        {"defaultConfiguration", {{"level", rule.isWarning ? "warning" : "error"}}},
        {"properties", {{"tags", {"concurrency", "correctness"}}}}};
    if (const auto text = help.find(code); text != help.end())
      object["help"] = {{"text", text->second}, {"markdown", text->second}};
    rules.push_back(std::move(object));
  }
  return rules;
}

Json placeJson(const SourcePlace& place, const std::string& fallback) {
  const std::string& file = place.file.empty() ? fallback : place.file;
  Json physical = {{"artifactLocation", {{"uri", file.starts_with("/") ? lsp::uriFromPath(file) : file}}}};
  if (place.line != 0) {
    physical["region"] = {{"startLine", place.line}};
    if (place.column != 0) physical["region"]["startColumn"] = place.column;
  }
  Json location = {{"physicalLocation", physical}};
  if (!place.function.empty())
    location["logicalLocations"] = Json::array({{{"name", place.function}, {"kind", "function"}}});
  return location;
}

Json withMessage(Json location, const std::string& text) {
  location["message"] = {{"text", text}};
  return location;
}

Json kindsOf(const Step& step) {
  static const std::map<std::string, std::vector<std::string>> kKinds = {
      {"read", {"value", "memory"}},  {"write", {"value", "memory"}},   {"update", {"value", "memory"}},
      {"lock", {"acquire", "lock"}},  {"unlock", {"release", "lock"}},  {"create", {"call", "function"}},
      {"join", {"call", "function"}}, {"start", {"enter", "function"}}, {"end", {"exit", "function"}}};
  const auto known = kKinds.find(step.kind);
  return known == kKinds.end() ? Json::array() : Json(known->second);
}

bool inCore(const Finding& finding, const Step& step) {
  const auto at = [&](const SourcePlace& place, const std::string& thread) {
    return thread == step.thread && place.line == step.place.line && place.file == step.place.file;
  };
  return std::any_of(finding.core.begin(), finding.core.end(), [&](const OrderingFact& fact) {
    return at(fact.before, fact.beforeThread) || at(fact.after, fact.afterThread);
  });
}

Json stepJson(const Finding& finding, const Step& step, size_t order, bool last, const std::string& file) {
  const bool essential = last || inCore(finding, step);
  const bool telling = step.kind == "read" || step.kind == "write" || step.kind == "update";
  Json object = {{"location", withMessage(placeJson(step.place, file), step.thread + ": " + step.event)},
                 {"executionOrder", order + 1},
                 {"importance", essential ? "essential"
                                : telling ? "important"
                                          : "unimportant"}};
  if (const Json kinds = kindsOf(step); !kinds.empty()) object["kinds"] = kinds;
  return object;
}

Json codeFlows(const Finding& finding, const std::string& file) {
  const std::vector<Step> steps = stepsToFailure(finding);
  const size_t first = steps.size() > kMostLocations ? steps.size() - kMostLocations : 0;
  Json merged = Json::array();
  std::vector<std::string> order;
  std::map<std::string, Json> perThread;
  for (size_t i = first; i < steps.size(); i++) {
    const Json step = stepJson(finding, steps[i], i, i + 1 == steps.size(), file);
    merged.push_back(step);
    const auto [thread, isNew] = perThread.try_emplace(steps[i].thread, Json::array());
    if (isNew) order.push_back(steps[i].thread);
    thread->second.push_back(step);
  }
  if (merged.empty()) return Json::array();
  Json threads = Json::array();
  for (const std::string& label : order) {
    std::string function;
    for (const ThreadDescription& thread : finding.threads)
      if (thread.label == label) function = titleOf(thread);
    threads.push_back({{"id", label},
                       {"message", {{"text", label + (function.empty() ? "" : " " + function)}}},
                       {"locations", perThread[label]}});
  }
  return Json::array({{{"message", {{"text", "the interleaving in its order"}}},
                       {"threadFlows", Json::array({{{"id", "all"}, {"locations", merged}}})}},
                      {{"message", {{"text", "by thread"}}}, {"threadFlows", threads}}});
}

Json fixesOf(const Finding& finding) {
  Json fixes = Json::array();
  for (const Repair& repair : finding.repairs) {
    std::map<std::string, Json> changes;
    for (const TextEditAt& edit : repair.edits) {
      Json& replacements = changes.try_emplace(edit.file, Json::array()).first->second;
      replacements.push_back({{"deletedRegion",
                               {{"startLine", edit.startLine},
                                {"startColumn", edit.startColumn},
                                {"endLine", edit.endLine},
                                {"endColumn", edit.endColumn}}},
                              {"insertedContent", {{"text", edit.newText}}}});
    }
    Json artifacts = Json::array();
    for (auto& [file, replacements] : changes)
      artifacts.push_back(
          {{"artifactLocation", {{"uri", file.starts_with("/") ? lsp::uriFromPath(file) : file}}},
           {"replacements", replacements}});
    fixes.push_back({{"description", {{"text", repair.title}}}, {"artifactChanges", artifacts}});
  }
  return fixes;
}

std::string hashText(const std::string& text) {
  uint64_t hash = 1469598103934665603ULL;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  char buffer[17];
  std::snprintf(buffer, sizeof buffer, "%016llx", static_cast<unsigned long long>(hash));
  return buffer;
}

size_t codePointsIn(std::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// A line without its blanks.
std::string sourceLine(const PositionMap& text, uint32_t line) {
  std::string found(line == 0 ? std::string_view() : text.line(line - 1));
  std::erase_if(found, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
  return found;
}

/// SARIF knows no byte columns. Places in other files keep theirs, exact for ASCII lines.
class CodePoints {
 public:
  explicit CodePoints(const SarifFile& file) : path_(file.report.file), text_(file.text) {}

  const PositionMap& text() const { return text_; }
  uint32_t column(uint32_t line, uint32_t column) const {
    if (line == 0 || column == 0) return column;
    const std::string_view before = text_.line(line - 1).substr(0, column - 1);
    return column - static_cast<uint32_t>(before.size() - codePointsIn(before));
  }
  void convert(Report& report) const {
    convert(report.problemPlace);
    for (std::vector<Finding>* findings : {&report.findings, &report.warnings})
      for (Finding& finding : *findings) convert(finding);
  }
  /// Where the token at a converted place ends, in code points from 1; 0: not known.
  size_t endColumn(const SourcePlace& place) const {
    if (!isHere(place) || place.line == 0 || place.column == 0) return 0;
    const std::string_view line = text_.line(place.line - 1);
    size_t at = 0;
    for (size_t seen = 0; at < line.size(); ++at) {
      seen += codePointsIn(line.substr(at, 1));
      if (seen == place.column) break;
    }
    const size_t begin = text_.offsetOfPlace(place.line, 1);
    const ByteRange token = tokenAt(text_.text(), begin + at);
    if (token.begin < begin || token.end <= begin + at || token.end > begin + line.size()) return 0;
    return codePointsIn(line.substr(0, token.end - begin)) + 1;
  }

 private:
  bool isHere(const SourcePlace& place) const { return place.file.empty() || place.file == path_; }
  void convert(SourcePlace& place) const {
    if (isHere(place)) place.column = column(place.line, place.column);
  }
  void convert(Finding& finding) const {
    convert(finding.place);
    for (RelatedPlace& related : finding.related) convert(related.place);
    for (Step& step : finding.steps) convert(step.place);
    for (Repair& repair : finding.repairs)
      for (TextEditAt& edit : repair.edits) {
        edit.startColumn = column(edit.startLine, edit.startColumn);
        edit.endColumn = column(edit.endLine, edit.endColumn);
      }
  }

  const std::string path_;
  const PositionMap text_;
};

/// `also`: what is the same bug; its places are related ones.
Json findingResult(const SarifFile& file, const CodePoints& columns, const Finding& finding,
                   const std::vector<const Finding*>& also = {}) {
  const std::string& path = file.report.file;
  std::string message = finding.message;
  for (const std::string& assumed : finding.assumes) message += "; if " + assumed;
  for (const std::string& input : renderInputs(finding.inputs)) message += "; input " + input;
  Json location = placeJson(finding.place, path);
  if (const size_t end = columns.endColumn(finding.place); end != 0)
    location["physicalLocation"]["region"]["endColumn"] = end;
  Json result = {{"ruleId", codeOf(finding.kind)},
                 {"ruleIndex", ruleIndex(finding.kind)},
                 {"kind", "fail"},
                 {"level", isWarning(finding) ? "warning" : "error"},
                 {"message", {{"text", message}}},
                 {"locations", Json::array({std::move(location)})},
                 {"partialFingerprints",
                  {{"heddleFinding/v2", finding.id},
                   {"primaryLocationLineHash", hashText(toString(finding.kind) + finding.place.function +
                                                        sourceLine(columns.text(), finding.place.line)) +
                                                   ":1"}}}};
  Json related = Json::array();
  for (const RelatedPlace& place : finding.related)
    related.push_back(withMessage(placeJson(place.place, path), place.message));
  for (const Finding* other : also)
    related.push_back(withMessage(placeJson(other->place, path), "the same bug: " + other->message));
  if (!related.empty()) result["relatedLocations"] = related;
  if (const Json flows = codeFlows(finding, path); !flows.empty()) result["codeFlows"] = flows;
  if (const Json fixes = fixesOf(finding); !fixes.empty()) result["fixes"] = fixes;
  if (const auto reason = file.suppressed.find(finding.id); reason != file.suppressed.end())
    result["suppressions"] =
        Json::array({{{"kind", "inSource"}, {"status", "accepted"}, {"justification", reason->second}}});
  result["properties"] = {{"schedule", finding.schedule}};
  return result;
}

const char* kindOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::Violated:
      return "fail";
    case Verdict::Verified:
    case Verdict::VerifiedWithinBounds:
      return "pass";
    case Verdict::Incomplete:
    case Verdict::Cancelled:
    case Verdict::Unsupported:  // the property applies: nobody knows
    case Verdict::Error:
      return "open";
  }
  return "open";
}

Json verdictResult(const Report& report, Property property, Verdict verdict) {
  std::string text = std::string(toString(property)) + ": " + toString(verdict);
  if (verdict == Verdict::VerifiedWithinBounds) {
    for (const NamedBound& bound : report.bounds) text += "; bound: " + bound.text;
    for (const Assumption& assumption : report.assumptions) text += "; assumed: " + assumption.text;
  } else if (verdict != Verdict::Verified && !report.problem.empty()) {
    text += ": " + report.problem;
  }
  if (verdict != Verdict::Verified) text += sizedSummary(report);
  SourcePlace place =
      verdict == Verdict::Unsupported || verdict == Verdict::Error ? report.problemPlace : SourcePlace{};
  return {{"ruleId", codeOf(property)},
          {"ruleIndex", ruleIndex(property)},
          {"kind", kindOf(verdict)},
          {"level", "none"},
          {"message", {{"text", text}}},
          {"locations", Json::array({placeJson(place, report.file)})},
          {"properties", {{"verdict", toString(verdict)}}}};
}

}  // namespace

Json sarifReport(const std::vector<SarifFile>& files, const std::map<std::string, std::string>& help) {
  Json results = Json::array(), artifacts = Json::array(), notifications = Json::array();
  for (const SarifFile& given : files) {
    SarifFile file = given;
    const CodePoints columns(given);
    columns.convert(file.report);
    const Report& report = file.report;
    artifacts.push_back(
        {{"location", {{"uri", report.file.starts_with("/") ? lsp::uriFromPath(report.file) : report.file}}},
         {"sourceLanguage", "c"}});
    for (const auto& [head, also] : groupsOf(report.findings, file.suppressed))
      results.push_back(findingResult(file, columns, *head, also));
    for (const Finding& warning : report.warnings) results.push_back(findingResult(file, columns, warning));
    for (const auto& [property, verdict] : report.properties)
      if (verdict != Verdict::Violated) results.push_back(verdictResult(report, property, verdict));
    if (!report.problem.empty())
      notifications.push_back({{"level", report.verdict == Verdict::Error ? "error" : "warning"},
                               {"message", {{"text", report.file + ": " + report.problem}}},
                               {"locations", Json::array({placeJson(report.problemPlace, report.file)})}});
  }
  // A file that does not compile was not looked at.
  const bool successful = std::none_of(files.begin(), files.end(), [](const SarifFile& file) {
    return file.report.verdict == Verdict::Error;
  });
  Json invocation = {{"executionSuccessful", successful}};
  if (!notifications.empty()) invocation["toolExecutionNotifications"] = notifications;
  return {{"$schema", "https://object.schemastore.org/sarif-2.1.0.object"},
          {"version", "2.1.0"},
          {"runs", Json::array({{{"tool",
                                  {{"driver",
                                    {{"name", "Heddle"},
                                     {"version", heddleVersion()},
                                     {"semanticVersion", heddleVersion()},
                                     {"rules", rulesJson(help)}}}}},
                                 {"invocations", Json::array({invocation})},
                                 {"columnKind", "unicodeCodePoints"},
                                 {"artifacts", artifacts},
                                 {"results", results}}})}};
}

}  // namespace heddle
