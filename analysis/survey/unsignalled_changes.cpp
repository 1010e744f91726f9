#include "analysis/survey/unsignalled_changes.h"

#include <algorithm>
#include <utility>

#include "analysis/survey/data_name.h"
#include "analysis/survey/function_flows.h"
#include "analysis/survey/lock_calls.h"
#include "analysis/survey/source_line.h"
#include "clang/Basic/SourceManager.h"

namespace heddle {
namespace {

const clang::CallExpr* namedCall(const clang::CFGElement& element) {
  const auto statement = element.getAs<clang::CFGStmt>();
  const auto* call = statement ? llvm::dyn_cast<clang::CallExpr>(statement->getStmt()) : nullptr;
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->getIdentifier() ? call : nullptr;
}

/// Somebody else may run, and be told, before this call is done.
bool letsOthersIn(const clang::CallExpr& call) {
  const llvm::StringRef name = call.getDirectCallee()->getName();
  return isWait(name) || isConditionWait(name) || (lockCallOf(name) == LockCall::Lock && !isTry(name));
}

/// The lock's text; empty: the call releases none.
std::string releasedBy(const clang::CallExpr& call) {
  if (lockCallOf(call.getDirectCallee()->getName()) != LockCall::Unlock || call.getNumArgs() == 0) return "";
  const auto place = lockPlaceOf(*lockArgument(call));
  return place ? place->text : "";
}

/// Who takes an object down signals for its end.
bool isOfEnd(llvm::StringRef name) {
  return hasWord(name, {"free", "destroy"});
}

}  // namespace

UnsignalledChanges::UnsignalledChanges(FileLocks& file,
                                       const std::vector<const clang::FunctionDecl*>& functions)
    : file_(file) {
  for (const clang::FunctionDecl* function : functions) {
    if (!file.touchesLocks(*function)) continue;
    for (WaitTest& test : waitTestsOf(file.context(), *function))
      tests_[test.data].push_back(std::move(test));
  }
}

const std::set<std::string>& UnsignalledChanges::signalsOf(const clang::FunctionDecl& function) {
  const auto [known, isNew] = signals_.try_emplace(&function);
  if (!isNew) return known->second;
  std::set<std::string> found;
  for (const clang::CallExpr* call : file_.callsOf(function).all) found.merge(signalsOf(*call));
  return signals_[&function] = std::move(found);
}

std::set<std::string> UnsignalledChanges::signalsOf(const clang::CallExpr& call) {
  const clang::FunctionDecl& callee = *call.getDirectCallee();
  if (isSignal(callee.getName())) {
    if (call.getNumArgs() == 0) return {""};
    const clang::Expr* place = call.getArg(0)->IgnoreParenCasts();
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(place)) place = address->getSubExpr();
    return {dataName(*place)};
  }
  const clang::FunctionDecl* body = callee.getDefinition();
  // A function of the file that does not compile may signal.
  const clang::SourceManager& sources = file_.context().getSourceManager();
  if (!body && sources.isInMainFile(sources.getExpansionLoc(callee.getLocation()))) return {""};
  return body && body->hasBody() && !isOfEnd(callee.getName()) ? signalsOf(*body) : std::set<std::string>();
}

bool UnsignalledChanges::isSignalledBehind(const clang::CFGBlock& block, size_t element,
                                           const std::string& condition, bool mayPassLocks) {
  struct Way {
    const clang::CFGBlock* at;
    size_t first;                    // element
    std::set<std::string> released;  // locks, by text
  };
  std::set<std::pair<const clang::CFGBlock*, std::set<std::string>>> seen;
  std::vector<Way> open = {{&block, element + 1, {}}};
  while (!open.empty()) {
    Way way = std::move(open.back());
    open.pop_back();
    bool goesOn = true;
    for (size_t i = way.first; i < way.at->size() && goesOn; ++i) {
      const clang::CallExpr* call = namedCall((*way.at)[static_cast<unsigned>(i)]);
      if (!call) continue;
      const std::set<std::string> signalled = signalsOf(*call);
      if (signalled.contains(condition) || signalled.contains("")) return true;
      goesOn = mayPassLocks || !letsOthersIn(*call);
      // No way releases a lock twice: where a macro makes a loop of a block, some that do not exist would.
      if (const std::string lock = releasedBy(*call); !lock.empty())
        goesOn &= way.released.insert(lock).second;
    }
    if (!goesOn) continue;
    for (const clang::CFGBlock* successor : way.at->succs())
      if (successor && seen.emplace(successor, way.released).second)
        open.push_back({successor, 0, way.released});
  }
  return false;
}

UnsignalledChange::Signal UnsignalledChanges::signalBehind(const clang::CFGBlock& block, size_t element,
                                                           const std::string& condition) {
  using Signal = UnsignalledChange::Signal;
  if (isSignalledBehind(block, element, condition, false)) return Signal::First;
  return isSignalledBehind(block, element, condition, true) ? Signal::BehindALock : Signal::None;
}

void UnsignalledChanges::addTo(const clang::FunctionDecl& function, SurveyFunction& out) {
  out.signals = signalsOf(function);
  if (tests_.empty()) return;
  const clang::CFG* graph = file_.flows().graphOf(function);
  if (!graph) return;
  for (const clang::CFGBlock* block : *graph)
    for (size_t i = 0; i < block->size(); ++i) {
      const auto statement = (*block)[static_cast<unsigned>(i)].getAs<clang::CFGStmt>();
      const auto* expression = statement ? llvm::dyn_cast<clang::Expr>(statement->getStmt()) : nullptr;
      const auto change = expression ? dataChangeOf(*expression, file_.context()) : std::nullopt;
      const auto tests = change ? tests_.find(change->data) : tests_.end();
      if (tests == tests_.end()) continue;
      for (const WaitTest& test : tests->second) {
        if (test.function == &function || !mayEnd(test, *change)) continue;
        out.unsignalled.push_back({change->data, test.condition,
                                   lineOf(expression->getExprLoc(), file_.context()),
                                   test.function->getName().str(), lineOf(test.at, file_.context()),
                                   signalBehind(*block, i, test.condition)});
      }
    }
  std::sort(out.unsignalled.begin(), out.unsignalled.end(),
            [](const UnsignalledChange& a, const UnsignalledChange& b) { return a.line < b.line; });
}

}  // namespace heddle
