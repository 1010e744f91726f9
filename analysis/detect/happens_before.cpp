#include "analysis/detect/happens_before.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace heddle {

namespace {

/// By thread: how many of its events come before.
using Clock = std::vector<uint32_t>;

void join(Clock& to, const Clock& from) {
  if (from.size() > to.size()) to.resize(from.size());
  for (size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
}

uint32_t at(const Clock& clock, ThreadId thread) {
  return thread < clock.size() ? clock[thread] : 0;
}

/// A race is looked for between what the program itself accesses.
bool isPlainOrAtomic(const Node& n) {
  return (isMemoryRead(n) || isMemoryWrite(n)) && !n.rule;
}

class Clocks {
 public:
  explicit Clocks(const Forest& forest) : forest_(forest) {}

  std::optional<UnorderedPair> find(std::span<const NodeId> executed) {
    for (size_t i = 0; i < executed.size(); ++i) {
      const Node& n = forest_[executed[i]];
      begin(n, i);
      if (isPlainOrAtomic(n))
        if (const std::optional<size_t> other = conflict(executed, n)) return pairOf(executed, *other, i);
      end(n, i);
    }
    return std::nullopt;
  }

 private:
  struct Access {
    size_t index;
    uint32_t number;  // how-many-th event of its thread
  };
  struct ThreadClock {
    Clock clock;
    NodeId section = kNone;  // of its last event
    size_t sectionStart = 0;
    Clock sectionClock;  // before the first event of the section
  };
  struct CellState {
    std::map<ThreadId, Access> plainReads, atomicReads, plainWrites, atomicWrites;  // the last of each thread
  };

  ThreadClock& threadOf(const Node& n) {
    if (n.thread >= threads_.size()) threads_.resize(n.thread + 1);
    return threads_[n.thread];
  }

  void acquire(Clock& clock, LocationId cell) {
    const auto found = synchronized_.find(cell);
    if (found != synchronized_.end()) join(clock, found->second);
  }
  void release(const Clock& clock, LocationId cell) { join(synchronized_[cell], clock); }

  static bool acquires(const Node& n) {
    switch (n.event) {
      case EventKind::Lock:
      case EventKind::Wake:
        return true;
      case EventKind::Read:
      case EventKind::Update:
        return n.atomic || n.rule;
      default:
        return false;
    }
  }
  static bool releases(const Node& n) {
    switch (n.event) {
      case EventKind::Unlock:
      case EventKind::Signal:
      case EventKind::Broadcast:
        return true;
      case EventKind::Write:
      case EventKind::Update:
        return n.atomic || n.rule;
      default:
        return false;
    }
  }

  void begin(const Node& n, size_t index) {
    ThreadClock& t = threadOf(n);
    Clock& clock = t.clock;
    if (n.event == EventKind::Start) join(clock, created_[n.thread]);
    if (n.event == EventKind::Join) join(clock, ended_[n.other]);
    if (acquires(n))
      for (const NodeCell& cell : n.cells) acquire(clock, cell.location);
    if (n.section != kNone && n.section != t.section) {
      join(clock, sections_);
      t.sectionStart = index;
      t.sectionClock = clock;
    }
    t.section = n.section;
    if (clock.size() <= n.thread) clock.resize(n.thread + 1);
    ++clock[n.thread];
    if (isPlainOrAtomic(n)) clocks_[index] = n.section == kNone ? clock : t.sectionClock;
    if (isPlainOrAtomic(n) && n.section != kNone) starts_[index] = t.sectionStart;
    numbers_.push_back(clock[n.thread]);
  }

  void end(const Node& n, size_t index) {
    const Clock& clock = threadOf(n).clock;
    if (n.event == EventKind::Create) created_[n.other] = clock;
    if (n.event == EventKind::End) ended_[n.thread] = clock;
    if (releases(n))
      for (const NodeCell& cell : n.cells) release(clock, cell.location);
    if (n.section != kNone) join(sections_, clock);
    if (!isPlainOrAtomic(n)) return;
    const Access access{index, clock[n.thread]};
    const bool guarded = n.atomic || n.section != kNone;
    for (const NodeCell& cell : n.cells) {
      CellState& state = cells_[cell.location];
      if (isMemoryRead(n)) (guarded ? state.atomicReads : state.plainReads)[n.thread] = access;
      if (isMemoryWrite(n)) (guarded ? state.atomicWrites : state.plainWrites)[n.thread] = access;
    }
  }

  /// The last access that conflicts with this one and does not come before it.
  std::optional<size_t> conflict(std::span<const NodeId> executed, const Node& n) {
    const Clock& clock = threadOf(n).clock;
    std::optional<size_t> found;
    const auto look = [&](const std::map<ThreadId, Access>& accesses) {
      for (const auto& [thread, access] : accesses) {
        const Node& other = forest_[executed[access.index]];
        if (thread == n.thread || at(clock, thread) >= access.number) continue;
        if ((n.atomic && other.atomic) || (n.section != kNone && other.section != kNone)) continue;
        if (!found || access.index > *found) found = access.index;
      }
    };
    for (const NodeCell& cell : n.cells) {
      const auto state = cells_.find(cell.location);
      if (state == cells_.end()) continue;
      look(state->second.plainWrites);
      look(state->second.atomicWrites);
      if (!isMemoryWrite(n)) continue;
      look(state->second.plainReads);
      look(state->second.atomicReads);
    }
    return found;
  }

  UnorderedPair pairOf(std::span<const NodeId> executed, size_t first, size_t second) {
    UnorderedPair pair{first, second, {}};
    const Clock &a = clocks_.at(first), &b = clocks_.at(second);
    const auto begins = [&](size_t index) {
      const auto start = starts_.find(index);
      return start == starts_.end() ? index : start->second;
    };
    const size_t firstBegins = begins(first), secondBegins = begins(second);
    for (size_t i = 0; i < second; ++i) {
      const ThreadId thread = forest_[executed[i]].thread;
      const bool isLater = (i >= firstBegins && thread == forest_[executed[first]].thread) ||
                           (i >= secondBegins && thread == forest_[executed[second]].thread);
      if (!isLater && (at(a, thread) >= numbers_[i] || at(b, thread) >= numbers_[i]))
        pair.before.push_back(i);
    }
    return pair;
  }

  const Forest& forest_;
  std::vector<ThreadClock> threads_;
  std::map<ThreadId, Clock> created_, ended_;
  std::unordered_map<LocationId, Clock> synchronized_;
  Clock sections_;
  std::unordered_map<LocationId, CellState> cells_;
  std::vector<uint32_t> numbers_;              // by event: how-many-th of its thread
  std::unordered_map<size_t, Clock> clocks_;   // of accesses
  std::unordered_map<size_t, size_t> starts_;  // of accesses in sections: where the section begins
};

}  // namespace

std::optional<UnorderedPair> firstUnordered(const Forest& forest, std::span<const NodeId> executed) {
  return Clocks(forest).find(executed);
}

}  // namespace heddle
