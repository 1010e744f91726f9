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
  /// A copy of the problem with all learnt clauses; literals keep their numbers. It may be made in a pause,
  /// too. Copies with different variants search in different ways; variant 0 searches as this one does.
  virtual std::unique_ptr<SatBackend> clone(unsigned variant) const = 0;
  /// `goOn` is asked within check() after about `work` units each time (a unit is about a literal visited;
  /// the count depends on the problem and the questions only). False ends the check with Unknown. 0: never.
  virtual void pauseAfter(uint64_t work, std::function<bool()> goOn) = 0;
  /// Whether to keep short learnt clauses for others.
  virtual void keepGoodClauses(bool keep) = 0;
  /// Only in a pause: the good clauses since the last call.
  virtual std::vector<SharedClause> takeGoodClauses() = 0;
  /// Only in a pause: takes in clauses, which must follow from the same problem.
  virtual void learnFrom(const std::vector<SharedClause>& clauses) = 0;
};

std::unique_ptr<SatBackend> makeSatSolver(const TermTable& terms, const sat::Options& options = {});

}  // namespace heddle
