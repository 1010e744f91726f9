// TermSymbols: which symbols terms depend on, and which conditions are related by them (Cadar, Dunbar,
// Engler: KLEE, OSDI 2008, "constraint independence").
//
// Threading: one thread. The table must outlive it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/model/term.h"

namespace heddle {

class TermSymbols {
 public:
  using Symbols = std::vector<uint32_t>;  // sorted numbers

  explicit TermSymbols(const TermTable& terms) : terms_(terms) {}

  /// Valid as long as this object is.
  const Symbols& of(Term term);
  /// Of `conditions`, those that share symbols with the term, through others of them, too.
  std::vector<Term> related(Term term, const std::vector<Term>& conditions);

 private:
  const TermTable& terms_;
  std::unordered_map<Term, Symbols> known_;
};

}  // namespace heddle
