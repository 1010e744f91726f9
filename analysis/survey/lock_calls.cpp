#include "analysis/survey/lock_calls.h"

#include <algorithm>
#include <array>
#include <string>

#include "analysis/survey/type_survey.h"

namespace heddle {
namespace {

bool isLockType(clang::QualType type) {
  if (const clang::ArrayType* array = type->getAsArrayTypeUnsafe())
    type = array->getElementType();
  else if (type->isPointerType())
    type = type->getPointeeType();
  else
    return false;
  if (!lockKind(type).empty()) return true;
  std::string name;
  if (const auto* named = type->getAs<clang::TypedefType>())
    name = named->getDecl()->getName().str();
  else if (const clang::RecordDecl* record = type->getAsRecordDecl())
    name = record->getName().str();
  return hasWord(name, {"mutex", "lock", "mtx", "rwlock", "spinlock", "sem", "semaphore", "shmtx"});
}

}  // namespace

LockCall lockCallOf(llvm::StringRef name) {
  if (hasWord(name, {"destroy", "init", "free", "new", "create", "delete", "alloc"})) return LockCall::None;
  if (hasWord(name, {"unlock", "release", "rdunlock", "wrunlock", "runlock", "wunlock"}))
    return LockCall::Unlock;
  if (hasWord(name, {"lock", "spinlock", "trylock", "timedlock", "clocklock", "rdlock", "wrlock", "rlock",
                     "wlock", "tryrdlock", "trywrlock", "acquire", "possess"}))
    return LockCall::Lock;
  return LockCall::None;
}

LifeCall lifeCallOf(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (!callee || !callee->getIdentifier() || !hasLockArgument(call)) return LifeCall::None;
  const llvm::StringRef name = callee->getName();
  if (name.contains("attr")) return LifeCall::None;
  if (hasWord(name, {"destroy", "deinit"})) return LifeCall::End;
  return hasWord(name, {"init"}) ? LifeCall::Begin : LifeCall::None;
}

bool isThreadStart(llvm::StringRef name) {
  return name == "pthread_create" || name == "thrd_create" || name.ends_with("thread_create") ||
         hasWord(name, {"thread", "launch", "spawn"});
}

bool isTry(llvm::StringRef name) {
  return name.contains_insensitive("try") || hasWord(name, {"timedlock", "clocklock"});
}

bool isWait(llvm::StringRef name) {
  return name.contains("cond_wait") || name.contains("cond_timedwait") || name.starts_with("sem_wait") ||
         name.starts_with("sem_timedwait") || name.contains("barrier_wait") || name.contains("cnd_wait") ||
         name == "pthread_join" || name == "thrd_join";
}

bool isConditionWait(llvm::StringRef name) {
  return name.ends_with("cond_wait") || name.ends_with("cnd_wait") || name.ends_with("cond_timedwait") ||
         name.ends_with("cnd_timedwait");
}

bool isAssertionOfLock(llvm::StringRef name) {
  return hasWord(name, {"assert"}) && hasWord(name, {"owner", "owned", "held", "locked"}) &&
         !hasWord(name, {"not", "un", "unlocked", "unowned"});
}

bool isSignal(llvm::StringRef name) {
  return hasWord(name, {"signal", "broadcast", "wake", "wakeup", "notify", "post", "kick", "awaken"});
}

bool hasSharedResult(llvm::StringRef name) {
  constexpr std::array<llvm::StringLiteral, 22> kNames = {
      "localtime",     "gmtime",        "ctime",        "asctime",       "strtok",  "getpwnam",
      "getpwuid",      "getgrnam",      "getgrgid",     "gethostbyname", "ttyname", "gethostbyaddr",
      "getservbyname", "getservbyport", "inet_ntoa",    "getlogin",      "ptsname", "getprotobyname",
      "crypt",         "tmpnam",        "getnetbyname", "ether_ntoa"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

const clang::Expr* lockArgument(const clang::CallExpr& call) {
  for (const clang::Expr* argument : call.arguments())
    if (isLockType(argument->IgnoreParenCasts()->getType())) return argument;
  return call.getNumArgs() == 0 ? nullptr : call.getArg(0);
}

bool hasLockArgument(const clang::CallExpr& call) {
  return std::any_of(call.arg_begin(), call.arg_end(), [](const clang::Expr* argument) {
    return isLockType(argument->IgnoreParenCasts()->getType());
  });
}

}  // namespace heddle
