// The fast backend: our own search with the order theory inside, data bit-blasted (docs/solver.md).
//
// Threading: as Solver says.
#pragma once

#include <functional>
#include <memory>

#include "analysis/solver/sat/options.h"
#include "analysis/solver/solver.h"

namespace heddle {

class SatBackend : public Solver {
 public:
  /// The same problem and all that was learnt; literals keep their numbers. Same terms.
  virtual std::unique_ptr<SatBackend> clone() const = 0;
  /// What before(a, b) returned, a < b; 0 if it was not asked for.
  virtual Lit knownBefore(OrderNode a, OrderNode b) = 0;
  /// The first number that no literal has yet.
  virtual Lit nextLiteral() const = 0;
  /// Units of work done so far: about literals visited. Depends on the problem and the questions only.
  virtual uint64_t work() const = 0;
  /// Asked within check() after about `work` units each time. False ends the check with Unknown.
  virtual void pauseAfter(uint64_t work, std::function<bool()> goOn) = 0;
  /// The undecided variable that was in most conflicts lately, among those for which `eligible` is true; 0 if
  /// there is none.
  virtual Lit busiest(const std::function<bool(Lit)>& eligible) const = 0;
};

std::unique_ptr<SatBackend> makeSatSolver(const TermTable& terms, const sat::Options& options = {});

}  // namespace heddle
