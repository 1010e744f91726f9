// A reference that a new thread takes for itself: until it has run, nothing holds the object for it. Whoever
// creates the thread takes it instead.
#include <algorithm>
#include <optional>

#include "analysis/repair/lock_calls.h"
#include "analysis/repair/plan_scene.h"
#include "analysis/repair/statement_writer.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

using clang::Stmt;

/// Its body counts one member of its parameter up, and does nothing else but lock and unlock.
bool isRetain(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* body = nullptr;
  if (!function.hasBody(body) || body->getNumParams() != 1) return false;
  size_t counted = 0;
  for (const Stmt* s : FunctionShape::below(body->getBody())) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(s)) {
      const std::string name = calleeName(*call);
      if (name != "pthread_mutex_lock" && name != "pthread_mutex_unlock") return false;
    }
    if (const auto* atomic = llvm::dyn_cast<clang::AtomicExpr>(s)) {
      if (atomic->getOp() != clang::AtomicExpr::AO__c11_atomic_fetch_add &&
          atomic->getOp() != clang::AtomicExpr::AO__atomic_fetch_add)
        return false;
      ++counted;
    }
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(s);
        unary != nullptr && unary->isIncrementDecrementOp()) {
      if (unary->isDecrementOp()) return false;
      ++counted;
    }
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(s);
    if (binary != nullptr && binary->isAssignmentOp()) {
      if (binary->getOpcode() != clang::BO_AddAssign) return false;
      ++counted;
    }
  }
  return counted == 1;
}

/// What an expression of the thread's function is to whoever creates the thread.
class ForCreator {
 public:
  ForCreator(const FunctionShape& thread, const clang::Expr& argument, const clang::ASTContext& context)
      : thread_(thread), argument_(argument), context_(context) {}

  /// Empty: it depends on more than the thread's argument.
  std::string textOf(const clang::Expr* expression) const {
    const clang::Expr* bare = expression->IgnoreParenCasts();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(bare)) {
      const std::string base = textOf(member->getBase());
      if (base.empty()) return {};
      const std::string name = member->getMemberDecl()->getName().str();
      if (member->isArrow() && base.starts_with("&")) return base.substr(1) + "." + name;
      return base + (member->isArrow() ? "->" : ".") + name;
    }
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(bare);
    const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr) return {};
    if (variable->isFileVarDecl()) return variable->getName().str();
    if (thread_.changes(*variable)) return {};
    if (llvm::isa<clang::ParmVarDecl>(variable)) return printed(*argument_.IgnoreParenCasts(), context_);
    return variable->hasInit() ? textOf(variable->getInit()) : "";
  }

 private:
  const FunctionShape& thread_;
  const clang::Expr& argument_;
  const clang::ASTContext& context_;
};

const clang::CallExpr* createIn(const Stmt* statement) {
  for (const Stmt* s : FunctionShape::below(statement))
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
        call != nullptr && calleeName(*call) == "pthread_create" && call->getNumArgs() == 4)
      return call;
  return nullptr;
}

/// The member that the function, which takes one object, counts up (else down); null: it counts none.
const clang::ValueDecl* countedIn(const clang::FunctionDecl& function, bool isUp) {
  const clang::FunctionDecl* body = nullptr;
  if (!function.hasBody(body) || body->getNumParams() != 1) return nullptr;
  const auto memberIn = [](const Stmt* s) -> const clang::ValueDecl* {
    for (const Stmt* inner : FunctionShape::below(s))
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(inner)) return member->getMemberDecl();
    return nullptr;
  };
  for (const Stmt* s : FunctionShape::below(body->getBody())) {
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(s))
      if (isUp ? unary->isIncrementOp() : unary->isDecrementOp()) return memberIn(unary->getSubExpr());
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(s))
      if (binary->getOpcode() == (isUp ? clang::BO_AddAssign : clang::BO_SubAssign))
        return memberIn(binary->getLHS());
    if (const auto* atomic = llvm::dyn_cast<clang::AtomicExpr>(s)) {
      const auto op = atomic->getOp();
      const bool isAdd =
          op == clang::AtomicExpr::AO__c11_atomic_fetch_add || op == clang::AtomicExpr::AO__atomic_fetch_add;
      const bool isSub =
          op == clang::AtomicExpr::AO__c11_atomic_fetch_sub || op == clang::AtomicExpr::AO__atomic_fetch_sub;
      if (isUp ? isAdd : isSub) return memberIn(atomic->getPtr());
    }
  }
  return nullptr;
}

/// The call by which the thread gives back at its end what `retain` takes; null: there is none.
const clang::CallExpr* releaseOf(const FunctionShape& thread, const clang::CallExpr& retain) {
  const clang::ValueDecl* count = countedIn(*retain.getDirectCallee(), true);
  const clang::CallExpr* release = nullptr;
  for (const Stmt* s : thread.body()->body()) {
    const clang::CallExpr* call = callOf(s);
    if (call == nullptr || call->getNumArgs() != 1 || call->getDirectCallee() == nullptr) continue;
    if (count != nullptr && countedIn(*call->getDirectCallee(), false) == count) release = call;
  }
  return release;
}

/// Where the program looks at whether the thread was created.
struct LookAtCreation {
  const Stmt* failed = nullptr;  // the branch for "it was not"
  std::string isFailed;          // else the condition for it, behind the statement
};

bool isZero(const clang::Expr* expression, const clang::ASTContext& context) {
  clang::Expr::EvalResult value;
  return expression->EvaluateAsInt(value, context) && value.Val.getInt() == 0;
}

LookAtCreation lookAt(const FunctionShape& creator, const clang::CallExpr& create) {
  LookAtCreation look;
  bool isNonzeroFailure = true;  // of the expression that the walk has come to
  const auto conditionOn = [&](const std::string& name, clang::QualType type) {
    if (!isNonzeroFailure) return "!" + name;
    return type->isBooleanType() ? name : name + " != 0";
  };
  const Stmt* child = &create;
  for (const Stmt* s = creator.parent(child); s != nullptr; child = s, s = creator.parent(s)) {
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(s)) {
      if (binary->getOpcode() == clang::BO_Assign && binary->getRHS() == child) {
        look.isFailed =
            conditionOn(printed(*binary->getLHS(), creator.context()), binary->getLHS()->getType());
        continue;
      }
      const clang::Expr* other = binary->getLHS() == child ? binary->getRHS() : binary->getLHS();
      if (!binary->isEqualityOp() || !isZero(other, creator.context())) return {};
      if (binary->getOpcode() == clang::BO_EQ) isNonzeroFailure = !isNonzeroFailure;
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(s)) {
      if (unary->getOpcode() != clang::UO_LNot) return {};
      isNonzeroFailure = !isNonzeroFailure;
    } else if (const auto* declares = llvm::dyn_cast<clang::DeclStmt>(s)) {
      const auto* variable =
          declares->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(declares->getSingleDecl()) : nullptr;
      if (variable != nullptr) look.isFailed = conditionOn(variable->getName().str(), variable->getType());
      return look;
    } else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
      if (branch->getCond() == child) look.failed = isNonzeroFailure ? branch->getThen() : branch->getElse();
      return look;
    } else if (!llvm::isa<clang::Expr>(s)) {
      return look;
    } else if (!llvm::isa<clang::ParenExpr, clang::CastExpr>(s)) {
      return {};
    }
  }
  return look;
}

}  // namespace

void realizeRetainEarlier(PlanScene& scene) {
  if (scene.plan.regions.empty() || !scene.plan.create) return scene.fail("the plan names no call");
  const SourceAccess& access = scene.plan.regions.front().front();
  const FunctionShape* thread = scene.shapeOf(access.threadFunction);
  const FunctionShape* creator = nullptr;
  const Stmt* creates = scene.statementAt(*scene.plan.create, creator);
  if (thread == nullptr || creates == nullptr) return;
  // The first call of the thread that counts something up.
  const clang::CallExpr* retain = nullptr;
  for (const Stmt* s : thread->body()->body()) {
    if (llvm::isa<clang::DeclStmt>(s)) continue;
    retain = callOf(s);
    break;
  }
  if (retain == nullptr || retain->getNumArgs() != 1 || retain->getDirectCallee() == nullptr ||
      !isRetain(*retain->getDirectCallee()))
    return scene.fail("the thread does not begin with taking a reference");
  const clang::CallExpr* create = createIn(creates);
  if (create == nullptr) return scene.fail("no plain call creates the thread");
  const std::string object = ForCreator(*thread, *create->getArg(3), scene.context).textOf(retain->getArg(0));
  if (object.empty()) return scene.fail("what the reference is to has no name where the thread is created");
  StatementWriter before(*creator, scene.edits), after(*thread, scene.edits);
  const std::string line = calleeName(*retain) + "(" + object + ");";
  if (before.isInBlock(creates))
    before.before(creates, line);
  else
    before.braced(creates, line, "");
  // Where there is no thread, nobody else gives it back.
  if (const clang::CallExpr* release = releaseOf(*thread, *retain)) {
    const LookAtCreation look = lookAt(*creator, *create);
    const std::string given = calleeName(*release) + "(" + object + ");";
    if (look.failed != nullptr)
      before.first(look.failed, given);
    else if (!look.isFailed.empty() && before.isInBlock(creates))
      before.after(creates, "if (" + look.isFailed + ")\n" + before.unit() + given);
  }
  const Stmt* statement = retain;
  for (const Stmt* s : thread->body()->body())
    if (callOf(s) == retain) statement = s;
  after.remove(statement);
  scene.fail(before.problem());
  scene.fail(after.problem());
  scene.title = "take the reference to '" + object + "' before the thread is created";
}

}  // namespace heddle
