#include "analysis/survey/late_counts.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "analysis/support/name_words.h"
#include "analysis/survey/block_states.h"
#include "analysis/survey/counted_steps.h"
#include "analysis/survey/lock_calls.h"
#include "analysis/survey/lock_place.h"
#include "analysis/survey/source_line.h"
#include "clang/AST/Expr.h"
#include "clang/Analysis/CFG.h"

namespace heddle {
namespace {

/// Something that the look is for is in the text.
bool hasCounts(const clang::Stmt* part) {
  if (!part) return false;
  if (countRaisedBy(*part)) return true;
  if (const auto* expression = llvm::dyn_cast<clang::DeclRefExpr>(part))
    if (isOnceType(expression->getType())) return true;
  return std::any_of(part->child_begin(), part->child_end(), hasCounts);
}

/// What runs along the ways of one function.
class CountWays {
 public:
  CountWays(clang::ASTContext& context, Survey& survey, LateCounts::OnceSteps& once)
      : context_(context), survey_(survey), once_(once) {}

  void follow(const clang::CFG& graph) {
    auto before = followBlocks(
        graph, State(), [&](const auto& block, State& state) { run(block, state, false); }, TakeAllWays(),
        join);
    for (auto& [block, state] : LastFirst(before)) run(*block, state, true);
  }

 private:
  /// A pointer that was loaded under a lock.
  struct Found {
    bool isLate = false;  // the lock is given back
    uint32_t line = 0;    // where it was found or, late, of the unlock
    std::string lock;
    const clang::Stmt* origin = nullptr;   // other variables may have the same
    const clang::VarDecl* root = nullptr;  // of the data it comes from
    auto operator<=>(const Found&) const = default;
  };
  struct State {
    std::map<const clang::VarDecl*, Found> found;
    std::map<std::string, std::set<const clang::ValueDecl*>> held;  // on all ways, and variables of its text
    std::set<std::string> maybe;                                    // on some
  };

  static bool join(State& into, const State& from) {
    bool isChanged = false;
    for (const auto& [variable, found] : from.found) {
      const auto [known, isNew] = into.found.try_emplace(variable, found);
      isChanged |= isNew || known->second < found;
      if (known->second < found) known->second = found;
    }
    isChanged |=
        std::erase_if(into.held, [&](const auto& lock) { return !from.held.contains(lock.first); }) != 0;
    for (const std::string& lock : from.maybe) isChanged |= into.maybe.insert(lock).second;
    return isChanged;
  }

  static std::set<std::string> namesOf(const State& state) {
    std::set<std::string> names;
    for (const auto& [lock, variables] : state.held) names.insert(lock);
    return names;
  }

  void onLock(const clang::CallExpr& call, LockCall what, State& state) const {
    const clang::Expr* argument = lockArgument(call);
    const auto place = argument ? lockPlaceOf(*argument) : std::nullopt;
    const std::string text = place ? place->text : "?";
    if (what == LockCall::Lock) {
      state.maybe.insert(text);
      if (!place) return;
      std::set<const clang::ValueDecl*>& variables = state.held[text];
      if (const clang::VarDecl* root = countedRoot(argument)) variables.insert(root);
      return;
    }
    state.held.erase(text);
    state.maybe.erase(text);
    for (auto& [variable, found] : state.found)
      if (found.lock == text && !found.isLate) {
        found.isLate = true;
        found.line = lineOf(call, context_);
      }
  }

  /// The lock that guards data which begins with the variable; null: none that is held.
  static const std::string* guardOf(const clang::VarDecl* root, const State& state) {
    for (const auto& [lock, variables] : state.held)
      if (root && variables.contains(root)) return &lock;
    return nullptr;
  }

  /// What a value is that was loaded from data of a lock that is held.
  std::optional<Found> foundBy(const clang::Expr& value, const State& state) const {
    const clang::Expr* stripped = value.IgnoreParenCasts();
    const auto known = [&](const clang::VarDecl* variable) {
      const auto found = state.found.find(variable);
      return found == state.found.end() ? std::nullopt : std::optional(found->second);
    };
    if (const clang::VarDecl* copied = countedPointer(*stripped)) return known(copied);
    if (isObjectPart(*stripped)) {
      const clang::VarDecl* root = countedRoot(stripped);
      if (auto from = known(root); from && !from->isLate) {
        from->origin = stripped;
        return from;
      }
      const std::string* lock = guardOf(root, state);
      return lock ? std::optional(Found{false, lineOf(*stripped, context_), *lock, stripped, root})
                  : std::nullopt;
    }
    return foundByCall(*stripped, state);
  }

  std::optional<Found> foundByCall(const clang::Expr& value, const State& state) const {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(&value);
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    const clang::FunctionDecl* body = callee ? callee->getDefinition() : nullptr;
    if (!body || !hasWord(countedCallName(*call), {"get", "find", "lookup", "search"}) ||
        raisesSomeCount(*body))
      return std::nullopt;
    for (const clang::Expr* argument : call->arguments()) {
      const clang::VarDecl* root = countedRoot(argument);
      if (const std::string* lock = guardOf(root, state))
        return Found{false, lineOf(*call, context_), *lock, call, root};
    }
    return std::nullopt;
  }

  void assign(const clang::VarDecl* variable, const clang::Expr* value, State& state) const {
    const auto found = value && variable->getType()->isPointerType() ? foundBy(*value, state) : std::nullopt;
    if (found)
      state.found[variable] = *found;
    else
      state.found.erase(variable);
  }

  /// An object that is marked, or taken out of what it was found in, belongs to the function.
  static void onWrite(const clang::Expr& place, State& state) {
    if (!isObjectPart(place)) return;
    const clang::VarDecl* root = countedRoot(&place);
    std::erase_if(state.found, [&](const auto& entry) {
      return !entry.second.isLate && (entry.first == root || entry.second.root == root);
    });
  }

  void onCall(const clang::CallExpr& call, State& state, bool isTold) {
    const llvm::StringRef name = countedCallName(call);
    if (name.empty()) return;
    if (const LockCall what = lockCallOf(name); what != LockCall::None && hasLockArgument(call)) {
      onLock(call, what, state);
      return;
    }
    for (const clang::Expr* argument : call.arguments()) {
      const clang::VarDecl* given = countedPointer(*argument);
      const auto found = given ? state.found.find(given) : state.found.end();
      const bool takesOut =
          hasWord(name, {"remove", "rem", "del", "delete", "pop", "unlink", "dequeue", "detach", "steal",
                         "take", "extract", "claim", "mark", "pin", "hold", "get"});
      if (found != state.found.end() && !found->second.isLate && takesOut) state.found.erase(found);
    }
    noteOnce(call, name, state, isTold);
  }

  void noteOnce(const clang::CallExpr& call, llvm::StringRef name, const State& state, bool isTold) {
    if (!isTold || call.getNumArgs() == 0) return;
    const clang::ValueDecl* of = processData(*call.getArg(0));
    if (!of || !isOnceType(of->getType())) return;
    if (hasWord(name, {"once"})) once_.begun.push_back({of, lineOf(call, context_), namesOf(state)});
    if (name.contains("memcpy") || name.contains("memset"))
      once_.reset.push_back({of, lineOf(call, context_), namesOf(state)});
  }

  void onRaise(const clang::Stmt& statement, const clang::VarDecl& object, State& state, bool isTold) {
    const auto known = state.found.find(&object);
    if (known == state.found.end()) return;
    const Found found = known->second;
    if (found.isLate && state.maybe.empty() && isTold)
      survey_.orderSlips.push_back({OrderSlip::Kind::RaisedLate, object.getName().str(), once_.function,
                                    lineOf(statement, context_), found.line, found.lock});
    std::erase_if(state.found, [&](const auto& entry) { return entry.second.origin == found.origin; });
  }

  void run(const clang::CFGBlock& block, State& state, bool isTold) {
    for (const clang::CFGElement& element : block) {
      const auto part = element.getAs<clang::CFGStmt>();
      if (!part) continue;
      const clang::Stmt& statement = *part->getStmt();
      if (const clang::VarDecl* object = countRaisedBy(statement)) onRaise(statement, *object, state, isTold);
      if (isTold) noteCount(statement, state);
      if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
        for (const clang::Decl* one : declared->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one))
            assign(variable->getCanonicalDecl(), variable->getInit(), state);
      } else if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(&statement)) {
        if (assignment->isAssignmentOp()) onAssignment(*assignment, state, isTold);
      } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&statement)) {
        if (unary->getOpcode() == clang::UO_AddrOf)
          if (const clang::VarDecl* variable = countedPointer(*unary->getSubExpr()))
            state.found.erase(variable);
        if (unary->isIncrementDecrementOp()) onWrite(*unary->getSubExpr(), state);
      } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement)) {
        onCall(*call, state, isTold);
      }
    }
  }

  void onAssignment(const clang::BinaryOperator& assignment, State& state, bool isTold) {
    if (const clang::VarDecl* variable = countedPointer(*assignment.getLHS()))
      assign(variable, assignment.getOpcode() == clang::BO_Assign ? assignment.getRHS() : nullptr, state);
    else
      onWrite(*assignment.getLHS(), state);
    const clang::ValueDecl* of = processData(*assignment.getLHS());
    if (isTold && of && isOnceType(of->getType()))
      once_.reset.push_back({of, lineOf(assignment, context_), namesOf(state)});
  }

  void noteCount(const clang::Stmt& statement, const State& state) {
    const auto [changed, change] = countChangeOf(statement);
    const clang::ValueDecl* count = change == CountChange::None ? nullptr : processData(*changed);
    if (!count) return;
    (change == CountChange::Raised ? once_.raised : once_.lowered)
        .push_back({count, lineOf(statement, context_), namesOf(state)});
  }

  clang::ASTContext& context_;
  Survey& survey_;
  LateCounts::OnceSteps& once_;
};

}  // namespace

void LateCounts::add(const clang::FunctionDecl& function, Survey& survey) {
  if (!function.getIdentifier() || !hasCounts(function.getBody())) return;
  const clang::CFG* graph = flows_.graphOf(function);
  if (!graph) return;
  OnceSteps once;
  once.function = function.getName().str();
  // In a new process there is no other thread.
  once.isOfFork = hasWord(once.function, {"fork", "atfork", "child", "postfork"});
  CountWays(context_, survey, once).follow(*graph);
  if (!once.begun.empty() || !once.reset.empty()) once_.push_back(std::move(once));
}

/// The count that says who is the last one has to change under the lock under which all begin.
void LateCounts::finish(Survey& survey) {
  for (const OnceSteps& last : once_) {
    if (last.isOfFork || last.lowered.empty()) continue;
    for (const Step& reset : last.reset) {
      std::set<std::string> common = reset.held;
      bool isBegun = false;
      const auto keep = [&](const Step& step) {
        std::erase_if(common, [&](const std::string& lock) { return !step.held.contains(lock); });
      };
      const Step* count = nullptr;
      for (const Step& lowered : last.lowered) {
        if (!count) count = &lowered;
        keep(lowered);
      }
      for (const OnceSteps& other : once_)
        for (const Step& begun : other.begun) {
          if (begun.of != reset.of) continue;
          isBegun = true;
          keep(begun);
          for (const Step& raised : other.raised)
            if (raised.of == count->of) keep(raised);
        }
      if (!isBegun || !common.empty()) continue;
      survey.orderSlips.push_back({OrderSlip::Kind::OnceReset, reset.of->getName().str(), last.function,
                                   reset.line, count->line, count->of->getName().str()});
    }
  }
}

}  // namespace heddle
