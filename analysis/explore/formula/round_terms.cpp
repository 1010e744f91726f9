#include "analysis/explore/formula/round_terms.h"

#include <set>
#include <vector>

namespace heddle {

RoundTerms::RoundTerms(const Forest& forest, TermTable& terms, const InputRounds& rounds)
    : terms_(terms), rounds_(rounds) {
  for (const NodeId id : rounds.nodes) {
    const Node& n = forest[id];
    if (n.kind == NodeKind::Branch || n.kind == NodeKind::Choice) countInputs(n.term);
  }
}

void RoundTerms::countInputs(Term term) {
  std::set<Term> seen;
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term at = open.back();
    open.pop_back();
    if (at == kNoTerm || !seen.insert(at).second) continue;
    if (rounds_.inputs.contains(at)) ++forks_[at];
    const TermNode n = terms_.node(at);
    open.insert(open.end(), {n.a, n.b, n.c});
  }
}

Term RoundTerms::of(Term term) {
  if (rounds_.inputs.contains(term)) return kNoTerm;
  if (const auto known = values_.find(term); known != values_.end()) return known->second;
  bool isOpen = false;
  const Term result = terms_.withOperands(term, [&](Term operand) {
    const Term value = of(operand);
    isOpen |= value == kNoTerm;
    return value == kNoTerm ? operand : value;
  });
  return values_.emplace(term, isOpen ? kNoTerm : result).first->second;
}

bool RoundTerms::isFree(Term term) {
  const Symbols symbols = symbolsOf(term);
  if (!symbols.hasOther) return true;
  const TermNode n = terms_.node(term);
  if (n.op != TermOp::Eq) return false;
  // The negation of a condition.
  if (terms_.isConst(n.b) && terms_.width(n.a) == 1) return isFree(n.a);
  if (terms_.isConst(n.a) && terms_.width(n.b) == 1) return isFree(n.b);
  return isCompared(n.a, n.b) || isCompared(n.b, n.a);
}

bool RoundTerms::isCompared(Term input, Term other) {
  return rounds_.inputs.contains(input) && forks_[input] == 1 && !symbolsOf(other).hasInput;
}

RoundTerms::Symbols RoundTerms::symbolsOf(Term term) {
  if (const auto known = symbols_.find(term); known != symbols_.end()) return known->second;
  const TermNode n = terms_.node(term);
  Symbols found;
  if (n.op == TermOp::Symbol) (rounds_.inputs.contains(term) ? found.hasInput : found.hasOther) = true;
  for (const Term operand : {n.a, n.b, n.c}) {
    if (operand == kNoTerm) continue;
    const Symbols of = symbolsOf(operand);
    found.hasInput |= of.hasInput;
    found.hasOther |= of.hasOther;
  }
  return symbols_[term] = found;
}

}  // namespace heddle
