// Locks of two objects of one kind: acquired in the order of their addresses in every function that takes
// both, since the order of its arguments is its caller's. And a read lock that its own thread asks for again
// to write: given back first.
#include <algorithm>
#include <set>

#include "analysis/repair/lock_calls.h"
#include "analysis/repair/member_name.h"
#include "analysis/repair/plan_scene.h"
#include "analysis/repair/statement_writer.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

using clang::Stmt;

/// What makes two mutexes ones of a kind: the member, or the array that they are elements of.
const clang::ValueDecl* kindOfMutex(const clang::Expr* address) {
  if (const clang::FieldDecl* field = memberOf(address->IgnoreParenImpCasts())) return field;
  const auto* taken = llvm::dyn_cast<clang::UnaryOperator>(address->IgnoreParenImpCasts());
  if (taken == nullptr || taken->getOpcode() != clang::UO_AddrOf) return nullptr;
  const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(taken->getSubExpr()->IgnoreParenImpCasts());
  if (element == nullptr) return nullptr;
  const clang::Expr* array = element->getBase()->IgnoreParenImpCasts();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(array)) return name->getDecl();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(array)) return member->getMemberDecl();
  return nullptr;
}

const clang::CallExpr* lockCall(const Stmt* statement) {
  const clang::CallExpr* call = callOf(statement);
  return call != nullptr && call->getNumArgs() == 1 && calleeName(*call) == "pthread_mutex_lock" ? call
                                                                                                 : nullptr;
}

bool changesNothing(const clang::Expr* expression) {
  const std::vector<const Stmt*> all = FunctionShape::below(expression);
  return std::none_of(all.begin(), all.end(), [](const Stmt* s) {
    const auto* changed = llvm::dyn_cast<clang::UnaryOperator>(s);
    const auto* assigned = llvm::dyn_cast<clang::BinaryOperator>(s);
    return llvm::isa<clang::CallExpr>(s) || (changed != nullptr && changed->isIncrementDecrementOp()) ||
           (assigned != nullptr && assigned->isAssignmentOp());
  });
}

/// It is another object for each call of the function.
bool dependsOnCaller(const clang::Expr* expression) {
  const std::vector<const Stmt*> all = FunctionShape::below(expression);
  return std::any_of(all.begin(), all.end(), [](const Stmt* s) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(s);
    const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    return variable != nullptr && variable->hasLocalStorage();
  });
}

/// Both acquisitions of one pair, in the lower address's favour.
bool writePair(PlanScene& scene, const clang::CallExpr& first, const clang::CallExpr& second) {
  const clang::Expr* a = first.getArg(0);
  const clang::Expr* b = second.getArg(0);
  for (const clang::Expr* argument : {a, b})
    if (argument->getBeginLoc().isMacroID() || argument->getEndLoc().isMacroID()) {
      scene.fail("a mutex is named by a macro");
      return false;
    }
  const std::string one = printed(*a->IgnoreParenImpCasts(), scene.context);
  const std::string other = printed(*b->IgnoreParenImpCasts(), scene.context);
  const std::string isFirst = one + " < " + other + " ? ";
  const auto write = [&](const clang::Expr* argument, const std::string& text) {
    if (const auto span = spanOf(*argument, scene.context))
      scene.edits.replace(pathOf(span->file, scene.context), span->begin, span->end, text);
  };
  write(a, isFirst + one + " : " + other);
  write(b, isFirst + other + " : " + one);
  return true;
}

}  // namespace

void realizeLockByAddress(PlanScene& scene) {
  // What the deadlock's acquisitions are of.
  std::set<const clang::ValueDecl*> kinds;
  std::set<const Stmt*> wanted;
  for (const std::vector<SourceAccess>& region : scene.plan.regions)
    for (const SourceAccess& access : region) {
      const FunctionShape* shape = nullptr;
      const Stmt* statement = scene.statementAt(access, shape);
      if (statement == nullptr) return;
      const clang::CallExpr* call = lockCall(statement);
      const clang::ValueDecl* kind = call == nullptr ? nullptr : kindOfMutex(call->getArg(0));
      if (kind == nullptr)
        return scene.fail("the acquisition of '" + access.object +
                          "' is no plain call for a member or element");
      if (!dependsOnCaller(call->getArg(0)))
        return scene.fail("the mutexes have names, by which they can be ordered");
      kinds.insert(kind);
      wanted.insert(statement);
    }
  if (kinds.size() != 1) return scene.fail("the mutexes have names, by which they can be ordered");
  std::set<const Stmt*> changed;
  for (const clang::FunctionDecl* function : definedFunctions(scene.context))
    for (const Stmt* s : FunctionShape::below(function->getBody())) {
      const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s);
      if (block == nullptr) continue;
      for (auto at = block->body_begin(); at != block->body_end() && at + 1 != block->body_end(); ++at) {
        const clang::CallExpr* first = lockCall(*at);
        const clang::CallExpr* second = lockCall(*(at + 1));
        if (first == nullptr || second == nullptr || kinds.count(kindOfMutex(first->getArg(0))) == 0 ||
            kinds.count(kindOfMutex(second->getArg(0))) == 0 || !changesNothing(first->getArg(0)) ||
            !changesNothing(second->getArg(0)))
          continue;
        if (!writePair(scene, *first, *second)) return;
        changed.insert({*at, *(at + 1)});
      }
    }
  if (!std::includes(changed.begin(), changed.end(), wanted.begin(), wanted.end()))
    return scene.fail("something stands between the acquisitions of the two mutexes");
  scene.title = "acquire the two mutexes in the order of their addresses";
}

void realizeReleaseFirst(PlanScene& scene) {
  if (scene.plan.regions.empty()) return scene.fail("the plan names no acquisition");
  std::set<const Stmt*> done;
  for (const std::vector<SourceAccess>& region : scene.plan.regions) {
    const FunctionShape* shape = nullptr;
    const Stmt* statement = scene.statementAt(region.front(), shape);
    if (statement == nullptr) return;
    // Several threads may wait in one place.
    if (!done.insert(statement).second) continue;
    const clang::CallExpr* call = callOf(statement);
    if (call == nullptr || call->getNumArgs() != 1 || calleeName(*call) != "pthread_rwlock_wrlock")
      return scene.fail("the acquisition is no plain call of pthread_rwlock_wrlock");
    StatementWriter writer(*shape, scene.edits);
    const std::string release = "pthread_rwlock_unlock(" + printed(*call->getArg(0), scene.context) + ");";
    if (writer.isInBlock(statement))
      writer.before(statement, release);
    else
      writer.braced(statement, release, "");
    if (!writer.problem().empty()) return scene.fail(writer.problem());
  }
  scene.title = "release '" + scene.plan.objects.front() + "' before it is locked for writing";
}

}  // namespace heddle
