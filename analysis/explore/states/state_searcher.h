// StateSearcher: the search behind StateSearch (state_search.h). Not to be included elsewhere.
//
// All workers expand states ahead, a batch at a time (expansion.h). One thread takes over the results in
// the order of the states, while the others expand the next batch. If an expansion lacks something, that
// thread pauses the others, learns it and expands the state again. So all results, and the numbers of
// states, are the same for any number of workers.
//
// Threading: one thread; its workers run only while it expands states.
#pragma once

#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analysis/explore/states/access_records.h"
#include "analysis/explore/states/expansion.h"
#include "analysis/explore/states/joint_state.h"
#include "analysis/explore/states/path_conditions.h"
#include "analysis/explore/states/state_search.h"
#include "analysis/explore/states/thread_automata.h"
#include "analysis/support/in_parallel.h"

namespace heddle {

class StateSearch::Searcher {
 public:
  Searcher(const Program& program, const StateSearchOptions& options);

  StateSearchResult run(uint64_t mostStates, const Budget& budget);

 private:
  static constexpr size_t kNotStale = std::numeric_limits<size_t>::max();

  /// The state from which a state was first reached, and the steps between them. No steps: it is the same
  /// state with more conditions on the inputs.
  struct Origin {
    uint32_t from = kNone;
    size_t begin = 0;  // index in steps_
    uint32_t steps = 0;
  };
  class PathScheduler;
  static constexpr uint32_t kNoPicks = 0;  // number in Learned::allPicks of the empty list

  void restart();
  /// Visits all states again, and keeps what is known of the threads' steps and of what they touch.
  void restartStates();
  /// `forGood`: a larger search would not help.
  void refuse(std::string why, bool forGood = true);
  bool isOver() const { return isVoid_ || !result_.problem.empty(); }

  void search();
  /// So much was visited with outdated records that all states should be visited again.
  bool isTooStale() const;
  bool isHopeless(size_t threads) const;
  /// Few states are left to visit, and what the threads do there is mostly known.
  bool isClosing() const;
  /// Expands the first waiting state, and takes over the result.
  void expandFirst();
  /// The same for the batch that was expanded ahead.
  void expandBatch();
  bool numberOld(Expansion& expansion) const;
  /// Begins to expand the waiting states after the first `skipped`, unless there are only few.
  void lookAhead(size_t skipped);
  /// True if there is budget and room for one more state.
  bool mayGoOn();
  /// Takes over the expansion of the first waiting state. False: the search is over.
  bool takeOver(Expansion& expansion);
  /// Learns what the expansion of the state lacks; it is found after the steps in `missing`.
  void learn(const Missing& missing, uint32_t number, const JointState& state);
  void learnStep(const Missing& missing, uint32_t number);
  void learnGuard(const Missing& missing);
  bool isEnabled(const JointState& state, const Event& event);
  bool isCut(const JointState& state, ThreadId thread, const ThreadStep& step) const {
    return expanders_.front().isCut(state, thread, step);
  }
  /// All possible outcomes of the thread's next step; empty if the search is over or void.
  std::vector<StepOutcome> outcomesOf(uint32_t number, const JointState& state, ThreadId thread);
  uint32_t numberOf(const std::vector<uint64_t>& picks);

  uint32_t visitAfter(const JointState& state, const Event& event, const StepOutcome& outcome, uint32_t from);
  /// A packed state that is to be visited.
  struct Visit {
    StateKey key;
    ConditionId conditions = PathConditions::kAny;
    ThreadId threads = 0;
    std::span<const uint8_t> bytes;
  };
  uint32_t visit(const JointState& state, uint32_t from, std::span<const PathStep> steps);
  uint32_t visit(const Visit& visited, uint32_t from, std::span<const PathStep> steps);
  std::vector<PathStep> pathTo(uint32_t number) const;
  Schedule scheduleTo(uint32_t number);
  RunResult follow(std::vector<PathStep> path, ConditionId conditions, uint64_t randomEvents);
  void learn(const RunResult& run);

  /// Records that the thread stands before its pending event in the state.
  void record(const JointState& state, ThreadId thread);

  // state_races.cpp
  void noteRaces(uint32_t number, const JointState& state);
  bool mayWriteNow(uint32_t number, const JointState& state, ThreadId thread);
  void noteRace(uint32_t number, const JointState& state, const std::pair<ThreadId, Event>& first,
                const std::pair<ThreadId, Event>& second);
  void noteSectionRaces(uint32_t number, const JointState& state, ThreadId inside, ThreadId outside);
  bool passesSection(uint32_t number, const JointState& state, ThreadId inside, std::vector<Event>& events);
  void decideStuck();
  uint32_t firstNotBefore(const std::vector<uint32_t>& states) const;

  const Program& program_;
  uint64_t mostStates_ = 0;
  const Budget* budget_ = nullptr;  // while it runs
  Names names_;
  TermTable terms_;
  Locations locations_;
  const std::unique_ptr<InputSource> inputs_;
  ThreadAutomata automata_;
  JointStates states_;
  PathConditions conditions_;
  AccessRecords records_;
  MachineOptions options_;
  StateSearchResult result_;
  std::vector<Origin> origins_;         // by state
  std::vector<uint64_t> executionsAt_;  // number of executions when there were 1, 2, 4, … states
  std::vector<PathStep> steps_;         // the steps of all origins
  std::vector<ConditionId> known_;      // by state: conditions on the inputs
  std::vector<std::pair<uint32_t, uint32_t>> edges_;  // to, from
  std::vector<uint32_t> ends_;                        // states in which all threads are over
  uint32_t circle_ = kNone;  // the first state with threads that wait for one another
  ThreadId threads_ = 0;
  std::vector<uint32_t>
      goOn_;  // by state: bits of threads that are over, absent or joining, or whose step others can observe
  Learned learned_;
  std::vector<Expander> expanders_;  // one for each worker
  const size_t leastAhead_;
  /// States that are expanded together, and what follows from them.
  struct Batch {
    std::vector<PackedStates::Entry> states;
    std::vector<Expansion> expansions;  // at least as many; the rest is kept for its memory
    size_t contested = 0;               // AccessRecords::contested when the batch was begun

    size_t newChildren() const;
  };
  Batch batch_, ahead_;  // the batch that is taken over, and the batch that is being expanded
  PackedStates waiting_;
  JointState current_;           // the state that is taken over, if it is needed unpacked
  std::vector<uint8_t> packed_;  // the state that is visited
  bool isVoid_ = true;           // nothing is known yet, or a run has shown that more is shared
  /// Number of states when a resource was first found not to be kept apart any more.
  size_t staleSince_ = kNotStale;
  /// Expand the batch ahead; declared last, so destroyed before the data that they use.
  BackgroundTurns turns_;
};

}  // namespace heddle
