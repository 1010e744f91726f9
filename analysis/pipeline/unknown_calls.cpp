#include "analysis/pipeline/unknown_calls.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/detect/failure_finding.h"
#include "analysis/interp/core/models.h"
#include "analysis/library/library_models.h"
#include "analysis/pipeline/dependence.h"
#include "analysis/pipeline/replay_run.h"
#include "analysis/program/reachable.h"
#include "analysis/support/harness_names.h"

namespace heddle {

namespace {

/// Calls of it are an end of the run: it takes part in what threads do, or the user wants it so and it can
/// touch memory.
bool isRefused(const Program& program, const std::string& name, bool canTouch) {
  if (!canBePassedOver(name)) return true;
  return canTouch && unknownEffectOf(program.environment, name) == UnknownEffect::Refused;
}

bool isSamePlace(const SourcePlace& a, const SourcePlace& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

}  // namespace

const char* toString(UnknownEffect effect) {
  switch (effect) {
    case UnknownEffect::Nothing:
      return "nothing";
    case UnknownEffect::Arguments:
      return "arguments";
    case UnknownEffect::Reachable:
      return "reachable";
    case UnknownEffect::Refused:
      return "refused";
  }
  return "";
}

std::vector<UnknownCall> unknownCallsOf(const Program& program, FunctionId entry) {
  struct Seen {
    std::set<PlaceId> places;
    bool canTouch = false;
  };
  std::map<std::string, Seen> byName;
  std::vector<FunctionId> functions;
  if (entry != kNone) functions = reachableFunctions(program, entry);
  for (FunctionId id = 0; entry == kNone && id < program.functions.size(); ++id)
    if (program.functions[id].defined) functions.push_back(id);
  for (const FunctionId id : functions) {
    for (uint32_t pc = program.functions[id].entry; pc < program.functions[id].end; ++pc) {
      const Instruction& in = program.code[pc];
      if (in.op != Opcode::CallExternal) continue;
      const std::string& name = program.externals[in.a];
      if (isModelled(name) || name.starts_with("llvm.") || name.starts_with("heddle.")) continue;
      // One of Heddle's models calls it, which says so where an execution gets there.
      if (sourcePlace(program, in.place).line == 0) continue;
      Seen& seen = byName[name];
      seen.places.insert(in.place);
      seen.canTouch |= in.aux > 1 || (in.flags & kPointerResult);
      for (uint32_t i = 0; i < in.c; ++i) seen.canTouch |= program.arguments[in.b + i].isPointer;
    }
  }
  std::vector<UnknownCall> calls;
  for (const auto& [name, seen] : byName) {
    UnknownCall call;
    call.name = name;
    for (const PlaceId place : seen.places) call.places.push_back(sourcePlace(program, place));
    std::sort(call.places.begin(), call.places.end(), [](const SourcePlace& a, const SourcePlace& b) {
      return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
    });
    // A function that is pasted into others calls from one place of the text.
    call.places.erase(std::unique(call.places.begin(), call.places.end(), isSamePlace), call.places.end());
    call.effect = isRefused(program, name, seen.canTouch)
                      ? toString(UnknownEffect::Refused)
                      : toString(unknownEffectOf(program.environment, name));
    if (const auto declared = program.declared.find(name); declared != program.declared.end())
      call.stub = declared->second.stub;
    calls.push_back(std::move(call));
  }
  return calls;
}

/// The variable in which a null pointer was found, of the program or given to an unknown function; empty: it
/// was found elsewhere.
static std::string nullVariable(const Program& program, const RunResult& run, const Finding& finding) {
  if (finding.kind != Property::Memory || !finding.message.starts_with("null pointer")) return "";
  const auto isVariable = [&](const std::string& text) {
    const std::string base = text.substr(0, text.find_first_of(".-["));
    if (run.unknownRests.contains(base)) return true;
    return std::any_of(program.globals.begin(), program.globals.end(), [&](const GlobalVariable& global) {
      return !global.isConstant && global.name == base;
    });
  };
  for (const auto& [place, names] : program.accessNames) {
    if (!isSamePlace(sourcePlace(program, place), finding.place)) continue;
    for (const AccessName& name : names)
      if (isVariable(name.pointer)) return name.pointer;
  }
  return "";
}

/// A function that is given another one calls it as a rule, and that one may end a wait; but no lock of those
/// who wait for each other. (Which of a harness' waits it ends, is asked of the text.)
static bool mayBeEndedByCallback(const Finding& finding) {
  if (finding.kind != Property::Deadlock || finding.message.find("kept when it ended") != std::string::npos)
    return false;
  const bool isOfLocks = std::any_of(
      finding.related.begin(), finding.related.end(),
      [](const RelatedPlace& related) { return related.message.find("holding '") != std::string::npos; });
  return !isOfLocks &&
         std::any_of(finding.assumes.begin(), finding.assumes.end(), [](const std::string& text) {
           return text.find(kCallsNothingBack) != std::string::npos;
         });
}

/// What fails at a line that reads a variable of another file fails with what was assumed of it.
static void nameUnknownVariables(const Program& program, const RunResult& run, Finding& finding) {
  const bool isOfValues = finding.kind == Property::Assert || finding.kind == Property::Memory ||
                          finding.kind == Property::Overflow;
  if (!isOfValues) return;
  for (const auto& [place, text] : run.assumptions) {
    const SourcePlace at = sourcePlace(program, place);
    if (!text.ends_with(kTakenAsZero) || at.file != finding.place.file || at.line != finding.place.line)
      continue;
    finding.possible = true;
    if (std::find(finding.assumes.begin(), finding.assumes.end(), text) == finding.assumes.end())
      finding.assumes.push_back(text);
  }
}

/// A program of threads fails at an assertion before it has started one.
static bool failsBeforeThreads(const Program& program, const Finding& finding) {
  return finding.kind == Property::Assert && finding.threads.size() == 1 &&
         std::any_of(program.externals.begin(), program.externals.end(), isThreadCreator);
}

/// It does so on a way that something outside of
/// it has chosen: its arguments, a file, what the system answers. That is a check of what it is given.
static void nameOutside(const Program& program, FunctionId entry, const ReplayRun& seen,
                        const Schedule& schedule, const Budget& budget, Finding& finding) {
  if (!failsBeforeThreads(program, finding)) return;
  InputPositions outside;
  for (const UsedInput& input : seen.result.inputs)
    if (!input.isAsked && input.memoryOperation == 0)
      outside.emplace(seen.names->label(input.thread), input.listed);
  if (outside.empty() || !dependsOn(program, entry, schedule, budget, outside)) return;
  finding.possible = true;
  finding.assumes.emplace_back("the program is given that, or the system answers so");
}

/// What the program has written to a file decides what it reads there, which the run does not know.
static void nameReadBack(const Program& program, FunctionId entry, const ReplayRun& seen,
                         const Schedule& schedule, const Budget& budget, Finding& finding) {
  InputPositions readBack;
  for (const UsedInput& input : seen.result.inputs)
    if (input.isReadBack) readBack.emplace(seen.names->label(input.thread), input.listed);
  if (readBack.empty() || !dependsOn(program, entry, schedule, budget, readBack)) return;
  finding.possible = true;
  finding.assumes.emplace_back("a file holds something else than the program has written to it");
}

/// Clocks that never go back do so in the run, in the order in which it reads them.
static void nameClocks(const Program& program, FunctionId entry, const ReplayRun& seen,
                       const Schedule& schedule, const Budget& budget,
                       const std::function<bool(const ReplayRun&)>& isStill, Finding& finding) {
  Schedule changed = schedule;
  std::pair<uint64_t, uint64_t> latest;  // seconds, fraction
  bool goesBack = false;
  const std::vector<UsedInput>& inputs = seen.result.inputs;
  for (size_t i = 0; i + 1 < inputs.size(); ++i) {
    if (!inputs[i].isMonotonic || !inputs[i + 1].isMonotonic) continue;
    const std::pair now{inputs[i].bits, inputs[i + 1].bits};
    goesBack |= now < latest;
    latest = std::max(latest, now);
    std::vector<int64_t>& values = changed.inputs[seen.names->label(inputs[i].thread)];
    if (inputs[i + 1].listed < values.size()) {
      values[inputs[i].listed] = static_cast<int64_t>(latest.first);
      values[inputs[i + 1].listed] = static_cast<int64_t>(latest.second);
    }
    ++i;
  }
  if (!goesBack || isStill(replayRun(program, entry, changed, budget))) return;
  finding.possible = true;
  finding.assumes.emplace_back("a clock that never goes back does so");
}

/// What unknown functions have returned that returned something else before, or do so later.
static InputPositions changedResults(const ReplayRun& seen) {
  std::map<std::string, std::set<uint64_t>> values;
  for (const UsedInput& input : seen.result.inputs)
    if (input.isReturned) values[input.name].insert(input.bits);
  InputPositions changed;
  for (const UsedInput& input : seen.result.inputs)
    if (input.isReturned && values[input.name].size() > 1)
      changed.emplace(seen.names->label(input.thread), input.listed);
  return changed;
}

void nameUnknownCalls(const Program& program, FunctionId entry, const ReplayRun& seen,
                      const Schedule& schedule, const Budget& budget,
                      const std::function<bool(const ReplayRun&)>& isStill, Finding& finding) {
  const RunResult& run = seen.result;
  nameUnknownVariables(program, run, finding);
  nameOutside(program, entry, seen, schedule, budget, finding);
  nameReadBack(program, entry, seen, schedule, budget, finding);
  nameClocks(program, entry, seen, schedule, budget, isStill, finding);
  if (run.unknownCalls.empty()) return;
  // What was assumed where such a function is called is what was assumed of it.
  for (const auto& [place, text] : run.assumptions)
    if (run.unknownPlaces.contains(place) &&
        std::find(finding.assumes.begin(), finding.assumes.end(), text) == finding.assumes.end())
      finding.assumes.push_back(text);
  if (mayBeEndedByCallback(finding) && program.functionName(entry) != kHarnessEntry) finding.possible = true;
  for (const PlaceId place : run.unknownWrites) {
    const SourcePlace at = sourcePlace(program, place);
    finding.possible |= isSamePlace(at, finding.place);
    for (const RelatedPlace& related : finding.related) finding.possible |= isSamePlace(at, related.place);
  }
  // That such functions set no variable is assumed; one that is null may well be theirs to set up.
  if (const std::string variable = nullVariable(program, run, finding); !variable.empty()) {
    finding.possible = true;
    finding.assumes.push_back("no function defined elsewhere sets '" + variable + "'");
  }
  const bool isNull = finding.message.starts_with("null pointer") ||
                      finding.message.starts_with("call through a null function pointer");
  if (finding.kind == Property::Memory && isNull &&
      isLeftNull(program, entry, schedule, budget, finding.place)) {
    finding.possible = true;
    finding.assumes.emplace_back("a function defined elsewhere leaves a null pointer there");
  }
  // An assertion about what such a function returns says what it may return. Sizes that several such
  // functions return fit together, and what they leave in memory is in its range.
  const bool isOfMemory = finding.kind == Property::Memory || finding.kind == Property::Uninitialized;
  InputPositions made;
  for (const UsedInput& input : run.inputs)
    if (input.isReturned || (input.isInvented && isOfMemory))
      made.emplace(seen.names->label(input.thread), input.listed);
  const bool isOfValues = finding.kind == Property::Assert || finding.kind == Property::Memory;
  if (isOfValues && !made.empty() && decidesAt(program, entry, schedule, budget, made, finding.place))
    finding.possible = true;
  // So does one before the first thread, on a way that such a result has chosen. Which results go with a
  // variable that was set is known to that function.
  if ((failsBeforeThreads(program, finding) || finding.kind == Property::Uninitialized) && !made.empty() &&
      dependsOn(program, entry, schedule, budget, made))
    finding.possible = true;
  // So does a bad access where one of them has returned one number and then another one: a count may be asked
  // for again, and be the same.
  const InputPositions differing = changedResults(seen);
  if (isOfMemory && !differing.empty() && dependsOn(program, entry, schedule, budget, differing))
    finding.possible = true;
  const bool hasInvented = std::any_of(run.inputs.begin(), run.inputs.end(),
                                       [](const UsedInput& input) { return input.isInvented; });
  if (finding.possible || !hasInvented) return;
  // A text has a form (a version, a path), which a few other values do not meet: where its characters decide
  // the way, the program's may always go another one.
  InputPositions characters;
  for (const UsedInput& input : run.inputs)
    if (input.isInvented && input.width == 8)
      characters.emplace(seen.names->label(input.thread), input.listed);
  if (!characters.empty() && dependsOn(program, entry, schedule, budget, characters)) {
    finding.possible = true;
    return;
  }
  // Two other values for each, which fit into a byte: one that is like nothing, and one that is like no
  // other.
  for (const int64_t other : {int64_t{0}, int64_t{0x5b}, int64_t{'9'}}) {
    Schedule changed = schedule;
    for (const UsedInput& input : run.inputs) {
      if (!input.isInvented) continue;
      std::vector<int64_t>& values = changed.inputs[seen.names->label(input.thread)];
      if (input.listed < values.size())
        values[input.listed] = values[input.listed] == other ? other + 1 : other;
    }
    if (!isStill(replayRun(program, entry, changed, budget))) finding.possible = true;
  }
}

bool hasModel(std::string_view name) {
  static const std::set<std::string_view> inC = [] {
    std::set<std::string_view> names;
    for (const LibraryModel& model : libraryModels()) names.insert(model.names.begin(), model.names.end());
    return names;
  }();
  return isModelled(name) || inC.contains(name);
}

}  // namespace heddle
