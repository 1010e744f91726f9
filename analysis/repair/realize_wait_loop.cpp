// A loop around pthread_cond_wait: over the condition that an `if` in front of it tests, else over a new flag
// that whoever signals sets. Without one a signal that comes too early is lost, and a wake-up proves nothing.
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

const clang::CallExpr* waitIn(const Stmt* statement) {
  for (const Stmt* s : FunctionShape::below(statement)) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
    if (call != nullptr && call->getNumArgs() == 2 && calleeName(*call) == "pthread_cond_wait") return call;
  }
  return nullptr;
}

/// The condition of a wait is tested with the mutex held; what takes the mutex inside is no such test.
bool locksInside(const Stmt* body) {
  const std::vector<const Stmt*> all = FunctionShape::below(body);
  return std::any_of(all.begin(), all.end(), [](const Stmt* s) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
    return call != nullptr && calleeName(*call) == "pthread_mutex_lock";
  });
}

bool hasCondition(const Stmt* loop) {
  const auto* s = llvm::dyn_cast<clang::ForStmt>(loop);
  return s == nullptr || s->getCond() != nullptr;
}

const Stmt* bodyOf(const Stmt* loop) {
  if (const auto* s = llvm::dyn_cast<clang::WhileStmt>(loop)) return s->getBody();
  if (const auto* s = llvm::dyn_cast<clang::ForStmt>(loop)) return s->getBody();
  if (const auto* s = llvm::dyn_cast<clang::DoStmt>(loop)) return s->getBody();
  return nullptr;
}

/// Signals and broadcasts of one condition variable, each with the function it stands in.
struct Signal {
  const FunctionShape* shape = nullptr;
  const clang::CallExpr* call = nullptr;
};

std::vector<Signal> signalsOf(PlanScene& scene, const std::string& condition) {
  std::vector<Signal> found;
  for (const clang::FunctionDecl* function : definedFunctions(scene.context))
    for (const Stmt* s : FunctionShape::below(function->getBody())) {
      const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
      if (call == nullptr || call->getNumArgs() != 1) continue;
      const std::string name = calleeName(*call);
      if (name != "pthread_cond_signal" && name != "pthread_cond_broadcast") continue;
      if (printed(*call->getArg(0), scene.context) != condition) continue;
      found.push_back({scene.shapeOf(function->getName().str()), call});
    }
  return found;
}

/// The variable at file scope that `statement` sets to 1; null: it does something else.
const clang::VarDecl* setToOne(const Stmt* statement, const clang::ASTContext& context) {
  const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
  const auto* set =
      expression == nullptr ? nullptr : llvm::dyn_cast<clang::BinaryOperator>(expression->IgnoreParens());
  if (set == nullptr || set->getOpcode() != clang::BO_Assign) return nullptr;
  const auto value = set->getRHS()->getIntegerConstantExpr(context);
  const clang::VarDecl* variable = variableIn(set->getLHS());
  if (!value || *value != 1 || variable == nullptr || !variable->isFileVarDecl() ||
      !variable->getType()->isIntegerType())
    return nullptr;
  return variable;
}

/// The first flag that is set to 1 in the section of every signal: the program's own word for what the wait
/// is for. null: there is none.
const clang::VarDecl* flagSetWith(const std::vector<Signal>& signals, const std::string& mutex,
                                  const clang::ASTContext& context) {
  std::vector<const clang::VarDecl*> ofAll;
  for (const Signal& signal : signals) {
    if (signal.shape == nullptr) return nullptr;
    const LockCalls calls(*signal.shape, mutex);
    const auto span = spanOf(*signal.call, context);
    const Stmt* around = span ? signal.shape->statementAt(span->file, span->begin) : nullptr;
    const Stmt* holder = around == nullptr ? nullptr : calls.holderAt(around);
    if (holder == nullptr) return nullptr;
    std::vector<const clang::VarDecl*> here;
    for (const Stmt* s : FunctionShape::below(signal.shape->body()))
      if (const clang::VarDecl* variable = setToOne(s, context);
          variable != nullptr && calls.holderAt(s) == holder)
        here.push_back(variable->getCanonicalDecl());
    if (&signal == &signals.front()) ofAll = here;
    std::erase_if(ofAll, [&](const clang::VarDecl* variable) {
      return std::find(here.begin(), here.end(), variable) == here.end();
    });
  }
  return ofAll.empty() ? nullptr : ofAll.front();
}

/// The wait gets a flag, which every signal of its condition variable sets: one that the program sets there
/// already, else one of its own.
void waitForFlag(PlanScene& scene, const FunctionShape& shape, const Stmt* statement,
                 const clang::CallExpr& wait) {
  const std::string condition = printed(*wait.getArg(0), scene.context);
  const std::string mutex = printed(*wait.getArg(1), scene.context);
  const std::string& object = scene.plan.regions.front().front().object;
  const clang::VarDecl* variable = globalNamed(identifierOf(object), scene.context);
  if (variable == nullptr)
    return scene.fail("the condition variable '" + object + "' has no name that all functions know");
  const std::vector<Signal> signals = signalsOf(scene, condition);
  if (signals.empty()) return scene.fail("nothing says what the wait is for, and nothing signals it here");
  if (const clang::VarDecl* own = scene.plan.newFlag ? nullptr : flagSetWith(signals, mutex, scene.context)) {
    StatementWriter waiter(shape, scene.edits);
    const auto where = waiter.span(statement);
    if (!where) return scene.fail(waiter.problem());
    if (!waiter.isInBlock(statement)) return scene.fail("the wait is no statement of a block");
    const std::string indent = indentAt(waiter.text(*where), where->begin);
    const std::string name = own->getName().str();
    scene.edits.insert(waiter.path(*where), where->begin, "while (!" + name + ")\n" + indent + waiter.unit());
    scene.title = "wait for '" + object + "' until '" + name + "' is set";
    return;
  }
  const bool forAll = std::any_of(signals.begin(), signals.end(), [](const Signal& signal) {
    return calleeName(*signal.call) == "pthread_cond_broadcast";
  });
  // A signal is for one thread, so each is counted and taken; a broadcast is for all, so it stays.
  const std::string flag =
      freshName(identifierOf(object) + (forAll ? "_signalled" : "_signals"), scene.context);

  StatementWriter waiter(shape, scene.edits);
  const auto where = waiter.span(statement);
  if (!where) return scene.fail(waiter.problem());
  if (!waiter.isInBlock(statement)) return scene.fail("the wait is no statement of a block");
  const std::string indent = indentAt(waiter.text(*where), where->begin);
  scene.edits.insert(
      waiter.path(*where), where->begin,
      "while (" + std::string(forAll ? "!" + flag : flag + " == 0") + ")\n" + indent + waiter.unit());
  if (!forAll) waiter.after(statement, flag + "--;");
  scene.fail(waiter.problem());

  std::vector<const clang::FunctionDecl*> users = {&shape.function()};
  for (const Signal& signal : signals) {
    if (signal.shape == nullptr) return;
    const auto span = spanOf(*signal.call, scene.context);
    const Stmt* around = span ? signal.shape->statementAt(span->file, span->begin) : nullptr;
    if (around == nullptr) return scene.fail("a signal stands inside a macro of another file");
    StatementWriter writer(*signal.shape, scene.edits);
    const std::string set = flag + (forAll ? " = 1;" : "++;");
    const bool held = LockCalls(*signal.shape, mutex).holderAt(around) != nullptr;
    const std::string lines =
        held ? set : "pthread_mutex_lock(" + mutex + ");\n" + set + "\npthread_mutex_unlock(" + mutex + ");";
    if (writer.isInBlock(around))
      writer.before(around, lines);
    else
      writer.braced(around, lines, "");
    scene.fail(writer.problem());
    users.push_back(&signal.shape->function());
  }
  scene.fail(
      declareGlobals({{"int", flag, ""}}, variable, users, scene.linkage(), scene.context, scene.edits));
  scene.title = "wait for '" + object + "' until a new flag '" + flag + "' says that it was signalled";
}

}  // namespace

void realizeLoopAroundWait(PlanScene& scene) {
  if (scene.plan.regions.empty() || scene.plan.regions.front().empty())
    return scene.fail("the plan names no wait");
  const FunctionShape* shape = nullptr;
  const Stmt* statement = scene.statementAt(scene.plan.regions.front().front(), shape);
  if (statement == nullptr) return;
  const clang::CallExpr* wait = waitIn(statement);
  if (wait == nullptr) return scene.fail("the wait is no call of pthread_cond_wait");
  for (const Stmt* s = shape->parent(statement); s != nullptr; s = shape->parent(s)) {
    if (const Stmt* body = bodyOf(s)) {
      if (hasCondition(s) && !locksInside(body)) return scene.fail("the wait stands in a loop already");
      break;
    }
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
    if (branch == nullptr) continue;
    if (locksInside(branch)) break;
    if (branch->getElse() != nullptr) return scene.fail("the condition of the wait has an else branch");
    if (branch->getIfLoc().isMacroID()) return scene.fail("the condition of the wait comes out of a macro");
    const clang::SourceManager& sources = scene.context.getSourceManager();
    const auto [file, offset] = sources.getDecomposedLoc(branch->getIfLoc());
    scene.edits.replace(pathOf(file, scene.context), offset, offset + 2, "while");
    scene.title = "check the condition again after each wait";
    return;
  }
  waitForFlag(scene, *shape, statement, *wait);
}

}  // namespace heddle
