// Translates terms to Z3: bit-vectors, and Booleans for width 1.
//
// A term of width 1 has both forms; each is built when first asked for. Terms are translated bottom-up
// without recursion, since a loop's accumulator can be nested very deeply.
//
// Threading: belongs to its solver.
#pragma once

#include <z3++.h>

#include <optional>
#include <vector>

#include "analysis/model/term.h"

namespace heddle {

class Z3Terms {
 public:
  Z3Terms(z3::context& context, const TermTable& terms) : context_(context), terms_(terms) {}

  z3::expr bits(Term t);   // bit-vector of the term's width
  z3::expr truth(Term t);  // Boolean, for width 1
  bool known(Term t) const { return t < forms_.size() && (forms_[t].bits || forms_[t].truth); }

 private:
  struct Forms {
    std::optional<z3::expr> bits, truth;
  };
  void translate(Term root);
  void translateOne(Term t);
  z3::expr bitsOf(Term t);   // of a translated term
  z3::expr truthOf(Term t);  // of a translated term of width 1

  z3::context& context_;
  const TermTable& terms_;
  std::vector<Forms> forms_;
};

}  // namespace heddle
