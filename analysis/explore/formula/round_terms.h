// RoundTerms: what decides a way of a round whose inputs are any values, and in which all reads find what
// memory holds at the end (docs/awaits.md, 6).
//
// Threading: as the term table that it makes terms in.
#pragma once

#include <map>
#include <unordered_map>

#include "analysis/explore/forest/input_rounds.h"
#include "analysis/model/term.h"

namespace heddle {

class RoundTerms {
 public:
  /// All must outlive it.
  RoundTerms(const Forest& forest, TermTable& terms, const InputRounds& rounds);

  /// A read's symbol has this value. Before `of`.
  void set(Term symbol, Term value) { values_[symbol] = value; }
  /// The term with these values; kNoTerm: an input of the round decides it, maybe with memory.
  Term of(Term term);
  /// Whether the inputs can decide the term either way whatever memory holds. A term of inputs alone was seen
  /// to go the ways that the forest has; of others only the comparison of an input that decides nothing else.
  bool isFree(Term term);

 private:
  struct Symbols {
    bool hasInput = false, hasOther = false;
  };
  Symbols symbolsOf(Term term);
  bool isCompared(Term input, Term other);
  void countInputs(Term term);

  TermTable& terms_;
  const InputRounds& rounds_;
  std::unordered_map<Term, Term> values_;
  std::map<Term, Symbols> symbols_;
  std::map<Term, unsigned> forks_;  // input → number of forks that it decides
};

}  // namespace heddle
