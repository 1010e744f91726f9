#include "analysis/model/term_symbols.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

namespace heddle {

const TermSymbols::Symbols& TermSymbols::of(Term term) {
  const auto [at, isNew] = known_.try_emplace(term);
  if (!isNew) return at->second;
  std::vector<Term> open{term};
  std::unordered_set<Term> seen{term};
  Symbols found;
  while (!open.empty()) {
    const TermNode& node = terms_.node(open.back());
    open.pop_back();
    if (node.op == TermOp::Symbol) found.push_back(static_cast<uint32_t>(node.value));
    for (const Term part : {node.a, node.b, node.c})
      if (part != kNoTerm && seen.insert(part).second) open.push_back(part);
  }
  std::sort(found.begin(), found.end());
  return at->second = std::move(found);
}

std::vector<Term> TermSymbols::related(Term term, const std::vector<Term>& conditions) {
  std::vector<Term> related, rest = conditions;
  Symbols symbols = of(term);
  for (bool grows = true; grows;) {
    grows = false;
    for (Term& condition : rest) {
      if (condition == kNoTerm) continue;
      const Symbols& more = of(condition);
      if (std::none_of(more.begin(), more.end(), [&](uint32_t symbol) {
            return std::binary_search(symbols.begin(), symbols.end(), symbol);
          }))
        continue;
      Symbols both;
      std::set_union(symbols.begin(), symbols.end(), more.begin(), more.end(), std::back_inserter(both));
      grows |= both.size() != symbols.size();
      symbols = std::move(both);
      related.push_back(condition);
      condition = kNoTerm;
    }
  }
  return related;
}

}  // namespace heddle
