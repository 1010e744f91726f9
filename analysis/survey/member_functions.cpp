#include "analysis/survey/member_functions.h"

#include <algorithm>

#include "analysis/survey/data_name.h"
#include "clang/AST/Stmt.h"

namespace heddle {
namespace {

/// The name of a member or variable that points to a function; empty: it is none.
std::string hookName(const clang::Expr& expression) {
  const clang::Expr* stripped = expression.IgnoreParenCasts();
  return stripped->getType()->isFunctionPointerType() ? dataName(*stripped) : "";
}

/// A harness behind the text can name it, and knows what it does.
bool isDefinedInFile(const clang::FunctionDecl& function) {
  const auto isOutside = [](const clang::FunctionDecl* declared) {
    return declared->getLexicalDeclContext()->isFileContext();
  };
  return function.isDefined() && function.getIdentifier() &&
         std::any_of(function.redecls_begin(), function.redecls_end(), isOutside);
}

}  // namespace

void MemberFunctions::put(const std::string& hook, const clang::Expr& value) {
  if (hook.empty()) return;
  const clang::Expr* stripped = value.IgnoreParenCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(stripped);
      address && address->getOpcode() == clang::UO_AddrOf)
    stripped = address->getSubExpr()->IgnoreParenCasts();
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(stripped);
  const auto* function = reference ? llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()) : nullptr;
  if (function && isDefinedInFile(*function)) ++seen_[hook].functions[function->getName().str()];
}

void MemberFunctions::noteTest(const clang::Expr* condition) {
  const std::string hook = condition ? hookName(*condition) : "";
  if (!hook.empty()) seen_[hook].isTested = true;
}

void MemberFunctions::add(const clang::Stmt& part) {
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(&part)) {
    const clang::RecordDecl* record = list->getType()->getAsRecordDecl();
    unsigned index = 0;
    if (record && !record->isUnion())
      for (const clang::FieldDecl* field : record->fields()) {
        if (field->isUnnamedBitField()) continue;
        if (index == list->getNumInits()) break;
        put(field->getType()->isFunctionPointerType() ? fieldName(*field) : "", *list->getInit(index));
        ++index;
      }
  } else if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(&part)) {
    const auto isNull = [&](const clang::Expr* side) {
      return side->isNullPointerConstant(context_, clang::Expr::NPC_ValueDependentIsNull) !=
             clang::Expr::NPCK_NotNull;
    };
    if (operation->getOpcode() == clang::BO_Assign) {
      put(hookName(*operation->getLHS()), *operation->getRHS());
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
  } else if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&part)) {
    noteTest(choice->getCond());
  }
  for (const clang::Stmt* inner : part.children())
    if (inner) add(*inner);
}

std::map<std::string, SurveyHook> MemberFunctions::found() const {
  std::map<std::string, SurveyHook> hooks;
  for (const auto& [member, seen] : seen_) {
    const auto most = std::max_element(seen.functions.begin(), seen.functions.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    hooks[member] = {most == seen.functions.end() ? "" : most->first, seen.isTested};
  }
  return hooks;
}

}  // namespace heddle
