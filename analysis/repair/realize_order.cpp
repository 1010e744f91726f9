// Orders between threads: one waits until the other has signalled, or the access moves to before the thread
// that uses its data is created.
#include <algorithm>
#include <set>

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

/// The first statement of the join's block, before it, that makes one of the accesses; null: none does.
const Stmt* firstUse(PlanScene& scene, const FunctionShape& shape, const Stmt* join) {
  const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(shape.parent(join));
  if (block == nullptr || scene.plan.regions.empty()) return nullptr;
  std::set<const Stmt*> uses;
  for (const SourceAccess& access : scene.plan.regions.front()) {
    const std::string function = shape.function().getName().str();
    for (const Stmt* s : block->body()) {
      if (s == join) break;
      if (access.place.function != function ? scene.calls(s, access.place.function)
                                            : scene.contains(s, access))
        uses.insert(s);
    }
  }
  for (const Stmt* s : block->body())
    if (uses.count(s) != 0) return s;
  return nullptr;
}

std::string joinTitle(const RepairPlan& plan) {
  const SourceAccess& after = plan.orders.front().after;
  if (after.kind == AccessKind::Create) return "join the first thread before the next one is created";
  const std::string& object = after.object;
  const bool isMember = object.find("->") != std::string::npos;
  return "join the thread before '" + (isMember ? object : baseName(after, "its result")) + "' is used";
}

/// A pthread_join of the thread that `create` makes, before `use`.
void addJoin(PlanScene& scene, const FunctionShape& shape, StatementWriter& writer, const Stmt* use,
             const Stmt* create) {
  const clang::CallExpr* call = nullptr;
  for (const Stmt* s : FunctionShape::below(create))
    if (const auto* found = llvm::dyn_cast<clang::CallExpr>(s);
        found != nullptr && calleeName(*found) == "pthread_create" && found->getNumArgs() == 4)
      call = found;
  const auto* address = call == nullptr
                            ? nullptr
                            : llvm::dyn_cast<clang::UnaryOperator>(call->getArg(0)->IgnoreParenImpCasts());
  if (address == nullptr || address->getOpcode() != clang::UO_AddrOf)
    return scene.fail("the thread has no name that it could be joined by");
  // A loop over threads would need a loop over joins.
  for (const Stmt* s = shape.parent(create); s != nullptr && s != shape.parent(use); s = shape.parent(s))
    if (llvm::isa<clang::WhileStmt, clang::DoStmt, clang::ForStmt, clang::IfStmt>(s))
      return scene.fail("the thread is created in a loop or branch");
  if (!writer.isInBlock(use)) return scene.fail("the access is no statement of a block");
  writer.before(use, "pthread_join(" + printed(*address->getSubExpr(), scene.context) + ", NULL);");
  scene.title = joinTitle(scene.plan);
  scene.fail(writer.problem());
}

}  // namespace

void realizeSignalWait(PlanScene& scene) {
  if (scene.plan.orders.empty()) return scene.fail("the plan names no order");
  const std::string base = baseName(scene.plan.orders.front().before, "order");
  const std::string mutex = scene.newName(base, "_mutex");
  const std::string condition = scene.newName(base, "_changed");
  std::vector<NewGlobal> globals = {{"pthread_mutex_t", mutex, "PTHREAD_MUTEX_INITIALIZER"},
                                    {"pthread_cond_t", condition, "PTHREAD_COND_INITIALIZER"}};
  std::vector<const clang::FunctionDecl*> users;
  std::vector<std::string> objects;
  size_t number = 0;
  for (const PlannedOrder& order : scene.plan.orders) {
    ++number;
    const std::string counter = scene.newName(
        base, "_done" + (scene.plan.orders.size() > 1 ? std::to_string(number) : std::string()));
    globals.push_back({"int", counter, ""});
    const bool once = order.signals <= 1;
    const std::string lock = "pthread_mutex_lock(&" + mutex + ");\n";
    const std::string unlock = "pthread_mutex_unlock(&" + mutex + ");";
    if (scene.isHere(order.before)) {
      const PlacedRegion from = placeOne(scene, order.before);
      if (!scene.problem.empty()) return;
      const Stmt* source = from.statements.back();
      if (leaves(source))
        return scene.fail("the access that must come first is part of a statement that leaves");
      StatementWriter first(*from.shape, scene.edits);
      const std::string signal = lock + counter + (once ? " = 1;\n" : "++;\n") + "pthread_cond_broadcast(&" +
                                 condition + ");\n" + unlock;
      if (first.isInBlock(source))
        first.after(source, signal);
      else
        first.braced(source, "", signal);
      if (!first.problem().empty()) return scene.fail(first.problem());
      users.push_back(&from.shape->function());
    }
    if (scene.isHere(order.after)) {
      const PlacedRegion to = placeOne(scene, order.after);
      if (!scene.problem.empty()) return;
      const Stmt* target = to.statements.front();
      StatementWriter second(*to.shape, scene.edits);
      const std::string wait =
          lock + "while (" + (once ? "!" + counter : counter + " < " + std::to_string(order.signals)) +
          ")\n" + second.unit() + "pthread_cond_wait(&" + condition + ", &" + mutex + ");\n" + unlock;
      if (second.isInBlock(target))
        second.before(target, wait);
      else
        second.braced(target, wait, "");
      if (!second.problem().empty()) return scene.fail(second.problem());
      users.push_back(&to.shape->function());
    }
    if (std::find(objects.begin(), objects.end(), order.before.object) == objects.end())
      objects.push_back(order.before.object);
  }
  const clang::VarDecl* beside =
      globalNamed(identifierOf(scene.plan.orders.front().before.object), scene.context);
  scene.newLock = true;
  scene.fail(declareGlobals(globals, beside, users, scene.linkage(), scene.context, scene.edits));
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

void realizeMoveJoin(PlanScene& scene) {
  if (scene.plan.orders.empty() || !scene.plan.create) return scene.fail("the plan names no join");
  const SourceAccess& access = scene.plan.orders.front().after;
  const PlacedRegion both = scene.place({access, *scene.plan.create});
  if (!scene.problem.empty()) return;
  if (both.statements.size() != 2) return scene.fail("the access or the join has several places");
  const Stmt* use = both.statements[0];
  const Stmt* join = both.statements[1];
  if (const Stmt* first = firstUse(scene, *both.shape, join)) use = first;
  StatementWriter writer(*both.shape, scene.edits);
  if (scene.plan.create->kind == AccessKind::Create) return addJoin(scene, *both.shape, writer, use, join);
  if (use == join || !llvm::isa<clang::Expr>(join) || !writer.isInBlock(join) || !writer.isInBlock(use))
    return scene.fail("pthread_join is no statement of its own");
  // From a loop over threads, or out of a branch, it cannot be taken.
  if (both.shape->parent(join) != both.shape->parent(use))
    return scene.fail("pthread_join stands in another block than the access");
  if (!knowsNames(join, use, scene.context))
    return scene.fail("pthread_join uses variables that are declared after the access");
  const auto span = writer.span(join);
  if (!span) return scene.fail(writer.problem());
  writer.before(use, std::string(writer.text(*span).substr(span->begin, span->end - span->begin)));
  writer.remove(join);
  scene.title = joinTitle(scene.plan);
  scene.fail(writer.problem());
}

}  // namespace heddle
