// StateSearcher: the search behind StateSearch (state_search.h). Not to be included elsewhere.
//
// States are expanded ahead, a batch at a time, by all workers (expansion.h); what follows is taken over by
// one thread, in the order of the states, while the others expand the next batch. Where an expansion lacks
// something, that thread has the others pause, learns it and expands the state again. So all that is found,
// and its numbers, are the same for any number of workers.
//
// Threading: one thread, and its workers while it expands.
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

  /// The state that one was first reached from, and the steps that led on; none: it is that state, where more
  /// holds of the inputs.
  struct Origin {
    uint32_t from = kNone;
    size_t begin = 0;  // of steps_
    uint32_t steps = 0;
  };
  class PathScheduler;
  static constexpr uint32_t kNoPicks = 0;  // of allPicks_

  void restart();
  /// Visits all again, with what is known of the threads' steps and of what they touch.
  void restartStates();
  /// `forGood`: a larger search would not help.
  void refuse(std::string why, bool forGood = true);
  bool isOver() const { return isVoid_ || !result_.problem.empty(); }

  void search();
  /// It is time to visit all again.
  bool isTooStale() const;
  bool isHopeless(size_t threads) const;
  /// Few states lie ahead, and what threads do there is mostly known.
  bool isClosing() const;
  /// Expands what waits first, and takes over what follows.
  void expandFirst();
  /// The same for the batch that was made ahead.
  void expandBatch();
  bool numberOld(Expansion& expansion) const;
  /// Begins to expand the states that wait behind the first `skipped`, unless they are few.
  void lookAhead(size_t skipped);
  /// There is budget and room for one more state.
  bool mayGoOn();
  /// Of the state that waits first. False: the search is over.
  bool takeOver(Expansion& expansion);
  /// Learns what an expansion of the state lacks, which lies behind the steps.
  void learn(const Missing& missing, uint32_t number, const JointState& state);
  void learnStep(const Missing& missing, uint32_t number);
  void learnGuard(const Missing& missing);
  bool isEnabled(const JointState& state, const Event& event);
  bool isCut(const JointState& state, ThreadId thread, const ThreadStep& step) const {
    return expanders_.front().isCut(state, thread, step);
  }
  /// All that may become of the thread's next step; nothing when the search is over or void.
  std::vector<StepOutcome> outcomesOf(uint32_t number, const JointState& state, ThreadId thread);
  uint32_t numberOf(const std::vector<uint64_t>& picks);

  uint32_t visitAfter(const JointState& state, const Event& event, const StepOutcome& outcome, uint32_t from);
  /// A state that was packed.
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

  /// The thread stands before its event in the state.
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
  std::vector<Origin> origins_;                       // by state
  std::vector<uint64_t> executionsAt_;                // made when there were 1, 2, 4, … states
  std::vector<PathStep> steps_;                       // of origins
  std::vector<ConditionId> known_;                    // by state: what holds of the inputs
  std::vector<std::pair<uint32_t, uint32_t>> edges_;  // to, from
  std::vector<uint32_t> ends_;                        // states in which everything is over
  uint32_t circle_ = kNone;  // the first state with threads that wait for one another
  ThreadId threads_ = 0;
  std::vector<uint32_t>
      goOn_;  // by state: bits of threads: over, absent, joining, or others can tell what it does
  Learned learned_;
  std::vector<Expander> expanders_;  // one for each worker
  const size_t leastAhead_;
  /// States that are expanded together, and what follows from them.
  struct Batch {
    std::vector<PackedStates::Entry> states;
    std::vector<Expansion> expansions;  // as many, and more from earlier ones for their memory
    size_t contested = 0;               // of the records when it was begun

    size_t newChildren() const;
  };
  Batch batch_, ahead_;  // the one that is taken over, and the one that is made
  PackedStates waiting_;
  JointState current_;             // the one that is taken over, where it is needed
  std::vector<uint8_t> packed_;    // the one that is visited
  bool isVoid_ = true;             // nothing is known yet, or what is shared was learned
  size_t staleSince_ = kNotStale;  // states when something that was kept apart was found not to be
  BackgroundTurns turns_;          // that make the batch ahead; gone before what they use
};

}  // namespace heddle
