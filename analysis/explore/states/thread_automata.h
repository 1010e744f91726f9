// ThreadAutomata: what each thread does, step by step, as far as runs have shown it. A step leads from the
// event that the thread stands before, and the values that it finds there, to the event that it stands
// before next. What a thread does depends only on the values that it reads and on inputs. Values are
// numbers, or terms over inputs.
//
// A *stop* is an event that a thread stands before, in one local state. Two stops are the same if the
// thread has come to them with the same observations and forks since the paths last met in one local state
// (EventSink::merge). Unlike in the forest, a loop leads back to the same stop.
//
// A step *forks* where a branch, an address or a size depends on inputs, and at an input of one bit, whose
// two values are separate ways from the start. Other inputs are symbols, named by their thread and their
// number in it.
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

/// A number, or a term over inputs with `bits` 0.
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

/// What a thread does when it executes the event of a stop and finds certain values.
struct ThreadStep {
  StopId next = kNone;            // kNone: it has ended, or never goes on
  std::vector<CellValue> writes;  // empty for a compare-exchange that fails
  bool abandons = false;          // the writes of its atomic section are undone
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

  /// The event that a thread at this stop stands before.
  const Event& event(StopId stop) const { return stops_[stop]; }
  size_t size() const { return stops_.size(); }
  /// The first stop of a created thread. Changes nothing if that is known.
  StopId startOf(ThreadId thread);
  bool hasStart(ThreadId thread) const;

  /// The point at which a step begins. `observed`: the values of the event's cells; for a try-lock, whether
  /// it acquires; otherwise empty.
  static StateKey pointOf(StopId stop, std::span<const KnownValue> observed);
  /// The point after the fork, on the way with the value.
  static StateKey pointAfter(StateKey fork, uint64_t value) { return fork.add(value), fork; }
  /// Null: no run has shown it. The pointer stays valid until a reset.
  const StepPoint* find(const StateKey& point) const;

  /// What a location holds before the first event; 0 while no run has touched it.
  KnownValue initialValue(LocationId location) const {
    return location < initial_.size() ? initial_[location] : KnownValue{};
  }

  /// Nothing was written to the location before the first event.
  bool startsUnwritten(LocationId location) const { return unwritten_.contains(location); }

  /// Why the program is not supported; empty: it is.
  const std::string& problem() const { return problem_; }

  /// `symbols`: the inputs of the run by number of symbol, missing ones 0; must outlive the run.
  void beginRun(const std::vector<uint64_t>& symbols) {
    cursors_.clear();
    symbols_ = &symbols;
  }
  /// Must be called before each event. `picks`: the one-bit inputs in the event's step, missing ones 0;
  /// must outlive the step.
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
    StateKey point;       // point of the current step, once it has begun
    bool begun = false;   // the step has begun, so it observes nothing more
    std::vector<KnownValue> observed;
    std::vector<CellValue> writes;
    std::vector<ThreadId> joined;  // sorted
    uint32_t inputs = 0;           // number of inputs that are symbols
  };
  Cursor& cursor(ThreadId thread);
  void refuse(const char* why) {
    if (problem_.empty()) problem_ = why;
  }
  KnownValue known(const Value& value);
  void observe(ThreadId thread, const KnownValue& value);
  void begin(Cursor& c);
  /// The current step forks; this run takes the way of `value`.
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
  bool isRestored_ = false;      // in the current step
  const std::vector<uint64_t>* symbols_ = nullptr;
  std::span<const uint64_t> picks_;  // picks that the step has not used yet
  std::string problem_;
};

}  // namespace heddle
