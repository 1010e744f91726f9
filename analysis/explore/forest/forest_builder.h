// ForestBuilder: merges the executions of a program into its forest.
//
// One builder serves many runs, one at a time: `begin`, then the machine reports to it as its event sink,
// then `finish`. It makes the symbols (of reads, inputs, thread arguments) and gives inputs their values.
// When a run follows a known thread-local path, it checks that every event is the one that the forest
// already has there. A mismatch is a divergence: an internal error that makes the exploration incomplete.
//
// Threading: as the forest.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/explore/forest/forest.h"
#include "analysis/interp/core/event_sink.h"
#include "analysis/model/locations.h"
#include "analysis/model/names.h"

namespace heddle {

/// The source of a run's input values. Each input is asked for once.
class InputSource {
 public:
  virtual ~InputSource() = default;
  /// `node` is the input's node in the forest.
  virtual uint64_t value(const InputRequest& request, NodeId node) = 0;
  /// False: inputs are constants, and other values of them are not explored.
  virtual bool symbolic() const { return true; }
};

/// How far a thread's local path goes: `node` was executed, or the fork `node` was left through `slot`.
struct Position {
  NodeId node = kNone;  // kNone: the thread has not started
  uint64_t slot = 0;
  auto operator<=>(const Position&) const = default;
};

/// The final positions of all threads of a run, by thread id.
using GlobalPath = std::vector<Position>;

struct SharedTables {
  Names& names;
  TermTable& terms;
  Locations& locations;
};

class ForestBuilder : public EventSink {
 public:
  ForestBuilder(Forest& forest, SharedTables tables) : forest_(forest), tables_(tables) {}

  /// Without merging, the paths of every thread stay a tree.
  void setMerging(bool merging) { merging_ = merging; }

  /// With value forks, a thread's path also forks on the value that each of its reads finds. Paths are then
  /// histories of values, and these values are constants on them (see mcr_strategy.h).
  void setValueForks(bool valueForks) { valueForks_ = valueForks; }

  /// Begins a run. `inputs` must live until `finish`.
  void begin(InputSource& inputs);
  /// Ends a run that went on to quiescence. True if its global path (all threads' local paths) is new. A
  /// run in which an assumption of the program failed has no global path.
  bool finish();
  /// Forgets everything, for a restart of the exploration.
  void reset();

  /// The last event node of the thread in this run, or kNone.
  NodeId lastEvent(ThreadId thread) const;
  /// The node that the thread's path has reached in this run, or kNone.
  NodeId position(ThreadId thread) const;
  /// The position of every thread of this run, with the side that it took.
  GlobalPath positions() const;
  /// An assumption of the program failed in this run, so it does not count.
  bool assumptionFailed() const { return assumptionFailed_; }
  /// The event that the thread waits for, as reported by `blocked`, or kNone.
  NodeId pending(ThreadId thread) const;
  /// The first node at `place` that the thread read in the last round of a loop that waits, or kNone.
  NodeId awaitedRead(ThreadId thread, PlaceId place) const;
  /// The node of the event that its thread stands before; it is added if no run has got there. kNone for a
  /// start and a try-lock, and for an atomic update that no run has executed.
  NodeId notePending(const Event& event);
  /// The node of the event that this run executed last.
  NodeId lastExecuted() const { return lastExecuted_; }
  /// The events of this run in their order.
  const std::vector<NodeId>& executed() const { return executed_; }

  const std::vector<std::string>& divergences() const { return divergences_; }
  /// The initial value of each location, by location id; kNoTerm for locations that no event has touched.
  const std::vector<Term>& initialValues() const { return initial_; }
  uint64_t distinctPaths() const { return merging_ ? pathKeys_.size() : paths_.size(); }
  /// Empty when paths are merged.
  const std::set<GlobalPath>& paths() const { return paths_; }
  /// The nodes that failing threads had reached when their failures were reported.
  const std::set<NodeId>& failurePoints() const { return failurePoints_; }

  /// The End nodes of threads that failed, with how they failed.
  const std::map<NodeId, Failure>& failedEnds() const { return failedEnds_; }

  void start(const Event& event, Value& argument) override;
  void end(const Event& event) override;
  void read(const Event& event, std::span<Value> values) override;
  void write(const Event& event, std::span<const Value> values) override;
  void beginUpdate(const Event& event, std::span<Value> old) override;
  void endUpdate(const Event& event, std::span<const Value> updated) override;
  void lock(const Event& event) override;
  void unlock(const Event& event) override;
  void tryLock(const Event& event, bool acquired) override;
  void condition(const Event& event) override;
  void sectionEnd(ThreadId thread) override;
  void create(const Event& event, const Value& argument) override;
  void join(const Event& event) override;
  Value input(const InputRequest& request) override;
  void branch(const BranchInfo& info) override;
  void choice(ThreadId thread, PlaceId place, Term term, uint64_t bits) override;
  bool wantsMerge(ThreadId thread) override;
  void merge(ThreadId thread, PlaceId place, StateKey key, std::span<const uint32_t> marks) override;
  void mark(ThreadId thread, uint32_t mark) override;
  void rewind(ThreadId thread, uint32_t mark, GoesRound how) override;
  void setAside(ThreadId thread, GoesRound how) override;
  void failure(const Failure& failure) override;
  void blocked(const Event& event) override;
  void initialValue(LocationId location, const Value& value) override;

 private:
  struct Cursor {
    NodeId node = kNone;
    NodeId lastEvent = kNone;
    uint64_t slot = 0;
    std::vector<NodeId> held;
    std::unordered_map<LocationId, NodeId> writes;
    NodeId wait = kNone;          // the last Wait
    std::vector<NodeId> awaited;  // nodes read in the last round of a loop that waits
    uint32_t section = 0;         // of the last event
    NodeId sectionNode = kNone;   // its first event
    bool failed = false;
    Failure failure;  // if it failed
    struct Position {
      NodeId node = kNone;
      NodeId lastEvent = kNone;
      uint64_t slot = 0;
      std::vector<NodeId> held;
      std::unordered_map<LocationId, NodeId> writes;
      bool forked = false;
      StateKey path;
      size_t reads = 0, merges = 0;
      uint32_t inputs = 0;
    };
    std::vector<Position> marks;
    bool forked = false;           // since the last merge
    std::vector<ThreadId> joined;  // sorted
    uint32_t inputs = 0;
    std::vector<NodeId> reads;            // all reads whose values the thread has observed
    StateKey path;                        // key of the nodes that the thread has passed
    std::vector<NodeId> merges;           // the merges among these nodes, in order
    std::unordered_set<NodeId> isPassed;  // the same merges
  };

  Cursor& cursor(ThreadId thread);
  /// Moves to the continuation that `expected` describes; adds it if the path is new.
  NodeId step(Cursor& c, Node expected);
  NodeId stepEvent(const Event& event, Term term = kNoTerm, Node* shape = nullptr);
  Node shapeOf(const Event& event, const Cursor& c) const;
  /// Notes the atomic section of a node that was just added or reached.
  void noteSection(Cursor& c, const Event& event, NodeId node, bool reached);
  void acquired(Cursor& c, NodeId node) { c.held.push_back(node); }
  void takeSide(Cursor& c, NodeId node, uint64_t slot);
  NodeId addPending(const Event& event, const Cursor& c);
  void readCells(const Event& event, std::span<Value> values);
  void forkOnValue(const Event& event, NodeId read, size_t cell, uint64_t bits);
  void diverge(const std::string& what);
  Term termOf(const Value& value, unsigned width) const;
  unsigned cellBits(LocationId location) const { return tables_.locations.cell(location).size * 8; }

  Forest& forest_;
  SharedTables tables_;
  InputSource* inputs_ = nullptr;
  std::vector<Cursor> cursors_;  // by thread
  NodeId lastExecuted_ = kNone;
  std::vector<NodeId> executed_;
  std::vector<Term> initial_;
  std::set<GlobalPath> paths_;   // without merging
  std::set<StateKey> pathKeys_;  // with merging, where the end of a path does not determine the path
  bool assumptionFailed_ = false;
  std::map<std::pair<ThreadId, StateKey>, std::vector<NodeId>> merges_;  // merges of one state
  bool merging_ = true;
  bool valueForks_ = false;
  std::vector<uint64_t> updated_;  // values that the current update found
  std::set<NodeId> failurePoints_;
  std::map<NodeId, Failure> failedEnds_;
  std::vector<std::string> divergences_;
};

}  // namespace heddle
