#include "analysis/survey/shared_buffers.h"

#include <algorithm>

#include "analysis/survey/data_name.h"
#include "analysis/survey/source_line.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace heddle {
namespace {

class BufferVisitor : public clang::RecursiveASTVisitor<BufferVisitor> {
 public:
  BufferVisitor(clang::ASTContext& context, SurveyFunction& out) : context_(context), out_(out) {}

  bool VisitCallExpr(const clang::CallExpr* call) {
    for (const clang::Expr* argument : call->arguments()) note(*argument);
    return true;
  }

  bool VisitVarDecl(const clang::VarDecl* variable) {
    if (variable->getInit()) note(*variable->getInit());
    return true;
  }

  bool VisitBinaryOperator(const clang::BinaryOperator* operation) {
    if (operation->getOpcode() == clang::BO_Assign) note(*operation->getRHS());
    return true;
  }

 private:
  /// What is given where it may be written.
  void note(const clang::Expr& given) {
    const clang::QualType type = given.getType();
    if (!type->isPointerType() || type->getPointeeType().isConstQualified()) return;
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(given.IgnoreParenImpCasts());
    const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    if (!variable || !variable->hasGlobalStorage() || variable->hasExternalFormalLinkage() ||
        variable->getTLSKind() != clang::VarDecl::TLS_None)
      return;
    const clang::ArrayType* array = context_.getAsArrayType(variable->getType());
    const clang::QualType element = array ? array->getElementType() : clang::QualType();
    if (!array || !element->isAnyCharacterType() || element.isConstQualified() ||
        element.isVolatileQualified())
      return;
    SurveyAccess access;
    access.data = dataName(*reference);
    access.lines.insert(lineOf(given, context_));
    access.isWrite = access.isGlobal = access.isStatic = true;
    if (!access.data.empty()) out_.accesses.push_back(std::move(access));
  }

  clang::ASTContext& context_;
  SurveyFunction& out_;
};

}  // namespace

void addSharedBuffers(clang::ASTContext& context, const clang::FunctionDecl& function, SurveyFunction& out) {
  if (!out.locks) BufferVisitor(context, out).TraverseStmt(function.getBody());
}

}  // namespace heddle
