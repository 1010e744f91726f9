// A function that returns the address of a static array of its own (a text that it has put together): two
// threads write the same array. Each thread gets one of its own.
//
// A static counter is none of these: threads mean to share it.
#include "analysis/repair/plan_scene.h"
#include "analysis/repair/statement_writer.h"
#include "clang/AST/Expr.h"
#include "clang/Lex/Lexer.h"

namespace heddle {
namespace {

using clang::Stmt;
using llvm::dyn_cast;

/// The function's static array of that name, of which it returns the address; null: there is none.
const clang::VarDecl* returnedArray(const clang::FunctionDecl& function, const std::string& name) {
  const clang::VarDecl* array = nullptr;
  bool isReturned = false;
  const std::vector<const Stmt*> all = FunctionShape::below(function.getBody());
  for (const Stmt* s : all)
    if (const auto* declared = dyn_cast<clang::DeclStmt>(s))
      for (const clang::Decl* one : declared->decls()) {
        const auto* variable = dyn_cast<clang::VarDecl>(one);
        if (variable != nullptr && variable->getName() == name && variable->isStaticLocal() &&
            variable->getType()->isArrayType() && variable->getTSCSpec() == clang::TSCS_unspecified &&
            declared->isSingleDecl())
          array = variable;
      }
  for (const Stmt* s : all) {
    const auto* leave = dyn_cast<clang::ReturnStmt>(s);
    isReturned |= array != nullptr && leave != nullptr && leave->getRetValue() != nullptr &&
                  variableIn(leave->getRetValue()) == array;
  }
  return isReturned ? array : nullptr;
}

}  // namespace

void realizeThreadLocal(PlanScene& scene) {
  if (scene.plan.objects.empty()) return scene.fail("the plan names no object");
  const std::string name = identifierOf(scene.plan.objects.front());
  for (const clang::FunctionDecl* function : definedFunctions(scene.context)) {
    const clang::VarDecl* array = returnedArray(*function, name);
    if (array == nullptr || array->getBeginLoc().isMacroID()) continue;
    const clang::SourceManager& sources = scene.context.getSourceManager();
    const clang::SourceLocation end =
        clang::Lexer::getLocForEndOfToken(array->getBeginLoc(), 0, sources, scene.context.getLangOpts());
    const auto [file, at] = sources.getDecomposedLoc(end);
    if (end.isInvalid() || pathOf(file, scene.context).empty()) continue;
    scene.edits.insert(pathOf(file, scene.context), at, " _Thread_local");
    scene.title = "give each thread its own '" + name + "', in '" + function->getName().str() + "'";
    return;
  }
  scene.fail("no function returns the address of a static array of that name");
}

}  // namespace heddle
