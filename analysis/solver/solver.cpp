#include "analysis/solver/solver.h"

#include <algorithm>
#include <cstdio>

#include "analysis/solver/sat/sat_solver.h"
#include "analysis/solver/z3/z3_solver.h"

namespace heddle {

const char* toString(Answer answer) {
  switch (answer) {
    case Answer::Sat:
      return "sat";
    case Answer::Unsat:
      return "unsat";
    case Answer::Timeout:
      return "timeout";
    case Answer::Interrupted:
      return "interrupted";
    case Answer::OutOfMemory:
      return "out of memory";
    case Answer::Unknown:
      return "unknown";
  }
  return "unknown";
}

SolverStats& SolverStats::operator+=(const SolverStats& more) {
  queries += more.queries;
  sat += more.sat;
  unsat += more.unsat;
  unknown += more.unknown;
  conflicts += more.conflicts;
  decisions += more.decisions;
  propagations += more.propagations;
  orderConflicts += more.orderConflicts;
  variables += more.variables;
  clauses += more.clauses;
  orderAtoms += more.orderAtoms;
  seconds += more.seconds;
  return *this;
}

std::string SolverStats::toString() const {
  char text[400];
  std::snprintf(
      text, sizeof text,
      "queries %llu (sat %llu, unsat %llu, unknown %llu), conflicts %llu (order %llu), decisions %llu, "
      "propagations %llu, variables %llu (order %llu), clauses %llu, %.3f s",
      static_cast<unsigned long long>(queries), static_cast<unsigned long long>(sat),
      static_cast<unsigned long long>(unsat), static_cast<unsigned long long>(unknown),
      static_cast<unsigned long long>(conflicts), static_cast<unsigned long long>(orderConflicts),
      static_cast<unsigned long long>(decisions), static_cast<unsigned long long>(propagations),
      static_cast<unsigned long long>(variables), static_cast<unsigned long long>(orderAtoms),
      static_cast<unsigned long long>(clauses), seconds);
  return text;
}

std::vector<Lit> minimizeCore(Solver& solver, std::vector<Lit> core, const Budget& budget, bool* minimal) {
  if (minimal) *minimal = true;
  // An element that was needed once stays needed in every unsatisfiable subset, so one pass is enough.
  for (size_t i = 0; i < core.size();) {
    std::vector<Lit> without = core;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    const Answer answer = solver.check(without, budget);
    if (answer == Answer::Sat) {
      ++i;
    } else if (answer == Answer::Unsat) {
      // Keep the order, so that the first i elements are still those known to be needed.
      const std::vector<Lit>& smaller = solver.core();
      std::erase_if(without,
                    [&](Lit l) { return std::find(smaller.begin(), smaller.end(), l) == smaller.end(); });
      core = std::move(without);
    } else {
      if (minimal) *minimal = false;
      if (answer != Answer::Unknown || budget.check() != StopReason::None) break;
      ++i;
    }
  }
  return core;
}

std::unique_ptr<Solver> makeSolver(SolverKind kind, const TermTable& terms) {
  if (kind == SolverKind::Z3) return makeZ3Solver(terms);
  return makeSatSolver(terms);
}

}  // namespace heddle
