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
bool isPlainOrAtomic(const HappenedEvent& e) {
  return isAccess(e.kind) && !e.isSync;
}

class Clocks {
 public:
  explicit Clocks(std::span<const HappenedEvent> events) : events_(events) {}

  std::vector<UnorderedPair> find(size_t most) {
    std::vector<UnorderedPair> pairs;
    for (size_t i = 0; i < events_.size(); ++i) {
      const HappenedEvent& e = events_[i];
      begin(e, i);
      if (isPlainOrAtomic(e))
        if (std::optional<UnorderedPair> pair = conflict(i)) {
          if (pairs.empty()) addBefore(*pair);
          findFlag(*pair);
          noteRacyOrder(*pair);
          pairs.push_back(std::move(*pair));
          if (pairs.size() >= most) return pairs;
        }
      end(e, i);
    }
    return pairs;
  }

 private:
  struct Access {
    size_t index;
    uint32_t number;  // of the event in its thread
  };
  struct ThreadClock {
    Clock clock;
    uint64_t section = 0;  // of its last event
    size_t sectionStart = 0;
    Clock sectionClock;  // before the first event of the section, with what the section acquires
  };
  struct CellState {
    std::map<ThreadId, Access> plainReads, atomicReads, plainWrites, atomicWrites;  // the last of each thread
  };
  /// What a thread read is what another one wrote, in a race.
  struct RacyOrder {
    Clock past;  // of the write, by racy orders too
    ThreadId reader = kNone;
    uint32_t number = 0;  // of the read
    LocationId location = kNone;
    bool isVolatile = false;
  };

  ThreadClock& threadOf(const HappenedEvent& e) {
    if (e.thread >= threads_.size()) threads_.resize(e.thread + 1);
    return threads_[e.thread];
  }

  void acquire(Clock& clock, LocationId cell) const {
    const auto found = synchronized_.find(cell);
    if (found != synchronized_.end()) join(clock, found->second);
  }
  void release(const Clock& clock, LocationId cell) { join(synchronized_[cell], clock); }

  /// The events of a section follow one another in an execution.
  bool isInSection(size_t index, const HappenedEvent& of) const {
    return index < events_.size() && events_[index].thread == of.thread &&
           events_[index].section == of.section;
  }
  void acquireInSection(Clock& clock, const HappenedEvent& e) const {
    if (acquires(e))
      for (const LocationId cell : e.cells) acquire(clock, cell);
    if (!isPlainOrAtomic(e) || e.kind == EventKind::Write) return;
    for (const LocationId cell : e.cells)
      if (const auto left = leftBySections_.find(cell); left != leftBySections_.end())
        join(clock, left->second);
  }
  void releaseFromSection(const Clock& clock, const HappenedEvent& e) {
    if (!isPlainOrAtomic(e) || !e.wrote) return;
    for (const LocationId cell : e.cells) join(leftBySections_[cell], clock);
  }

  static bool acquires(const HappenedEvent& e) {
    switch (e.kind) {
      case EventKind::Lock:
      case EventKind::Wake:
        return true;
      case EventKind::Read:
      case EventKind::Update:
        return e.atomic || e.isSync;
      default:
        return false;
    }
  }
  /// A compare-exchange that failed has only read.
  static bool releases(const HappenedEvent& e) {
    switch (e.kind) {
      case EventKind::Unlock:
      case EventKind::Signal:
      case EventKind::Broadcast:
        return true;
      case EventKind::Write:
      case EventKind::Update:
        return e.wrote && (e.atomic || e.isSync);
      default:
        return false;
    }
  }

  void begin(const HappenedEvent& e, size_t index) {
    ThreadClock& t = threadOf(e);
    Clock& clock = t.clock;
    if (e.kind == EventKind::Start) join(clock, created_[e.thread]);
    if (e.kind == EventKind::Join) join(clock, ended_[e.other]);
    if (acquires(e))
      for (const LocationId cell : e.cells) acquire(clock, cell);
    if (e.section != 0 && e.section != t.section) {
      for (size_t i = index; isInSection(i, e); ++i) acquireInSection(clock, events_[i]);
      t.sectionStart = index;
      t.sectionClock = clock;
    }
    t.section = e.section;
    if (clock.size() <= e.thread) clock.resize(e.thread + 1);
    ++clock[e.thread];
    if (isPlainOrAtomic(e)) clocks_[index] = e.section == 0 ? clock : t.sectionClock;
    if (isPlainOrAtomic(e) && e.section != 0) starts_[index] = t.sectionStart;
    numbers_.push_back(clock[e.thread]);
  }

  void end(const HappenedEvent& e, size_t index) {
    const Clock& clock = threadOf(e).clock;
    if (e.kind == EventKind::Create) created_[e.other] = clock;
    if (e.kind == EventKind::End) ended_[e.thread] = clock;
    if (releases(e))
      for (const LocationId cell : e.cells) release(clock, cell);
    if (e.section != 0 && !isInSection(index + 1, e))
      for (size_t i = threadOf(e).sectionStart; i <= index; ++i) releaseFromSection(clock, events_[i]);
    if (!isPlainOrAtomic(e)) return;
    const Access access{index, clock[e.thread]};
    const bool guarded = e.atomic || e.section != 0;
    for (const LocationId cell : e.cells) {
      CellState& state = cells_[cell];
      if (e.kind != EventKind::Write) (guarded ? state.atomicReads : state.plainReads)[e.thread] = access;
      if (e.wrote) (guarded ? state.atomicWrites : state.plainWrites)[e.thread] = access;
    }
  }

  /// With the last access that conflicts with this one and does not come before it.
  std::optional<UnorderedPair> conflict(size_t index) {
    const HappenedEvent& e = events_[index];
    const Clock& clock = threadOf(e).clock;
    std::optional<UnorderedPair> found;
    const auto look = [&](const std::map<ThreadId, Access>& accesses, LocationId cell) {
      for (const auto& [thread, access] : accesses) {
        const HappenedEvent& other = events_[access.index];
        if (thread == e.thread || at(clock, thread) >= access.number) continue;
        if (areAtomic(e, other) || (e.section != 0 && other.section != 0)) continue;
        if (!found || access.index > found->first)
          found = UnorderedPair{access.index, index, cell, {}, kNone, false};
      }
    };
    for (const LocationId cell : e.cells) {
      const auto state = cells_.find(cell);
      if (state == cells_.end()) continue;
      look(state->second.plainWrites, cell);
      look(state->second.atomicWrites, cell);
      if (!e.wrote) continue;
      look(state->second.plainReads, cell);
      look(state->second.atomicReads, cell);
    }
    return found;
  }

  void addBefore(UnorderedPair& pair) {
    const Clock &a = clocks_.at(pair.first), &b = clocks_.at(pair.second);
    const auto begins = [&](size_t index) {
      const auto start = starts_.find(index);
      return start == starts_.end() ? index : start->second;
    };
    const size_t firstBegins = begins(pair.first), secondBegins = begins(pair.second);
    for (size_t i = 0; i < pair.second; ++i) {
      const ThreadId thread = events_[i].thread;
      const bool isLater = (i >= firstBegins && thread == events_[pair.first].thread) ||
                           (i >= secondBegins && thread == events_[pair.second].thread);
      if (!isLater && (at(a, thread) >= numbers_[i] || at(b, thread) >= numbers_[i]))
        pair.before.push_back(i);
    }
  }

  /// What orders the pair: the latest racy read before its second access that does.
  void findFlag(UnorderedPair& pair) const {
    const Clock& clock = clocks_.at(pair.second);
    for (auto order = racyOrders_.rbegin(); order != racyOrders_.rend(); ++order) {
      if (at(clock, order->reader) < order->number ||
          at(order->past, events_[pair.first].thread) < numbers_[pair.first])
        continue;
      pair.flag = order->location;
      pair.flagIsVolatile = order->isVolatile;
      return;
    }
  }

  void noteRacyOrder(const UnorderedPair& pair) {
    constexpr size_t kMost = 64;
    const HappenedEvent &writer = events_[pair.first], &reader = events_[pair.second];
    if (!writer.wrote || reader.kind == EventKind::Write || racyOrders_.size() == kMost) return;
    RacyOrder order{clocks_.at(pair.first), reader.thread, numbers_[pair.second], pair.location,
                    writer.isVolatile && reader.isVolatile};
    for (const RacyOrder& earlier : racyOrders_) {
      if (at(order.past, earlier.reader) < earlier.number) continue;
      join(order.past, earlier.past);
      order.isVolatile &= earlier.isVolatile;
    }
    // Another round of a loop that reads the same adds nothing.
    for (const RacyOrder& known : racyOrders_)
      if (known.reader == order.reader && isCovered(order.past, known.past)) return;
    racyOrders_.push_back(std::move(order));
  }
  static bool isCovered(const Clock& a, const Clock& by) {
    for (ThreadId thread = 0; thread < a.size(); ++thread)
      if (a[thread] > at(by, thread)) return false;
    return true;
  }

  const std::span<const HappenedEvent> events_;
  std::vector<ThreadClock> threads_;
  std::map<ThreadId, Clock> created_, ended_;
  std::unordered_map<LocationId, Clock> synchronized_;
  std::unordered_map<LocationId, Clock> leftBySections_;  // by cell: of the sections that wrote it
  std::unordered_map<LocationId, CellState> cells_;
  std::vector<uint32_t> numbers_;              // by event: its number in its thread
  std::unordered_map<size_t, Clock> clocks_;   // of accesses
  std::unordered_map<size_t, size_t> starts_;  // of accesses in sections: where the section begins
  std::vector<RacyOrder> racyOrders_;
};

}  // namespace

HappenedEvent happened(const Event& executed) {
  HappenedEvent event;
  event.kind = executed.kind;
  event.thread = executed.thread;
  event.other = executed.other;
  event.atomic = executed.atomic;
  event.isVolatile = executed.isVolatile;
  event.inHandler = executed.inHandler;
  event.isSync = executed.rule != nullptr;
  event.wrote = hasWritten(executed);
  event.section = executed.section;
  event.cells = executed.cells;
  return event;
}

std::vector<HappenedEvent> happened(const Forest& forest, std::span<const NodeId> executed,
                                    std::span<const TraceEntry> trace) {
  std::vector<HappenedEvent> events;
  events.reserve(executed.size());
  for (size_t i = 0; i < executed.size(); ++i) {
    const Node& n = forest[executed[i]];
    HappenedEvent& event = events.emplace_back();
    event.kind = n.event;
    event.thread = n.thread;
    event.other = n.other;
    event.atomic = n.atomic;
    event.isVolatile = n.isVolatile;
    event.inHandler = n.inHandler;
    event.isSync = n.rule != nullptr;
    event.wrote = trace[i].wrote;
    event.section = n.section == kNone ? 0 : uint64_t{n.section} + 1;
    for (const NodeCell& cell : n.cells) event.cells.push_back(cell.location);
  }
  return events;
}

std::vector<UnorderedPair> unorderedPairs(std::span<const HappenedEvent> events, size_t most) {
  return Clocks(events).find(most);
}

}  // namespace heddle
