// ThreadAutomata: what each thread does, step by step, as far as runs have shown it: from what it stands
// before and what it finds there to what it stands before next. For programs without inputs only: then what a
// thread does follows from the values that it reads.
//
// A *stop* is an event that a thread stands before, in one local state. Stops are the same when the thread
// has come to them with the same observations since their paths met in one local state (EventSink::merge).
// Unlike in the forest, a loop leads back to the same stop.
//
// Threading: as a sink.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analysis/explore/forest/forest_builder.h"

namespace heddle {

using StopId = uint32_t;

/// For unordered containers: a key is a hash already.
struct StateKeyHash {
  size_t operator()(const StateKey& key) const { return key.low; }
};

/// What becomes of a thread that executes the event of a stop, having found these values.
struct ThreadStep {
  StopId next = kNone;                                  // kNone: it has ended, or goes on never
  std::vector<std::pair<LocationId, uint64_t>> writes;  // none of a compare-exchange that fails
  bool abandons = false;  // what its atomic section has written counts as not written
  bool operator==(const ThreadStep&) const = default;
};

class ThreadAutomata : public EventSink {
 public:
  /// `inputs`: null when the program may not ask for any; else must outlive this.
  explicit ThreadAutomata(InputSource* inputs) : inputs_(inputs) {}

  /// The event that the thread of a stop stands before.
  const Event& event(StopId stop) const { return stops_[stop]; }
  size_t size() const { return stops_.size(); }
  /// Where a created thread stands first.
  StopId startOf(ThreadId thread);

  /// `observed`: the values of the event's cells; for a try-lock whether it acquires; else nothing. Null: no
  /// run has shown it.
  const ThreadStep* find(StopId stop, std::span<const uint64_t> observed) const;

  /// What a location holds before the first event; 0 while no run has touched it.
  uint64_t initialValue(LocationId location) const {
    return location < initial_.size() ? initial_[location] : 0;
  }

  /// Nothing was written there before the first event.
  bool startsUnwritten(LocationId location) const { return unwritten_.contains(location); }

  /// Why the program is none for this, or empty.
  const std::string& problem() const { return problem_; }

  void beginRun() { cursors_.clear(); }
  /// The next event is about to be executed.
  void beginStep() { isRestored_ = false; }
  void reset();

  void start(const Event& event, Value& argument) override;
  void read(const Event& event, std::span<Value> values) override;
  void write(const Event& event, std::span<const Value> values) override;
  void beginUpdate(const Event& event, std::span<Value> old) override;
  void endUpdate(const Event& event, std::span<const Value> updated) override;
  void tryLock(const Event& event, bool acquired) override;
  void join(const Event& event) override;
  Value input(const InputRequest& request) override;
  void branch(const BranchInfo& info) override;
  void choice(ThreadId thread, PlaceId place, Term term, uint64_t bits) override;
  bool wantsMerge(ThreadId) override { return true; }
  void restored(LocationId location, const Value& value) override;
  void merge(ThreadId thread, PlaceId place, StateKey key, std::span<const uint32_t> marks) override;
  void advanced(ThreadId thread, const Event* next) override;
  void setAside(ThreadId thread, GoesRound how) override;
  void initialValue(LocationId location, const Value& value) override;
  void neverWritten(LocationId location) override { unwritten_.insert(location); }

 private:
  struct Cursor {
    StopId stop = kNone;  // kNone: the run has not shown the thread yet
    StateKey path;        // names the local state after the last event
    bool merged = false;  // since then
    std::vector<uint64_t> observed;
    std::vector<std::pair<LocationId, uint64_t>> writes;
    std::vector<ThreadId> joined;  // sorted
    uint32_t inputs = 0;           // that it has had
  };
  Cursor& cursor(ThreadId thread);
  void refuse(const char* why) {
    if (problem_.empty()) problem_ = why;
  }
  void observe(ThreadId thread, std::span<const Value> values);
  StopId stopFor(ThreadId thread, const StateKey& path, const Event& event);

  InputSource* inputs_;
  std::vector<Event> stops_;
  std::unordered_map<StateKey, StopId, StateKeyHash> byPath_;
  std::unordered_map<StateKey, ThreadStep, StateKeyHash> steps_;
  std::vector<uint64_t> initial_;
  std::unordered_set<LocationId> unwritten_;
  std::vector<Cursor> cursors_;  // by thread
  bool isRestored_ = false;      // in the step that is under way
  std::string problem_;
};

}  // namespace heddle
