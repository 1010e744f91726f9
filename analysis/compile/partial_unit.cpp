#include "analysis/compile/partial_unit.h"

#include <algorithm>
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"

namespace heddle {
namespace {

constexpr size_t kMostErrors = 100'000;

using Records = std::set<const clang::RecordDecl*>;

/// An expression that Clang could not make sense of, or the use of a declaration that it could not, or of
/// what lies in one of the records.
class ErrorFinder : public clang::RecursiveASTVisitor<ErrorFinder> {
 public:
  explicit ErrorFinder(const Records& unknown) : unknown_(unknown) {}
  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool VisitExpr(clang::Expr* expression) { return note(!expression->containsErrors()); }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) { return note(!use->getDecl()->isInvalidDecl()); }
  bool VisitMemberExpr(clang::MemberExpr* use) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(use->getMemberDecl());
    return note(!use->getMemberDecl()->isInvalidDecl() &&
                (field == nullptr || !unknown_.contains(field->getParent())));
  }
  bool VisitUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr* of) {
    const clang::RecordDecl* record = of->getTypeOfArgument()->getAsRecordDecl();
    return note(record == nullptr || record->getDefinition() == nullptr ||
                !unknown_.contains(record->getDefinition()));
  }
  bool VisitDecl(clang::Decl* declaration) { return note(!declaration->isInvalidDecl()); }
  // NOLINTEND(readability-identifier-naming)
  bool found() const { return found_; }

 private:
  bool note(bool isRight) {
    found_ |= !isRight;
    return isRight;
  }
  const Records& unknown_;
  bool found_ = false;
};

class PartialConsumer : public clang::ASTConsumer {
 public:
  PartialConsumer(std::unique_ptr<clang::ASTConsumer> inner, PartialUnit& unit)
      : inner_(std::move(inner)), unit_(unit) {}

  void Initialize(clang::ASTContext& context) override {
    context_ = &context;
    inner_->Initialize(context);
  }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    forget();
    for (clang::Decl* declaration : group) {
      const bool isRight = !isWrong(*declaration);
      if (auto* record = llvm::dyn_cast<clang::RecordDecl>(declaration);
          record != nullptr && !hasSize(*record))
        unknown_.insert(record);
      auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
      if (!isRight && function != nullptr && function->doesThisDeclarationHaveABody()) leaveOut(*function);
      if (!isRight) wrong_.insert(declaration);
      if (isRight && !inner_->HandleTopLevelDecl(clang::DeclGroupRef(declaration))) return false;
    }
    known_ = unit_.errors.size();
    return true;
  }
  void HandleInterestingDecl(clang::DeclGroupRef group) override { inner_->HandleInterestingDecl(group); }
  void HandleTagDeclDefinition(clang::TagDecl* tag) override {
    forget();
    if (!tag->isInvalidDecl()) inner_->HandleTagDeclDefinition(tag);
  }
  void HandleTagDeclRequiredDefinition(const clang::TagDecl* tag) override {
    forget();
    if (!tag->isInvalidDecl()) inner_->HandleTagDeclRequiredDefinition(tag);
  }
  void CompleteTentativeDefinition(clang::VarDecl* variable) override {
    forget();
    if (!wrong_.contains(variable)) inner_->CompleteTentativeDefinition(variable);
  }
  void CompleteExternalDeclaration(clang::DeclaratorDecl* declaration) override {
    forget();
    if (!declaration->isInvalidDecl()) inner_->CompleteExternalDeclaration(declaration);
  }
  void HandleTranslationUnit(clang::ASTContext& context) override {
    forget();
    inner_->HandleTranslationUnit(context);
  }

 private:
  void forget() { context_->getDiagnostics().Reset(true); }

  bool isInside(clang::SourceLocation error, const clang::Decl& declaration) const {
    const clang::SourceManager& sources = context_->getSourceManager();
    return !sources.isBeforeInTranslationUnit(error, sources.getExpansionLoc(declaration.getBeginLoc())) &&
           !sources.isBeforeInTranslationUnit(sources.getExpansionRange(declaration.getEndLoc()).getEnd(),
                                              error);
  }

  /// Whatever is wrong in it, its fields lie where they should: a pointer to what is not known has its size.
  bool hasSize(const clang::RecordDecl& record) const {
    for (size_t i = known_; i < unit_.errors.size(); ++i) {
      const clang::SourceLocation error = unit_.errors[i];
      const bool isOfPointer =
          std::any_of(record.field_begin(), record.field_end(), [&](const clang::FieldDecl* field) {
            return field->getType()->isPointerType() && isInside(error, *field);
          });
      if (isInside(error, record) && !isOfPointer) return false;
    }
    return true;
  }

  bool isWrong(clang::Decl& declaration) {
    // Those before were found in other declarations.
    const auto first = unit_.errors.begin() + static_cast<ptrdiff_t>(known_);
    const auto isOfIt = [&](clang::SourceLocation error) { return isInside(error, declaration); };
    if (std::any_of(first, unit_.errors.end(), isOfIt)) return true;
    ErrorFinder finder(unknown_);
    finder.TraverseDecl(&declaration);
    return finder.found();
  }

  void leaveOut(clang::FunctionDecl& function) {
    function.setBody(nullptr);
    unit_.functions.push_back({function.getNameAsString(), function.getStorageClass() == clang::SC_Static});
  }

  std::unique_ptr<clang::ASTConsumer> inner_;
  PartialUnit& unit_;
  clang::ASTContext* context_ = nullptr;
  size_t known_ = 0;  // errors when the last declaration came
  std::set<const clang::Decl*> wrong_;
  Records unknown_;  // whose fields may lie elsewhere
};

}  // namespace

void ErrorPlaces::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  inner_->HandleDiagnostic(level, info);
  if (level < clang::DiagnosticsEngine::Error || !info.hasSourceManager() || !info.getLocation().isValid())
    return;
  if (unit_.errors.size() < kMostErrors)
    unit_.errors.push_back(info.getSourceManager().getExpansionLoc(info.getLocation()));
}

void goOnPastErrors(clang::CompilerInstance& instance) {
  instance.getDiagnostics().setErrorLimit(0);
  instance.getDiagnostics().setFatalsAsError(true);
}

std::unique_ptr<clang::ASTConsumer> partialConsumer(std::unique_ptr<clang::ASTConsumer> inner,
                                                    PartialUnit& unit) {
  return std::make_unique<PartialConsumer>(std::move(inner), unit);
}

}  // namespace heddle
