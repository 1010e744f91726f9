// Calls of the program's own synchronization: a missing release at a way out, a missing signal after a
// change, a call that must do more, another initial count.
#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "analysis/repair/critical_section.h"
#include "analysis/repair/expression_text.h"
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/member_name.h"
#include "analysis/repair/plan_scene.h"
#include "analysis/repair/statement_writer.h"
#include "analysis/repair/sync_names.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

using clang::Stmt;

const std::map<std::string_view, std::string_view>& stronger() {
  static const std::map<std::string_view, std::string_view> kStronger = {
      {"pthread_mutex_trylock", "pthread_mutex_lock"},
      {"pthread_spin_trylock", "pthread_spin_lock"},
      {"pthread_rwlock_tryrdlock", "pthread_rwlock_rdlock"},
      {"pthread_rwlock_trywrlock", "pthread_rwlock_wrlock"},
      {"sem_trywait", "sem_wait"},
      {"mtx_trylock", "mtx_lock"},
      {"pthread_rwlock_rdlock", "pthread_rwlock_wrlock"},
      {"pthread_cond_signal", "pthread_cond_broadcast"},
      {"cnd_signal", "cnd_broadcast"},
  };
  return kStronger;
}

/// The first call below `statement` of a function that `names` knows.
const clang::CallExpr* callIn(const Stmt* statement,
                              const std::map<std::string_view, std::string_view>& names) {
  for (const Stmt* s : FunctionShape::below(statement)) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
    if (call != nullptr && call->getNumArgs() >= 1 && names.count(calleeName(*call)) != 0) return call;
  }
  return nullptr;
}

/// Only constants and file-scope variables: it means the same in every function.
bool isGlobal(const clang::Expr* expression) {
  const std::vector<const Stmt*> all = FunctionShape::below(expression);
  return std::all_of(all.begin(), all.end(), [](const Stmt* s) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(s);
    if (name == nullptr) return !llvm::isa<clang::CallExpr>(s);
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    return variable == nullptr || variable->isFileVarDecl();
  });
}

/// False (and `problem`): the called name comes out of a macro.
bool renameCallee(PlanScene& scene, const clang::CallExpr& call, std::string_view name) {
  const clang::SourceLocation at = call.getCallee()->getBeginLoc();
  const clang::SourceManager& sources = scene.context.getSourceManager();
  if (at.isMacroID() || sources.isInSystemHeader(at)) {
    scene.fail("the call of '" + calleeName(call) + "' comes out of a macro");
    return false;
  }
  const auto [file, offset] = sources.getDecomposedLoc(at);
  scene.edits.replace(pathOf(file, scene.context), offset, offset + calleeName(call).size(),
                      std::string(name));
  return true;
}

std::string signalOf(const clang::CallExpr& wait) {
  return calleeName(wait).starts_with("cnd_") ? "cnd_" : "pthread_cond_";
}

/// An object with a name, or a member of the same name: who initializes it may name its structure otherwise.
bool isAddressOf(const clang::Expr& address, const std::string& object, const clang::ASTContext& context) {
  if (printed(address, context) == "&" + object) return true;
  const clang::FieldDecl* field = memberOf(address.IgnoreParenImpCasts());
  return field != nullptr && object.ends_with(">" + field->getName().str());
}

/// "WORKERS" of "WORKERS + 1", where that is `count`; empty: no part of it is.
std::string partOf(const clang::Expr& sum, uint32_t count, const clang::ASTContext& context) {
  const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(sum.IgnoreParenImpCasts());
  if (operation == nullptr || !operation->isAdditiveOp()) return {};
  for (const clang::Expr* side : {operation->getLHS(), operation->getRHS()}) {
    clang::Expr::EvalResult result;
    if (side->EvaluateAsInt(result, context) && result.Val.getInt() == count)
      return textOf(*side, nullptr, "", context);
  }
  return {};
}

/// The call after `statement` in its block that signals the condition variable; null: there is none.
const clang::CallExpr* signalAfter(const FunctionShape& shape, const Stmt* statement,
                                   const std::string& condition) {
  const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(shape.parent(statement));
  if (block == nullptr) return nullptr;
  bool behind = false;
  for (const Stmt* s : block->body()) {
    const clang::CallExpr* call = behind ? callOf(s) : nullptr;
    behind = behind || s == statement;
    if (call == nullptr || call->getNumArgs() != 1) continue;
    const std::string name = calleeName(*call);
    if ((name.ends_with("_signal") || name.ends_with("_broadcast")) &&
        printed(*call->getArg(0), shape.context()) == condition)
      return call;
  }
  return nullptr;
}

}  // namespace

void realizeReleaseLock(PlanScene& scene) {
  if (scene.plan.regions.empty() || scene.plan.regions.front().empty())
    return scene.fail("the plan names no acquisition");
  const FunctionShape* shape = nullptr;
  const Stmt* statement = scene.statementAt(scene.plan.regions.front().front(), shape);
  if (statement == nullptr) return;
  const clang::CallExpr* call = callIn(statement, releases());
  if (call == nullptr || callOf(statement) != call)
    return scene.fail("the acquisition of '" + scene.plan.objects.front() + "' is no statement of its own");
  const LockFunctions functions{calleeName(*call), std::string(releases().at(calleeName(*call)))};
  const std::string lock = printed(*call->getArg(0), scene.context);
  const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(shape->parent(statement));
  if (block == nullptr) return scene.fail("the acquisition is no statement of a block");
  const LockCalls calls(*shape, lock, functions);
  // To where the block releases it last; else all of the rest.
  std::vector<const Stmt*> ends = {statement, block->body_back()};
  bool behind = false;
  for (const Stmt* s : block->body()) {
    behind = behind || s == statement;
    if (behind && calls.isUnlock(s)) ends[1] = s;
  }
  const std::optional<Region> region = shape->around(ends);
  if (!region || region->block != block) return scene.fail("control jumps into the critical section");
  const std::string problem = writeCriticalSection(*shape, *region, lock, scene.edits, functions);
  if (!problem.empty()) return scene.fail(problem);
  scene.title = "release '" + scene.plan.objects.front() + "' on every way out of '" +
                shape->function().getName().str() + "'";
}

void realizeAnnounceChange(PlanScene& scene) {
  if (scene.plan.orders.empty()) return scene.fail("the plan names no change");
  const SourceAccess& waitAt = scene.plan.orders.front().after;
  if (!scene.isHere(waitAt)) return scene.fail("the wait stands in another file");
  const FunctionShape* waiter = nullptr;
  const Stmt* waiting = scene.statementAt(waitAt, waiter);
  if (waiting == nullptr) return;
  static const std::map<std::string_view, std::string_view> kWaits = {
      {"pthread_cond_wait", ""}, {"pthread_cond_timedwait", ""}, {"cnd_wait", ""}, {"cnd_timedwait", ""}};
  const clang::CallExpr* wait = callIn(waiting, kWaits);
  if (wait == nullptr) return scene.fail("the wait is no call of pthread_cond_wait");
  const std::string waited = printed(*wait->getArg(0), scene.context);
  const std::string broadcast = signalOf(*wait) + "broadcast";
  std::vector<std::string> changed;
  bool edited = false;
  for (const PlannedOrder& order : scene.plan.orders) {
    const FunctionShape* shape = nullptr;
    const Stmt* change = scene.statementAt(order.before, shape);
    if (change == nullptr) return;
    std::string condition = waited;
    if (shape != waiter && !isGlobal(wait->getArg(0))) {
      const clang::FieldDecl* field = memberOf(wait->getArg(0)->IgnoreParenImpCasts());
      const std::string member = field == nullptr ? "" : memberNamedIn(*field, *shape, {change});
      if (member.empty())
        return scene.fail("the condition variable '" + waited + "' has no name in '" +
                          shape->function().getName().str() + "'");
      condition = "&" + member;
    }
    if (llvm::isa<clang::ReturnStmt>(change)) return scene.fail("the change is part of a return statement");
    StatementWriter writer(*shape, scene.edits);
    if (const clang::CallExpr* signal = signalAfter(*shape, change, condition)) {
      if (calleeName(*signal).ends_with("_broadcast")) continue;
      if (!renameCallee(scene, *signal, broadcast)) return;
    } else if (writer.isInBlock(change)) {
      writer.after(change, broadcast + "(" + condition + ");");
    } else {
      writer.braced(change, "", broadcast + "(" + condition + ");");
    }
    if (!writer.problem().empty()) return scene.fail(writer.problem());
    edited = true;
    if (std::find(changed.begin(), changed.end(), order.before.object) == changed.end())
      changed.push_back(order.before.object);
  }
  if (!edited) return scene.fail("each change is announced already");
  const SourceAccess& first = scene.plan.orders.front().before;
  const bool isOnePlace =
      std::all_of(scene.plan.orders.begin(), scene.plan.orders.end(),
                  [&](const PlannedOrder& order) { return order.before.place == first.place; });
  scene.title = "wake who waits for '" + scene.plan.objects.front() + "' after " +
                (isOnePlace ? "the change of " : "each change of ") + quotedList(changed) +
                (isOnePlace ? " in '" + first.place.function + "'" : "");
}

void realizeStrongerCall(PlanScene& scene) {
  std::set<const clang::CallExpr*> done;
  std::set<std::string> titles;
  for (const std::vector<SourceAccess>& region : scene.plan.regions)
    for (const SourceAccess& access : region) {
      const FunctionShape* shape = nullptr;
      const Stmt* statement = scene.statementAt(access, shape);
      if (statement == nullptr) return;
      const clang::CallExpr* call = callIn(statement, stronger());
      if (call == nullptr) return scene.fail("no call there has a form that does more");
      if (!done.insert(call).second) continue;
      const std::string name = calleeName(*call);
      const bool tries = name.find("try") != std::string::npos;
      if (tries && callOf(statement) != call)
        return scene.fail("the program looks at the result of '" + name + "'");
      if (!renameCallee(scene, *call, stronger().at(name))) return;
      titles.insert("'" + std::string(stronger().at(name)) + "' instead of '" + name + "'");
    }
  if (titles.empty()) return scene.fail("the plan names no call");
  scene.title = "call ";
  for (const std::string& title : titles) scene.title += (title == *titles.begin() ? "" : ", ") + title;
}

void realizeInitialCount(PlanScene& scene) {
  const std::string object = scene.plan.objects.empty() ? "" : scene.plan.objects.front();
  const clang::CallExpr* init = nullptr;
  for (const clang::FunctionDecl* function : definedFunctions(scene.context))
    for (const Stmt* s : FunctionShape::below(function->getBody())) {
      const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
      if (call == nullptr || call->getNumArgs() != 3) continue;
      const std::string name = calleeName(*call);
      if (name != "sem_init" && name != "pthread_barrier_init") continue;
      if (!isAddressOf(*call->getArg(0), object, scene.context)) continue;
      if (init != nullptr) return scene.fail("'" + object + "' is initialized in several places");
      init = call;
    }
  if (init == nullptr) return scene.fail("no plain call initializes '" + object + "' here");
  const clang::Expr* count = init->getArg(2);
  clang::Expr::EvalResult result;
  const std::optional<FileSpan> span = exactSpan(*count, scene.context);
  if (!span || !count->EvaluateAsInt(result, scene.context))
    return scene.fail("the count of '" + object + "' is no constant");
  const uint64_t now = result.Val.getInt().getLimitedValue();
  if (scene.plan.count == 0 && now == 0) return scene.fail("'" + object + "' starts with 0 already");
  const uint32_t wanted = scene.plan.count != 0 ? scene.plan.count : static_cast<uint32_t>(now - 1);
  const bool isNumber = llvm::isa<clang::IntegerLiteral>(count->IgnoreParenImpCasts());
  const std::string part = isNumber ? "" : partOf(*count, wanted, scene.context);
  const std::string text = part.empty() ? std::to_string(wanted) : part;
  scene.edits.replace(pathOf(span->file, scene.context), span->begin, span->end, text);
  scene.title = "initialize '" + object + "' with " + text + " instead of " +
                textOf(*count, nullptr, "", scene.context);
}

}  // namespace heddle
