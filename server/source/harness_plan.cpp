// What a file offers to be explored.
#include "server/source/generated_harness.h"
#include "server/source/harness.h"
#include "server/source/shared_guesses.h"

namespace heddle {

HarnessPlan planHarnesses(const Survey& survey, const std::string& entry, const Budget& budget) {
  HarnessPlan plan;
  plan.problem = survey.problem;
  plan.isPartial = survey.isPartial;
  plan.leftOut = survey.leftOut;
  plan.unknownTypes = survey.unknownTypes;
  plan.hasEntry = survey.find(entry) != nullptr;
  if (!plan.hasEntry)
    plan.harnesses = generatedHarnesses(survey, &plan.skipped, budget);
  else if (entry != kHarnessEntry)
    plan.harnesses = callsBeside(survey, entry, budget);
  plan.habits = lockHabits(survey);
  for (const GeneratedHarness& harness : plan.harnesses)
    plan.elsewhere.insert(harness.elsewhere.begin(), harness.elsewhere.end());
  plan.guesses = lockGuesses(survey);
  plan.heldHooks = heldHooks(survey, survey.threadFacts);
  plan.functions = survey.functions;
  plan.variables = survey.variables;
  plan.addressed = survey.addressed;
  plan.signalHandlers = survey.signalHandlers;
  plan.namesRecursive = survey.namesRecursive;
  const auto isOfVariable = [](const SurveyAccess& access) {
    return access.data.find('.') == std::string::npos;
  };
  for (SurveyFunction& function : plan.functions) std::erase_if(function.accesses, isOfVariable);
  return plan;
}

}  // namespace heddle
