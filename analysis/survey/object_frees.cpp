#include "analysis/survey/object_frees.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/survey/block_states.h"
#include "analysis/survey/function_flows.h"
#include "analysis/survey/tested_call.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

/// Functions that free what they are given, by the ends of their names: `g_free`, `token_destroy`.
bool isFreeName(llvm::StringRef name) {
  return name.ends_with_insensitive("free") || name.ends_with_insensitive("destroy");
}

const clang::FunctionDecl* calleeWithBody(const clang::CallExpr& call) {
  const clang::FunctionDecl* definition = call.getDirectCallee()->getDefinition();
  return definition && definition->hasBody() ? definition : nullptr;
}

const clang::ValueDecl* variableIn(const clang::Expr& expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenCasts());
  return reference ? reference->getDecl() : nullptr;
}

}  // namespace

bool ObjectFrees::mayFree(const clang::FunctionDecl& function) {
  const auto [known, isNew] = mayFree_.try_emplace(&function, false);
  if (!isNew) return known->second;
  const FunctionCalls& calls = file_.callsOf(function);
  return mayFree_[&function] =
             std::any_of(calls.all.begin(), calls.all.end(), [&](const clang::CallExpr* call) {
               const clang::FunctionDecl* body = calleeWithBody(*call);
               return body ? mayFree(*body) : isFreeName(call->getDirectCallee()->getName());
             });
}

std::optional<int64_t> ObjectFrees::constantIn(const clang::Expr& expression) const {
  clang::Expr::EvalResult value;
  if (!expression.getType()->isIntegralOrEnumerationType() ||
      !expression.EvaluateAsInt(value, file_.context()))
    return std::nullopt;
  return value.Val.getInt().getExtValue();
}

bool ObjectFrees::isFreedBy(const clang::CallExpr& call, const Names& names, unsigned depth) {
  unsigned given = 0;
  while (given < call.getNumArgs() && !names.contains(variableIn(*call.getArg(given)))) ++given;
  if (given == call.getNumArgs()) return false;
  const clang::FunctionDecl* body = calleeWithBody(call);
  // What another file defines, its name has to tell; with more arguments it may free one of the others.
  if (!body) return call.getNumArgs() == 1 && isFreeName(call.getDirectCallee()->getName());
  Question question{body, given, {}};
  for (unsigned i = 0; i < std::min(call.getNumArgs(), body->getNumParams()); ++i)
    if (const auto constant = constantIn(*call.getArg(i))) question.constants[i] = *constant;
  return frees(question, depth + 1);
}

ObjectFrees::State ObjectFrees::behind(const clang::CFGBlock& block, State state, Names& names,
                                       unsigned depth) {
  const auto lose = [&](const clang::Expr& changed) {
    if (state == State::Kept && names.contains(variableIn(changed))) state = State::Lost;
  };
  for (const clang::CFGElement& element : block) {
    const auto statement = element.getAs<clang::CFGStmt>();
    if (!statement) continue;
    const clang::Stmt* what = statement->getStmt();
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(what)) {
      for (const clang::Decl* declaration : declared->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
            variable && variable->getInit() && names.contains(variableIn(*variable->getInit())))
          names.insert(variable);
    } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(what)) {
      if (binary->isAssignmentOp()) lose(*binary->getLHS());
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(what)) {
      if (unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf)
        lose(*unary->getSubExpr());
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(what)) {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      if (state == State::Kept && callee && callee->getIdentifier() && isFreedBy(*call, names, depth))
        state = State::Freed;
    }
  }
  return state;
}

std::optional<bool> ObjectFrees::sideOf(const clang::Expr* condition, const Question& question,
                                        const Names& names) const {
  const clang::Expr* test = condition->IgnoreParenCasts();
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(test)) {
    if (unary->getOpcode() != clang::UO_LNot) return std::nullopt;
    const auto side = sideOf(unary->getSubExpr(), question, names);
    return side ? std::optional(!*side) : std::nullopt;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(test)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const bool isExpected = callee && callee->getIdentifier() && callee->getName() == "__builtin_expect";
    return isExpected ? sideOf(call->getArg(0), question, names) : std::nullopt;
  }
  const auto given = [&](const clang::Expr& expression) -> std::optional<int64_t> {
    const auto* parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(variableIn(expression));
    const auto known =
        parameter ? question.constants.find(parameter->getFunctionScopeIndex()) : question.constants.end();
    return known == question.constants.end() ? std::nullopt : std::optional(known->second);
  };
  if (const auto* comparison = llvm::dyn_cast<clang::BinaryOperator>(test)) {
    if (!comparison->isEqualityOp()) return std::nullopt;
    const bool isEqual = comparison->getOpcode() == clang::BO_EQ;
    const clang::Expr &left = *comparison->getLHS(), &right = *comparison->getRHS();
    if (names.contains(variableIn(left)) &&
        right.isNullPointerConstant(file_.context(), clang::Expr::NPC_ValueDependentIsNull))
      return !isEqual;
    const auto value = given(left), other = constantIn(right);
    return value && other ? std::optional((*value == *other) == isEqual) : std::nullopt;
  }
  if (names.contains(variableIn(*test))) return true;
  const auto value = given(*test);
  return value ? std::optional(*value != 0) : std::nullopt;
}

bool ObjectFrees::follow(const Question& question, unsigned depth) {
  const clang::CFG* graph = file_.flows().graphOf(*question.function);
  if (!graph) return false;
  Names names = {question.function->getParamDecl(question.parameter)};
  const auto in = followBlocks(
      *graph, State::Kept,
      [&](const auto& block, State& state) {
        // What does not return ends the process with the object as it is.
        if (!block.hasNoReturnElement()) state = behind(block, state, names, depth);
      },
      [&](const auto& block, bool isFirst, State&) {
        const clang::Expr* condition = branchCondition(block);
        const std::optional<bool> side = condition ? sideOf(condition, question, names) : std::nullopt;
        return !side || *side == isFirst;
      },
      [](State& into, State from) { return std::exchange(into, std::max(into, from)) < from; },
      FollowOptions::withoutLimits(BlockOrder::Newest));
  const auto end = in.find(&graph->getExit());
  return end != in.end() && end->second == State::Freed;
}

bool ObjectFrees::frees(const Question& question, unsigned depth) {
  constexpr unsigned kMostDepth = 6;
  if (depth > kMostDepth || question.parameter >= question.function->getNumParams() ||
      !mayFree(*question.function))
    return false;
  const auto [known, isNew] = known_.try_emplace(question, false);
  if (!isNew) return known->second;
  return known_[question] = follow(question, depth);
}

void ObjectFrees::addTo(const clang::FunctionDecl& function, SurveyFunction& out) {
  for (unsigned i = 0; i < function.getNumParams(); ++i)
    if (function.getParamDecl(i)->getType()->isPointerType() && frees({&function, i, {}}, 0))
      out.frees.insert(i);
}

}  // namespace heddle
