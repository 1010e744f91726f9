// Terms as vectors of literals, lowest bit first.
//
// Every term is encoded once. Symbols get fresh decision variables (guarded by their owner, if one was
// named); all else is gates over them, so a model of the symbols determines the rest. Division by zero comes
// out of the circuits as SMT-LIB wants it. Encoding works bottom-up without recursion and can be stopped
// between two terms.
//
// Threading: belongs to its solver; only between two runs of the search.
#pragma once

#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/model/term.h"
#include "analysis/solver/sat/gates.h"

namespace heddle::sat {

class BitBlaster {
 public:
  using Bits = std::vector<Literal>;

  BitBlaster(Cdcl& cdcl, const TermTable& terms) : cdcl_(cdcl), terms_(terms), gates_(cdcl) {}
  /// A copy that goes on in a copy of the search.
  BitBlaster(const BitBlaster& other, Cdcl& cdcl)
      : cdcl_(cdcl),
        terms_(other.terms_),
        gates_(other.gates_, cdcl),
        offset_(other.offset_),
        pool_(other.pool_),
        symbolGuards_(other.symbolGuards_),
        divisions_{other.divisions_[0], other.divisions_[1]},
        equalities_(other.equalities_) {}

  bool known(Term t) const { return t < offset_.size() && offset_[t] != 0; }
  /// Encodes `t`; `stop()` is asked between terms. False if it returned true: the rest can be encoded later.
  template <class Stop>
  bool encode(Term t, Stop stop);
  /// The bits of a known term; valid until the next encode().
  std::span<const Literal> bits(Term t) const { return {&pool_[offset_[t]], terms_.width(t)}; }

  /// The literal of "a equals b", both known. Each pair of terms has one literal.
  Literal equality(Term a, Term b);

  void guardSymbol(Term symbol, Literal g);
  Gates& gates() { return gates_; }
  uint64_t bytes() const;

 private:
  void encodeOne(Term t);
  Bits copyOf(Term t) const {
    const auto b = bits(t);
    return {b.begin(), b.end()};
  }
  void store(Term t, const Bits& bits);

  Bits compute(Term t);
  Bits symbolBits(Term t, unsigned width);
  Bits sum(const Bits& a, const Bits& b, Literal carry);
  Bits product(Bits a, Bits b);
  Bits shift(TermOp op, const Bits& a, const Bits& b);
  Bits choose(Literal c, const Bits& a, const Bits& b);
  Bits negated(const Bits& a, Literal condition);
  Literal less(const Bits& a, const Bits& b, bool isSigned, bool orEqual);
  /// Quotient and remainder; both come from one circuit, so they are kept together.
  const std::pair<Bits, Bits>& division(Term a, Term b, bool isSigned);
  std::pair<Bits, Bits> divideUnsigned(const Bits& a, const Bits& b);
  static size_t remainderWidth(const Bits& b);

  Cdcl& cdcl_;
  const TermTable& terms_;
  Gates gates_;
  std::vector<uint32_t> offset_;  // by term, into the pool; 0: not encoded
  std::vector<Literal> pool_{kNoLiteral};
  std::unordered_map<Term, Literal> symbolGuards_;
  std::unordered_map<uint64_t, std::pair<Bits, Bits>> divisions_[2];  // unsigned, signed; by both operands
  FlatMap equalities_;                                                // by two terms
  std::vector<Term> stack_;
};

template <class Stop>
bool BitBlaster::encode(Term root, Stop stop) {
  if (offset_.size() < terms_.size()) offset_.resize(terms_.size(), 0);
  stack_.assign(1, root);
  while (!stack_.empty()) {
    const Term t = stack_.back();
    if (known(t)) {
      stack_.pop_back();
      continue;
    }
    const TermNode& n = terms_.node(t);
    const size_t before = stack_.size();
    for (const Term operand : {n.a, n.b, n.c})
      if (operand != kNoTerm && !known(operand)) stack_.push_back(operand);
    if (stack_.size() != before) continue;
    if (stop()) return false;
    stack_.pop_back();
    encodeOne(t);
  }
  return true;
}

}  // namespace heddle::sat
