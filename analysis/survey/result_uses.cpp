#include "analysis/survey/result_uses.h"

#include <utility>

#include "analysis/survey/data_name.h"
#include "analysis/survey/source_line.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

/// The name of the function that the expression calls by name; empty: it is no such call.
llvm::StringRef calledBy(const clang::Expr* expression) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(expression->IgnoreParenCasts());
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->getIdentifier() ? callee->getName() : "";
}

bool isAllocator(llvm::StringRef name) {
  return name.contains_insensitive("alloc") || name.contains_insensitive("strdup") ||
         name.contains_insensitive("strndup");
}

void noteAssignment(const clang::BinaryOperator& assignment, uint32_t line, const SurveyFunction& function,
                    Survey& survey) {
  const clang::Expr* target = assignment.getLHS()->IgnoreParenCasts();
  if (const auto* through = llvm::dyn_cast<clang::UnaryOperator>(target);
      through && through->getOpcode() == clang::UO_Deref &&
      calledBy(through->getSubExpr()) == "__errno_location")
    survey.errnoSetters.insert(function.name);
  const llvm::StringRef allocator = calledBy(assignment.getRHS());
  std::string data = dataName(*target);
  if (!data.empty() && target->getType()->isPointerType() && isAllocator(allocator))
    survey.allocated.push_back({std::move(data), allocator.str(), function.name, line});
}

}  // namespace

void addResultUses(clang::ASTContext& context, const clang::Stmt& body, SurveyFunction& function,
                   Survey& survey) {
  const uint32_t line = lineOf(body, context);
  if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(&body);
      assignment && assignment->getOpcode() == clang::BO_Assign)
    noteAssignment(*assignment, line, function, survey);
  // With a buffer of the caller's it is safe.
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&body);
      call && call->getNumArgs() == 2 && calledBy(call) == "ERR_error_string" &&
      call->getArg(1)->isNullPointerConstant(context, clang::Expr::NPC_ValueDependentIsNotNull) !=
          clang::Expr::NPCK_NotNull)
    function.sharedResults.try_emplace("ERR_error_string", line);
  for (const clang::Stmt* part : body.children())
    if (part) addResultUses(context, *part, function, survey);
}

}  // namespace heddle
