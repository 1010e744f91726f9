// Terms: hash-consed bit-vector expressions over symbols (inputs and values of shared reads).
//
// Widths are 1 to 64 bits; a term of width 1 is a truth value. Semantics are SMT-LIB's (bvadd, bvudiv, …);
// evalTermOp is the single definition that interpreter, tests and bit-blaster are checked against.
// Construction simplifies (constants, identities, canonical argument order), so equal terms are often the
// same index and a term that does not depend on a symbol is a Const.
//
// Threading: a table belongs to one exploration and is not synchronized.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle {

/// Index into a TermTable. 0 is "no term": a value that is only concrete.
using Term = uint32_t;
inline constexpr Term kNoTerm = 0;

enum class TermOp : uint8_t {
  Const,
  Symbol,
#define HEDDLE_BINARY_OP(name) name,
#include "analysis/model/binary_ops.def"
  Ite,  // a ? b : c, a of width 1
  ZExt,
  SExt,     // of a to `width`
  Extract,  // bits [value, value + width) of a
  Concat,   // a above b; width is the sum
};

/// The operands may change places.
bool isCommutative(TermOp op);

struct TermNode {
  TermOp op;
  uint8_t width;   // of the result, 1..64
  uint64_t value;  // Const: the bits; Symbol: the symbol's number; Extract: lowest bit
  Term a = kNoTerm, b = kNoTerm, c = kNoTerm;
  bool operator==(const TermNode&) const = default;
};

/// All ones in the low `width` bits (1..64).
constexpr uint64_t widthMask(unsigned width) {
  return width >= 64 ? ~0ull : (1ull << width) - 1;
}
/// The low `width` bits of `bits`, as a signed number.
constexpr int64_t signExtend(uint64_t bits, unsigned width) {
  const unsigned shift = 64 - width;
  return static_cast<int64_t>(bits << shift) >> shift;
}

/// The value of `op` on concrete operands; `width` is the operand width (result width for ZExt/SExt/Extract
/// is the caller's mask). Division by zero follows SMT-LIB: all ones for a quotient, the dividend for a
/// remainder.
uint64_t evalBinary(TermOp op, uint64_t a, uint64_t b, unsigned width);

class TermTable {
 public:
  TermTable();

  Term constant(uint64_t bits, unsigned width);
  Term boolean(bool value) { return constant(value ? 1 : 0, 1); }
  /// A fresh symbol; symbols are numbered 0, 1, 2, … in order of creation.
  Term symbol(unsigned width);
  Term binary(TermOp op, Term a, Term b);
  Term ite(Term condition, Term a, Term b);
  Term zext(Term a, unsigned width);
  Term sext(Term a, unsigned width);
  Term extract(Term a, unsigned low, unsigned width);
  Term concat(Term high, Term low);
  Term logicalNot(Term a);  // width 1
  Term eq(Term a, Term b) { return binary(TermOp::Eq, a, b); }
  /// The term with `replaced(operand)` for each operand, of the same width. `replaced` may make terms.
  template <class Replaced>
  Term withOperands(Term t, Replaced replaced) {
    const TermNode node = nodes_[t];
    const auto at = [&](Term operand) { return operand == kNoTerm ? kNoTerm : replaced(operand); };
    const Term a = at(node.a), b = at(node.b), c = at(node.c);
    return node.a == kNoTerm ? t : rebuild(node, a, b, c);
  }

  const TermNode& node(Term t) const { return nodes_[t]; }
  unsigned width(Term t) const { return nodes_[t].width; }
  bool isConst(Term t) const { return nodes_[t].op == TermOp::Const; }
  uint64_t constValue(Term t) const { return nodes_[t].value; }
  size_t size() const { return nodes_.size(); }
  uint32_t symbolCount() const { return static_cast<uint32_t>(symbols_.size()); }
  Term symbolTerm(uint32_t number) const { return symbols_[number]; }

  /// The value of `t` where symbol k has the value symbolValues[k] (missing ones are 0).
  uint64_t evaluate(Term t, const std::vector<uint64_t>& symbolValues) const;
  /// Readable prefix form, for query logs and tests.
  std::string toString(Term t) const;

 private:
  Term rebuild(const TermNode& node, Term a, Term b, Term c);
  /// `effort`: terms that it may still look into; an extraction stays outside of the rest.
  Term extract(Term a, unsigned low, unsigned width, unsigned& effort);
  struct Hash {
    size_t operator()(const TermNode& n) const;
  };
  Term intern(const TermNode& node);
  bool isBoolean(Term t) const { return nodes_[t].width == 1; }

  std::vector<TermNode> nodes_;
  std::vector<Term> symbols_;
  std::unordered_map<TermNode, Term, Hash> index_;
};

/// A concrete value with the term that describes it, if it depends on a symbol.
struct Value {
  uint64_t bits = 0;
  Term term = kNoTerm;
};

}  // namespace heddle
