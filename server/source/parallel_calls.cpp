#include "server/source/parallel_calls.h"

#include <algorithm>

#include "server/source/harness_text.h"

namespace heddle {

ParallelCalls::ParallelCalls(const Survey& survey, const Subject& subject,
                             const std::vector<const SurveyFunction*>& functions, const Together& together)
    : survey_(survey),
      subject_(subject),
      functions_(functions),
      together_(together),
      writer_(survey, survey.makesUpObjects) {}

bool ParallelCalls::makeObjects() {
  if (together_.shared != kNoRecord) {
    if (!writer_.object(together_.shared)) return false;
    writer_.shareObjects();
  }
  return subject_.record == kNoRecord || writer_.object(subject_.record);
}

bool ParallelCalls::addCall(const SurveyFunction& function, GeneratedHarness& harness) {
  if (together_.areApart && number_ > 0) writer_.useOtherObjects();
  const auto call = writer_.call(function);
  if (!call) {
    failed_ = function.name;
    return false;
  }
  ++number_;
  if (together_.isInTurn) {
    create_ += "  " + *call + ";\n";
  } else {
    threads_ += threadText(number_, *call);
    create_ += "  " + startText(number_);
    join_ += "  " + joinText(number_);
    turns_.push_back("    " + startText(number_) + "    " + joinText(number_));
  }
  names_ += (number_ == 1 ? "'" : number_ == functions_.size() ? " and '" : ", '") + function.name + "'";
  harness.title += (number_ == 1 ? "" : together_.isInTurn ? ", " : " || ") + function.name;
  harness.functions.push_back(function.name);
  harness.mayBlock |= function.waits;
  harness.repeatsObject |= repeatsObject(*call);
  // Whether two threads are ever in a callback at once, the file does not show.
  lock_ &= function.locks && !isCallback(survey_, function);
  return true;
}

bool ParallelCalls::addCalls(GeneratedHarness& harness) {
  if (const SurveyFunction* before = together_.before) {
    const auto call = writer_.call(*before);
    if (!call) return false;
    create_ = first_ = "  " + *call + ";\n";
    harness.title = before->name + ", then ";
    harness.functions.push_back(before->name);
    harness.prepared = 1;
  }
  return std::all_of(functions_.begin(), functions_.end(),
                     [&](const SurveyFunction* function) { return addCall(*function, harness); });
}

std::string ParallelCalls::globalsText() {
  std::string globals = globalSetUp(survey_);
  if (!survey_.makesUpGlobals) return globals;
  globals += writer_.fillGlobalsOfSetUp();
  for (const SurveyFunction* function : functions_) globals += writer_.fillGlobals(*function);
  return globals;
}

std::optional<GeneratedHarness> ParallelCalls::write(HarnessState& state) {
  for (const SurveyFunction* function : functions_) writer_.willCall(*function);
  if (!makeObjects()) {
    failed_ = functions_.front()->name;
    return std::nullopt;
  }
  GeneratedHarness harness;
  harness.place = functions_.front()->place;
  if (!addCalls(harness)) return std::nullopt;
  const std::string globals = globalsText();
  harness.assumed = writer_.assumed;
  std::string on;
  if (together_.shared != kNoRecord)
    on = ", each on an object of its own, made with one '" + survey_.records[together_.shared].spelled + "'";
  else if (subject_.record != kNoRecord)
    on = together_.areApart ? ", each on an object of its own" : ", on one object";
  harness.assumed.push_back(
      names_ + (together_.isInTurn ? " may be called in this order" : " may be called side by side") + on);
  if (together_.areApart) harness.title += together_.shared == kNoRecord ? ", apart" : ", of one";
  const std::string declared = together_.isInTurn ? "" : threadVariables(number_);
  harness.text = frameText(writer_, threads_, globals, declared + create_ + join_);
  if (!together_.isInTurn) harness.inTurn = inTurnText(harness.text, create_ + join_, first_, turns_);
  // Waits count that another caller has to end; joins of own threads do not.
  for (const std::string& name : writer_.called)
    if (const SurveyFunction* function = survey_.find(name))
      harness.mayBlock |= withCallees(survey_, *function).waits;
  state.note(writer_, harness);
  if (together_.areApart) harness.consumer.clear();  // each call frees an object of its own
  harness.isParallel = !together_.isInTurn;
  harness.isOdd = writer_.isOdd;
  harness.mixesObjects = writer_.mixesObjects;
  harness.isCertain = lock_ && !writer_.isOdd;
  return harness;
}

}  // namespace heddle
