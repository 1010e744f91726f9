#include "analysis/survey/shared_counts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "analysis/support/name_words.h"
#include "analysis/survey/block_states.h"
#include "analysis/survey/counted_steps.h"
#include "analysis/survey/integer_constant.h"
#include "analysis/survey/lock_calls.h"
#include "analysis/survey/lock_place.h"
#include "analysis/survey/source_line.h"
#include "analysis/survey/tested_call.h"
#include "clang/Analysis/CFG.h"

namespace heddle {
namespace {

/// The local pointer to the object whose count of references the place is, by the member's name.
const clang::VarDecl* sharedCountOf(const clang::Expr& place) {
  const clang::Expr* part = place.IgnoreParenCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(part);
      address && address->getOpcode() == clang::UO_AddrOf)
    part = address->getSubExpr()->IgnoreParenCasts();
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(part);
  if (!member || !member->getMemberDecl()->getIdentifier() || !member->isArrow()) return nullptr;
  const llvm::StringRef name = member->getMemberDecl()->getName();
  const bool isCount = name.contains_insensitive("refc") || name.contains_insensitive("refs") ||
                       hasWord({name.data(), name.size()}, {"ref", "rc", "reference", "references"});
  return isCount ? countedPointer(*member->getBase()) : nullptr;
}

const clang::VarDecl* countLoweredBy(const clang::Stmt& statement) {
  const auto [changed, change] = countChangeOf(statement);
  return change == CountChange::Lowered && changed ? sharedCountOf(*changed) : nullptr;
}

/// Something is lowered in the text.
bool lowersCount(const clang::Stmt* part) {
  if (!part) return false;
  return countLoweredBy(*part) || std::any_of(part->child_begin(), part->child_end(),
                                              [](const clang::Stmt* child) { return lowersCount(child); });
}

/// What runs along the ways of one function.
class GivenWays {
 public:
  GivenWays(clang::ASTContext& context, const clang::FunctionDecl& function, Survey& survey)
      : context_(context), function_(function), survey_(survey) {}

  void follow(const clang::CFG& graph) {
    auto before = followBlocks(
        graph, State(), [&](const auto& block, State& state) { run(block, state, false); },
        [&](const auto& block, bool isFirst, State& state) { return decide(block, isFirst, state); }, join);
    for (auto& [block, state] : before) run(*block, state, true);
  }

 private:
  struct Given {
    std::set<std::string> locks;  // that were held
    uint32_t line = 0;            // where the count was lowered
    uint32_t unlocked = 0;        // 0: they are held
    bool isShared = false;        // it was not the last reference
    bool operator==(const Given&) const = default;
  };
  /// What a variable says: of which object, and whether "not 0" means that it was the last.
  struct Answer {
    const clang::VarDecl* object = nullptr;
    bool isLast = false;
    bool operator==(const Answer&) const = default;
  };
  struct State {
    std::map<const clang::VarDecl*, Given> given;
    std::map<const clang::VarDecl*, Answer> answers;
    std::set<std::string> held;  // on some way
  };

  static bool join(State& into, const State& from) {
    bool isChanged = false;
    // Only what all ways have in common is told.
    isChanged |= std::erase_if(into.given, [&](const auto& one) {
                   const auto other = from.given.find(one.first);
                   return other == from.given.end() || !(other->second == one.second);
                 }) != 0;
    isChanged |= std::erase_if(into.answers, [&](const auto& one) {
                   const auto other = from.answers.find(one.first);
                   return other == from.answers.end() || !(other->second == one.second);
                 }) != 0;
    for (const std::string& lock : from.held) isChanged |= into.held.insert(lock).second;
    return isChanged;
  }

  /// What it means that the expression is not 0; nothing: it says nothing of a count.
  std::optional<Answer> answerOf(const clang::Expr& expression, const State& state) const {
    const clang::Expr* part = withoutHint(&expression);
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(part)) {
      if (unary->getOpcode() == clang::UO_LNot) {
        auto answer = answerOf(*unary->getSubExpr(), state);
        if (answer) answer->isLast = !answer->isLast;
        return answer;
      }
      if (unary->getOpcode() == clang::UO_PreDec)
        if (const clang::VarDecl* object = sharedCountOf(*unary->getSubExpr())) return Answer{object, false};
    }
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(part)) {
      if (binary->getOpcode() == clang::BO_Assign) return answerOf(*binary->getRHS(), state);
      if (binary->isComparisonOp()) return comparison(*binary, state);
    }
    if (const clang::VarDecl* object = sharedCountOf(*part)) return Answer{object, false};
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
        if (const auto known = state.answers.find(variable->getCanonicalDecl()); known != state.answers.end())
          return known->second;
    return std::nullopt;
  }

  std::optional<Answer> comparison(const clang::BinaryOperator& binary, const State& state) const {
    auto answer = answerOf(*binary.getLHS(), state);
    const auto with = integerConstant(*binary.getRHS(), context_);
    if (!answer || answer->isLast || !with) return std::nullopt;
    const auto kind = binary.getOpcode();
    if (with == 0 && (kind == clang::BO_NE || kind == clang::BO_GT)) return answer;
    if (with == 1 && kind == clang::BO_GE) return answer;
    answer->isLast = true;
    if (with == 0 && (kind == clang::BO_EQ || kind == clang::BO_LE)) return answer;
    if (with == 1 && kind == clang::BO_LT) return answer;
    return std::nullopt;
  }

  bool decide(const clang::CFGBlock& block, bool isFirst, State& state) const {
    const clang::Expr* condition = branchCondition(block);
    const auto answer = condition ? answerOf(*condition, state) : std::nullopt;
    const auto known = answer ? state.given.find(answer->object) : state.given.end();
    if (known == state.given.end()) return true;
    if (answer->isLast == isFirst)
      state.given.erase(known);
    else
      known->second.isShared = true;
    return true;
  }

  void onLock(const clang::CallExpr& call, LockCall what, State& state) const {
    const clang::Expr* argument = lockArgument(call);
    const auto place = argument ? lockPlaceOf(*argument) : std::nullopt;
    const std::string text = place ? place->text : "?";
    if (what == LockCall::Lock) {
      state.held.insert(text);
      return;
    }
    state.held.erase(text);
    for (auto& [object, given] : state.given)
      if (given.unlocked == 0 && given.locks.contains(text)) given.unlocked = lineOf(call, context_);
  }

  void use(const clang::VarDecl& object, const clang::Stmt& where, State& state, bool isTold) {
    const auto known = state.given.find(&object);
    if (known == state.given.end() || known->second.unlocked == 0 || !known->second.isShared) return;
    const Given given = known->second;
    state.given.erase(known);
    if (!isTold || !state.held.empty()) return;
    survey_.valueSlips.push_back({ValueSlip::Kind::UsedGiven, object.getName().str(),
                                  function_.getName().str(), lineOf(where, context_), given.line,
                                  *given.locks.begin()});
  }

  void set(const clang::VarDecl* variable, const clang::Expr* value, State& state) const {
    const auto answer = value ? answerOf(*value, state) : std::nullopt;
    state.given.erase(variable);
    if (answer)
      state.answers[variable] = *answer;
    else
      state.answers.erase(variable);
  }

  void run(const clang::CFGBlock& block, State& state, bool isTold) {
    for (const clang::CFGElement& element : block) {
      const auto part = element.getAs<clang::CFGStmt>();
      if (!part) continue;
      const clang::Stmt& statement = *part->getStmt();
      if (const clang::VarDecl* object = countLoweredBy(statement)) {
        if (!state.held.empty()) state.given[object] = {state.held, lineOf(statement, context_), 0, false};
      } else if (const clang::VarDecl* raised = countRaisedBy(statement)) {
        state.given.erase(raised);
      }
      if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
        for (const clang::Decl* one : declared->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one))
            set(variable->getCanonicalDecl(), variable->getInit(), state);
      } else if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(&statement);
                 assignment && assignment->isAssignmentOp()) {
        const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(assignment->getLHS()->IgnoreParenCasts());
        if (const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr)
          set(variable->getCanonicalDecl(), assignment->getRHS(), state);
      } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&statement)) {
        if (const clang::VarDecl* object = member->isArrow() ? countedPointer(*member->getBase()) : nullptr)
          use(*object, statement, state, isTold);
      } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement)) {
        const LockCall what = lockCallOf(countedCallName(*call));
        if (what != LockCall::None && hasLockArgument(*call)) {
          onLock(*call, what, state);
          continue;
        }
        for (const clang::Expr* argument : call->arguments())
          if (const clang::VarDecl* object = countedPointer(*argument))
            use(*object, statement, state, isTold);
      }
    }
  }

  clang::ASTContext& context_;
  const clang::FunctionDecl& function_;
  Survey& survey_;
};

}  // namespace

void SharedCounts::add(const clang::FunctionDecl& function, Survey& survey) {
  if (!function.getIdentifier() || !lowersCount(function.getBody())) return;
  if (const clang::CFG* graph = flows_.graphOf(function))
    GivenWays(context_, function, survey).follow(*graph);
}

}  // namespace heddle
