#include "server/source/lone_calls.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/support/harness_names.h"
#include "analysis/support/name_words.h"
#include "server/source/harness_object.h"
#include "server/source/harness_subject.h"
#include "server/source/harness_text.h"

namespace heddle {
namespace {

// Behind all other harnesses, but for functions that look wrong: these are in front of most.
constexpr int kAloneRank = -1000, kSlipRank = 350, kRowRank = 200, kNewRank = 100, kSetUpRank = 50,
              kInnerRank = -500;
constexpr size_t kMostAlone = 128;

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

/// How many pieces of data it may change, or end the life of.
size_t changesOf(const SurveyFunction& function) {
  std::set<std::string> changed;
  for (const std::string& callee : function.callees)
    if (isTakeDown(callee)) changed.insert(callee);
  for (const SurveyAccess& access : function.accesses)
    if (access.isWrite && !access.isOwn) changed.insert(access.data);
  return changed.size();
}

/// What one call leaves can matter to the next one: those that change most, in the order of the text. What
/// waits, waits for another thread; what ends the object's life is the last call.
std::vector<const SurveyFunction*> rowOf(const Survey& survey, const Subject& subject) {
  constexpr size_t kMostCalls = 8;
  const ObjectLife life = lifeOf(survey, subject.record);
  std::vector<const SurveyFunction*> row;
  for (const SurveyFunction& operation : subject.operations)
    if (!operation.isStatic && !operation.waits && !consumesObject(operation) && !takesDown(operation) &&
        !operation.name.ends_with("_end") && (!life.destroy || operation.name != life.destroy->name))
      row.push_back(&operation);
  std::stable_sort(row.begin(), row.end(), [](const SurveyFunction* a, const SurveyFunction* b) {
    return changesOf(*a) > changesOf(*b);
  });
  row.resize(std::min(row.size(), kMostCalls));
  std::sort(row.begin(), row.end());
  return row;
}

/// A harness that makes any few of the calls one after the other; nothing: there are no such calls. `call`
/// gives the statement for one; empty: it cannot be made.
template <typename Call>
std::optional<GeneratedHarness> rowHarness(const Survey& survey, HarnessWriter& writer, HarnessState& state,
                                           const std::vector<const SurveyFunction*>& row, const Call& call) {
  constexpr size_t kRounds = 3;
  std::string cases;
  std::vector<std::string> names;
  for (const SurveyFunction* operation : row) {
    writer.values.clear();
    const std::string statement = call(*operation);
    // Each turn would need arguments of its own.
    if (statement.empty() || statement.find(kGivenArguments) != std::string::npos) continue;
    cases += "      case " + std::to_string(names.size()) + ":\n" + writer.values + "  " + statement +
             ";\n        break;\n";
    names.push_back(operation->name);
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

/// Calls on an object that the file's own functions set up: what one leaves, the next one meets.
std::optional<GeneratedHarness> callsInARow(const Survey& survey, const Subject& subject,
                                            HarnessState& state) {
  if (subject.record == kNoRecord) return std::nullopt;
  HarnessWriter writer(survey);
  for (const SurveyFunction& operation : subject.operations) writer.willCall(operation);
  if (!writer.object(subject.record) || writer.isOdd) return std::nullopt;
  return rowHarness(survey, writer, state, rowOf(survey, subject), [&](const SurveyFunction& operation) {
    return writer.callAlone(operation).value_or("");
  });
}

/// What a function does with lists of the record, whose empty one is null.
struct ListPart {
  bool takes = false;    // the list
  bool changes = false;  // is given where the list is kept, or returns what it is then
};

ListPart listPartOf(const SurveyFunction& function, uint32_t record) {
  const auto isList = [&](const SurveyType& type, bool isTwice) {
    return type.kind == SurveyType::Kind::Pointer && type.record == record && type.isTwice == isTwice;
  };
  ListPart part;
  for (const auto& [name, type] : function.parameters) {
    part.takes |= isList(type, false);
    part.changes |= isList(type, true);
  }
  part.changes |= part.takes && isList(function.result, false);
  return part;
}

/// Calls on a list that is empty first.
std::optional<GeneratedHarness> callsOnAList(const Survey& survey, uint32_t record, HarnessState& state) {
  const ObjectLife life = lifeOf(survey, record);
  if (life.create || life.init) return std::nullopt;
  Subject subject{record, {}};
  bool isList = false;
  for (const SurveyFunction& function : survey.functions) {
    const ListPart part = listPartOf(function, record);
    if ((!part.takes && !part.changes) || function.isVariadic) continue;
    isList |= part.changes && !function.isStatic && !takesDown(function);
    subject.operations.push_back(withCallees(survey, function));
  }
  if (!isList) return std::nullopt;
  HarnessWriter writer(survey);
  for (const SurveyFunction& operation : subject.operations) writer.willCall(operation);
  const std::string list = writer.giveList(record);
  return rowHarness(survey, writer, state, rowOf(survey, subject), [&](const SurveyFunction& operation) {
    const ListPart part = listPartOf(operation, record);
    const auto call = writer.callAlone(operation);
    if (!call) return std::string();
    // What changes a list gets an empty one, too.
    if (part.takes && part.changes && operation.result.record == record) return list + " = " + *call;
    return (part.takes ? "if (" + list + ") " : "") + *call;
  });
}

/// Its name says that it ends the life of something: what is left of that, its callers do not follow.
bool endsSomething(const SurveyFunction& function) {
  constexpr std::array<std::string_view, 30> kEnds = {
      "cleanup", "clear", "reset", "fini",  "finish", "end",   "close",  "release",  "remove", "del",
      "drop",    "unref", "stop",  "term",  "done",   "purge", "flush",  "shutdown", "unset",  "discard",
      "pop",     "shift", "put",   "evict", "expire", "trim",  "shrink", "dequeue",  "take",   "truncate"};
  return takesDown(function) || consumesObject(function) || hasWord(function.name, kEnds);
}

/// Statements behind the call: no pointer is left to what it has freed.
std::string leftText(HarnessWriter& writer, const SurveyFunction& function) {
  if (writer.passed.empty() || endsSomething(function)) return "";
  writer.globals += kLeftDeclared;
  std::string text;
  for (const std::string& pointer : writer.passed) text += "  heddle_left(" + pointer + ");\n";
  return text;
}

/// A call of the function by itself; nothing: no arguments can be made for it, or another harness makes the
/// call at its end. `isAnyState`: objects are made up, whatever sets them up.
std::optional<GeneratedHarness> callAlone(const Survey& survey, const SurveyFunction& function, bool isInner,
                                          bool isAnyState, HarnessState& state) {
  const LifePart part = partOf(survey, function);
  const uint32_t subject = subjectOf(function);
  HarnessWriter writer(survey, isAnyState);
  writer.givesNull = true;
  const SurveyFunction whole = withCallees(survey, function);
  writer.willCall(whole);
  if (part == LifePart::Init && subject != kNoRecord && survey.records[subject].isComplete)
    writer.giveMemory(subject);
  const auto call = writer.callAlone(whole);
  if (!call) return std::nullopt;
  // What takes an object down that another function has set up is called at the end of each harness.
  if (part == LifePart::Destroy && !writer.called.empty()) return std::nullopt;
  GeneratedHarness harness = harnessOf(writer, function);
  harness.title = function.name;
  harness.functions = {function.name};
  harness.assumed.push_back("'" + function.name + "' may be called in that state");
  const std::string left = leftText(writer, function);
  const std::string made = writer.withArguments(*call);
  harness.text = frameText(writer, "", globalSetUp(survey), writer.values + "  " + made + left);
  harness.repeatsObject = repeatsObject(*call);
  state.note(writer, harness);
  harness.rank = kAloneRank + (writer.isOdd ? 0 : kSetUpRank) + (isInner ? kInnerRank : 0);
  harness.isInner = isInner;
  harness.isAtEnd = survey.destructors.contains(function.name);
  harness.keepsLocals = survey.unsetLocals.contains(function.name);
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
  for (uint32_t record = 0; record < survey.records.size(); ++record)
    if (budget.check() == StopReason::None)
      if (auto harness = callsOnAList(survey, record, state)) added.push_back(std::move(*harness));
  for (const SurveyFunction& function : survey.functions) {
    if (budget.check() != StopReason::None) break;
    if (function.isVariadic || &function == first) continue;
    // What the file keeps to itself is called last: its callers may well see to what it needs.
    const bool isInner =
        function.isStatic && !isCallback(survey, function) && !survey.destructors.contains(function.name);
    auto harness = callAlone(survey, function, isInner, isInner || survey.makesUpObjects, state);
    // Where what sets an object up cannot be called, the object is made up.
    if (!harness && !isInner && !survey.makesUpObjects && partOf(survey, function) != LifePart::Destroy)
      harness = callAlone(survey, function, isInner, true, state);
    if (!harness) continue;
    harness->rank += called.contains(function.name) ? 0 : kNewRank;
    if (!function.slips.empty()) harness->rank = kSlipRank;
    added.push_back(std::move(*harness));
  }
  std::stable_sort(added.begin(), added.end(),
                   [](const GeneratedHarness& a, const GeneratedHarness& b) { return a.rank > b.rank; });
  added.resize(std::min(added.size(), kMostAlone));
  std::move(added.begin(), added.end(), std::back_inserter(harnesses));
}

}  // namespace heddle
