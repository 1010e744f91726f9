#include "analysis/survey/wide_reads.h"

#include <algorithm>

#include "analysis/survey/integer_constant.h"
#include "analysis/survey/linear_flow.h"
#include "analysis/survey/tested_call.h"

namespace heddle {
namespace {

bool isPointer(const clang::Expr& expression, const clang::VarDecl& pointer) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenCasts());
  return reference && reference->getDecl()->getCanonicalDecl() == pointer.getCanonicalDecl();
}

}  // namespace

int64_t WideReads::bytesOf(const clang::Stmt& statement, const clang::VarDecl& pointer) const {
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&statement);
      cast && cast->getCastKind() == clang::CK_LValueToRValue) {
    const clang::Expr* place = cast->getSubExpr()->IgnoreParens();
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(place);  // of a packed structure around it
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(place);
    const clang::Expr* base = member && member->isArrow()                      ? member->getBase()
                              : unary && unary->getOpcode() == clang::UO_Deref ? unary->getSubExpr()
                                                                               : nullptr;
    if (!base || !isPointer(*base, pointer) || cast->getType()->isIncompleteType()) return 0;
    if (member && llvm::cast<clang::Expr>(base)->getType()->getPointeeType()->getAsRecordDecl() == nullptr)
      return 0;
    if (member && base->IgnoreParens()->IgnoreImpCasts() == base->IgnoreParenCasts()) return 0;
    return context_.getTypeSizeInChars(cast->getType()).getQuantity();
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement);
  if (!call || call->getNumArgs() != 3 || linearCallee(*call) != "memcpy" ||
      !isPointer(*call->getArg(1), pointer))
    return 0;
  return constantOf(*call->getArg(2), nullptr).value_or(0);
}

std::optional<int64_t> WideReads::constantOf(const clang::Expr& expression, const Question* question) const {
  if (const auto constant = integerConstant(expression, context_)) return constant;
  const clang::Expr* part = withoutHint(&expression);
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part); reference && question) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    const auto found = variable ? question->constants.find(variable) : question->constants.end();
    return found == question->constants.end() ? std::nullopt : std::optional(found->second);
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(part);
      unary && unary->getOpcode() == clang::UO_LNot) {
    const auto inner = constantOf(*unary->getSubExpr(), question);
    return inner ? std::optional<int64_t>(*inner == 0) : std::nullopt;
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(part); binary && binary->isEqualityOp()) {
    const auto a = constantOf(*binary->getLHS(), question), b = constantOf(*binary->getRHS(), question);
    if (!a || !b) return std::nullopt;
    return (*a == *b) == (binary->getOpcode() == clang::BO_EQ);
  }
  // A function that is a constant.
  const auto* call = llvm::dyn_cast<clang::CallExpr>(part);
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  const clang::FunctionDecl* body = callee && call->getNumArgs() == 0 ? callee->getDefinition() : nullptr;
  const auto* block = body ? llvm::dyn_cast_or_null<clang::CompoundStmt>(body->getBody()) : nullptr;
  const auto* result =
      block && block->size() == 1 ? llvm::dyn_cast<clang::ReturnStmt>(block->body_front()) : nullptr;
  return result && result->getRetValue() ? integerConstant(*result->getRetValue(), context_) : std::nullopt;
}

int64_t WideReads::asked(const clang::CallExpr& call, unsigned argument, const Question* from,
                         unsigned depth) {
  constexpr unsigned kMostDepth = 6;
  const clang::FunctionDecl* callee = call.getDirectCallee();
  const clang::FunctionDecl* body = callee ? callee->getDefinition() : nullptr;
  if (!body || !body->getBody() || argument >= body->getNumParams() || depth > kMostDepth) return 0;
  Question question{body, argument, depth + 1, {}};
  for (unsigned i = 0; i < std::min(call.getNumArgs(), body->getNumParams()); ++i)
    if (const auto value = constantOf(*call.getArg(i), from))
      question.constants[body->getParamDecl(i)] = *value;
  return follow(question);
}

int64_t WideReads::bytesBy(const clang::CallExpr& call, unsigned argument) {
  return asked(call, argument, nullptr, 0);
}

int64_t WideReads::follow(const Question& question) {
  if (const auto known = known_.find(question); known != known_.end()) return known->second;
  bool ends = false;
  const int64_t bytes = look(*question.function->getBody(), question, ends);
  known_.emplace(question, bytes);
  return bytes;
}

int64_t WideReads::look(const clang::Stmt& part, const Question& question, bool& ends) {
  if (ends) return 0;
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(&part)) {
    int64_t bytes = look(*branch->getCond(), question, ends);
    const auto side = constantOf(*branch->getCond(), &question);
    const clang::Stmt* taken = side && *side == 0 ? branch->getElse() : branch->getThen();
    if (side) return taken ? std::max(bytes, look(*taken, question, ends)) : bytes;
    ends = true;
    return bytes;
  }
  if (llvm::isa<clang::SwitchStmt, clang::WhileStmt, clang::ForStmt, clang::DoStmt, clang::LabelStmt,
                clang::AbstractConditionalOperator, clang::GotoStmt>(part)) {
    ends = true;
    return 0;
  }
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr>(part)) return 0;
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&part); binary && binary->isLogicalOp())
    return look(*binary->getLHS(), question, ends);
  int64_t bytes = bytesOf(part, *question.function->getParamDecl(question.parameter));
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&part))
    for (unsigned i = 0; i < call->getNumArgs(); ++i)
      if (isPointer(*call->getArg(i), *question.function->getParamDecl(question.parameter)))
        bytes = std::max(bytes, asked(*call, i, &question, question.depth));
  // The pointer moves on.
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&part); binary && binary->isAssignmentOp())
    if (isPointer(*binary->getLHS(), *question.function->getParamDecl(question.parameter))) ends = true;
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&part);
      unary && unary->isIncrementDecrementOp())
    if (isPointer(*unary->getSubExpr(), *question.function->getParamDecl(question.parameter))) ends = true;
  for (const clang::Stmt* child : part.children())
    if (child) bytes = std::max(bytes, look(*child, question, ends));
  ends |= llvm::isa<clang::ReturnStmt>(part);
  return bytes;
}

}  // namespace heddle
