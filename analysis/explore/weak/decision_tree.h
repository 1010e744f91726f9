// DecisionTree: the decisions of a weak search, traversed depth first by re-execution: which thread comes
// next, which write an access takes, the value of an input of one bit, and which way the code goes where
// that depends on other inputs.
//
// Inputs of more than one bit are symbols. A branch, an address or a size that depends on them is a *fork*:
// the search takes its values one after the other, each with inputs that lead there (PathConditions).
// Nothing else distinguishes inputs. So what an execution shows holds for all inputs on its way.
//
// The search does not enter a graph a second time. The decisions at forks are part of the graph, but the
// values of inputs are not: if all threads went the same ways, the conditions on the inputs are the same.
//
// A load that comes next is taken before the other threads (Step decisions with `isLazy`). They have their
// turn there only when some run has shown that one of them may later write what the load reads
// (docs/memory-models.md).
//
// Threading: belongs to one search.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/explore/states/path_conditions.h"
#include "analysis/interp/core/event_sink.h"
#include "analysis/interp/core/scheduler.h"
#include "analysis/interp/weak/graph_model.h"
#include "analysis/model/schedule.h"

namespace heddle {

class DecisionTree : public Scheduler {
 public:
  /// All references must outlive it. `readsFirst`: if false, every thread has its turn before every access.
  DecisionTree(const Names& names, TermTable& terms, MemoryModelKind kind, const Budget& budget,
               bool readsFirst)
      : names_(names),
        terms_(terms),
        kind_(kind),
        budget_(budget),
        readsFirst_(readsFirst),
        conditions_(terms) {}

  void beginRun(GraphModel& model);
  /// `isWhole`: all threads reached their ends, and nothing cut the run off.
  void endRun(bool isWhole);
  /// Moves to the next way. False if there is none, or if a question about inputs has no answer
  /// (`problem`).
  bool advance();
  void restart();

  /// The schedule of the run, up to the event that is being executed.
  const Schedule& schedule() const { return schedule_; }
  size_t visited() const { return visited_.size(); }
  /// Why some inputs were not explored, or empty.
  const std::string& problem() const { return conditions_.problem(); }

  std::optional<ThreadId> next(std::span<const Event* const> enabled) override;
  size_t choose(const Event& event, std::span<const WriteChoice> writes) override;

  /// The value of the input: an input of one bit takes both values in turn, any other is a symbol with a
  /// value for this run.
  Value input(const InputRequest& request);
  /// Notes in the schedule an input whose value is known.
  void note(const InputRequest& request, uint64_t bits);
  /// The thread's way depends on the value of the term, which is `bits` in this run.
  void fork(ThreadId thread, Term term, uint64_t bits);

 private:
  /// The locations that are written after some point of runs, and the threads that write them.
  struct Written {
    bool isAnything = false;                  // a run was cut off, so anything may be written
    std::map<LocationId, ThreadId> byThread;  // kNone: by several threads

    void add(LocationId location, ThreadId thread);
    void add(const Written& other);
    bool hasOther(LocationId location, ThreadId thread) const;
  };

  struct Decision {
    enum class Kind : uint8_t { Step, Way, Fork } kind = Kind::Way;
    ConditionId conditions = PathConditions::kAny;  // conditions on the inputs at the decision
    std::vector<ThreadId> threads;                  // of a step
    size_t ways = 0, at = 0;                        // of a step or a way
    Term term = kNoTerm;                            // of a fork; `value` is its present value
    uint64_t value = 0;
    /// Of a fork: `conditions`, and that the term has none of the earlier values.
    ConditionId rest = PathConditions::kAny;
    // Of a step:
    StateKey key;                 // of the graph
    bool isLazy = false;          // as far as is known, only the first of `threads` must have its turn
    LocationId location = kNone;  // the location that the first thread reads then
    Written behind;               // what runs have written after the decision
  };

  /// The number of the way to take next, below `ways`.
  size_t way(size_t ways);
  bool moveOn(Decision& decision);
  bool commutes(const Event& event) const;
  /// The location of a load or an update that chooses which write it reads; kNone for all other events.
  LocationId openRead(const Event& event) const;
  /// Takes in what the run has shown about its decisions.
  void learn();
  ThreadId take(const Event& event);

  const Names& names_;
  TermTable& terms_;
  const MemoryModelKind kind_;
  const Budget& budget_;
  const bool readsFirst_;
  PathConditions conditions_;
  std::vector<Decision> decisions_;
  std::vector<uint64_t> inputs_;  // inputs of the run, by number of symbol
  /// By graph: what is written after it; anything while that is not known.
  std::map<StateKey, Written> visited_;
  // By thread, number of its input, and width.
  std::map<std::tuple<ThreadId, uint32_t, unsigned>, Term> symbols_;
  // Of the run:
  GraphModel* model_ = nullptr;
  size_t depth_ = 0;
  struct Write {
    size_t depth;  // how many decisions were made before
    LocationId location;
    ThreadId thread;
  };
  std::vector<Write> writes_;
  Written end_;            // what is written after the end of the run
  bool isPruned_ = false;  // the run came to a graph that was seen before
  ConditionId known_ = PathConditions::kAny;
  Schedule schedule_;
  std::map<ThreadId, uint64_t> covered_;
  std::map<ThreadId, uint32_t> asked_;
};

}  // namespace heddle
