#include "server/source/merged_survey.h"

#include <set>
#include <string>
#include <utility>

namespace heddle {
namespace {

/// What a file calls its functions, as the whole project does.
class Renamed {
 public:
  Renamed(const HarnessPlan& plan, size_t number) : suffix_(" of " + std::to_string(number)) {
    for (const SurveyFunction& function : plan.functions)
      if (function.isStatic) own_.insert(function.name);
  }

  std::string operator()(const std::string& name) const {
    return own_.contains(name) ? name + suffix_ : name;
  }

  std::set<std::string> operator()(const std::set<std::string>& names) const {
    std::set<std::string> renamed;
    for (const std::string& name : names) renamed.insert((*this)(name));
    return renamed;
  }

 private:
  std::string suffix_;
  std::set<std::string> own_;
};

}  // namespace

Survey mergedSurvey(const std::vector<const HarnessPlan*>& plans) {
  Survey merged;
  for (size_t i = 0; i < plans.size(); ++i) {
    const Renamed renamed(*plans[i], i);
    const std::set<std::string> addressed = renamed(plans[i]->addressed);
    merged.addressed.insert(addressed.begin(), addressed.end());
    for (const SurveyFunction& function : plans[i]->functions) {
      SurveyFunction one = function;
      one.name = renamed(function.name);
      one.callees = renamed(function.callees);
      one.heldAt.clear();
      for (const auto& [callee, held] : function.heldAt) one.heldAt[renamed(callee)] = held;
      merged.functions.push_back(std::move(one));
    }
  }
  return merged;
}

}  // namespace heddle
