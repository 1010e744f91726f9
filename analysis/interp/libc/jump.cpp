// setjmp and longjmp, and the cleanup handlers that glibc's pthread_cleanup_push makes of them.
//
// The buffer holds the number of a JumpPoint of the thread. After a jump the locals have the values they were
// last given, as in code that keeps them in memory (the compiler front keeps them there in such functions).
#include "analysis/interp/core/call.h"

namespace heddle {

namespace jump_calls {
namespace {

constexpr uint64_t kFirstPoint = 0x5e7a0001;

Task<> set(Call& call) {
  Thread& t = call.thread;
  const JumpPoint here{t.frames.size(), t.frames.back().serial, t.pc};
  const bool again = !t.calls.jumps.empty() && t.calls.jumps.back().frames == here.frames &&
                     t.calls.jumps.back().serial == here.serial && t.calls.jumps.back().pc == here.pc;
  if (!again) t.calls.jumps.push_back(here);
  const unsigned size = call.pointerBits() / 8;
  Target buffer;
  if (!co_await call.resolve(call.argument(0), size, true, buffer)) co_return;
  co_await call.store(buffer, size, {kFirstPoint + t.calls.jumps.size() - 1});
  call.returns(0);
}

/// Goes to where the buffer was set; that setjmp returns `value`.
Task<> jump(Call& call, Value buffer, Value value) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  const unsigned size = call.pointerBits() / 8;
  Target from;
  if (!co_await call.resolve(buffer, size, false, from)) co_return;
  const Value number = e.settled(t, co_await call.load(from, size));
  e.choose(t, number);
  const uint64_t index = number.bits - kFirstPoint;
  if (index >= t.calls.jumps.size()) {
    e.fail(t, FailureKind::Misuse, "longjmp with a buffer that no setjmp of this thread has set");
    co_return;
  }
  const JumpPoint point = t.calls.jumps[index];
  if (point.frames > t.frames.size() || t.frames[point.frames - 1].serial != point.serial) {
    e.fail(t, FailureKind::Misuse, "longjmp to a function that has returned");
    co_return;
  }
  if (point.frames < t.frames.size() && !co_await endLives(call, t.frames[point.frames].objects, false))
    co_return;
  e.unwind(t, point.frames);
  t.pc = point.pc;
  call.result = value;
}

Task<> longJump(Call& call) {
  ModelContext& e = call.context;
  const Value given = call.argument(1);
  const Value value = selected(e.terms, binaryValue(e.terms, TermOp::Eq, given, {0}, 32), {1}, given, 32);
  co_await jump(call, call.argument(0), value);
}

void registerCleanup(Call& call) {
  call.thread.calls.cleanups.push_back(call.number(0));
}

void unregisterCleanup(Call& call) {
  if (!call.thread.calls.cleanups.empty()) call.thread.calls.cleanups.pop_back();
}

Task<> unwindNext(Call& call) {
  return exitThread(call, call.thread.calls.exitValue);
}

constexpr ModelledCall kModels[] = {
    {"setjmp", nullptr, set},
    {"_setjmp", nullptr, set},
    {"sigsetjmp", nullptr, set},
    {"__sigsetjmp", nullptr, set},
    {"longjmp", nullptr, longJump},
    {"_longjmp", nullptr, longJump},
    {"siglongjmp", nullptr, longJump},
    {"__longjmp_chk", nullptr, longJump},
    {"__pthread_register_cancel", registerCleanup, nullptr},
    {"__pthread_unregister_cancel", unregisterCleanup, nullptr},
    {"__pthread_unwind_next", nullptr, unwindNext},
};

}  // namespace
}  // namespace jump_calls

Task<bool> endLives(Call& call, size_t first, bool threadLocals) {
  ModelContext& e = call.context;
  while (MemoryObject* object = e.endStackLives(call.thread, first, threadLocals)) {
    const Target life{object->life, 0};
    co_await PendingAwaiter{call.execution, call.thread, EventKind::Write, life, 1, true};
    e.endStackLife(call.thread, *object);
  }
  co_return !e.ended;
}

Task<> runCleanup(Call& call, Value value) {
  Thread& t = call.thread;
  t.calls.exitValue = value;
  const Value buffer{t.calls.cleanups.back()}, one{1};
  t.calls.cleanups.pop_back();
  return jump_calls::jump(call, buffer, one);
}

std::span<const ModelledCall> jumpModels() {
  return jump_calls::kModels;
}

}  // namespace heddle
