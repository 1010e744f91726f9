#include "analysis/survey/untested_globals.h"

#include <algorithm>
#include <utility>

#include "analysis/support/name_words.h"
#include "analysis/survey/data_name.h"
#include "analysis/survey/source_line.h"
#include "analysis/survey/tested_call.h"

namespace heddle {
namespace {

// Testing functions for each that does not, and at all.
constexpr size_t kGlobalTestsForEach = 2, kFewestGlobalTests = 3;

/// A variable is the object that a function of another file is given, which is no matter of what frees.
bool isObjectOfCall(const NullEvent& event) {
  if (event.kind != NullEvent::Kind::Given || event.argument != 0) return false;
  const clang::FunctionDecl* callee = event.call->getDirectCallee();
  return callee && callee->getIdentifier() && !callee->hasBody() && callee->getBuiltinID() == 0 &&
         event.of->getType()->getPointeeType()->isRecordType() &&
         !hasWord(callee->getName(),
                  {"free", "destroy", "delete", "close", "cleanup", "fini", "term", "release", "unref"});
}

/// All variables that are named in a condition.
void addNames(const clang::Stmt& part, std::set<std::string>& names) {
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&part))
    if (std::string name = dataName(*reference); !name.empty()) names.insert(std::move(name));
  for (const clang::Stmt* child : part.children())
    if (child) addNames(*child, names);
}

}  // namespace

void UntestedGlobals::note(const clang::Expr& pointer, const NullFlow& flow, Function& into) {
  const std::string name = dataName(pointer);
  if (name.empty() || !pointer.getType()->isPointerType()) return;
  Deeds& deeds = into.deeds[name];
  const auto* parent = flow.parents().getParent(&pointer);
  const auto* unary = llvm::dyn_cast_or_null<clang::UnaryOperator>(parent);
  if (unary && unary->getOpcode() == clang::UO_AddrOf) deeds.isSet = true;
  const auto look = [&](const NullEvent& event) {
    if (event.kind == NullEvent::Kind::Tested) {
      (event.place.isMacroID() ? deeds.isAsserted : deeds.isTested) = true;
    } else if (event.kind == NullEvent::Kind::Set) {
      deeds.isSet = true;
    } else if (needs_.isUse(event, false) || isObjectOfCall(event)) {
      if (event.place.isMacroID()) return;
      const uint32_t at = lineOf(event.place, context_);
      deeds.line = deeds.line == 0 ? at : std::min(deeds.line, at);
    }
  };
  for (const NullEvent& event : flow.eventsOf(pointer)) {
    look(event);
    if (event.kind != NullEvent::Kind::Copied || !event.target || event.isInner || event.isMoved) continue;
    // A local variable that holds more than this pointer tells nothing of it.
    size_t values = 0;
    for (const NullEvent& of : flow.eventsOf(*event.target))
      if (of.kind == NullEvent::Kind::Set && of.at != event.target) ++values;
    const bool isFixed = values == (event.at == event.target ? 0 : 1) && !flow.isEscaped(*event.target);
    for (const NullEvent& of : flow.eventsOf(*event.target))
      if (of.kind != NullEvent::Kind::Set && (isFixed || of.kind == NullEvent::Kind::Tested)) look(of);
  }
}

void UntestedGlobals::collect(const clang::Stmt& part, const NullFlow& flow, Function& into) {
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr>(part)) return;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&part))
    if (const clang::FunctionDecl* callee = call->getDirectCallee())
      into.calls.insert(callee->getCanonicalDecl());
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&part)) note(*reference, flow, into);
  for (const clang::Stmt* child : part.children())
    if (child) collect(*child, flow, into);
}

void UntestedGlobals::add(const clang::FunctionDecl& function) {
  if (!function.getIdentifier()) return;
  const NullFlow flow = needs_.flowOf(function);
  if (!flow.isWhole()) return;
  Function& into = functions_.emplace_back();
  into.function = function.getCanonicalDecl();
  into.isAsserting = textOf(*function.getBody(), context_).contains_insensitive("assert");
  collect(*function.getBody(), flow, into);
  for (const clang::CFGBlock* block : flow.graph())
    if (const auto* condition = branchCondition(*block)) addNames(*condition, into.conditions);
}

bool UntestedGlobals::isSeenToElsewhere(const Function& function, const std::string& pointer) const {
  return std::any_of(functions_.begin(), functions_.end(), [&](const Function& other) {
    const auto deeds = other.deeds.find(pointer);
    const bool isSeeing = deeds != other.deeds.end() &&
                          (deeds->second.isTested || deeds->second.isSet || deeds->second.isAsserted);
    return isSeeing && (function.calls.contains(other.function) || other.calls.contains(function.function));
  });
}

/// What guards a use may be a count or a flag that goes with the pointer, so whoever looks at another global
/// variable is not told of. Nor is who says what it takes for granted.
void UntestedGlobals::finish(Survey& survey) const {
  std::map<std::string, size_t> testing;
  std::map<std::string, std::vector<const Function*>> others;
  for (const Function& function : functions_)
    for (const auto& [pointer, deeds] : function.deeds) {
      if (deeds.isTested) ++testing[pointer];
      if (!deeds.isTested && !deeds.isSet && !deeds.isAsserted && deeds.line != 0)
        others[pointer].push_back(&function);
    }
  for (const auto& [pointer, functions] : others) {
    const auto tests = testing.find(pointer);
    if (tests == testing.end() ||
        tests->second < std::max(kGlobalTestsForEach * functions.size(), kFewestGlobalTests))
      continue;
    for (const Function* function : functions) {
      const bool isGuarded = function->conditions.size() > function->conditions.count(pointer);
      if (isGuarded || function->isAsserting || isSeenToElsewhere(*function, pointer)) continue;
      survey.valueSlips.push_back({ValueSlip::Kind::GlobalUntested, pointer,
                                   function->function->getName().str(), function->deeds.at(pointer).line, 0,
                                   std::to_string(tests->second)});
    }
  }
}

}  // namespace heddle
