#include "analysis/enforce/trace.h"

#include <algorithm>
#include <optional>
#include <random>

#include "analysis/interp/core/machine.h"

namespace heddle {

namespace {

int64_t signedValue(uint64_t bits, unsigned width) {
  if (width == 0 || width >= 64) return static_cast<int64_t>(bits);
  return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

struct Recorded {
  Event event;
  uint32_t passed = 0;  // sites that the thread had come to
};

class TraceSink : public EventSink {
 public:
  TraceSink(const Names& names, const TraceInputs& inputs) : names_(names), inputs_(inputs) {}

  std::map<ThreadId, std::vector<uint32_t>> passes;
  std::vector<Recorded> events;
  bool failed = false;

  void passed(ThreadId thread, uint32_t site) override { passes[thread].push_back(site); }
  Value input(const InputRequest& request) override {
    const auto it = inputs_.values.find(names_.label(request.thread));
    const bool given = it != inputs_.values.end() && request.ordinal < it->second.size();
    const int64_t value = given ? it->second[request.ordinal] : request.memoryOperation ? 0 : inputs_.other;
    const Value result{static_cast<uint64_t>(value) & widthMask(request.width), kNoTerm};
    if (request.isResult && !passes[request.thread].empty())
      given_.push_back(
          {request.thread, passes[request.thread].size(), signedValue(result.bits, request.width)});
    return result;
  }
  struct Given {
    ThreadId thread;
    size_t passed;  // sites that the thread had come to
    int64_t value;
  };
  const std::vector<Given>& given() const { return given_; }
  // What nobody causes does not happen.
  bool isReplay() const override { return true; }

  void start(const Event& e, Value&) override { note(e); }
  void end(const Event& e) override { note(e); }
  void read(const Event& e, std::span<Value>) override { note(e); }
  void write(const Event& e, std::span<const Value>) override { note(e); }
  void endUpdate(const Event& e, std::span<const Value>) override { note(e); }
  void lock(const Event& e) override { note(e); }
  void unlock(const Event& e) override { note(e); }
  void tryLock(const Event& e, bool) override { note(e); }
  void condition(const Event& e) override { note(e); }
  void create(const Event& e, const Value&) override { note(e); }
  void join(const Event& e) override { note(e); }
  void failure(const Failure&) override { failed = true; }

 private:
  void note(const Event& e) { events.push_back({e, static_cast<uint32_t>(passes[e.thread].size())}); }
  const Names& names_;
  const TraceInputs& inputs_;
  std::vector<Given> given_;
};

class OrderedScheduler : public Scheduler {
 public:
  OrderedScheduler(TraceOrder order, uint32_t seed) : order_(order), random_(seed) {}
  std::optional<ThreadId> next(std::span<const Event* const> enabled) override {
    const Event* chosen = enabled.front();
    if (order_ == TraceOrder::LastFirst) chosen = enabled.back();
    if (order_ == TraceOrder::Mixed) chosen = enabled[random_() % enabled.size()];
    if (order_ == TraceOrder::Mixed && random_() % 4 == 0) {
      last_ = chosen->thread;
      return last_;
    }
    for (size_t i = 0; i < enabled.size(); ++i) {
      if (enabled[i]->thread != last_) continue;
      chosen = order_ == TraceOrder::Alternating ? enabled[(i + 1) % enabled.size()] : enabled[i];
    }
    last_ = chosen->thread;
    return last_;
  }

 private:
  TraceOrder order_;
  std::minstd_rand random_;
  ThreadId last_ = kNone;
};

/// By thread: how many of its events come before.
using VectorClock = std::map<ThreadId, size_t>;

void join(VectorClock& into, const VectorClock& other) {
  for (const auto& [thread, count] : other) into[thread] = std::max(into[thread], count);
}

/// Finds the orderings of dependent events that nothing else of the execution implies.
class Dependencies {
 public:
  Dependencies(const TraceSink& sink, const Names& names, const std::vector<Site>& sites)
      : sink_(sink), names_(names), sites_(sites) {}

  Prefix prefix() {
    for (size_t i = 0; i < sink_.events.size(); ++i) add(i);
    return std::move(prefix_);
  }

 private:
  struct Cell {
    std::optional<size_t> write;
    std::vector<size_t> reads;  // since
  };

  static bool isRead(const Event& e) { return e.kind == EventKind::Read; }

  void add(size_t i) {
    const Event& e = sink_.events[i].event;
    VectorClock& mine = clocks_[e.thread];
    if (e.kind == EventKind::Start && creators_.count(e.thread)) join(mine, after_[creators_[e.thread]]);
    if (e.kind == EventKind::Join && ends_.count(e.other)) join(mine, after_[ends_[e.other]]);
    std::vector<size_t> before;
    for (const LocationId location : e.cells) {
      Cell& cell = cells_[location];
      if (cell.write) before.push_back(*cell.write);
      if (!isRead(e)) before.insert(before.end(), cell.reads.begin(), cell.reads.end());
    }
    // The latest first: they imply most.
    std::sort(before.rbegin(), before.rend());
    for (const size_t earlier : before) {
      const Event& other = sink_.events[earlier].event;
      if (other.thread == e.thread || mine[other.thread] >= counts_[earlier]) continue;
      constrain(earlier, i);
      join(mine, after_[earlier]);
    }
    for (const LocationId location : e.cells) {
      Cell& cell = cells_[location];
      if (isRead(e)) {
        cell.reads.push_back(i);
      } else {
        cell.write = i;
        cell.reads.clear();
      }
    }
    mine[e.thread] = ++total_[e.thread];
    counts_[i] = mine[e.thread];
    after_[i] = mine;
    if (e.kind == EventKind::Create) creators_[e.other] = i;
    if (e.kind == EventKind::End) ends_[e.thread] = i;
  }

  /// The site at which the event is waited for (`isFirst`: behind which it is told).
  std::optional<SiteEvent> siteEvent(size_t i, bool isFirst) const {
    const Recorded& recorded = sink_.events[i];
    if (recorded.passed == 0) return std::nullopt;
    const std::vector<uint32_t>& passes = sink_.passes.at(recorded.event.thread);
    std::optional<size_t> at = recorded.passed - 1;
    // Nobody may wait in an atomic section, nor see what is half done.
    if (recorded.event.section != 0) at = sectionEdge(passes, *at, isFirst);
    if (!at) return std::nullopt;
    const uint32_t site = passes[*at];
    // A wait on a condition variable is told before it begins: its mutex keeps others back until it has. What
    // comes at its end has no site of its own.
    const EventKind kind = recorded.event.kind;
    if (isConditionWait(sites_[site]) && kind != EventKind::Wait && kind != EventKind::Unlock)
      return std::nullopt;
    const auto count =
        std::count(passes.begin(), passes.begin() + static_cast<std::ptrdiff_t>(*at) + 1, site);
    return SiteEvent{names_.label(recorded.event.thread), site, static_cast<uint32_t>(count)};
  }

  /// Where the section that is passed at `at` is left, or entered.
  std::optional<size_t> sectionEdge(const std::vector<uint32_t>& passes, size_t at, bool isLeft) const {
    const auto is = [&](size_t k, const char* end) { return sites_[passes[k]].callee.ends_with(end); };
    if (isLeft) {
      for (; at < passes.size(); ++at)
        if (is(at, "_atomic_end")) return at;
    } else {
      for (++at; at-- > 0;)
        if (is(at, "_atomic_begin")) return at;
    }
    return std::nullopt;
  }

  void constrain(size_t earlier, size_t later) {
    const std::optional<SiteEvent> first = siteEvent(earlier, true), then = siteEvent(later, false);
    if (!first || !then || !sites_[first->site].returns) return;
    const Constraint constraint{*first, *then, {}};
    if (std::find(prefix_.constraints.begin(), prefix_.constraints.end(), constraint) ==
        prefix_.constraints.end())
      prefix_.constraints.push_back(constraint);
  }

  const TraceSink& sink_;
  const Names& names_;
  const std::vector<Site>& sites_;
  Prefix prefix_;
  std::map<ThreadId, VectorClock> clocks_;
  std::map<ThreadId, size_t> total_;
  std::map<size_t, size_t> counts_;
  std::map<size_t, VectorClock> after_;
  std::map<ThreadId, size_t> creators_, ends_;
  std::map<LocationId, Cell> cells_;
};

}  // namespace

const char* toString(TraceOrder order) {
  switch (order) {
    case TraceOrder::InTurn:
      return "threads one after the other";
    case TraceOrder::LastFirst:
      return "threads one after the other, the last first";
    case TraceOrder::Alternating:
      return "threads in alternation";
    case TraceOrder::Mixed:
      return "threads in an order by lot";
  }
  return "";
}

Trace recordTrace(const Program& program, FunctionId entry, const std::vector<Site>& sites, TraceOrder order,
                  uint32_t seed, const TraceInputs& inputs, const Budget& budget) {
  Trace trace;
  Names names(program.pointerBits());
  Locations locations;
  MachineOptions options;
  options.entry = entry;
  options.recordTrace = false;
  options.maxEvents = 100'000;
  constexpr int kMostRuns = 64;  // each has learned what the one before did not know to be shared
  for (int i = 0; i < kMostRuns; ++i) {
    TermTable terms;
    TraceSink sink(names, inputs);
    OrderedScheduler scheduler(order, seed);
    Machine machine({program, names, terms, locations}, options, scheduler, sink, budget);
    const RunResult result = machine.run();
    if (result.outcome == RunOutcome::Relearned) {
      locations.restart();
      continue;
    }
    std::map<ThreadId, bool> ended;
    for (const Recorded& recorded : sink.events) {
      ended[recorded.event.thread] |= recorded.event.kind == EventKind::End;
    }
    trace.complete = result.outcome == RunOutcome::Quiescent && !sink.failed && !result.waitsForEver() &&
                     std::all_of(ended.begin(), ended.end(), [](const auto& each) { return each.second; });
    trace.prefix = Dependencies(sink, names, sites).prefix();
    for (const auto& [thread, passed, value] : sink.given()) {
      const std::vector<uint32_t>& passes = sink.passes.at(thread);
      const uint32_t site = passes[passed - 1];
      const auto count =
          std::count(passes.begin(), passes.begin() + static_cast<std::ptrdiff_t>(passed), site);
      if (sites[site].isScalarInput)
        trace.inputs[{names.label(thread), site, static_cast<uint32_t>(count)}] = value;
    }
    break;
  }
  return trace;
}

}  // namespace heddle
