#include "server/source/lone_calls.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "server/source/harness_object.h"
#include "server/source/harness_subject.h"
#include "server/source/harness_text.h"

namespace heddle {
namespace {

// Behind all other harnesses, but for functions that look wrong: these are in front of most.
constexpr int kAloneRank = -1000, kSlipRank = 350, kNewRank = 100, kSetUpRank = 50;
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

}  // namespace

void addLoneCalls(const Survey& survey, HarnessState& state, const Budget& budget,
                  std::vector<GeneratedHarness>& harnesses) {
  std::set<std::string> called;
  for (const GeneratedHarness& harness : harnesses)
    called.insert(harness.functions.begin(), harness.functions.end());
  const SurveyFunction* const first = globalMaker(survey);
  std::vector<GeneratedHarness> added;
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
    GeneratedHarness harness;
    harness.title = function.name;
    harness.functions = {function.name};
    harness.place = function.place;
    harness.assumed = writer.assumed;
    harness.assumed.push_back("'" + function.name + "' may be called in that state");
    harness.text = frameText(writer, "", first ? globalSetUp(survey) : "", "  " + *call + ";\n");
    harness.isAlone = true;
    harness.isOdd = writer.isOdd;
    harness.mixesObjects = writer.mixesObjects;
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
