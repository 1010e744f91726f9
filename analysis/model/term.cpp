#include "analysis/model/term.h"

#include <algorithm>
#include <utility>

namespace heddle {

namespace {

bool isPredicate(TermOp op) {
  return op == TermOp::Eq || op == TermOp::Ult || op == TermOp::Ule || op == TermOp::Slt || op == TermOp::Sle;
}

uint64_t signedDivide(uint64_t a, uint64_t b, unsigned width) {
  const int64_t x = signExtend(a, width), y = signExtend(b, width);
  if (y == 0) return x < 0 ? 1 : widthMask(width);  // SMT-LIB bvsdiv by zero
  if (y == -1) return (0 - a) & widthMask(width);   // avoids the overflow of INT64_MIN / -1
  return static_cast<uint64_t>(x / y) & widthMask(width);
}

uint64_t signedRemainder(uint64_t a, uint64_t b, unsigned width) {
  const int64_t x = signExtend(a, width), y = signExtend(b, width);
  if (y == 0) return a;
  if (y == -1) return 0;
  return static_cast<uint64_t>(x % y) & widthMask(width);
}

}  // namespace

bool isCommutative(TermOp op) {
  switch (op) {
    case TermOp::Add:
    case TermOp::Mul:
    case TermOp::And:
    case TermOp::Or:
    case TermOp::Xor:
    case TermOp::Eq:
      return true;
    default:
      return false;
  }
}

uint64_t evalBinary(TermOp op, uint64_t a, uint64_t b, unsigned width) {
  const uint64_t mask = widthMask(width);
  switch (op) {
    case TermOp::Add:
      return (a + b) & mask;
    case TermOp::Sub:
      return (a - b) & mask;
    case TermOp::Mul:
      return (a * b) & mask;
    case TermOp::UDiv:
      return b == 0 ? mask : a / b;
    case TermOp::SDiv:
      return signedDivide(a, b, width);
    case TermOp::URem:
      return b == 0 ? a : a % b;
    case TermOp::SRem:
      return signedRemainder(a, b, width);
    case TermOp::And:
      return a & b;
    case TermOp::Or:
      return a | b;
    case TermOp::Xor:
      return a ^ b;
    case TermOp::Shl:
      return b >= width ? 0 : (a << b) & mask;
    case TermOp::LShr:
      return b >= width ? 0 : a >> b;
    case TermOp::AShr: {
      const int64_t x = signExtend(a, width);
      return static_cast<uint64_t>(x >> (b >= width ? width - 1 : b)) & mask;
    }
    case TermOp::Eq:
      return a == b;
    case TermOp::Ult:
      return a < b;
    case TermOp::Ule:
      return a <= b;
    case TermOp::Slt:
      return signExtend(a, width) < signExtend(b, width);
    case TermOp::Sle:
      return signExtend(a, width) <= signExtend(b, width);
    default:
      return 0;
  }
}

size_t TermTable::Hash::operator()(const TermNode& n) const {
  uint64_t h = (static_cast<uint64_t>(n.op) << 8) | n.width;
  for (const uint64_t v : {n.value, (static_cast<uint64_t>(n.a) << 32) | n.b, static_cast<uint64_t>(n.c)}) {
    h = (h ^ v) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
  }
  return static_cast<size_t>(h);
}

TermTable::TermTable() {
  nodes_.push_back({TermOp::Const, 1, 0});
}

Term TermTable::intern(const TermNode& node) {
  const auto [it, isNew] = index_.try_emplace(node, static_cast<Term>(nodes_.size()));
  if (isNew) nodes_.push_back(node);
  return it->second;
}

Term TermTable::constant(uint64_t bits, unsigned width) {
  return intern({TermOp::Const, static_cast<uint8_t>(width), bits & widthMask(width)});
}

Term TermTable::symbol(unsigned width) {
  const Term t = intern({TermOp::Symbol, static_cast<uint8_t>(width), symbols_.size()});
  symbols_.push_back(t);
  return t;
}

Term TermTable::logicalNot(Term a) {
  const TermNode n = nodes_[a];
  if (n.op == TermOp::Const) return boolean(n.value == 0);
  if (n.op == TermOp::Xor && isConst(n.b)) return n.a;  // width 1: xor with 1
  if (n.op == TermOp::Ult) return binary(TermOp::Ule, n.b, n.a);
  if (n.op == TermOp::Ule) return binary(TermOp::Ult, n.b, n.a);
  if (n.op == TermOp::Slt) return binary(TermOp::Sle, n.b, n.a);
  if (n.op == TermOp::Sle) return binary(TermOp::Slt, n.b, n.a);
  return intern({TermOp::Xor, 1, 0, a, boolean(true)});
}

Term TermTable::binary(TermOp op, Term a, Term b) {
  const unsigned width = nodes_[a].width;
  const unsigned resultWidth = isPredicate(op) ? 1 : width;
  if (isConst(a) && isConst(b))
    return constant(evalBinary(op, nodes_[a].value, nodes_[b].value, width), resultWidth);
  // Canonical order of commutative operands: constants last, else by index.
  if (isCommutative(op) && (isConst(a) || (!isConst(b) && a > b))) std::swap(a, b);

  if (a == b) {
    switch (op) {
      case TermOp::Sub:
      case TermOp::Xor:
        return constant(0, width);
      case TermOp::And:
      case TermOp::Or:
        return a;
      case TermOp::Eq:
      case TermOp::Ule:
      case TermOp::Sle:
        return boolean(true);
      case TermOp::Ult:
      case TermOp::Slt:
        return boolean(false);
      default:
        break;
    }
  }

  if (isConst(b)) {
    const uint64_t k = nodes_[b].value;
    const TermNode n = nodes_[a];
    switch (op) {
      case TermOp::Add:
        if (k == 0) return a;
        if (n.op == TermOp::Add && isConst(n.b))
          return binary(TermOp::Add, n.a, constant(nodes_[n.b].value + k, width));
        break;
      case TermOp::Sub:
        return binary(TermOp::Add, a, constant(0 - k, width));
      case TermOp::Mul:
        if (k == 0) return b;
        if (k == 1) return a;
        break;
      case TermOp::UDiv:
      case TermOp::SDiv:
        if (k == 1) return a;
        break;
      case TermOp::And:
        if (k == 0) return b;
        if (k == widthMask(width)) return a;
        break;
      case TermOp::Or:
        if (k == 0) return a;
        if (k == widthMask(width)) return b;
        break;
      case TermOp::Xor:
        if (k == 0) return a;
        if (width == 1) return logicalNot(a);
        break;
      case TermOp::Shl:
      case TermOp::LShr:
      case TermOp::AShr:
        if (k == 0) return a;
        break;
      case TermOp::Ult:
        if (k == 0) return boolean(false);
        break;
      case TermOp::Eq:
        if (width == 1) return k ? a : logicalNot(a);
        if (n.op == TermOp::Add && isConst(n.b))
          return binary(TermOp::Eq, n.a, constant(k - nodes_[n.b].value, width));
        if (n.op == TermOp::ZExt) {
          const unsigned inner = nodes_[n.a].width;
          if (k > widthMask(inner)) return boolean(false);
          return binary(TermOp::Eq, n.a, constant(k, inner));
        }
        if (n.op == TermOp::SExt) {
          const unsigned inner = nodes_[n.a].width;
          if ((static_cast<uint64_t>(signExtend(k & widthMask(inner), inner)) & widthMask(width)) != k)
            return boolean(false);
          return binary(TermOp::Eq, n.a, constant(k, inner));
        }
        if (n.op == TermOp::Ite && isConst(n.b) && isConst(n.c)) {
          const bool whenTrue = nodes_[n.b].value == k, whenFalse = nodes_[n.c].value == k;
          if (whenTrue && whenFalse) return boolean(true);
          if (!whenTrue && !whenFalse) return boolean(false);
          return whenTrue ? n.a : logicalNot(n.a);
        }
        break;
      default:
        break;
    }
  }
  if (isConst(a) && nodes_[a].value == 0 &&
      (op == TermOp::Ule || op == TermOp::Shl || op == TermOp::LShr || op == TermOp::AShr))
    return op == TermOp::Ule ? boolean(true) : a;
  return intern({op, static_cast<uint8_t>(resultWidth), 0, a, b});
}

Term TermTable::ite(Term condition, Term a, Term b) {
  if (isConst(condition)) return nodes_[condition].value ? a : b;
  if (a == b) return a;
  const TermNode c = nodes_[condition];
  if (c.op == TermOp::Xor && isConst(c.b)) return ite(c.a, b, a);  // ite(not x, a, b)
  if (isBoolean(a)) {
    if (isConst(a) && isConst(b)) return nodes_[a].value ? condition : logicalNot(condition);
    if (isConst(a))
      return nodes_[a].value ? binary(TermOp::Or, condition, b)
                             : binary(TermOp::And, logicalNot(condition), b);
    if (isConst(b))
      return nodes_[b].value ? binary(TermOp::Or, logicalNot(condition), a)
                             : binary(TermOp::And, condition, a);
  }
  return intern({TermOp::Ite, nodes_[a].width, 0, condition, a, b});
}

Term TermTable::zext(Term a, unsigned width) {
  const TermNode n = nodes_[a];
  if (n.width == width) return a;
  if (n.op == TermOp::Const) return constant(n.value, width);
  if (n.op == TermOp::ZExt) return zext(n.a, width);
  return intern({TermOp::ZExt, static_cast<uint8_t>(width), 0, a});
}

Term TermTable::sext(Term a, unsigned width) {
  const TermNode n = nodes_[a];
  if (n.width == width) return a;
  if (n.op == TermOp::Const) return constant(static_cast<uint64_t>(signExtend(n.value, n.width)), width);
  if (n.op == TermOp::SExt) return sext(n.a, width);
  if (n.op == TermOp::ZExt) return zext(n.a, width);
  return intern({TermOp::SExt, static_cast<uint8_t>(width), 0, a});
}

Term TermTable::extract(Term a, unsigned low, unsigned width) {
  constexpr unsigned kMostTerms = 256;  // operands are shared, and chains of them long
  unsigned effort = kMostTerms;
  return extract(a, low, width, effort);
}

Term TermTable::extract(Term a, unsigned low, unsigned width, unsigned& effort) {
  const TermNode n = nodes_[a];
  if (low == 0 && n.width == width) return a;
  if (effort == 0 && n.op != TermOp::Const)
    return intern({TermOp::Extract, static_cast<uint8_t>(width), low, a});
  effort -= std::min(effort, 1U);
  // The first operand first, whatever the compiler.
  const auto both = [&](Term first, Term second, unsigned from) {
    const Term x = extract(first, from, width, effort);
    return std::pair(x, extract(second, from, width, effort));
  };
  switch (n.op) {
    case TermOp::Const:
      return constant(n.value >> low, width);
    case TermOp::Extract:
      return extract(n.a, low + static_cast<unsigned>(n.value), width, effort);
    case TermOp::ZExt: {
      const unsigned inner = nodes_[n.a].width;
      if (low >= inner) return constant(0, width);
      if (low + width <= inner) return extract(n.a, low, width, effort);
      if (low == 0) return zext(n.a, width);
      break;
    }
    case TermOp::SExt: {
      const unsigned inner = nodes_[n.a].width;
      if (low + width <= inner) return extract(n.a, low, width, effort);
      if (low == 0) return sext(n.a, width);
      break;
    }
    case TermOp::Concat: {
      const unsigned lowWidth = nodes_[n.b].width;
      if (low + width <= lowWidth) return extract(n.b, low, width, effort);
      if (low >= lowWidth) return extract(n.a, low - lowWidth, width, effort);
      break;
    }
    case TermOp::Add:
    case TermOp::Sub:
    case TermOp::Mul:
      // Low bits of a sum depend on low bits only: keeps arithmetic in narrow types narrow.
      if (low != 0) break;
      [[fallthrough]];
    case TermOp::And:
    case TermOp::Or:
    case TermOp::Xor: {
      const auto [x, y] = both(n.a, n.b, low);
      return binary(n.op, x, y);
    }
    case TermOp::Ite: {
      const auto [x, y] = both(n.b, n.c, low);
      return ite(n.a, x, y);
    }
    default:
      break;
  }
  return intern({TermOp::Extract, static_cast<uint8_t>(width), low, a});
}

Term TermTable::rebuild(const TermNode& node, Term a, Term b, Term c) {
  switch (node.op) {
    case TermOp::Ite:
      return ite(a, b, c);
    case TermOp::ZExt:
      return zext(a, node.width);
    case TermOp::SExt:
      return sext(a, node.width);
    case TermOp::Extract:
      return extract(a, static_cast<unsigned>(node.value), node.width);
    case TermOp::Concat:
      return concat(a, b);
    default:
      return binary(node.op, a, b);
  }
}

Term TermTable::concat(Term high, Term low) {
  const TermNode h = nodes_[high], l = nodes_[low];
  const unsigned width = h.width + l.width;
  if (h.op == TermOp::Const && l.op == TermOp::Const)
    return constant((l.width >= 64 ? 0 : h.value << l.width) | l.value, width);
  if (h.op == TermOp::Const && h.value == 0) return zext(low, width);
  if (h.op == TermOp::Extract && l.op == TermOp::Extract && h.a == l.a && h.value == l.value + l.width)
    return extract(h.a, static_cast<unsigned>(l.value), width);
  return intern({TermOp::Concat, static_cast<uint8_t>(width), 0, high, low});
}

uint64_t TermTable::evaluate(Term root, const std::vector<uint64_t>& symbolValues) const {
  // Operands have smaller indices than their term, so an explicit stack with a memo needs no recursion.
  std::unordered_map<Term, uint64_t> memo;
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    const Term t = stack.back();
    const TermNode& n = nodes_[t];
    if (memo.count(t)) {
      stack.pop_back();
      continue;
    }
    if (n.op == TermOp::Const || n.op == TermOp::Symbol) {
      const uint64_t v = n.op == TermOp::Const           ? n.value
                         : n.value < symbolValues.size() ? symbolValues[n.value]
                                                         : 0;
      memo[t] = v & widthMask(n.width);
      stack.pop_back();
      continue;
    }
    bool ready = true;
    for (const Term operand : {n.a, n.b, n.c})
      if (operand != kNoTerm && !memo.count(operand)) {
        stack.push_back(operand);
        ready = false;
      }
    if (!ready) continue;
    stack.pop_back();
    const uint64_t a = memo[n.a];
    const unsigned operandWidth = nodes_[n.a].width;
    uint64_t result;
    switch (n.op) {
      case TermOp::Ite:
        result = a ? memo[n.b] : memo[n.c];
        break;
      case TermOp::ZExt:
        result = a;
        break;
      case TermOp::SExt:
        result = static_cast<uint64_t>(signExtend(a, operandWidth));
        break;
      case TermOp::Extract:
        result = a >> n.value;
        break;
      case TermOp::Concat:
        result = (a << nodes_[n.b].width) | memo[n.b];
        break;
      default:
        result = evalBinary(n.op, a, memo[n.b], operandWidth);
        break;
    }
    memo[t] = result & widthMask(n.width);
  }
  return memo[root];
}

std::string TermTable::toString(Term t) const {
  static constexpr const char* kNames[] = {
      "const", "sym", "+",  "-",  "*",   "udiv", "sdiv", "urem", "srem", "&",    "|",       "^",     "<<",
      ">>u",   ">>s", "==", "<u", "<=u", "<s",   "<=s",  "ite",  "zext", "sext", "extract", "concat"};
  const TermNode& n = nodes_[t];
  if (n.op == TermOp::Const) return std::to_string(signExtend(n.value, n.width));
  if (n.op == TermOp::Symbol) return "s" + std::to_string(n.value);
  std::string text = std::string("(") + kNames[static_cast<int>(n.op)];
  for (const Term operand : {n.a, n.b, n.c})
    if (operand != kNoTerm) text += " " + toString(operand);
  return text + ")";
}

}  // namespace heddle
