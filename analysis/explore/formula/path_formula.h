// PathFormula: Φmpc of one combination of thread prefixes (MPC, section 3.2): path conditions,
// synchronization and data consistency over the events of the prefixes alone.
//
// The formula is Ψ over a forest that has one path for each thread, where every event happens. The path
// conditions of each thread are guarded by a literal of that thread, so an unsatisfiable core names
// threads, as the paper's Threads(UC(Φ)) does.
//
// Threading: a formula belongs to one thread; see FormulaParts.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/explore/forest/thread_prefix.h"
#include "analysis/explore/formula/encoder.h"
#include "analysis/explore/formula/formula_parts.h"

namespace heddle {

/// The events and path conditions that a combination of prefixes consists of.
struct PathEvents {
  struct Thread {
    std::vector<NodeId> nodes;       // events and inputs, root first
    std::vector<Position> branches;  // sides that must be taken
    NodeId open = kNone;             // a choice that must take none of `excluded`
    std::vector<uint64_t> excluded;
  };
  std::vector<Thread> threads;  // by thread id
};

/// The events of the prefixes (by thread id; a thread without a prefix does nothing). Events that cannot
/// happen within the combination are cut off: a join of a thread that does not end, a thread that nobody
/// creates, and everything after them. If a prefix that is cut ends with what a run observed, `prefixes` is
/// changed so that it ends at the cut. nullopt: a cut prefix deviates after the cut, so the combination is
/// part of another one.
std::optional<PathEvents> eventsOf(const Forest& forest, std::vector<ThreadPrefix>& prefixes);
/// Everything on the path of one prefix.
PathEvents::Thread pathOf(const Forest& forest, const ThreadPrefix& prefix);

class PathFormula {
 public:
  /// All arguments must outlive the formula.
  PathFormula(const FormulaParts& parts, const PathEvents& events);

  /// (read, cell) → the write that it must read from.
  using ReadsFrom = std::map<std::pair<NodeId, LocationId>, NodeId>;
  /// Must be called before `check`. The reads in `from` must read from the writes there; every other read
  /// takes its value from its own thread or the initial value. `from` must outlive the check.
  void fixReads(const ReadsFrom& from) { readsFrom_ = &from; }

  Answer check(const Budget& budget);

  // After Sat: the events in order, as nodes of the forest; fills `inputs`.
  std::vector<NodeId> plan(ModelInputs& inputs) const;
  // After Unsat: the threads whose path conditions contribute; minimized.
  std::vector<ThreadId> coreThreads(const Budget& budget);
  // After Unsat with fixed reads: the reads that must not stay within their threads; minimized.
  std::vector<std::pair<NodeId, LocationId>> coreReads(const Budget& budget);

  const SolverStats& stats() const { return solver_->stats(); }

 private:
  void copyEvents(const PathEvents& events);
  void addConditions(ThreadId thread, const PathEvents::Thread& events);
  void addReads(const ReadsFrom& from);

  FormulaParts parts_;
  Forest path_;                                // one path for each thread
  std::vector<NodeId> original_;               // node of path_ → node of the forest
  std::unordered_map<NodeId, NodeId> copies_;  // and back
  const ReadsFrom* readsFrom_ = nullptr;
  std::vector<std::pair<Lit, std::pair<NodeId, LocationId>>> localReads_;
  std::unique_ptr<Solver> solver_;
  std::unique_ptr<Encoder> encoder_;
  const PathEvents& events_;
  std::vector<std::pair<Lit, ThreadId>> assumed_;
};

}  // namespace heddle
