#include "analysis/solver/z3/z3_terms.h"

#include <string>

namespace heddle {

z3::expr Z3Terms::bits(Term t) {
  translate(t);
  return bitsOf(t);
}

z3::expr Z3Terms::truth(Term t) {
  translate(t);
  return truthOf(t);
}

z3::expr Z3Terms::bitsOf(Term t) {
  Forms& f = forms_[t];
  if (!f.bits) f.bits = z3::ite(*f.truth, context_.bv_val(1, 1), context_.bv_val(0, 1));
  return *f.bits;
}

z3::expr Z3Terms::truthOf(Term t) {
  Forms& f = forms_[t];
  if (!f.truth) f.truth = *f.bits == context_.bv_val(1, 1);
  return *f.truth;
}

void Z3Terms::translate(Term root) {
  if (forms_.size() < terms_.size()) forms_.resize(terms_.size());
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    const Term t = stack.back();
    if (known(t)) {
      stack.pop_back();
      continue;
    }
    const TermNode& n = terms_.node(t);
    const size_t before = stack.size();
    for (const Term operand : {n.a, n.b, n.c})
      if (operand != kNoTerm && !known(operand)) stack.push_back(operand);
    if (stack.size() != before) continue;
    stack.pop_back();
    translateOne(t);
  }
}

void Z3Terms::translateOne(Term t) {
  const TermNode n = terms_.node(t);
  Forms& f = forms_[t];
  switch (n.op) {
    case TermOp::Const:
      if (n.width == 1)
        f.truth = context_.bool_val(n.value != 0);
      else
        f.bits = context_.bv_val(n.value, n.width);
      return;
    case TermOp::Symbol: {
      const std::string name = "s" + std::to_string(n.value);
      if (n.width == 1)
        f.truth = context_.bool_const(name.c_str());
      else
        f.bits = context_.bv_const(name.c_str(), n.width);
      return;
    }
    case TermOp::Ite:
      if (n.width == 1)
        f.truth = z3::ite(truthOf(n.a), truthOf(n.b), truthOf(n.c));
      else
        f.bits = z3::ite(truthOf(n.a), bitsOf(n.b), bitsOf(n.c));
      return;
    case TermOp::ZExt:
      f.bits = z3::zext(bitsOf(n.a), n.width - terms_.width(n.a));
      return;
    case TermOp::SExt:
      f.bits = z3::sext(bitsOf(n.a), n.width - terms_.width(n.a));
      return;
    case TermOp::Extract:
      f.bits =
          bitsOf(n.a).extract(static_cast<unsigned>(n.value) + n.width - 1, static_cast<unsigned>(n.value));
      return;
    case TermOp::Concat:
      f.bits = z3::concat(bitsOf(n.a), bitsOf(n.b));
      return;
    default:
      break;
  }

  // Truth values stay Boolean where that is possible: Z3 sees the structure and needs no bit-vector of one
  // bit.
  if (terms_.width(n.a) == 1) {
    switch (n.op) {
      case TermOp::And:
        f.truth = truthOf(n.a) && truthOf(n.b);
        return;
      case TermOp::Or:
        f.truth = truthOf(n.a) || truthOf(n.b);
        return;
      case TermOp::Xor:
        f.truth = truthOf(n.a) != truthOf(n.b);
        return;
      case TermOp::Eq:
        f.truth = truthOf(n.a) == truthOf(n.b);
        return;
      default:
        break;
    }
  }
  const z3::expr a = bitsOf(n.a), b = bitsOf(n.b);
  switch (n.op) {
    case TermOp::Add:
      f.bits = a + b;
      return;
    case TermOp::Sub:
      f.bits = a - b;
      return;
    case TermOp::Mul:
      f.bits = a * b;
      return;
    case TermOp::UDiv:
      f.bits = z3::udiv(a, b);
      return;
    case TermOp::SDiv:
      f.bits = a / b;
      return;
    case TermOp::URem:
      f.bits = z3::urem(a, b);
      return;
    case TermOp::SRem:
      f.bits = z3::srem(a, b);
      return;
    case TermOp::And:
      f.bits = a & b;
      return;
    case TermOp::Or:
      f.bits = a | b;
      return;
    case TermOp::Xor:
      f.bits = a ^ b;
      return;
    case TermOp::Shl:
      f.bits = z3::shl(a, b);
      return;
    case TermOp::LShr:
      f.bits = z3::lshr(a, b);
      return;
    case TermOp::AShr:
      f.bits = z3::ashr(a, b);
      return;
    case TermOp::Eq:
      f.truth = a == b;
      return;
    case TermOp::Ult:
      f.truth = z3::ult(a, b);
      return;
    case TermOp::Ule:
      f.truth = z3::ule(a, b);
      return;
    case TermOp::Slt:
      f.truth = a < b;
      return;
    default:
      f.truth = a <= b;  // Sle, the only one left
      return;
  }
}

}  // namespace heddle
