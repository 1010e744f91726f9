// StateSearcher: the search behind StateSearch (state_search.h). Not to be included elsewhere.
//
// Threading: one thread.
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
#include "analysis/explore/states/joint_state.h"
#include "analysis/explore/states/path_conditions.h"
#include "analysis/explore/states/state_search.h"
#include "analysis/explore/states/state_table.h"
#include "analysis/explore/states/thread_automata.h"

namespace heddle {

class StateSearch::Searcher {
 public:
  Searcher(const Program& program, const StateSearchOptions& options);

  StateSearchResult run(uint64_t mostStates, const Budget& budget);

 private:
  static constexpr ThreadId kThreadBits = 32;
  static constexpr size_t kNotStale = std::numeric_limits<size_t>::max();

  /// The state that one was first reached from, and the steps that led on; none: it is that state, where more
  /// holds of the inputs.
  struct Origin {
    uint32_t from = kNone;
    size_t begin = 0;  // of steps_
    uint32_t steps = 0;
  };
  /// One of the ways that a step may go.
  struct Outcome {
    ConditionId conditions;  // where it goes so
    const ThreadStep* step;  // stays until a restart
    uint32_t picks;
  };
  struct PathStep {
    ThreadId thread;
    uint32_t picks;  // the inputs of one bit in the step
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
  bool isHopeless(const JointState& state) const;
  /// Few states lie ahead, and what threads do there is mostly known.
  bool isClosing() const;
  void expand(uint32_t number, const JointState& state);
  /// Some pending event's guard depends on inputs: the state goes on as two.
  bool split(uint32_t number, const JointState& state);
  void take(uint32_t number, const JointState& state, ThreadId thread);
  bool isEnabled(const JointState& state, const Event& event);
  bool joinsOther(const JointState& state, ThreadId thread) const;
  bool isCut(const JointState& state, ThreadId thread, const ThreadStep& step) const;

  /// Where a step is looked for: behind a visited state, and the steps from there.
  struct Asked {
    uint32_t number;
    std::span<const PathStep> steps;
    ThreadId thread;
  };
  /// All that may become of the thread's next step; nothing when the search is over or void.
  std::vector<Outcome> outcomesOf(const Asked& asked, const JointState& state);
  std::vector<Outcome> outcomesOf(uint32_t number, const JointState& state, ThreadId thread) {
    return outcomesOf({number, {}, thread}, state);
  }
  void follow(const Asked& asked, const StateKey& point, ConditionId conditions, std::vector<uint64_t>& picks,
              std::vector<Outcome>& out);
  void followTerm(const Asked& asked, const StateKey& point, Term term, ConditionId conditions,
                  std::vector<uint64_t>& picks, std::vector<Outcome>& out);
  uint32_t numberOf(const std::vector<uint64_t>& picks);

  uint32_t visitAfter(const JointState& state, const Event& event, const Outcome& outcome, uint32_t from);
  uint32_t visit(JointState state, uint32_t from, std::span<const PathStep> steps);
  std::vector<PathStep> pathTo(uint32_t number) const;
  Schedule scheduleTo(uint32_t number);
  RunResult follow(std::vector<PathStep> path, ConditionId conditions, uint64_t randomEvents);
  void learn(const RunResult& run);

  // eager_steps.cpp
  struct Walk {
    JointState state;
    std::vector<PathStep> steps;  // from the state that was visited last
    StateKey anchor = {};         // of the state after the greatest power of two of them
    ThreadMask goesRound = 0;     // threads whose steps led back to it
  };
  /// Goes on with eager steps, and visits where none is left.
  void settle(uint32_t from, Walk walk);
  /// False where the thread's next step must be interleaved; else its outcomes are gone.
  bool takeEagerly(uint32_t from, Walk& walk, ThreadId thread, std::vector<Walk>& more);
  /// Threads that go round with eager steps do not keep others waiting.
  void noteRound(Walk& walk) const;
  bool isEager(const JointState& state, const Event& event) const;
  /// What the event touches; and whether others that only look at it do not mind.
  static std::optional<std::pair<Resource, bool>> touched(const Event& event, LocationId cell);
  bool isKeptApart(const Event& event) const;
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
  StateTable numbers_;
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
  std::unordered_set<uint64_t> noted_;  // pairs of stops before conflicting accesses
  std::vector<KnownValue> observed_;    // by the step that is looked for
  std::vector<std::vector<uint64_t>> allPicks_;
  std::map<std::vector<uint64_t>, uint32_t> pickNumbers_;
  std::deque<std::pair<uint32_t, JointState>> waiting_;
  bool isVoid_ = true;             // nothing is known yet, or what is shared was learned
  size_t staleSince_ = kNotStale;  // states when something that was kept apart was found not to be
};

}  // namespace heddle
