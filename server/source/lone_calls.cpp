#include "server/source/lone_calls.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "server/source/harness_object.h"
#include "server/source/harness_subject.h"
#include "server/source/harness_text.h"

namespace heddle {
namespace {

// Behind all other harnesses, but for functions that look wrong: these are in front of most.
constexpr int kAloneRank = -1000, kSlipRank = 350, kRowRank = 200, kNewRank = 100, kSetUpRank = 50;
constexpr size_t kMostAlone = 64;

/// What the function has to do with the life of the object that it works on.
enum class LifePart : uint8_t { None, Create, Init, Destroy };

LifePart partOf(const Survey& survey, const SurveyFunction& function) {
  const auto among = [&](const ObjectLife& life) {
    return life.create == &function    ? LifePart::Create
           : life.init == &function    ? LifePart::Init
           : life.destroy == &function ? LifePart::Destroy
                                       : LifePart::None;
  };
  const SurveyType& result = function.result;
  if (result.kind == SurveyType::Kind::Pointer && result.record != kNoRecord)
    if (const LifePart part = among(lifeOf(survey, result.record)); part != LifePart::None) return part;
  for (const auto& [name, type] : function.parameters)
    if (type.kind == SurveyType::Kind::Pointer && type.record != kNoRecord)
      if (const LifePart part = among(lifeOf(survey, type.record)); part != LifePart::None) return part;
  return LifePart::None;
}

/// What all these harnesses have in common.
GeneratedHarness harnessOf(const HarnessWriter& writer, const SurveyFunction& first) {
  GeneratedHarness harness;
  harness.place = first.place;
  harness.assumed = writer.assumed;
  harness.isAlone = true;
  harness.isOdd = writer.isOdd;
  harness.mixesObjects = writer.mixesObjects;
  return harness;
}

/// Any few of the calls, one after the other, on an object that the file's own functions set up: what one
/// call leaves, the next one meets. Nothing: there are no such calls.
std::optional<GeneratedHarness> callsInARow(const Survey& survey, const Subject& subject,
                                            HarnessState& state) {
  constexpr size_t kMostCalls = 8, kRounds = 3;
  if (subject.record == kNoRecord) return std::nullopt;
  HarnessWriter writer(survey);
  for (const SurveyFunction& operation : subject.operations) writer.willCall(operation);
  if (!writer.object(subject.record) || writer.isOdd) return std::nullopt;
  std::string cases;
  std::vector<std::string> names;
  for (const SurveyFunction& operation : subject.operations) {
    // What waits, waits for another thread; what frees the object is the last call.
    if (operation.isStatic || operation.waits || consumesObject(operation) || names.size() == kMostCalls)
      continue;
    writer.values.clear();
    const auto call = writer.callAlone(operation);
    if (!call) continue;
    cases += "      case " + std::to_string(names.size()) + ":\n" + writer.values + "  " + *call +
             ";\n        break;\n";
    names.push_back(operation.name);
  }
  if (names.size() < 2) return std::nullopt;
  writer.declareInput("uchar");
  GeneratedHarness harness = harnessOf(writer, *survey.find(names.front()));
  for (const std::string& name : names) harness.title += (harness.title.empty() ? "" : " | ") + name;
  harness.functions = names;
  harness.assumed.push_back("one thread may make any " + std::to_string(kRounds) +
                            " of the calls, in any order");
  harness.text = frameText(writer, "", globalSetUp(survey),
                           "  for (int heddle_round = 0; heddle_round < " + std::to_string(kRounds) +
                               "; ++heddle_round) {\n    switch (__VERIFIER_nondet_uchar()) {\n" + cases +
                               "      default:\n        break;\n    }\n  }\n");
  state.note(writer, harness);
  harness.rank = kAloneRank + kRowRank;
  return harness;
}

}  // namespace

void addLoneCalls(const Survey& survey, const std::vector<Subject>& subjects, HarnessState& state,
                  const Budget& budget, std::vector<GeneratedHarness>& harnesses) {
  std::set<std::string> called;
  for (const GeneratedHarness& harness : harnesses)
    called.insert(harness.functions.begin(), harness.functions.end());
  const SurveyFunction* const first = globalMaker(survey);
  std::vector<GeneratedHarness> added;
  for (const Subject& subject : subjects)
    if (budget.check() == StopReason::None)
      if (auto harness = callsInARow(survey, subject, state)) added.push_back(std::move(*harness));
  for (const SurveyFunction& function : survey.functions) {
    if (budget.check() != StopReason::None) break;
    const bool isOffered = !function.isStatic || isCallback(survey, function);
    if (!isOffered || function.isVariadic || &function == first) continue;
    const LifePart part = partOf(survey, function);
    const uint32_t subject = subjectOf(function);
    HarnessWriter writer(survey);
    const SurveyFunction whole = withCallees(survey, function);
    writer.willCall(whole);
    if (part == LifePart::Init && subject != kNoRecord && survey.records[subject].isComplete)
      writer.giveMemory(subject);
    const auto call = writer.callAlone(whole);
    // What takes an object down that another function has set up is called at the end of each harness.
    if (!call || (part == LifePart::Destroy && !writer.called.empty())) continue;
    GeneratedHarness harness = harnessOf(writer, function);
    harness.title = function.name;
    harness.functions = {function.name};
    harness.assumed.push_back("'" + function.name + "' may be called in that state");
    harness.text = frameText(writer, "", globalSetUp(survey), writer.values + "  " + *call + ";\n");
    harness.repeatsObject = repeatsObject(*call);
    state.note(writer, harness);
    harness.rank =
        kAloneRank + (called.contains(function.name) ? 0 : kNewRank) + (writer.isOdd ? 0 : kSetUpRank);
    if (!function.slips.empty()) harness.rank = kSlipRank;
    added.push_back(std::move(harness));
  }
  std::stable_sort(added.begin(), added.end(),
                   [](const GeneratedHarness& a, const GeneratedHarness& b) { return a.rank > b.rank; });
  added.resize(std::min(added.size(), kMostAlone));
  std::move(added.begin(), added.end(), std::back_inserter(harnesses));
}

}  // namespace heddle
