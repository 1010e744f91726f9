// Atomic access: the variable gets an _Atomic type, so that each of its reads, writes and updates is one
// operation.
#include <algorithm>

#include "analysis/repair/declaration_group.h"
#include "analysis/repair/lock_declaration.h"
#include "analysis/repair/plan_scene.h"
#include "analysis/repair/syntax_tree.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

/// The variable or member that the plan's accesses name; null: they name several or none.
const clang::DeclaratorDecl* accessed(PlanScene& scene) {
  const std::string object = scene.plan.objects.empty() ? "" : scene.plan.objects.front();
  if (const clang::VarDecl* variable = globalNamed(object, scene.context)) return variable;
  // "queue.count", "list[2].value", "queue->count": the member that its statements access.
  const size_t dot = object.find_last_of(".>");
  const std::string member = dot == std::string::npos ? "" : identifierOf(object.substr(dot + 1));
  const clang::DeclaratorDecl* found = nullptr;
  for (const std::vector<SourceAccess>& region : scene.plan.regions)
    for (const SourceAccess& access : region) {
      const FunctionShape* shape = nullptr;
      const clang::Stmt* s = scene.statementAt(access, shape);
      if (s == nullptr) return nullptr;
      for (const clang::Stmt* inner : FunctionShape::below(s)) {
        const clang::DeclaratorDecl* named = nullptr;
        if (const auto* field = llvm::dyn_cast<clang::MemberExpr>(inner)) {
          if (field->getMemberDecl()->getName() == member)
            named = llvm::dyn_cast<clang::FieldDecl>(field->getMemberDecl());
        } else if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(inner)) {
          if (name->getDecl()->getName() == object) named = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
        }
        if (named == nullptr) continue;
        if (found != nullptr && found->getCanonicalDecl() != named->getCanonicalDecl()) return nullptr;
        found = named;
      }
    }
  return found;
}

/// Its address is taken, so that code elsewhere may access it by a pointer to a plain type.
bool addressTaken(const clang::DeclaratorDecl* target, const clang::ASTContext& context) {
  for (const clang::FunctionDecl* function : definedFunctions(context))
    for (const clang::Stmt* s : FunctionShape::below(function->getBody())) {
      const auto* address = llvm::dyn_cast<clang::UnaryOperator>(s);
      if (address == nullptr || address->getOpcode() != clang::UO_AddrOf) continue;
      const clang::Expr* of = address->getSubExpr()->IgnoreParenImpCasts();
      if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(of))
        if (name->getDecl()->getCanonicalDecl() == target->getCanonicalDecl()) return true;
      if (const auto* field = llvm::dyn_cast<clang::MemberExpr>(of))
        if (field->getMemberDecl()->getCanonicalDecl() == target->getCanonicalDecl()) return true;
    }
  return false;
}

}  // namespace

void realizeAtomicAccess(PlanScene& scene) {
  const clang::DeclaratorDecl* target = accessed(scene);
  if (!scene.problem.empty()) return;
  if (target == nullptr) return scene.fail("no single variable is accessed");
  const std::string name = target->getName().str();
  const clang::QualType type = target->getType();
  if (!type->isIntegerType() && !type->isPointerType())
    return scene.fail("'" + name + "' is neither an integer nor a pointer");
  if (type->isAtomicType()) return scene.fail("'" + name + "' is atomic already");
  if (scene.context.getTypeSize(type) > 64)
    return scene.fail("'" + name + "' is too large for an atomic operation");
  if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(target); field != nullptr && field->isBitField())
    return scene.fail("'" + name + "' is a bit-field");
  if (addressTaken(target, scene.context)) return scene.fail("the address of '" + name + "' is taken");
  const clang::SourceManager& sources = scene.context.getSourceManager();
  for (const clang::Decl* declared : target->redecls()) {
    const auto* decl = llvm::cast<clang::DeclaratorDecl>(declared);
    const clang::SourceLocation at = decl->getLocation();
    // `bool` is a macro: its use is the whole of the type.
    const bool isTypeMacro = decl->getBeginLoc().isMacroID() &&
                             decl->getBeginLoc() == decl->getTypeSpecStartLoc() &&
                             sources.isInSystemMacro(decl->getBeginLoc());
    if (at.isMacroID() || (decl->getBeginLoc().isMacroID() && !isTypeMacro))
      return scene.fail("'" + name + "' is declared in a macro");
    if (sources.isInSystemHeader(at)) return scene.fail("'" + name + "' is declared in a system header");
    const auto [file, offset] = sources.getDecomposedLoc(at);
    const clang::SourceLocation typeAt = sources.getExpansionLoc(decl->getTypeSpecStartLoc());
    if (type->isPointerType()) {
      // "int *p" is "int *_Atomic p": the pointer is what is shared.
      scene.edits.insert(pathOf(file, scene.context), offset, "_Atomic ");
      continue;
    }
    // A type before several declarators would change the others as well.
    if (sharesDeclaration(*decl)) {
      if (const std::string problem = declareApart(*decl, "_Atomic ", scene.context, scene.edits);
          !problem.empty())
        return scene.fail(problem);
      continue;
    }
    const auto [typeFile, typeOffset] = sources.getDecomposedLoc(typeAt);
    scene.edits.insert(pathOf(typeFile, scene.context), typeOffset, "_Atomic ");
  }
  scene.title = "make '" + name + "' atomic";
}

}  // namespace heddle
