// EqualReads: for two reads that are compared, implications between equalities that spare the solver
// reasoning about single bits.
//
// If read a takes its value from a write of p + d, and read b from a write of q + d, then a = b follows
// from p = q, where p and q are reads again: two variables that change together, or two sums over one
// array. Bit by bit, such a proof is a search through chains of carries; with implications between
// equalities it is propagation. The same holds for a read that is compared with a sum, if everything that
// was added to the location makes one sum too (counting_lemma.h), and for a read that is compared with an
// input that was written there.
//
// Each implication is a fact about its two writes alone, so it stays true when the forest grows.
//
// Threading: as the encoder that owns it.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "analysis/explore/formula/counting_lemma.h"

namespace heddle {

class EqualReads : public EncoderPart {
 public:
  EqualReads(FormulaBase& base, const ReadEncoder& reads, const CountingLemma& counting)
      : EncoderPart(base), reads_(reads), counting_(counting) {}

  /// Looks for comparisons of reads in the condition of a branch.
  void noteCompared(Term condition);
  /// Adds the implications for the sources that the compared reads have now.
  void update();

 private:
  using Terms = std::pair<Term, Term>;
  struct EqualPair {
    Term a = kNoTerm, b = kNoTerm;  // at least one of them a symbol of a read
    size_t leftSeen = 0, rightSeen = 0;
  };
  struct Source {
    NodeId write = kNone;  // kNone: the initial value, or a sum of all writes
    Lit lit = 0;           // the read has that value
    Term value = kNoTerm;
  };
  /// Whether the terms are the same up to symbols of reads; appends the pairs that differ.
  bool differOnlyInReads(Term a, Term b, std::vector<Terms>& reads, unsigned& steps) const;
  void wantEqual(const std::vector<Terms>& reads);
  /// The sources of a read's symbol; any other term is its own source.
  std::vector<Source> sourcesOf(Term symbol) const;
  bool isSum(Term term) const;
  bool writtenTogether(NodeId a, NodeId b) const;
  bool isLike(const Terms& reads, const EqualPair& pair) const;

  const ReadEncoder& reads_;
  const CountingLemma& counting_;
  std::vector<EqualPair> pairs_;
  std::set<Terms> pairsKnown_;
  std::set<std::pair<Lit, Lit>> sourcesDone_;  // pairs of literals, one of a source of each read
};

}  // namespace heddle
