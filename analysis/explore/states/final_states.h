// FinalStates: Ψ restricted to complete executions, in which no thread can go on at the end.
//
// At the end every thread has ended, was stopped by a bound, or waits for ever: for a mutex that stays
// held, or for a thread that does not return. The forest must be complete: continuations that no run has
// seen count as unreachable.
//
// Threading: belongs to one exploration.
#pragma once

#include <limits>
#include <map>
#include <vector>

#include "analysis/explore/formula/forest_formula.h"

namespace heddle {

class FinalStates {
 public:
  /// Adds its clauses to `formula`, which must be up to date and must not be used for anything else
  /// afterwards.
  FinalStates(const Forest& forest, ForestFormula& formula);

  /// After Sat: where every thread's path ends.
  GlobalPath path() const;
  /// From now on, executions must not end in exactly these positions.
  void exclude(const GlobalPath& path);
  /// From now on, at least one thread must wait for ever.
  void requireWaiting();
  /// The ends of one thread's path from `first` up to `behind`, in their order: the executions that end in
  /// one of them. All, by default.
  struct Share {
    ThreadId thread = 0;
    size_t first = 0, behind = std::numeric_limits<size_t>::max();
  };
  /// Up to `most` shares, at least one. Each execution belongs to just one of them, for a path has one end.
  std::vector<Share> shares(size_t most) const;
  /// From now on, only executions of that share.
  void keepOnly(const Share& share);

 private:
  struct End {
    std::vector<Lit> literals;  // if all are true, the thread's path ends there
    bool waits = false;
  };
  void restrictNode(NodeId id);
  void restrictEvent(NodeId id, Lit reach);
  Lit waitsForEver(NodeId id);
  Lit staysHeld(NodeId lock);
  void addEnd(ThreadId thread, Position at, std::vector<Lit> literals, bool waits = false);

  const Forest& forest_;
  ForestFormula& formula_;
  Solver& solver_;
  std::vector<std::map<Position, End>> ends_;  // by thread
  std::map<NodeId, Lit> held_;                 // Lock node → it happens and its mutex is never released
  std::map<NodeId, std::vector<NodeId>> unlocks_;
  std::map<LocationId, std::vector<NodeId>> locks_;
  std::map<ThreadId, std::vector<NodeId>> returns_;  // End nodes that a join may wait for
};

}  // namespace heddle
