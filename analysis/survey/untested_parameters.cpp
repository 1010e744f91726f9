#include "analysis/survey/untested_parameters.h"

#include <algorithm>
#include <string>

#include "analysis/support/name_words.h"
#include "analysis/survey/source_line.h"

namespace heddle {
namespace {

// Testing functions for each that does not, and at all.
constexpr size_t kTestingForEach = 2, kFewest = 3;

/// It says what it takes for granted, also where the assertions are left out of the tree; or nobody expects
/// it to take a pointer to nothing.
bool isAsserting(const clang::FunctionDecl& function, const clang::ASTContext& context) {
  return textOf(*function.getBody(), context).contains_insensitive("assert") ||
         hasWord(function.getName(),
                 {"free", "destroy", "delete", "close", "cleanup", "fini", "term", "release"});
}

}  // namespace

/// What files keep to themselves, their own functions call.
void UntestedParameters::add(const clang::FunctionDecl& function) {
  const bool isPublic =
      function.isExternallyVisible() && function.getIdentifier() && function.getNumParams() != 0;
  if (!isPublic || function.getName() == "main") return;
  const clang::ParmVarDecl& object = *function.getParamDecl(0);
  const clang::Type* const pointee = object.getType()->getPointeeType().getTypePtrOrNull();
  const clang::RecordDecl* const record = pointee ? pointee->getAsRecordDecl() : nullptr;
  if (!record || !object.getIdentifier()) return;
  const NullFlow flow = needs_.flowOf(function);
  if (!flow.isWhole() || flow.isEscaped(object)) return;
  Functions& functions = byType_[record->getCanonicalDecl()];
  const auto walk = flow.walkFromEntry(object, [&](const NullEvent& event) {
    if (needs_.isUse(event, false)) return NullFlow::Step::Use;
    return event.kind == NullEvent::Kind::Tested ? NullFlow::Step::Tested : NullFlow::Step::Lost;
  });
  const std::vector<NullEvent>& events = flow.eventsOf(object);
  const auto isTest = [](const NullEvent& event) { return event.kind == NullEvent::Kind::Tested; };
  const bool isTested = std::any_of(events.begin(), events.end(), isTest);
  if (walk.isTested && std::none_of(events.begin(), events.end(), [&](const NullEvent& event) {
        return isTest(event) && (event.isAsserted || event.place.isMacroID());
      }))
    ++functions.testing;
  if (isTested || !walk.isUsedAlways() || isAsserting(function, context_)) return;
  uint32_t line = 0;
  for (const NullEvent* use : walk.uses) {
    if (use->place.isMacroID()) return;
    const uint32_t at = lineOf(use->place, context_);
    line = line == 0 ? at : std::min(line, at);
  }
  functions.others.push_back(
      {ValueSlip::Kind::NullUntested, object.getName().str(), function.getName().str(), line, 0, ""});
}

void UntestedParameters::finish(Survey& survey) const {
  for (const auto& [record, functions] : byType_) {
    if (functions.testing < std::max(kTestingForEach * functions.others.size(), kFewest)) continue;
    for (ValueSlip slip : functions.others) {
      slip.callee = std::to_string(functions.testing);
      survey.valueSlips.push_back(std::move(slip));
    }
  }
}

}  // namespace heddle
