// FinalStates: Ψ restricted to complete executions: those that went on until no thread could.
//
// At the end every thread has ended, was stopped by a bound, or waits for ever: for a mutex that stays held,
// or for a thread that does not return. Only for a forest that is complete: continuations that no run has
// seen are taken to be unreachable.
//
// Threading: belongs to one exploration.
#pragma once

#include <map>
#include <vector>

#include "analysis/explore/formula/forest_formula.h"

namespace heddle {

class FinalStates {
 public:
  /// Adds its clauses to `formula`, which must be up to date and serves nothing else afterwards.
  FinalStates(const Forest& forest, ForestFormula& formula);

  /// After Sat: where every thread's path ends.
  GlobalPath path() const;
  /// The execution must not end in exactly these positions.
  void exclude(const GlobalPath& path);
  /// At least one thread waits for ever.
  void requireWaiting();

 private:
  struct End {
    std::vector<Lit> literals;  // all true: the thread's path ends there
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
  std::map<ThreadId, std::vector<NodeId>> returns_;  // ends that a join may wait for
};

}  // namespace heddle
