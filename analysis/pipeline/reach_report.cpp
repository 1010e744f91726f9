#include "analysis/pipeline/reach_report.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "analysis/detect/failure_finding.h"
#include "analysis/pipeline/branch_sides.h"
#include "analysis/program/reachable.h"

namespace heddle {

namespace {

constexpr std::string_view kThreadEnders[] = {"pthread_exit", "thrd_exit"};
constexpr std::string_view kProcessEnders[] = {"exit", "_exit", "_Exit", "quick_exit"};
constexpr std::string_view kFailures[] = {"__assert_fail", "abort"};  // nothing is missing without them
constexpr std::string_view kAsserters[] = {"__VERIFIER_assert", "heddle_assert", "assert"};

template <size_t N>
bool isAmong(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

class Describer {
 public:
  Describer(const Program& program, FunctionId entry, const ReachLog& log)
      : program_(program), entry_(entry), log_(log) {}

  Reach run() {
    threads();
    for (const FunctionId id : reachableFunctions(program_, entry_))
      if (program_.functions[id].place != kNone) function(id);
    if (createsThreads_ && log_.threads.size() <= 1)
      add(Unreached::Kind::Threads, "any thread beside the first", creation_, entry_);
    std::stable_sort(reach_.unreached.begin(), reach_.unreached.end(),
                     [](const Unreached& a, const Unreached& b) { return a.kind < b.kind; });
    return std::move(reach_);
  }

 private:
  void add(Unreached::Kind kind, std::string text, PlaceId place, FunctionId in) {
    reach_.unreached.push_back(
        {kind, std::move(text), sourcePlace(program_, place), program_.functions[in].name});
  }

  bool isSet(uint32_t pc, uint8_t flag) const { return pc < log_.at.size() && (log_.at[pc] & flag) != 0; }

  std::string_view calledAt(uint32_t pc) const {
    const Instruction& in = program_.code[pc];
    return in.op == Opcode::CallExternal ? program_.externals[in.a] : std::string_view();
  }

  /// Some way leads to an end of its own. What ends for ever in a loop has none; that a thread may end the
  /// process, when something goes wrong, makes none of it.
  bool hasEnd(FunctionId id) const {
    const Function& function = program_.functions[id];
    for (uint32_t pc = function.entry; pc < function.end; ++pc) {
      const std::string_view called = calledAt(pc);
      if (program_.code[pc].op == Opcode::Return || isAmong(kThreadEnders, called)) return true;
      if (id == entry_ && isAmong(kProcessEnders, called)) return true;
    }
    return false;
  }

  void threads() {
    const auto take = [&](FunctionId id, const ThreadReach& thread) {
      const Function& function = program_.functions[id];
      reach_.threads.push_back(
          {function.name, sourcePlace(program_, function.place), thread.started, thread.ended});
      if (thread.ended) return;
      if (hasEnd(id))
        add(Unreached::Kind::End, "the end of '" + function.name + "'", function.place, id);
      else
        add(Unreached::Kind::NoEnd, "an end of '" + function.name + "', which has none", function.place, id);
    };
    const auto first = log_.threads.find(entry_);
    take(entry_, first == log_.threads.end() ? ThreadReach{} : first->second);
    for (const auto& [id, thread] : log_.threads)
      if (id != entry_) take(id, thread);
  }

  void function(FunctionId id) {
    const Function& function = program_.functions[id];
    const bool isEntered = isSet(function.entry, ReachLog::kEntered);
    ++reach_.functions.all;
    reach_.functions.reached += isEntered;
    if (!isEntered) add(Unreached::Kind::Function, "function '" + function.name + "'", function.place, id);
    for (uint32_t pc = function.entry; pc < function.end; ++pc) {
      const Instruction& in = program_.code[pc];
      if (in.op == Opcode::CallExternal) call(pc, in, id);
    }
    sides(id, isEntered);
  }

  void call(uint32_t pc, const Instruction& in, FunctionId id) {
    const std::string_view name = calledAt(pc);
    if (!isSet(pc, ReachLog::kEntered) && !isAmong(kFailures, name))
      reach_.callsNotMade.push_back(sourcePlace(program_, in.place));
    if (isThreadCreator(name)) {
      createsThreads_ = true;
      reach_.looksAtCreations = reach_.looksAtCreations || in.width != 0;
      creation_ = in.place;
    }
    if (isAmong(kAsserters, name)) assertion(isSet(pc, ReachLog::kEntered), in.place, id);
  }

  /// Several branches may make one assertion: of a condition with && and ||.
  void assertion(bool isReached, PlaceId place, FunctionId id) {
    const Place& at = program_.place(place);
    if (!asserted_.emplace(std::string(at.file), at.line, at.column).second) return;
    ++reach_.assertions.all;
    reach_.assertions.reached += isReached;
    if (!isReached) add(Unreached::Kind::Assertion, "assertion at " + program_.shortPlace(place), place, id);
  }

  void sides(FunctionId id, bool isEntered) {
    std::map<uint32_t, std::pair<PlaceId, uint32_t>> missingCases;  // by switch
    for (const BranchSide& side : branchSidesIn(program_, id)) {
      const bool isReached = isCovered(side, log_);
      const bool isCase = side.mark == ReachLog::kEntered;
      if (side.isFailure) {
        assertion(isSet(side.branch, ReachLog::kTrue | ReachLog::kFalse), side.place, id);
        continue;
      }
      ++reach_.branchSides.all;
      reach_.branchSides.reached += isReached;
      if (isReached || !isEntered || side.isAssertion) continue;
      if (isCase)
        ++missingCases.try_emplace(side.branch, side.place, 0).first->second.second;
      else
        add(Unreached::Kind::BranchSide,
            "the " + side.text + " side of the condition at " + program_.shortPlace(side.place), side.place,
            id);
    }
    for (const auto& [branch, missing] : missingCases)
      add(Unreached::Kind::BranchSide,
          std::to_string(missing.second) + " cases of the switch at " + program_.shortPlace(missing.first),
          missing.first, id);
  }

  const Program& program_;
  const FunctionId entry_;
  const ReachLog& log_;
  Reach reach_;
  std::set<std::tuple<std::string, uint32_t, uint32_t>> asserted_;
  bool createsThreads_ = false;
  PlaceId creation_ = kNone;
};

}  // namespace

Reach describeReach(const Program& program, FunctionId entry, const ReachLog& log) {
  return Describer(program, entry, log).run();
}

std::string essentialUnreached(const Reach& reach) {
  constexpr size_t kMostNamed = 4;
  std::string text;
  size_t count = 0;
  for (const Unreached& what : reach.unreached) {
    if (!isEssential(what.kind)) continue;
    if (++count <= kMostNamed) text += (text.empty() ? "" : ", ") + what.text;
  }
  if (count > kMostNamed) text += ", " + std::to_string(count - kMostNamed) + " more";
  return text;
}

}  // namespace heddle
