#include "analysis/survey/signal_steps.h"

#include <algorithm>

#include "analysis/support/name_words.h"

namespace heddle {
namespace {

llvm::StringRef signalCallName(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  return callee && callee->getIdentifier() ? callee->getName() : "";
}

/// The declaration that an expression, or what it takes the address of, names; null: it is something else.
const clang::Decl* signalNamed(const clang::Expr* expression) {
  expression = expression->IgnoreParenCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(expression);
      address && address->getOpcode() == clang::UO_AddrOf)
    expression = address->getSubExpr()->IgnoreParenCasts();
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  return reference ? reference->getDecl()->getCanonicalDecl() : nullptr;
}

const clang::VarDecl* signalVariable(const clang::Expr* expression) {
  return llvm::dyn_cast_or_null<clang::VarDecl>(signalNamed(expression));
}

bool isFlagType(clang::QualType type) {
  const auto* named = type->getAs<clang::TypedefType>();
  return named && named->getDecl()->getName() == "sig_atomic_t";
}

/// `sa_handler` and `sa_sigaction`.
bool isHandlerPart(const clang::MemberExpr& member) {
  const auto* declared = member.getMemberDecl();
  return declared->getIdentifier() && hasWord(declared->getName(), {"handler", "sigaction"});
}

bool readsErrno(const clang::Stmt* part) {
  if (!part) return false;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(part);
      call && (signalCallName(*call) == "__errno_location" || signalCallName(*call) == "__error"))
    return true;
  return std::any_of(part->child_begin(), part->child_end(), readsErrno);
}

bool readsProcessData(const clang::Stmt* part) {
  if (!part) return false;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
        variable && variable->hasGlobalStorage())
      return true;
  return std::any_of(part->child_begin(), part->child_end(), readsProcessData);
}

}  // namespace

void SignalSteps::walk(const clang::Stmt* part, bool isBehindErrno) {
  if (!part) return;
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(part)) {
    noteCondition(branch->getCond());
    const bool isBehind = isBehindErrno || readsErrno(branch->getCond());
    walk(branch->getCond(), isBehindErrno);
    walk(branch->getThen(), isBehind);
    walk(branch->getElse(), isBehind);
    return;
  }
  if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(part); both && both->isLogicalOp()) {
    noteCondition(both->getLHS());
    walk(both->getLHS(), isBehindErrno);
    walk(both->getRHS(), isBehindErrno || readsErrno(both->getLHS()));
    return;
  }
  note(*part, isBehindErrno);
  for (const clang::Stmt* child : part->children()) walk(child, isBehindErrno);
}

void SignalSteps::noteCondition(const clang::Stmt* condition) {
  facts.isGuarded |= readsProcessData(condition);
}

void SignalSteps::note(const clang::Stmt& part, bool isBehindErrno) {
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&part)) {
    noteCall(*call);
  } else if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(&part)) {
    if (assignment->isAssignmentOp()) noteAssignment(*assignment);
  } else if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&part)) {
    if (const clang::VarDecl* variable = signalVariable(reference)) ++named[variable];
  } else if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&part)) {
    const bool isRead = cast->getCastKind() == clang::CK_LValueToRValue;
    const clang::VarDecl* read = isRead ? signalVariable(cast->getSubExpr()) : nullptr;
    if (read && read->hasGlobalStorage() && isFlagType(read->getType()))
      tests.push_back({cast, read, isBehindErrno});
  } else if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&part)) {
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one); variable && variable->getInit())
        noteInitial(*variable->getCanonicalDecl(), variable->getInit());
  } else if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&part)) {
    noteCondition(choice->getCond());
  } else if (const auto* choices = llvm::dyn_cast<clang::SwitchStmt>(&part)) {
    noteCondition(choices->getCond());
  }
}

/// Functions that the value of a structure names.
void SignalSteps::noteInitial(const clang::VarDecl& variable, const clang::Stmt* part) {
  if (!part || !variable.getType()->isRecordType()) return;
  filled.insert(&variable);
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part))
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()))
      handlersIn[&variable].insert(function->getCanonicalDecl());
  for (const clang::Stmt* child : part->children()) noteInitial(variable, child);
}

void SignalSteps::noteAssignment(const clang::BinaryOperator& assignment) {
  if (const clang::VarDecl* variable = signalVariable(assignment.getLHS())) {
    if (isFlagType(variable->getType())) facts.sets.insert(variable);
    if (variable->getType()->isRecordType()) saved.insert(variable);
    const auto* call = llvm::dyn_cast<clang::CallExpr>(assignment.getRHS()->IgnoreParenCasts());
    if (call && signalCallName(*call) == "signal") saved.insert(variable);
    return;
  }
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(assignment.getLHS()->IgnoreParenCasts());
  if (!member || !isHandlerPart(*member)) return;
  const clang::Expr* base = member->getBase()->IgnoreParenCasts();
  while (const auto* inner = llvm::dyn_cast<clang::MemberExpr>(base))
    base = inner->getBase()->IgnoreParenCasts();
  const clang::VarDecl* variable = signalVariable(base);
  if (!variable) return;
  filled.insert(variable);
  if (const auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(signalNamed(assignment.getRHS())))
    handlersIn[variable].insert(function);
}

std::optional<int64_t> SignalSteps::constantOf(const clang::Expr& expression) const {
  clang::Expr::EvalResult value;
  if (expression.isValueDependent() || !expression.getType()->isIntegralOrEnumerationType() ||
      !expression.EvaluateAsInt(value, context_))
    return std::nullopt;
  return value.Val.getInt().getExtValue();
}

bool SignalSteps::isNull(const clang::Expr& expression) const {
  return expression.isNullPointerConstant(context_, clang::Expr::NPC_ValueDependentIsNotNull) !=
         clang::Expr::NPCK_NotNull;
}

void SignalSteps::noteCall(const clang::CallExpr& call) {
  const llvm::StringRef name = signalCallName(call);
  if (name.empty()) return;
  facts.callees.insert(call.getDirectCallee()->getCanonicalDecl());
  facts.wakes |= name == "write" || name == "send" || name == "writev" || name == "eventfd_write" ||
                 hasWord(name, {"post", "wake", "wakeup", "notify", "kick", "kill"});
  if (name == "pthread_create" || name.contains("thread_create") || name.contains("create_thread"))
    threads.push_back(&call);
  if (name == "pause") waits.push_back({&call, false});
  if (name == "pause" || name == "sigsuspend" || name == "sigwait" || name == "sigtimedwait" ||
      name == "sigwaitinfo")
    expiries.push_back(&call);
  else if (!noteJump(call, name) && !noteMask(call, name) && !noteWait(call, name) && !noteTimer(call, name))
    noteInstall(call, name);
}

bool SignalSteps::noteJump(const clang::CallExpr& call, llvm::StringRef name) {
  const bool isSet = hasWord(name, {"setjmp", "sigsetjmp"});
  if (!isSet && !hasWord(name, {"longjmp", "siglongjmp"})) return false;
  const clang::VarDecl* buffer = call.getNumArgs() != 0 ? signalVariable(call.getArg(0)) : nullptr;
  if (!buffer || !buffer->hasGlobalStorage()) return true;
  if (isSet)
    buffers.emplace_back(&call, buffer);
  else
    facts.jumps.insert(buffer);
  return true;
}

bool SignalSteps::noteMask(const clang::CallExpr& call, llvm::StringRef name) {
  if (name == "sigemptyset" && call.getNumArgs() == 1) {
    if (const clang::VarDecl* set = signalVariable(call.getArg(0))) ++emptied[set];
    return true;
  }
  masksSignals |= hasWord(name, {"sigprocmask", "sigmask", "sighold", "sigblock"});
  if ((name != "sigprocmask" && name != "pthread_sigmask") || call.getNumArgs() != 3) return false;
  constexpr int64_t kSetMask = 2;  // SIG_SETMASK
  if (constantOf(*call.getArg(0)) == kSetMask)
    masks.push_back({&call, signalVariable(call.getArg(1)), signalVariable(call.getArg(2))});
  return true;
}

bool SignalSteps::noteWait(const clang::CallExpr& call, llvm::StringRef name) {
  if (name == "poll" && call.getNumArgs() == 3) {
    if (constantOf(*call.getArg(2)) == -1) waits.push_back({&call, constantOf(*call.getArg(1)) == 1});
  } else if (name == "select" && call.getNumArgs() == 5) {
    if (isNull(*call.getArg(4))) waits.push_back({&call, false});
  } else if (name == "epoll_wait" && call.getNumArgs() == 4) {
    if (constantOf(*call.getArg(3)) == -1) waits.push_back({&call, false});
  } else {
    return false;
  }
  return true;
}

bool SignalSteps::noteTimer(const clang::CallExpr& call, llvm::StringRef name) {
  constexpr int64_t kAlarm = 14, kVirtual = 26, kProfile = 27;  // SIGALRM, SIGVTALRM, SIGPROF
  if ((name == "alarm" || name == "ualarm") && call.getNumArgs() != 0) {
    timers.push_back({&call, kAlarm, constantOf(*call.getArg(0)) == 0});
  } else if (name == "setitimer" && call.getNumArgs() == 3) {
    const auto which = constantOf(*call.getArg(0));
    timers.push_back({&call, which == 1 ? kVirtual : (which == 2 ? kProfile : kAlarm), false});
  } else {
    // What it does to the timer is not known.
    if (hasWord(name, {"alarm", "timer", "itimer", "timeout"})) timers.push_back({&call, 0, true});
    return false;
  }
  return true;
}

void SignalSteps::noteInstall(const clang::CallExpr& call, llvm::StringRef name) {
  if (call.getNumArgs() < 2 || !hasWord(name, {"signal", "sigaction", "handler", "sigset"})) return;
  if (name == "sigaction" && call.getNumArgs() == 3)
    if (const clang::VarDecl* old = signalVariable(call.getArg(2))) saved.insert(old);
  const auto signal = constantOf(*call.getArg(0));
  const clang::Expr& value = *call.getArg(1);
  if (!signal || !value.getType()->isPointerType()) return;
  const bool isDefault = name == "signal" && isNull(*value.IgnoreParenCasts());
  const clang::Decl* given = signalNamed(&value);
  if (isDefault || given)
    installs.push_back({&call, *signal, llvm::dyn_cast_or_null<clang::VarDecl>(given),
                        llvm::dyn_cast_or_null<clang::FunctionDecl>(given), isDefault});
}

}  // namespace heddle
