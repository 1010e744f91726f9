// LinearTerms: terms with their sums in one form, whatever the order in which they were added up. Two sums of
// the same summands are then the same term, and whether they are equal needs no solver, which finds it hard.
//
// Threading: belongs to one search.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>

#include "analysis/model/term.h"

namespace heddle {

class LinearTerms {
 public:
  /// `terms` must outlive it.
  explicit LinearTerms(TermTable& terms) : terms_(terms) {}

  /// An equal term, the same for all that differ in the order of sums only.
  Term normal(Term term);

 private:
  struct Sum {
    std::map<Term, uint64_t> times;  // of other terms; no zeros
    uint64_t constant = 0;
  };
  Sum sumOf(Term term);
  void add(Sum& sum, const Sum& more, uint64_t times, unsigned width) const;
  Term termOf(const Sum& sum, unsigned width);
  Term equality(Term a, Term b);
  Term build(Term term);

  TermTable& terms_;
  std::unordered_map<Term, Term> known_;
};

}  // namespace heddle
