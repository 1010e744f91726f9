#include "analysis/survey/tested_pointers.h"

#include "analysis/survey/data_name.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace heddle {
namespace {

/// The local variable that the expression is; null: it is none.
const clang::VarDecl* localOf(const clang::Expr& expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&expression);
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->hasLocalStorage() ? variable : nullptr;
}

/// As `dataName`; an element of a member or a variable has "[]" behind that, what a function returns its name
/// and "()".
std::string dataOrElement(const clang::Expr& expression) {
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression.IgnoreParenCasts()))
    if (const clang::FunctionDecl* callee = call->getDirectCallee(); callee && callee->getIdentifier())
      return callee->getName().str() + "()";
  const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression.IgnoreParenCasts());
  if (!element) return dataName(expression);
  std::string name = dataName(*element->getBase()->IgnoreParenCasts());
  return name.empty() ? name : name + "[]";
}

}  // namespace

void TestedPointers::noteTest(const clang::Expr* condition) {
  if (!condition) return;
  const clang::Expr* stripped = condition->IgnoreParenCasts();
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(stripped);
      operation && operation->getOpcode() == clang::BO_Assign) {
    noteTest(operation->getLHS());
    return;
  }
  if (!stripped->getType()->isPointerType()) return;
  if (const clang::VarDecl* local = localOf(*stripped))
    testedLocals_.insert(local);
  else if (std::string data = dataOrElement(*stripped); !data.empty())
    tested_.insert(std::move(data));
}

void TestedPointers::noteValue(const clang::VarDecl* variable, const clang::Expr* value) {
  if (!variable || !value) return;
  if (std::string data = dataOrElement(*value); !data.empty()) valuesOf_[variable].insert(std::move(data));
}

void TestedPointers::collect(const clang::Stmt& part) {
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(&part)) {
    const auto isNull = [&](const clang::Expr* side) {
      return side->isNullPointerConstant(context_, clang::Expr::NPC_ValueDependentIsNull) !=
             clang::Expr::NPCK_NotNull;
    };
    if (operation->getOpcode() == clang::BO_Assign) {
      noteValue(localOf(*operation->getLHS()->IgnoreParenCasts()), operation->getRHS());
    } else if (operation->isLogicalOp() ||
               (operation->isEqualityOp() && (isNull(operation->getLHS()) || isNull(operation->getRHS())))) {
      noteTest(operation->getLHS());
      noteTest(operation->getRHS());
    }
  } else if (const auto* inverted = llvm::dyn_cast<clang::UnaryOperator>(&part)) {
    if (inverted->getOpcode() == clang::UO_LNot) noteTest(inverted->getSubExpr());
  } else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(&part)) {
    noteTest(branch->getCond());
  } else if (const auto* whileLoop = llvm::dyn_cast<clang::WhileStmt>(&part)) {
    noteTest(whileLoop->getCond());
  } else if (const auto* doLoop = llvm::dyn_cast<clang::DoStmt>(&part)) {
    noteTest(doLoop->getCond());
  } else if (const auto* forLoop = llvm::dyn_cast<clang::ForStmt>(&part)) {
    noteTest(forLoop->getCond());
  } else if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&part)) {
    noteTest(choice->getCond());
  } else if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&part)) {
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one))
        noteValue(variable->hasLocalStorage() ? variable : nullptr, variable->getInit());
  }
  for (const clang::Stmt* inner : part.children())
    if (inner) collect(*inner);
}

void TestedPointers::add(const clang::Stmt& body) {
  collect(body);
  for (const clang::VarDecl* local : testedLocals_)
    if (const auto values = valuesOf_.find(local); values != valuesOf_.end())
      tested_.insert(values->second.begin(), values->second.end());
  testedLocals_.clear();
  valuesOf_.clear();
}

std::set<std::string> TestedPointers::found() const {
  return tested_;
}

}  // namespace heddle
