// The fast backend: our own search with the order theory inside, data bit-blasted (docs/solver.md).
//
// Threading: as Solver says.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "analysis/solver/sat/options.h"
#include "analysis/solver/solver.h"

namespace heddle {

/// A learnt clause on its way to another copy of the same search.
struct SharedClause {
  std::vector<Lit> literals;
  uint32_t levels = 0;  // decision levels that it spanned (literal block distance)
};

class SatBackend : public Solver {
 public:
  /// The same problem with all that was learnt; literals keep their numbers. Also in a pause. Copies with
  /// other variants (0: this one's own) search in other ways.
  virtual std::unique_ptr<SatBackend> clone(unsigned variant) const = 0;
  /// `goOn` is asked within check() after about `work` units each time (a unit is about a literal visited;
  /// the count depends on the problem and the questions only). False ends the check with Unknown. 0: never.
  virtual void pauseAfter(uint64_t work, std::function<bool()> goOn) = 0;
  /// Whether to keep short learnt clauses for others.
  virtual void keepGoodClauses(bool keep) = 0;
  /// In a pause: those since it was asked last.
  virtual std::vector<SharedClause> takeGoodClauses() = 0;
  /// In a pause: clauses that follow from the same problem.
  virtual void learnFrom(const std::vector<SharedClause>& clauses) = 0;
};

std::unique_ptr<SatBackend> makeSatSolver(const TermTable& terms, const sat::Options& options = {});

}  // namespace heddle
