#include "analysis/explore/states/census_part.h"

namespace heddle {

CensusPart::CensusPart(const FormulaParts& shared, CensusOf which)
    : forest_(shared.forest),
      initialValues_(shared.initialValues),
      terms_(shared.terms),
      solver_(shared.solver),
      which_(which) {}

void CensusPart::narrow(const FinalStates::Share& share) {
  share_ = share;
  if (states_) states_->keepOnly(share);
}

bool CensusPart::begin(const std::vector<GlobalPath>& known, const Budget& budget) {
  formula_ = std::make_unique<ForestFormula>(FormulaParts{forest_, initialValues_, terms_, solver_});
  if (!formula_->update(budget)) return false;
  states_ = std::make_unique<FinalStates>(forest_, *formula_);
  if (which_ == CensusOf::Waiting) states_->requireWaiting();
  for (const GlobalPath& path : known) states_->exclude(path);
  states_->keepOnly(share_);
  return true;
}

std::vector<CensusPart::Execution> CensusPart::ask(size_t most, const std::vector<GlobalPath>& known,
                                                   const Budget& budget) {
  std::vector<Execution> found;
  if (!formula_ && !begin(known, budget)) {
    answer_ = Answer::Timeout;
    return found;
  }
  while (found.size() < most && (answer_ = formula_->ask({}, budget)) == Answer::Sat) {
    Execution& execution = found.emplace_back();
    execution.path = states_->path();
    execution.plan = formula_->plan(execution.inputs);
    states_->exclude(execution.path);
  }
  return found;
}

}  // namespace heddle
