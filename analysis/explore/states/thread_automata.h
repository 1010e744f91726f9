// ThreadAutomata: what each thread does, step by step, as far as runs have shown it: from what it stands
// before and what it finds there to what it stands before next. What a thread does follows from the values
// that it reads and from inputs; values are numbers, or terms over inputs.
//
// A *stop* is an event that a thread stands before, in one local state. Stops are the same when the thread
// has come to them with the same observations and forks since their paths met in one local state
// (EventSink::merge). Unlike in the forest, a loop leads back to the same stop.
//
// A step *forks* where a branch, an address or a size depends on inputs, and at an input of one bit, whose
// values are told apart at once. Other inputs are symbols, named by their thread and how many it has had.
//
// Threading: as a sink.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analysis/explore/forest/forest_builder.h"
#include "analysis/explore/states/linear_terms.h"

namespace heddle {

using StopId = uint32_t;

/// A number, or a term over inputs; then `bits` is 0.
struct KnownValue {
  Term term = kNoTerm;
  uint64_t bits = 0;
  bool operator==(const KnownValue&) const = default;
};

struct CellValue {
  LocationId location = kNone;
  Term term = kNoTerm;  // as in KnownValue
  uint64_t bits = 0;
  KnownValue value() const { return {term, bits}; }
  bool operator==(const CellValue&) const = default;
};

/// What becomes of a thread that executes the event of a stop, having found these values.
struct ThreadStep {
  StopId next = kNone;            // kNone: it has ended, or never goes on
  std::vector<CellValue> writes;  // none of a compare-exchange that fails
  bool abandons = false;          // what its atomic section has written counts as not written
  bool operator==(const ThreadStep&) const = default;
};

/// How a step ends, or where it forks.
struct StepPoint {
  enum class Kind : uint8_t {
    Ends,   // `step`
    Forks,  // on the values of `term`
    Picks,  // on the values of an input of one bit
  };
  Kind kind = Kind::Ends;
  Term term = kNoTerm;
  ThreadStep step;
  bool operator==(const StepPoint&) const = default;
};

class ThreadAutomata : public EventSink {
 public:
  /// `inputs`: constants for all inputs; null: they are explored. Both must outlive this.
  ThreadAutomata(InputSource* inputs, TermTable& terms) : inputs_(inputs), terms_(terms), linear_(terms) {}

  /// The event that the thread of a stop stands before.
  const Event& event(StopId stop) const { return stops_[stop]; }
  size_t size() const { return stops_.size(); }
  /// Where a created thread stands first. Changes nothing where that is known.
  StopId startOf(ThreadId thread);
  bool hasStart(ThreadId thread) const;

  /// Where a step begins. `observed`: the values of the event's cells; for a try-lock whether it acquires;
  /// else nothing.
  static StateKey pointOf(StopId stop, std::span<const KnownValue> observed);
  /// Behind the fork, on the way with the value.
  static StateKey pointAfter(StateKey fork, uint64_t value) { return fork.add(value), fork; }
  /// Null: no run has shown it. Stays until a reset.
  const StepPoint* find(const StateKey& point) const;

  /// What a location holds before the first event; 0 while no run has touched it.
  KnownValue initialValue(LocationId location) const {
    return location < initial_.size() ? initial_[location] : KnownValue{};
  }

  /// Nothing was written there before the first event.
  bool startsUnwritten(LocationId location) const { return unwritten_.contains(location); }

  /// Why the program cannot be treated; empty: it can.
  const std::string& problem() const { return problem_; }

  /// `symbols`: the inputs of the run by number of symbol, missing ones 0; must outlive it.
  void beginRun(const std::vector<uint64_t>& symbols) {
    cursors_.clear();
    symbols_ = &symbols;
  }
  /// The next event is about to be executed. `picks`: the inputs of one bit in its step, missing ones 0; must
  /// outlive it.
  void beginStep(std::span<const uint64_t> picks) {
    isRestored_ = false;
    picks_ = picks;
  }
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
    StateKey path;        // names the local state, and what the thread has done since
    StateKey point;       // of the step under way, once it has begun
    bool begun = false;   // nothing more is observed in this step
    std::vector<KnownValue> observed;
    std::vector<CellValue> writes;
    std::vector<ThreadId> joined;  // sorted
    uint32_t inputs = 0;           // that have a name by number
  };
  Cursor& cursor(ThreadId thread);
  void refuse(const char* why) {
    if (problem_.empty()) problem_ = why;
  }
  KnownValue known(const Value& value);
  void observe(ThreadId thread, const KnownValue& value);
  void begin(Cursor& c);
  /// The step under way forks; this run goes the way of `value`.
  void fork(ThreadId thread, StepPoint::Kind kind, Term term, uint64_t value);
  void note(const StateKey& at, StepPoint point);
  StopId stopFor(ThreadId thread, const StateKey& path, const Event& event);

  InputSource* inputs_;
  TermTable& terms_;
  LinearTerms linear_;
  std::vector<Event> stops_;
  std::unordered_map<StateKey, StopId, StateKeyHash> byPath_;
  std::unordered_map<StateKey, StepPoint, StateKeyHash> points_;
  std::map<std::tuple<ThreadId, uint32_t, unsigned>, Term> names_;  // of symbols: thread, number, width
  std::vector<KnownValue> initial_;
  std::unordered_set<LocationId> unwritten_;
  std::vector<Cursor> cursors_;  // by thread
  bool isRestored_ = false;      // in the step that is under way
  const std::vector<uint64_t>* symbols_ = nullptr;
  std::span<const uint64_t> picks_;  // that the step has not taken yet
  std::string problem_;
};

}  // namespace heddle
