#include "analysis/explore/invariants/invariant_proof.h"

#include <algorithm>

#include "analysis/explore/invariants/invariant_search.h"
#include "analysis/explore/invariants/system_builder.h"

namespace heddle {

InvariantProof proveByInvariants(const Program& program, FunctionId entry, const std::set<Property>& asked,
                                 SolverKind solver, const Budget& budget, InvariantEffort effort) {
  InvariantProof proof;
  TermTable terms;
  SystemBuilder builder(program, terms, asked.contains(Property::Deadlock));
  const bool isOther = program.pointerBits() != 64 || !program.weakAtomics.empty() ||
                       program.environment.creations || !program.constructors.empty() ||
                       !program.destructors.empty();
  if (isOther || !builder.build(entry, budget)) {
    proof.problem = isOther ? "a program of another kind" : builder.problem();
    return proof;
  }
  const TransitionSystem& system = builder.system();
  proof.locations = system.variables.size();
  const auto isUnproven = [&](Property property) { return system.unproven.contains(property); };
  if (!system.hasLoops) {
    proof.problem = "no loop without a bound";
    return proof;
  }
  if (std::any_of(asked.begin(), asked.end(), isUnproven)) {
    proof.problem = "a property that is not looked at here";
    return proof;
  }
  const auto isFound = [&](TemplateDomain::Comparisons comparisons) {
    return InvariantSearch(system, terms, solver, comparisons).prove(budget);
  };
  using enum TemplateDomain::Comparisons;
  const bool isLeast = effort == InvariantEffort::Least;
  if (!isFound(Signed) && (isLeast || (!isFound(SignedWithSums) && !isFound(All)))) {
    proof.problem = "no invariants were found";
    return proof;
  }
  proof.proven = asked;
  return proof;
}

}  // namespace heddle
