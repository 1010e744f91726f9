// DecisionTree: the decisions of a weak search, walked depth first by executing again: which thread comes
// next, which write an access takes, how an input of one bit is, and which way the code goes where that
// depends on other inputs.
//
// Inputs of more than one bit are symbols. A branch, an address or a size that depends on them is a *fork*:
// its values are told apart one after the other, each with inputs that lead there (PathConditions), and
// nothing else of the inputs is. So what an execution shows holds for all inputs on its way.
//
// A graph that was seen before is not entered again. What was decided at the forks is part of it, the values
// of inputs are not: the same ways of all threads mean the same conditions.
//
// A load that comes next is taken before the other threads (Step decisions with `isLazy`), which have their
// turn there only once some run has shown that one of them may write what it reads later
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
  /// All must outlive it. `readsFirst`: false, every thread has its turn before every access.
  DecisionTree(const Names& names, TermTable& terms, MemoryModelKind kind, const Budget& budget,
               bool readsFirst)
      : names_(names),
        terms_(terms),
        kind_(kind),
        budget_(budget),
        readsFirst_(readsFirst),
        conditions_(terms) {}

  void beginRun(GraphModel& model);
  /// `isWhole`: all threads came to their ends, and nothing cut the run off.
  void endRun(bool isWhole);
  /// Moves to the next way; false when there is none, or a question about inputs has no answer (`problem`).
  bool advance();
  void restart();

  /// Of the run, up to the event that is executed.
  const Schedule& schedule() const { return schedule_; }
  size_t visited() const { return visited_.size(); }
  /// Why some inputs were not looked at, or empty.
  const std::string& problem() const { return conditions_.problem(); }

  std::optional<ThreadId> next(std::span<const Event* const> enabled) override;
  size_t choose(const Event& event, std::span<const WriteChoice> writes) override;

  /// The input: both values of one bit, else a symbol with its value in this run.
  Value input(const InputRequest& request);
  /// The same where it is known.
  void note(const InputRequest& request, uint64_t bits);
  /// The thread's way depends on what the term is; in this run, `bits`.
  void fork(ThreadId thread, Term term, uint64_t bits);

 private:
  /// What is written behind some point of runs, by whom.
  struct Written {
    bool isAnything = false;                  // a run was cut off: nothing is known
    std::map<LocationId, ThreadId> byThread;  // kNone: by several

    void add(LocationId location, ThreadId thread);
    void add(const Written& other);
    bool hasOther(LocationId location, ThreadId thread) const;
  };

  struct Decision {
    enum class Kind : uint8_t { Step, Way, Fork } kind = Kind::Way;
    ConditionId conditions = PathConditions::kAny;  // of the inputs, when it comes
    std::vector<ThreadId> threads;                  // of a step
    size_t ways = 0, at = 0;                        // of a step or a way
    Term term = kNoTerm;                            // of a fork, with the value that it has now
    uint64_t value = 0;
    ConditionId rest = PathConditions::kAny;  // of a fork: `conditions`, and that no value before this is it
    // Of a step:
    StateKey key;                 // of the graph
    bool isLazy = false;          // only the first of `threads` has its turn, as far as is known
    LocationId location = kNone;  // that it reads then
    Written behind;               // what runs have written from there on
  };

  /// Of `ways`, the one that is next.
  size_t way(size_t ways);
  bool moveOn(Decision& decision);
  bool commutes(const Event& event) const;
  /// A load or an update that chooses what it reads; its location. kNone: it is another event.
  LocationId openRead(const Event& event) const;
  /// What the run has shown of the decisions before.
  void learn();
  ThreadId take(const Event& event);

  const Names& names_;
  TermTable& terms_;
  const MemoryModelKind kind_;
  const Budget& budget_;
  const bool readsFirst_;
  PathConditions conditions_;
  std::vector<Decision> decisions_;
  std::vector<uint64_t> inputs_;         // of the run, by number of symbol
  std::map<StateKey, Written> visited_;  // with what is written behind it; anything, while it is not known
  // Number of the thread's input of this width.
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
  Written end_;            // behind the end of the run
  bool isPruned_ = false;  // it came to a graph that was seen before
  ConditionId known_ = PathConditions::kAny;
  Schedule schedule_;
  std::map<ThreadId, uint64_t> covered_;
  std::map<ThreadId, uint32_t> asked_;
};

}  // namespace heddle
