#include "analysis/compile/partial_unit.h"

#include <algorithm>
#include <functional>
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"

namespace heddle {
namespace {

constexpr size_t kMostErrors = 100'000;

/// Types that rest on a name which nothing declares; Clang goes on with `int` in its place.
class UnknownTypes {
 public:
  void add(const clang::RecordDecl& record) { records_.insert(record.getCanonicalDecl()); }
  void add(const clang::TypedefNameDecl& alias) { aliases_.insert(&alias); }

  /// An object of the type is as large as it should be: whatever a pointer leads to.
  bool hasSize(clang::QualType type) const {
    while (!type.isNull()) {
      if (const auto* alias = type->getAs<clang::TypedefType>()) {
        if (aliases_.contains(alias->getDecl()) && !alias->isPointerType()) return false;
        type = alias->desugar();
      } else if (const clang::ArrayType* array = type->getAsArrayTypeUnsafe()) {
        type = array->getElementType();
      } else if (const auto* atomic = type->getAs<clang::AtomicType>()) {
        type = atomic->getValueType();
      } else {
        const clang::RecordDecl* record = type->getAsRecordDecl();
        return record == nullptr || !records_.contains(record->getCanonicalDecl());
      }
    }
    return true;
  }
  /// A value of the type is what it should be.
  bool isKnown(clang::QualType type) const {
    if (type.isNull() || !hasSize(type)) return false;
    for (const auto* alias = type->getAs<clang::TypedefType>(); alias != nullptr;
         alias = alias->desugar()->getAs<clang::TypedefType>())
      if (aliases_.contains(alias->getDecl())) return false;
    return true;
  }

 private:
  std::set<const clang::TagDecl*> records_;
  std::set<const clang::TypedefNameDecl*> aliases_;
};

/// An expression that Clang could not make sense of, the use of a declaration that it could not, or of a type
/// that is not known.
class ErrorFinder : public clang::RecursiveASTVisitor<ErrorFinder> {
 public:
  explicit ErrorFinder(const UnknownTypes& unknown) : unknown_(unknown) {}
  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool VisitExpr(clang::Expr* expression) {
    return note(!expression->containsErrors() && unknown_.isKnown(expression->getType()));
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) { return note(!use->getDecl()->isInvalidDecl()); }
  bool VisitMemberExpr(clang::MemberExpr* use) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(use->getMemberDecl());
    return note(field == nullptr ||
                (!field->isInvalidDecl() &&
                 unknown_.hasSize(field->getASTContext().getCanonicalTagType(field->getParent()))));
  }
  bool VisitUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr* of) {
    return note(unknown_.hasSize(of->getTypeOfArgument()));
  }
  bool VisitBinaryOperator(clang::BinaryOperator* sum) { return noteSteps(*sum); }
  bool VisitUnaryOperator(clang::UnaryOperator* step) { return noteSteps(*step); }
  bool VisitDecl(clang::Decl* declaration) {
    const auto* value = llvm::dyn_cast<clang::ValueDecl>(declaration);
    return note(!declaration->isInvalidDecl() && (value == nullptr || unknown_.isKnown(value->getType())));
  }
  // NOLINTEND(readability-identifier-naming)
  bool found() const { return found_; }

 private:
  /// A pointer goes on by the size of what it points to.
  bool noteSteps(const clang::Expr& expression) {
    const clang::QualType target = expression.getType()->getPointeeType();
    return note(target.isNull() || unknown_.hasSize(target));
  }
  bool note(bool isRight) {
    found_ |= !isRight;
    return isRight;
  }
  const UnknownTypes& unknown_;
  bool found_ = false;
};

/// Calls for each structure, union and enumeration that is defined in a declaration, the inner ones first.
class TagVisitor : public clang::RecursiveASTVisitor<TagVisitor> {
 public:
  explicit TagVisitor(std::function<void(clang::TagDecl&)> visit) : visit_(std::move(visit)) {}
  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool shouldTraversePostOrder() const { return true; }
  bool VisitTagDecl(clang::TagDecl* tag) {
    if (tag->isThisDeclarationADefinition()) visit_(*tag);
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  std::function<void(clang::TagDecl&)> visit_;
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
      judgeIn(*declaration);
      if (!isWrong(*declaration)) {
        if (!inner_->HandleTopLevelDecl(clang::DeclGroupRef(declaration))) return false;
        continue;
      }
      wrong_.insert(declaration);
      if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
        leaveOut(*function);
      else if (auto* alias = llvm::dyn_cast<clang::TypedefNameDecl>(declaration);
               alias != nullptr && !isOnlyInTag(*alias))
        unknown_.add(*alias);
      else if (llvm::isa<clang::VarDecl>(declaration))
        declaration->setInvalidDecl();  // who uses it does not compile either
    }
    known_ = unit_.errors.size();
    return true;
  }
  void HandleInterestingDecl(clang::DeclGroupRef group) override { inner_->HandleInterestingDecl(group); }
  void HandleTagDeclDefinition(clang::TagDecl* tag) override {
    forget();
    judgeIn(*tag);
    if (!tag->isInvalidDecl() && tag->isCompleteDefinition()) inner_->HandleTagDeclDefinition(tag);
  }
  void HandleTagDeclRequiredDefinition(const clang::TagDecl* tag) override {
    forget();
    if (!tag->isInvalidDecl() && tag->isCompleteDefinition()) inner_->HandleTagDeclRequiredDefinition(tag);
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

  bool isInside(clang::SourceLocation error, clang::SourceLocation begin, clang::SourceLocation end) const {
    const clang::SourceManager& sources = context_->getSourceManager();
    return !sources.isBeforeInTranslationUnit(error, sources.getExpansionLoc(begin)) &&
           !sources.isBeforeInTranslationUnit(sources.getExpansionRange(end).getEnd(), error);
  }
  /// Errors before were found in other declarations.
  bool hasError(clang::SourceLocation begin, clang::SourceLocation end) const {
    return std::any_of(unit_.errors.begin() + static_cast<ptrdiff_t>(known_), unit_.errors.end(),
                       [&](const PartialUnit::Error& error) { return isInside(error.place, begin, end); });
  }
  bool hasError(const clang::Decl& declaration) const {
    return hasError(declaration.getBeginLoc(), declaration.getEndLoc());
  }

  void judgeIn(clang::Decl& declaration) {
    TagVisitor([this](clang::TagDecl& tag) { judge(tag); }).TraverseDecl(&declaration);
  }
  void judge(clang::TagDecl& tag) {
    if (auto* record = llvm::dyn_cast<clang::RecordDecl>(&tag); record != nullptr && !hasSize(*record)) {
      unknown_.add(*record);
      // As if it were only declared: who lays it out, for debug information too, would lay out its parts. Of
      // one that is wrong Clang would drop expressions without a word.
      record->setCompleteDefinition(false);
      record->setInvalidDecl(false);
    }
    // A constant whose value is not known decides those behind it.
    if (auto* enumeration = llvm::dyn_cast<clang::EnumDecl>(&tag); enumeration != nullptr && hasError(tag))
      for (clang::EnumConstantDecl* constant : enumeration->enumerators()) constant->setInvalidDecl();
  }

  /// Whatever is wrong in it, its fields lie where they should.
  bool hasSize(const clang::RecordDecl& record) const {
    const auto isOfPointer = [&](clang::SourceLocation error) {
      return std::any_of(record.field_begin(), record.field_end(), [&](const clang::FieldDecl* field) {
        return field->getType()->isPointerType() && isInside(error, field->getBeginLoc(), field->getEndLoc());
      });
    };
    for (size_t i = known_; i < unit_.errors.size(); ++i)
      if (isInside(unit_.errors[i].place, record.getBeginLoc(), record.getEndLoc()) &&
          !isOfPointer(unit_.errors[i].place))
        return false;
    return std::all_of(record.field_begin(), record.field_end(),
                       [&](const clang::FieldDecl* field) { return unknown_.hasSize(field->getType()); });
  }

  /// Its errors are those of the structure that it names, of which more is known.
  bool isOnlyInTag(const clang::TypedefNameDecl& alias) const {
    const clang::TagDecl* tag = alias.getUnderlyingType()->getAsTagDecl();
    return tag != nullptr && hasError(*tag) && !hasError(alias.getBeginLoc(), tag->getBeginLoc()) &&
           !hasError(tag->getEndLoc(), alias.getEndLoc());
  }

  bool isWrong(clang::Decl& declaration) {
    // An initializer that does not compile is no part of the variable; what was parsed last is.
    const bool isVariable = llvm::isa<clang::VarDecl>(declaration);
    const auto isBehindBegin = [&](const PartialUnit::Error& error) {
      return isInside(error.place, declaration.getBeginLoc(), error.place);
    };
    if (isVariable &&
        std::any_of(unit_.errors.begin() + static_cast<ptrdiff_t>(known_), unit_.errors.end(), isBehindBegin))
      return true;
    if (hasError(declaration)) return true;
    if (llvm::isa<clang::TagDecl>(declaration)) return declaration.isInvalidDecl();
    ErrorFinder finder(unknown_);
    finder.TraverseDecl(&declaration);
    return finder.found();
  }

  void leaveOut(clang::FunctionDecl& function) {
    clang::Stmt* body = function.getBody();
    // Its parameters or its result are not what they should be: who calls it does not compile either.
    const bool isCallable = body != nullptr && !function.isInvalidDecl() &&
                            !hasError(function.getBeginLoc(), body->getBeginLoc()) &&
                            std::all_of(function.param_begin(), function.param_end(),
                                        [&](const clang::ParmVarDecl* parameter) {
                                          return unknown_.isKnown(parameter->getType());
                                        }) &&
                            unknown_.isKnown(function.getReturnType());
    if (!isCallable) function.setInvalidDecl();
    if (body == nullptr) return;
    const clang::SourceManager& sources = context_->getSourceManager();
    const clang::PresumedLoc at = sources.getPresumedLoc(sources.getExpansionLoc(function.getLocation()));
    PartialUnit::LeftOut& left = unit_.functions.emplace_back();
    left.name = function.getNameAsString();
    left.isStatic = function.getStorageClass() == clang::SC_Static;
    if (at.isValid()) left.place = {at.getFilename(), at.getLine(), at.getColumn(), left.name};
    left.function = &function;
    left.body = body;
    left.isParsed = std::none_of(unit_.errors.begin() + static_cast<ptrdiff_t>(known_), unit_.errors.end(),
                                 [](const PartialUnit::Error& error) { return error.isOfSyntax; });
    function.setBody(nullptr);
  }

  std::unique_ptr<clang::ASTConsumer> inner_;
  PartialUnit& unit_;
  clang::ASTContext* context_ = nullptr;
  size_t known_ = 0;  // errors when the last declaration came
  std::set<const clang::Decl*> wrong_;
  UnknownTypes unknown_;
};

bool isOfSyntax(unsigned diagnostic) {
  const llvm::StringRef category =
      clang::DiagnosticIDs::getCategoryNameFromID(clang::DiagnosticIDs::getCategoryNumberForDiag(diagnostic));
  return category == "Parse Issue" || category == "Lexical or Preprocessor Issue";
}

}  // namespace

void ErrorPlaces::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  inner_->HandleDiagnostic(level, info);
  if (level < clang::DiagnosticsEngine::Error || !info.hasSourceManager() || !info.getLocation().isValid())
    return;
  if (unit_.errors.size() < kMostErrors)
    unit_.errors.push_back(
        {info.getSourceManager().getExpansionLoc(info.getLocation()), isOfSyntax(info.getID())});
  if (info.getID() == clang::diag::err_unknown_typename &&
      info.getArgKind(0) == clang::DiagnosticsEngine::ak_identifierinfo)
    unit_.unknownTypes.insert(info.getArgIdentifier(0)->getName().str());
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
