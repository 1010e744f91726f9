// Boolean functions as literals: constant folding, one output per distinct function, defining clauses.
//
// Outputs are not decision variables: their clauses determine them from their inputs. Folding also uses what
// level 0 has fixed, which never changes again.
//
// Threading: belongs to its solver; only between two runs of the search.
#pragma once

#include <span>
#include <vector>

#include "analysis/solver/sat/cdcl.h"
#include "analysis/solver/sat/flat_map.h"

namespace heddle::sat {

class Gates {
 public:
  explicit Gates(Cdcl& cdcl) : cdcl_(cdcl) {}
  /// A copy that goes on in a copy of the search.
  Gates(const Gates& other, Cdcl& cdcl) : cdcl_(cdcl), known_(other.known_) {}

  Literal andOf(Literal a, Literal b);
  Literal orOf(Literal a, Literal b) { return negate(andOf(negate(a), negate(b))); }
  Literal xorOf(Literal a, Literal b);
  Literal ite(Literal c, Literal a, Literal b);
  Literal majority(Literal a, Literal b, Literal c);
  /// The conjunction of all inputs, as one gate for any number of them. Changes its argument.
  Literal andAll(std::vector<Literal>& inputs);
  Literal orAll(std::vector<Literal>& inputs);

  uint64_t bytes() const { return known_.bytes(); }

 private:
  Literal folded(Literal p) const {
    const int v = cdcl_.fixedValue(p);
    return v > 0 ? kTrueLiteral : v < 0 ? kFalseLiteral : p;
  }
  Literal& known(GateKind kind, Literal a, Literal b, Literal c = 0) {
    return known_[{static_cast<uint64_t>(a) << 32 | b,
                   static_cast<uint64_t>(c) << 8 | static_cast<uint64_t>(kind)}];
  }
  Literal output(GateKind kind, std::initializer_list<Literal> inputs);

  Cdcl& cdcl_;
  FlatMap known_;
};

}  // namespace heddle::sat
