#include "analysis/survey/freed_uses.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "analysis/survey/block_states.h"

namespace heddle {
namespace {

/// One place that one function frees.
class FreedWays {
 public:
  FreedWays(const FreeCalls& calls, const FreeFlow& flow, const FreePlace& place)
      : calls_(calls), flow_(flow), place_(place) {
    for (const auto& [block, steps] : flow_.steps)
      for (const FreeStep& step : steps)
        if (Event event = eventOf(step); event.kind != Event::None) events_[block].push_back(event);
  }

  struct Event {
    enum Kind : uint8_t { None, Freed, FreedAndSet, Used, Changed };
    Kind kind = None;
    const FreeStep* step = nullptr;
  };
  struct Pair {
    const FreeStep* freed = nullptr;
    const FreeStep* used = nullptr;
    bool isAgain = false;
  };

  std::vector<Pair> find() {
    followBack();
    followOn();
    return found_;
  }

 private:
  Event eventOf(const FreeStep& step) const {
    for (const FreeStep::Free& one : step.frees)
      if (one.place.key == place_.key) return {one.isSet ? Event::FreedAndSet : Event::Freed, &step};
    if (std::find(step.uses.begin(), step.uses.end(), place_.key) != step.uses.end())
      return {Event::Used, &step};
    return {FreeCalls::changes(flow_, step, place_) ? Event::Changed : Event::None, &step};
  }

  static bool isUse(const Event& event) { return event.kind != Event::Changed && event.kind != Event::None; }

  const std::vector<Event>& eventsOf(const clang::CFGBlock* block) const {
    static const std::vector<Event> none;
    const auto found = events_.find(block);
    return found == events_.end() ? none : found->second;
  }

  /// Ways that may be taken while there is something in the place.
  std::vector<const clang::CFGBlock*> waysFrom(const clang::CFGBlock& block) const {
    std::vector<const clang::CFGBlock*> ways;
    bool isFirst = true;
    for (const clang::CFGBlock::AdjacentBlock& next : block.succs()) {
      const clang::CFGBlock* to = next.getReachableBlock();
      if (to && isTaken(block, isFirst)) ways.push_back(to);
      isFirst = false;
    }
    return ways;
  }

  /// The way may be taken while there is something in the place.
  bool isTaken(const clang::CFGBlock& block, bool isFirst) const {
    const auto test = calls_.nullTest(block);
    return !test || test->second != isFirst || test->first != place_.key;
  }

  bool isAheadOf(const clang::CFGBlock& block) const {
    if (&block == &flow_.graph->getExit()) return false;
    if (block.hasNoReturnElement()) return true;
    const auto ways = waysFrom(block);
    return std::all_of(ways.begin(), ways.end(), [&](const auto* way) { return ahead_.contains(way); });
  }

  /// From each free every way leads to a use.
  void followBack() {
    for (const clang::CFGBlock* block : *flow_.graph) ahead_.insert(block);
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (const clang::CFGBlock* block : *flow_.graph) {
        if (!ahead_.contains(block)) continue;
        const auto& events = eventsOf(block);
        if (events.empty() ? isAheadOf(*block) : isUse(events.front())) continue;
        ahead_.erase(block);
        isChanged = true;
      }
    }
    for (const auto& [block, events] : events_)
      for (size_t i = 0; i < events.size(); ++i) {
        if (events[i].kind != Event::Freed) continue;
        if (i + 1 < events.size())
          add(events[i], events[i + 1]);
        else if (isAheadOf(*block))
          addNext(*block, events[i]);
      }
  }

  void add(const Event& freed, const Event& used) {
    if (!isUse(used) || freed.step == used.step) return;
    found_.push_back({freed.step, used.step, used.kind != Event::Used});
  }

  /// The nearest use behind the block.
  void addNext(const clang::CFGBlock& block, const Event& freed) {
    std::vector<const clang::CFGBlock*> open = waysFrom(block);
    std::set<const clang::CFGBlock*> seen(open.begin(), open.end());
    for (size_t i = 0; i < open.size(); ++i) {
      const auto& events = eventsOf(open[i]);
      if (!events.empty()) {
        if (isUse(events.front())) return add(freed, events.front());
        continue;
      }
      if (open[i]->hasNoReturnElement()) continue;
      for (const clang::CFGBlock* next : waysFrom(*open[i]))
        if (seen.insert(next).second) open.push_back(next);
    }
  }

  /// All ways to a use come from a free.
  void followOn() {
    const auto run = [&](const clang::CFGBlock* block, const FreeStep* state, bool isTold) {
      for (const Event& event : eventsOf(block)) {
        if (isTold && state && isUse(event)) add({Event::Freed, state}, event);
        state = event.kind == Event::Freed ? event.step : event.kind == Event::Used ? state : nullptr;
      }
      return state;
    };
    const auto in = followBlocks(
        *flow_.graph, static_cast<const FreeStep*>(nullptr),
        [&](const auto& block, const FreeStep*& state) { state = run(&block, state, false); },
        [&](const auto& block, bool isFirst, const FreeStep* state) {
          return !state || isTaken(block, isFirst);
        },
        [](const FreeStep*& into, const FreeStep* from) {
          return !from && std::exchange(into, nullptr) != nullptr;
        },
        FollowOptions::withoutLimits(BlockOrder::Newest));
    for (const auto& [block, state] : in) run(block, state, true);
  }

  const FreeCalls& calls_;
  const FreeFlow& flow_;
  const FreePlace& place_;
  std::map<const clang::CFGBlock*, std::vector<Event>> events_;
  std::set<const clang::CFGBlock*> ahead_;  // from whose begin every way leads to a use
  std::vector<Pair> found_;
};

}  // namespace

void FreedUses::add(const clang::FunctionDecl& function, Survey& survey) {
  constexpr size_t kMostPlaces = 100;
  const FreeFlow& flow = calls_.flowOf(function);
  if (!flow.frees) return;
  std::map<std::string, FreePlace> places;
  for (const auto& [block, steps] : flow.steps)
    for (const FreeStep& step : steps)
      for (const FreeStep::Free& one : step.frees) places.try_emplace(one.place.key, one.place);
  if (places.size() > kMostPlaces) return;
  for (const auto& [key, place] : places) {
    const auto found = FreedWays(calls_, flow, place).find();
    if (found.empty()) continue;
    // The first one says it all.
    const auto first = std::min_element(found.begin(), found.end(), [](const auto& a, const auto& b) {
      return std::pair(a.used->line, a.freed->line) < std::pair(b.used->line, b.freed->line);
    });
    survey.valueSlips.push_back({first->isAgain ? ValueSlip::Kind::FreedAgain : ValueSlip::Kind::UsedFreed,
                                 place.text, function.getName().str(), first->used->line, first->freed->line,
                                 first->freed->callee});
  }
}

}  // namespace heddle
