#include "analysis/explore/states/linear_terms.h"

namespace heddle {

namespace {

bool isSum(TermOp op) {
  return op == TermOp::Add || op == TermOp::Sub || op == TermOp::Mul;
}

}  // namespace

void LinearTerms::add(Sum& sum, const Sum& more, uint64_t times, unsigned width) const {
  const uint64_t mask = widthMask(width);
  sum.constant = (sum.constant + more.constant * times) & mask;
  for (const auto& [term, count] : more.times) {
    uint64_t& now = sum.times[term];
    now = (now + count * times) & mask;
    if (now == 0) sum.times.erase(term);
  }
}

LinearTerms::Sum LinearTerms::sumOf(Term term) {
  const TermNode node = terms_.node(term);
  Sum sum;
  if (node.op == TermOp::Const) {
    sum.constant = node.value;
    return sum;
  }
  const bool isTimes = node.op == TermOp::Mul && (terms_.isConst(node.a) || terms_.isConst(node.b));
  if (node.op == TermOp::Add || node.op == TermOp::Sub) {
    add(sum, sumOf(node.a), 1, node.width);
    add(sum, sumOf(node.b), node.op == TermOp::Add ? 1 : widthMask(node.width), node.width);
  } else if (isTimes) {
    const bool isFirst = terms_.isConst(node.a);
    add(sum, sumOf(isFirst ? node.b : node.a), terms_.constValue(isFirst ? node.a : node.b), node.width);
  } else {
    sum.times[isSum(node.op) ? build(term) : normal(term)] = 1;
  }
  return sum;
}

Term LinearTerms::termOf(const Sum& sum, unsigned width) {
  Term all = kNoTerm;
  for (const auto& [term, times] : sum.times) {
    const Term part = times == 1 ? term : terms_.binary(TermOp::Mul, term, terms_.constant(times, width));
    all = all == kNoTerm ? part : terms_.binary(TermOp::Add, all, part);
  }
  const Term constant = terms_.constant(sum.constant, width);
  if (all == kNoTerm) return constant;
  return sum.constant == 0 ? all : terms_.binary(TermOp::Add, all, constant);
}

Term LinearTerms::equality(Term a, Term b) {
  const unsigned width = terms_.width(a);
  const uint64_t mask = widthMask(width), minus = mask;
  Sum sum = sumOf(a);
  add(sum, sumOf(b), minus, width);
  if (sum.times.empty()) return terms_.boolean(sum.constant == 0);
  // Of the two ways to write it that with the smaller number of times first.
  const uint64_t first = sum.times.begin()->second;
  if (((0 - first) & mask) < first) {
    Sum negated;
    add(negated, sum, minus, width);
    sum = negated;
  }
  // What is taken away stands on the other side: products are easier for the solver so.
  Sum left, right;
  right.constant = (0 - sum.constant) & mask;
  for (const auto& [term, times] : sum.times) {
    const uint64_t negative = (0 - times) & mask;
    (negative < times ? right : left).times[term] = negative < times ? negative : times;
  }
  return terms_.eq(termOf(left, width), termOf(right, width));
}

Term LinearTerms::build(Term term) {
  const TermNode node = terms_.node(term);
  if (node.op == TermOp::Eq && terms_.width(node.a) > 1) return equality(node.a, node.b);
  return terms_.withOperands(term, [&](Term operand) { return normal(operand); });
}

Term LinearTerms::normal(Term term) {
  if (const auto at = known_.find(term); at != known_.end()) return at->second;
  const TermNode node = terms_.node(term);
  const bool isLinear = node.op == TermOp::Add || node.op == TermOp::Sub || node.op == TermOp::Mul;
  const Term made = isLinear ? termOf(sumOf(term), node.width) : build(term);
  known_[term] = made;
  return made;
}

}  // namespace heddle
