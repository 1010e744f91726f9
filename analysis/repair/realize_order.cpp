// Orders between threads: one waits until the other has signalled, or the access moves to before the thread
// that uses its data is created.
#include <algorithm>

#include "analysis/repair/layout.h"
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/lock_declaration.h"
#include "analysis/repair/plan_scene.h"
#include "analysis/repair/statement_writer.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

using clang::Stmt;

bool leaves(const Stmt* statement) {
  return llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt>(statement);
}

std::string baseName(const SourceAccess& access, const char* otherwise) {
  const std::string name = identifierOf(access.object);
  return name.empty() ? otherwise : name;
}

/// The statement of `access` in `place`'s function.
PlacedRegion placeOne(PlanScene& scene, const SourceAccess& access) {
  PlacedRegion placed = scene.place({access});
  if (scene.problem.empty() && placed.statements.empty()) scene.fail("no statement contains the access");
  return placed;
}

/// All local variables of the statement are declared before `where`.
bool knowsNames(const Stmt* statement, const Stmt* where, const clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  for (const Stmt* s : FunctionShape::below(statement)) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(s);
    const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable != nullptr && variable->isLocalVarDecl() &&
        !sources.isBeforeInTranslationUnit(variable->getEndLoc(), where->getBeginLoc()))
      return false;
  }
  return true;
}

}  // namespace

void realizeSignalWait(PlanScene& scene) {
  if (scene.plan.orders.empty()) return scene.fail("the plan names no order");
  const std::string base = baseName(scene.plan.orders.front().before, "order");
  const std::string mutex = freshName(base + "_mutex", scene.context);
  const std::string condition = freshName(base + "_changed", scene.context);
  std::vector<NewGlobal> globals = {{"pthread_mutex_t", mutex, "PTHREAD_MUTEX_INITIALIZER"},
                                    {"pthread_cond_t", condition, "PTHREAD_COND_INITIALIZER"}};
  std::vector<const clang::FunctionDecl*> users;
  std::vector<std::string> objects;
  size_t number = 0;
  for (const PlannedOrder& order : scene.plan.orders) {
    ++number;
    std::string wanted = base + "_done";
    if (scene.plan.orders.size() > 1) wanted += std::to_string(number);
    const std::string counter = freshName(wanted, scene.context);
    globals.push_back({"int", counter, ""});
    const PlacedRegion from = placeOne(scene, order.before), to = placeOne(scene, order.after);
    if (!scene.problem.empty()) return;
    const Stmt* source = from.statements.back();
    const Stmt* target = to.statements.front();
    if (leaves(source))
      return scene.fail("the access that must come first is part of a statement that leaves");
    StatementWriter first(*from.shape, scene.edits), second(*to.shape, scene.edits);
    const std::string lock = "pthread_mutex_lock(&" + mutex + ");\n";
    const std::string unlock = "pthread_mutex_unlock(&" + mutex + ");";
    const bool once = order.signals <= 1;
    const std::string signal = lock + counter + (once ? " = 1;\n" : "++;\n") + "pthread_cond_broadcast(&" +
                               condition + ");\n" + unlock;
    const std::string wait =
        lock + "while (" + (once ? "!" + counter : counter + " < " + std::to_string(order.signals)) + ")\n" +
        second.unit() + "pthread_cond_wait(&" + condition + ", &" + mutex + ");\n" + unlock;
    const Stmt* top = source;
    if (first.isInBlock(top))
      first.after(top, signal);
    else
      first.braced(top, "", signal);
    if (second.isInBlock(target))
      second.before(target, wait);
    else
      second.braced(target, wait, "");
    if (!first.problem().empty()) return scene.fail(first.problem());
    if (!second.problem().empty()) return scene.fail(second.problem());
    users.push_back(&from.shape->function());
    users.push_back(&to.shape->function());
    if (std::find(objects.begin(), objects.end(), order.before.object) == objects.end())
      objects.push_back(order.before.object);
  }
  const clang::VarDecl* beside =
      globalNamed(identifierOf(scene.plan.orders.front().before.object), scene.context);
  scene.newLock = true;
  scene.fail(declareGlobals(globals, beside, users, scene.context, scene.edits));
  scene.title = "wait for " + quotedList(objects) + " with a condition variable '" + condition + "'";
}

void realizeMoveBeforeCreate(PlanScene& scene) {
  if (scene.plan.orders.empty() || !scene.plan.create) return scene.fail("the plan names no create");
  const SourceAccess& access = scene.plan.orders.front().before;
  const PlacedRegion both = scene.place({access, *scene.plan.create});
  if (!scene.problem.empty()) return;
  if (both.statements.size() != 2) return scene.fail("the access or the create has several places");
  const Stmt* moved = both.statements[0];
  const Stmt* create = both.statements[1];
  if (moved == create) return scene.fail("the access and the create are one statement");
  StatementWriter writer(*both.shape, scene.edits);
  const std::string name = baseName(access, "the access");
  const auto text = [&](const Stmt* s) {
    const auto span = writer.span(s);
    return span ? std::string(writer.text(*span).substr(span->begin, span->end - span->begin)) : "";
  };
  if (scene.style.moveCreate) {
    if (!llvm::isa<clang::Expr>(create) || !writer.isInBlock(create) || !writer.isInBlock(moved))
      return scene.fail("pthread_create is no statement of its own");
    writer.after(moved, text(create));
    writer.remove(create);
    scene.title = "create the thread after '" + name + "' is set";
  } else {
    if (!llvm::isa<clang::Expr>(moved) || !writer.isInBlock(moved) || !writer.isInBlock(create))
      return scene.fail("the access is no statement of its own");
    if (!knowsNames(moved, create, scene.context))
      return scene.fail("it uses variables that are declared after pthread_create");
    writer.before(create, text(moved));
    writer.remove(moved);
    scene.title = "set '" + name + "' before the thread is created";
  }
  scene.fail(writer.problem());
}

void realizeLoopAroundWait(PlanScene& scene) {
  if (scene.plan.regions.empty() || scene.plan.regions.front().empty())
    return scene.fail("the plan names no wait");
  const FunctionShape* shape = nullptr;
  const Stmt* wait = scene.statementAt(scene.plan.regions.front().front(), shape);
  if (wait == nullptr) return;
  for (const Stmt* s = wait; s != nullptr; s = shape->parent(s)) {
    if (llvm::isa<clang::WhileStmt, clang::ForStmt, clang::DoStmt>(s))
      return scene.fail("the wait stands in a loop already");
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
    if (branch == nullptr) continue;
    if (branch->getElse() != nullptr) return scene.fail("the condition of the wait has an else branch");
    if (branch->getIfLoc().isMacroID()) return scene.fail("the condition of the wait comes out of a macro");
    const clang::SourceManager& sources = scene.context.getSourceManager();
    const auto [file, offset] = sources.getDecomposedLoc(branch->getIfLoc());
    scene.edits.replace(pathOf(file, scene.context), offset, offset + 2, "while");
    scene.title = "check the condition again after each wait";
    return;
  }
  scene.fail("nothing says what the wait is for: it has no condition");
}

}  // namespace heddle
