#include "analysis/solver/sat/bit_blaster.h"

#include <algorithm>

namespace heddle::sat {

void BitBlaster::guardSymbol(Term symbol, Literal g) {
  symbolGuards_[symbol] = g;
  if (known(symbol))
    for (const Literal p : bits(symbol)) cdcl_.guard(varOf(p), g);
}

void BitBlaster::store(Term t, const Bits& bits) {
  offset_[t] = static_cast<uint32_t>(pool_.size());
  pool_.insert(pool_.end(), bits.begin(), bits.end());
}

void BitBlaster::encodeOne(Term t) {
  store(t, compute(t));
}

BitBlaster::Bits BitBlaster::symbolBits(Term t, unsigned width) {
  const auto owner = symbolGuards_.find(t);
  Bits r(width);
  for (Literal& p : r) {
    const Var v = cdcl_.newVariable();
    if (owner != symbolGuards_.end()) cdcl_.guard(v, owner->second);
    p = 2 * v;
  }
  return r;
}

BitBlaster::Bits BitBlaster::compute(Term t) {
  const TermNode n = terms_.node(t);
  const unsigned width = n.width;
  Bits r(width, kFalseLiteral);
  switch (n.op) {
    case TermOp::Const:
      for (unsigned i = 0; i < width; ++i) r[i] = ((n.value >> i) & 1) ? kTrueLiteral : kFalseLiteral;
      return r;
    case TermOp::Symbol:
      return symbolBits(t, width);
    case TermOp::ZExt:
    case TermOp::SExt: {
      const Bits a = copyOf(n.a);
      const Literal fill = n.op == TermOp::SExt ? a.back() : kFalseLiteral;
      for (unsigned i = 0; i < width; ++i) r[i] = i < a.size() ? a[i] : fill;
      return r;
    }
    case TermOp::Extract: {
      const auto a = bits(n.a).subspan(n.value, width);
      return {a.begin(), a.end()};
    }
    case TermOp::Concat: {
      r = copyOf(n.b);
      const auto high = bits(n.a);
      r.insert(r.end(), high.begin(), high.end());
      return r;
    }
    case TermOp::Ite:
      return choose(bits(n.a)[0], copyOf(n.b), copyOf(n.c));
    default:
      break;
  }

  const Bits a = copyOf(n.a), b = copyOf(n.b);
  switch (n.op) {
    case TermOp::Add:
      return sum(a, b, kFalseLiteral);
    case TermOp::Sub: {
      Bits inverted = b;
      for (Literal& p : inverted) p = negate(p);
      return sum(a, inverted, kTrueLiteral);
    }
    case TermOp::Mul:
      return product(a, b);
    case TermOp::UDiv:
      return division(n.a, n.b, false).first;
    case TermOp::URem:
      return division(n.a, n.b, false).second;
    case TermOp::SDiv:
      return division(n.a, n.b, true).first;
    case TermOp::SRem:
      return division(n.a, n.b, true).second;
    case TermOp::And:
      for (unsigned i = 0; i < width; ++i) r[i] = gates_.andOf(a[i], b[i]);
      return r;
    case TermOp::Or:
      for (unsigned i = 0; i < width; ++i) r[i] = gates_.orOf(a[i], b[i]);
      return r;
    case TermOp::Xor:
      for (unsigned i = 0; i < width; ++i) r[i] = gates_.xorOf(a[i], b[i]);
      return r;
    case TermOp::Shl:
    case TermOp::LShr:
    case TermOp::AShr:
      return shift(n.op, a, b);
    case TermOp::Eq:
      return {equality(n.a, n.b)};
    default:
      return {
          less(a, b, n.op == TermOp::Slt || n.op == TermOp::Sle, n.op == TermOp::Ule || n.op == TermOp::Sle)};
  }
}

BitBlaster::Bits BitBlaster::sum(const Bits& a, const Bits& b, Literal carry) {
  Bits r(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    r[i] = gates_.xorOf(gates_.xorOf(a[i], b[i]), carry);
    if (i + 1 < a.size()) carry = gates_.majority(a[i], b[i], carry);
  }
  return r;
}

BitBlaster::Bits BitBlaster::choose(Literal c, const Bits& a, const Bits& b) {
  Bits r(a.size());
  for (size_t i = 0; i < a.size(); ++i) r[i] = gates_.ite(c, a[i], b[i]);
  return r;
}

/// -a where the condition holds, else a.
BitBlaster::Bits BitBlaster::negated(const Bits& a, Literal condition) {
  Bits r(a.size());
  Literal carry = condition;
  for (size_t i = 0; i < a.size(); ++i) {
    const Literal x = gates_.xorOf(a[i], condition);
    r[i] = gates_.xorOf(x, carry);
    carry = gates_.andOf(x, carry);
  }
  return r;
}

BitBlaster::Bits BitBlaster::product(Bits a, Bits b) {
  const size_t width = a.size();
  const auto constants = [](const Bits& x) {
    return std::count_if(x.begin(), x.end(), [](Literal p) { return varOf(p) == 1; });
  };
  if (constants(a) > constants(b)) a.swap(b);  // one row of adders per bit of b that is not 0

  // A constant with long runs of ones costs fewer rows in signed digits: 0111 = 1000 - 0001.
  if (static_cast<size_t>(constants(b)) == width) {
    std::vector<int> digits(width, 0);
    int carry = 0;
    for (size_t i = 0; i < width; ++i) {
      const int bit = (b[i] == kTrueLiteral ? 1 : 0) + carry;
      const int next = i + 1 < width && b[i + 1] == kTrueLiteral ? 1 : 0;
      digits[i] = bit == 1 ? (next ? -1 : 1) : 0;
      carry = bit == 2 || digits[i] == -1 ? 1 : 0;
    }
    Bits r(width, kFalseLiteral);
    for (size_t i = 0; i < width; ++i) {
      if (digits[i] == 0) continue;
      const Literal minus = digits[i] < 0 ? kTrueLiteral : kFalseLiteral;
      Bits row(width, minus);
      for (size_t j = i; j < width; ++j) row[j] = a[j - i] ^ (minus == kTrueLiteral ? 1u : 0u);
      r = sum(r, row, minus);
    }
    return r;
  }

  Bits r(width, kFalseLiteral);
  for (size_t i = 0; i < width; ++i) {
    if (b[i] == kFalseLiteral) continue;
    Bits row(width, kFalseLiteral);
    for (size_t j = i; j < width; ++j) row[j] = gates_.andOf(a[j - i], b[i]);
    r = sum(r, row, kFalseLiteral);
  }
  return r;
}

BitBlaster::Bits BitBlaster::shift(TermOp op, const Bits& a, const Bits& b) {
  const size_t width = a.size();
  const Literal fill = op == TermOp::AShr ? a.back() : kFalseLiteral;
  size_t stages = 0;
  while ((size_t{1} << stages) < width) ++stages;
  Bits r = a;
  for (size_t k = 0; k < stages && k < b.size(); ++k) {
    const size_t by = size_t{1} << k;
    Bits moved(width);
    for (size_t i = 0; i < width; ++i) {
      if (op == TermOp::Shl)
        moved[i] = i >= by ? r[i - by] : kFalseLiteral;
      else
        moved[i] = i + by < width ? r[i + by] : fill;
    }
    r = choose(b[k], moved, r);
  }
  Bits rest(b.begin() + static_cast<std::ptrdiff_t>(std::min(stages, b.size())), b.end());
  const Literal tooFar = gates_.orAll(rest);
  return choose(tooFar, Bits(width, fill), r);
}

/// The carry chain of b - a: one gate a bit, from the lowest up. Signed: the sign bits trade their roles.
Literal BitBlaster::less(const Bits& a, const Bits& b, bool isSigned, bool orEqual) {
  Literal r = orEqual ? kTrueLiteral : kFalseLiteral;
  for (size_t i = 0; i < a.size(); ++i) {
    Literal x = a[i], y = b[i];
    if (isSigned && i + 1 == a.size()) std::swap(x, y);
    r = gates_.majority(negate(x), y, r);
  }
  return r;
}

Literal BitBlaster::equality(Term a, Term b) {
  if (a > b) std::swap(a, b);
  if (const Literal known = equalities_.find({a, b})) return known;
  const Bits x = copyOf(a), y = copyOf(b);
  Bits same(x.size());
  for (size_t i = 0; i < x.size(); ++i) same[i] = negate(gates_.xorOf(x[i], y[i]));
  return equalities_[{a, b}] = gates_.andAll(same);
}

/// How many bits a remainder by `b` has if `b` is a constant other than 0, else 0. Without this the gates for
/// the others, which are always 0, are as many as the square of the width, and no clause says so.
size_t BitBlaster::remainderWidth(const Bits& b) {
  if (!std::all_of(b.begin(), b.end(), [](Literal p) { return varOf(p) == 1; })) return 0;
  size_t width = b.size();
  while (width > 0 && b[width - 1] == kFalseLiteral) --width;
  return width;
}

/// Restoring division. For b = 0 every subtraction succeeds and removes nothing: all ones, and a.
std::pair<BitBlaster::Bits, BitBlaster::Bits> BitBlaster::divideUnsigned(const Bits& a, const Bits& b) {
  const size_t width = a.size();
  const size_t bound = remainderWidth(b);
  Bits divisor = b, quotient(width), remainder(width, kFalseLiteral);
  divisor.push_back(kFalseLiteral);
  remainder.push_back(kFalseLiteral);  // one bit more than the operands, for the shift
  for (size_t i = width; i-- > 0;) {
    remainder.insert(remainder.begin(), a[i]);
    remainder.pop_back();
    const Literal fits = less(divisor, remainder, false, true);
    Bits inverted = divisor;
    for (Literal& p : inverted) p = negate(p);
    remainder = choose(fits, sum(remainder, inverted, kTrueLiteral), remainder);
    if (bound != 0) {
      std::fill(remainder.begin() + static_cast<std::ptrdiff_t>(bound), remainder.end(), kFalseLiteral);
      // Implied, step by step: no search has to find an induction over all steps.
      cdcl_.addClause({less(remainder, divisor, false, false)});
    }
    quotient[i] = fits;
  }
  remainder.pop_back();
  if (bound == 0) {
    std::vector<Literal> zeros = b;
    cdcl_.addClause({negate(gates_.orAll(zeros)), less(remainder, b, false, false)});
  }
  return {quotient, remainder};
}

const std::pair<BitBlaster::Bits, BitBlaster::Bits>& BitBlaster::division(Term a, Term b, bool isSigned) {
  const uint64_t key = static_cast<uint64_t>(a) << 32 | b;
  auto& known = divisions_[isSigned ? 1 : 0];
  const auto it = known.find(key);
  if (it != known.end()) return it->second;

  const Bits x = copyOf(a), y = copyOf(b);
  if (!isSigned) return known.emplace(key, divideUnsigned(x, y)).first->second;
  const Literal signX = x.back(), signY = y.back();
  auto [quotient, remainder] = divideUnsigned(negated(x, signX), negated(y, signY));
  quotient = negated(quotient, gates_.xorOf(signX, signY));
  remainder = negated(remainder, signX);
  return known.emplace(key, std::pair{std::move(quotient), std::move(remainder)}).first->second;
}

uint64_t BitBlaster::bytes() const {
  uint64_t divisionLiterals = 0;
  for (const auto& known : divisions_) divisionLiterals += known.size() * 2 * 64;
  return offset_.capacity() * 4 + pool_.capacity() * 4 + divisionLiterals * 4 + gates_.bytes() +
         equalities_.bytes();
}

}  // namespace heddle::sat
