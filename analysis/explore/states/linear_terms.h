// LinearTerms: terms whose sums have one normal form, whatever the order in which they were added up. Two
// sums of the same summands are then the same term. So no solver is needed to show that they are equal,
// which would be hard for it.
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

  /// An equal term; terms that differ only in the order of sums have the same normal form.
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
