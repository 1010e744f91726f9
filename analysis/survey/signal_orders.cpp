#include "analysis/survey/signal_orders.h"

#include <algorithm>
#include <utility>

#include "analysis/survey/block_states.h"
#include "analysis/survey/source_line.h"
#include "clang/Analysis/CFG.h"
#include "clang/Basic/SourceManager.h"

namespace heddle {

/// Which statements of a function lead to which.
class StepWays {
 public:
  StepWays(FunctionFlows& flows, const clang::FunctionDecl& function) {
    constexpr unsigned kMostBlocks = 2000;
    graph_ = flows.graphOf(function);
    if (graph_ && graph_->size() > kMostBlocks) graph_ = nullptr;
    if (!graph_) return;
    for (const clang::CFGBlock* block : *graph_) {
      unsigned index = 0;
      for (const clang::CFGElement& element : *block)
        if (const auto part = element.getAs<clang::CFGStmt>())
          places_.try_emplace(part->getStmt(), block, index++);
    }
  }

  const clang::CFG* graph() const { return graph_; }

  /// `withLoops`: also in another turn of a loop.
  bool leads(const clang::Stmt& from, const clang::Stmt& to, bool withLoops) const {
    const auto begin = places_.find(&from), end = places_.find(&to);
    if (begin == places_.end() || end == places_.end()) return false;
    const auto& [first, at] = begin->second;
    const auto& [last, until] = end->second;
    if (first == last && at < until) return true;
    std::set<const clang::CFGBlock*> seen;
    std::vector<const clang::CFGBlock*> open = {first};
    while (!open.empty()) {
      const clang::CFGBlock* block = open.back();
      open.pop_back();
      if (block->hasNoReturnElement()) continue;
      for (const clang::CFGBlock* next : block->succs()) {
        // Blocks are numbered from the exit.
        if (!next || (!withLoops && next->getBlockID() >= block->getBlockID())) continue;
        if (next == last) return true;
        if (seen.insert(next).second) open.push_back(next);
      }
    }
    return false;
  }

 private:
  const clang::CFG* graph_ = nullptr;
  std::map<const clang::Stmt*, std::pair<const clang::CFGBlock*, unsigned>> places_;
};

namespace {

/// Of a timer, on the ways to a place; sets of them.
enum TimerBits : uint8_t { kTimerUnset = 1, kTimerRuns = 2, kTimerStopped = 4 };

/// What the timer may be in front of statements that set or stop it, and of those that are asked for.
class TimerState {
 public:
  using Steps = std::map<const clang::Stmt*, bool>;  // whether it stops the timer
  TimerState(const Steps& steps, const clang::CFG& graph) : steps_(steps) {
    before_ = followBlocks(
        graph, uint8_t{kTimerUnset},
        [&](const auto& block, uint8_t& bits) { bits = behind(block, bits, nullptr); }, TakeAllWays(),
        [](uint8_t& into, uint8_t from) {
          const uint8_t old = std::exchange(into, static_cast<uint8_t>(into | from));
          return into != old;
        },
        FollowOptions::withoutLimits());
  }

  uint8_t at(const clang::Stmt& statement) const {
    for (const auto& [block, bits] : before_)
      for (const clang::CFGElement& element : *block)
        if (const auto part = element.getAs<clang::CFGStmt>(); part && part->getStmt() == &statement)
          return behind(*block, bits, &statement);
    return 0;
  }

 private:
  uint8_t behind(const clang::CFGBlock& block, uint8_t bits, const clang::Stmt* end) const {
    for (const clang::CFGElement& element : block) {
      const auto part = element.getAs<clang::CFGStmt>();
      if (!part) continue;
      if (part->getStmt() == end) break;
      const auto step = steps_.find(part->getStmt());
      if (step == steps_.end()) continue;
      // Who sets it again may set it to nothing.
      uint8_t next = (bits & (kTimerRuns | kTimerStopped)) != 0 ? kTimerStopped : 0;
      if ((bits & kTimerUnset) != 0) next |= step->second ? kTimerUnset : kTimerRuns;
      bits = next;
    }
    return bits;
  }

  const Steps& steps_;
  BlockStates<uint8_t> before_;
};

/// Signals that come of what the function itself does: who handles one knows where it is.
bool isSynchronous(int64_t signal) {
  return signal == 4 || signal == 5 || signal == 6 || signal == 7 || signal == 8 || signal == 11 ||
         signal == 31;
}

bool isTimerSignal(int64_t signal) {
  return signal == 14 || signal == 26 || signal == 27;
}

const char* timerSignalName(int64_t signal) {
  return signal == 26 ? "SIGVTALRM" : (signal == 27 ? "SIGPROF" : "SIGALRM");
}

/// What was there before is installed again.
bool putsBack(const SignalSteps& steps, const SignalSteps::Install& install) {
  if (install.isDefault) return true;
  return install.from && steps.saved.contains(install.from) && !steps.filled.contains(install.from);
}

}  // namespace

void SignalOrders::add(const clang::FunctionDecl& function, Survey& survey) {
  const SignalSteps steps(context_, *function.getBody());
  facts_[function.getCanonicalDecl()] = steps.facts;
  noteInstalls(steps);
  const llvm::StringRef name = function.getIdentifier() ? function.getName() : "";
  addEmptiedMasks(steps, name, survey);
  const bool hasTimers = !steps.timers.empty() && !steps.installs.empty();
  if (!hasTimers && steps.buffers.empty() && (steps.waits.empty() || steps.tests.empty())) return;
  constexpr size_t kMostSteps = 50;
  if (std::max({steps.timers.size(), steps.installs.size(), steps.buffers.size(), steps.waits.size(),
                steps.tests.size()}) > kMostSteps)
    return;
  const StepWays ways(flows_, function);
  if (!ways.graph()) return;
  addLeftTimers(steps, ways, name, survey);
  noteEarlyTimers(steps, ways, name);
  noteLongWaits(steps, ways, name);
}

void SignalOrders::noteInstalls(const SignalSteps& steps) {
  for (const SignalSteps::Install& install : steps.installs) {
    if (install.handler) installed_[install.handler].insert(install.signal);
    const auto found = steps.handlersIn.find(install.from);
    if (found == steps.handlersIn.end()) continue;
    for (const clang::FunctionDecl* handler : found->second) installed_[handler].insert(install.signal);
  }
}

/// The set is put in the place of the mask, where a thread gets it, and the mask is put back.
void SignalOrders::addEmptiedMasks(const SignalSteps& steps, llvm::StringRef function, Survey& survey) const {
  for (const SignalSteps::Mask& mask : steps.masks) {
    if (!mask.set || !mask.old || !steps.emptied.contains(mask.set)) continue;
    const auto uses = std::count_if(steps.masks.begin(), steps.masks.end(),
                                    [&](const SignalSteps::Mask& other) { return other.set == mask.set; });
    if (steps.named.at(mask.set) != steps.emptied.at(mask.set) + static_cast<unsigned>(uses)) continue;
    const auto begin = context_.getSourceManager().getFileOffset(mask.call->getBeginLoc());
    const auto isBehind = [&](const clang::Stmt& other) {
      return context_.getSourceManager().getFileOffset(other.getBeginLoc()) > begin;
    };
    const auto started = std::find_if(steps.threads.begin(), steps.threads.end(),
                                      [&](const clang::CallExpr* start) { return isBehind(*start); });
    const bool isPutBack = std::any_of(
        steps.masks.begin(), steps.masks.end(),
        [&](const SignalSteps::Mask& other) { return other.set == mask.old && isBehind(*other.call); });
    if (started == steps.threads.end() || !isPutBack) continue;
    survey.orderSlips.push_back({OrderSlip::Kind::EmptiedMask, mask.set->getName().str(), function.str(),
                                 lineOf(*mask.call, context_), lineOf(**started, context_),
                                 (*started)->getDirectCallee()->getName().str()});
  }
}

void SignalOrders::addLeftTimers(const SignalSteps& steps, const StepWays& ways, llvm::StringRef function,
                                 Survey& survey) const {
  for (const SignalSteps::Install& back : steps.installs) {
    if (!isTimerSignal(back.signal) || !putsBack(steps, back)) continue;
    const auto isInstalled = [&](const SignalSteps::Install& install) {
      return install.call != back.call && install.signal == back.signal && !putsBack(steps, install) &&
             ways.leads(*install.call, *back.call, false);
    };
    if (std::none_of(steps.installs.begin(), steps.installs.end(), isInstalled)) continue;
    TimerState::Steps changes;
    for (const SignalSteps::Timer& timer : steps.timers)
      if (timer.signal == 0 || timer.signal == back.signal) changes[timer.call] = timer.stops;
    for (const clang::CallExpr* expiry : steps.expiries) changes[expiry] = true;
    const uint8_t bits = TimerState(changes, *ways.graph()).at(*back.call);
    if ((bits & kTimerRuns) == 0 || (bits & kTimerStopped) != 0) continue;
    const auto set =
        std::find_if(steps.timers.begin(), steps.timers.end(), [&](const SignalSteps::Timer& timer) {
          return timer.signal == back.signal && !timer.stops && ways.leads(*timer.call, *back.call, true);
        });
    if (set == steps.timers.end()) continue;
    survey.orderSlips.push_back({OrderSlip::Kind::TimerLeft, timerSignalName(back.signal), function.str(),
                                 lineOf(*back.call, context_), lineOf(*set->call, context_),
                                 set->call->getDirectCallee()->getName().str()});
  }
}

/// The first turn of a loop counts: a buffer that an earlier turn has set may be one of a frame that is
/// left.
void SignalOrders::noteEarlyTimers(const SignalSteps& steps, const StepWays& ways, llvm::StringRef function) {
  if (steps.masksSignals) return;
  const auto note = [&](const clang::CallExpr& early, int64_t signal) {
    for (const auto& [set, buffer] : steps.buffers) {
      const auto isSetBefore = [&, of = buffer](const auto& other) {
        return other.second == of && ways.leads(*other.first, early, false);
      };
      const auto isBetween = [&, by = set](const SignalSteps::Timer& timer) {
        return timer.call != &early && ways.leads(early, *timer.call, false) &&
               ways.leads(*timer.call, *by, false);
      };
      if (!ways.leads(early, *set, false) ||
          std::any_of(steps.buffers.begin(), steps.buffers.end(), isSetBefore) ||
          std::any_of(steps.timers.begin(), steps.timers.end(), isBetween))
        continue;
      OrderSlip slip{OrderSlip::Kind::JumpUnset, buffer->getName().str(), function.str(),
                     lineOf(early, context_), lineOf(*set, context_)};
      timers_.push_back({std::move(slip), signal, buffer});
      return;
    }
  };
  for (const SignalSteps::Timer& timer : steps.timers) {
    const auto isOfIt = [&](const SignalSteps::Install& install) {
      return install.signal == timer.signal && !putsBack(steps, install);
    };
    const auto isBefore = [&](const SignalSteps::Install& install) {
      return isOfIt(install) && ways.leads(*install.call, *timer.call, false);
    };
    // Nothing comes to a handler that is installed later.
    const bool isLater = std::any_of(steps.installs.begin(), steps.installs.end(), isOfIt) &&
                         std::none_of(steps.installs.begin(), steps.installs.end(), isBefore);
    if (timer.signal != 0 && !timer.stops && !isLater) note(*timer.call, timer.signal);
  }
  for (const SignalSteps::Install& install : steps.installs)
    if (!isTimerSignal(install.signal) && !isSynchronous(install.signal) && !putsBack(steps, install))
      note(*install.call, install.signal);
}

void SignalOrders::noteLongWaits(const SignalSteps& steps, const StepWays& ways, llvm::StringRef function) {
  if (steps.masksSignals) return;
  for (const SignalSteps::Wait& wait : steps.waits) {
    if (!ways.leads(*wait.call, *wait.call, true)) continue;  // in no loop
    const bool isPause = wait.call->getDirectCallee()->getName() == "pause";
    for (const SignalSteps::Test& test : steps.tests) {
      const auto isBefore = [&](const SignalSteps::Test& other) {
        return other.flag == test.flag && ways.leads(*other.read, *wait.call, false);
      };
      if ((!test.isBehindErrno && !isPause) || !ways.leads(*wait.call, *test.read, false) ||
          !ways.leads(*test.read, *wait.call, true) ||
          std::any_of(steps.tests.begin(), steps.tests.end(), isBefore))
        continue;
      OrderSlip slip{OrderSlip::Kind::FlagMissed,
                     test.flag->getName().str(),
                     function.str(),
                     lineOf(*wait.call, context_),
                     lineOf(*test.read, context_),
                     wait.call->getDirectCallee()->getName().str()};
      waits_.push_back({std::move(slip), test.flag, !wait.isOfOne});
      break;
    }
  }
}

/// With the file's functions that it calls.
SignalFacts SignalOrders::reachedFrom(const clang::FunctionDecl& handler) const {
  constexpr size_t kMostFunctions = 50;
  SignalFacts all;
  std::set<const clang::FunctionDecl*> seen = {&handler};
  std::vector<const clang::FunctionDecl*> open = {&handler};
  while (!open.empty() && seen.size() < kMostFunctions) {
    const auto found = facts_.find(open.back());
    open.pop_back();
    if (found == facts_.end()) continue;
    const SignalFacts& facts = found->second;
    all.jumps.insert(facts.jumps.begin(), facts.jumps.end());
    all.sets.insert(facts.sets.begin(), facts.sets.end());
    all.isGuarded |= facts.isGuarded;
    all.wakes |= facts.wakes;
    for (const clang::FunctionDecl* callee : facts.callees)
      if (seen.insert(callee).second) open.push_back(callee);
  }
  return all;
}

void SignalOrders::finish(Survey& survey) {
  bool wakes = false;
  std::set<const clang::VarDecl*> flags;
  for (const auto& [handler, signals] : installed_) {
    const SignalFacts facts = reachedFrom(*handler);
    wakes |= facts.wakes;
    flags.insert(facts.sets.begin(), facts.sets.end());
    for (EarlyTimer& timer : timers_)
      if (signals.contains(timer.signal) && facts.jumps.contains(timer.buffer) && !facts.isGuarded &&
          timer.slip.other.empty()) {
        timer.slip.other = handler->getName().str();
        survey.orderSlips.push_back(timer.slip);
      }
  }
  for (const LongWait& wait : waits_)
    if (!wakes && (!wait.needsHandler || flags.contains(wait.flag))) survey.orderSlips.push_back(wait.slip);
}

}  // namespace heddle
