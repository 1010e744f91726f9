// Threads: create, join, exit, and the calls about them that change nothing here.
#include <algorithm>

#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"
#include "analysis/interp/pthread/result_code.h"
#include "analysis/model/failure_text.h"

namespace heddle {

namespace thread_calls {
namespace {

/// A pthread_t of the modelled program is the thread's number plus one.
uint64_t handleOf(ThreadId id) {
  return uint64_t{id} + 1;
}

/// What a creation gives that fails for want of resources.
uint64_t failedCreation(std::string_view name) {
  constexpr uint64_t kErrorOfC11 = 2;  // thrd_error, as in glibc
  return name == "thrd_create" ? kErrorOfC11 : resultCode(name, errno_value::kAgain);
}

/// The environment lets the thread create no more, or an input says so where allocations may fail; and the
/// program looks at whether it could. GLib ends the process then.
bool isCreationRefused(Call& call) {
  if (call.resultWidth == 0 || isGlib(call.name)) return false;
  const Environment& environment = call.context.program.environment;
  if (environment.mallocMayFail && call.outcome(kCreationFails)) {
    call.context.result.inputs.back().isRefused = true;
    return true;
  }
  const std::optional<uint32_t>& most = environment.creations;
  if (!most || call.thread.creates < *most) return false;
  call.context.assume(call.context.place(call.thread),
                      "a thread can create at most " + std::to_string(*most) + " others");
  return true;
}

/// The function that a pointer of the call is; kNone after a failure.
FunctionId startedBy(Call& call, const Value& pointer, const char* what) {
  ModelContext& e = call.context;
  e.choose(call.thread, pointer);
  const FunctionId function = e.memory.functionAt(pointer.bits);
  if (function == kNone && e.memory.mayBeFunction(pointer.bits))
    e.unsupported(call.thread, "a thread that runs what a function defined elsewhere returned");
  else if (function == kNone)
    e.fail(call.thread, FailureKind::Memory, std::string(what) + " an address that is not a function");
  return function;
}

/// A loop without an end would create threads for ever.
bool areTooMany(Call& call) {
  constexpr size_t kMostCreated = 4'096;
  ModelContext& e = call.context;
  if (e.threadCount() < kMostCreated) return false;
  e.bound(call.thread, {BoundKind::Threads, e.place(call.thread), kMostCreated});
  return true;
}

ThreadId nameThread(Call& call, FunctionId function, const Value& argument, bool ofSignal) {
  ThreadName name;
  name.parent = call.thread.id;
  name.ordinal = call.thread.creates + 1;
  name.function = function;
  name.argumentKnown = argument.term == kNoTerm;
  name.argument = name.argumentKnown ? argument.bits : 0;
  name.ofSignal = ofSignal;
  return call.context.names.thread(name);
}

/// Adds the thread, when the event has happened. Null: the run ended.
Thread* addCreated(Call& call, ThreadId child, FunctionId function, const Value& argument, bool detached) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  ++t.creates;
  // In explorations an argument has 64 bits whatever the target is.
  e.sink().create(t.next.event, zeroExtended(e.terms, argument, call.pointerBits(), 64));
  e.endPrologue();
  // Whoever of several threads reads first would write what the others read.
  if (e.memory.dropPostponed())
    e.assume(e.place(t), "what nobody has read of made-up objects when a thread starts is 0");
  Thread& created = e.addThread(child, function, argument, e.place(t));
  created.detached = detached;
  created.isBeyondBound = e.threadCount() > e.options.maxThreads;
  created.endedBefore = t.endedBefore;
  if (!detached) return &created;
  SyncObject* own = e.cancelRequest(child);
  if (!own) {
    e.unsupported(t, "the address space is used up");
    return nullptr;
  }
  e.memory.write(*own->state, kUsableByte, 1, {static_cast<uint64_t>(Usable::Detached)});
  return &created;
}

/// heddle_start_handler(handler, function, argument): a detached thread runs the function, and is shown as
/// the handler of a signal. For the model of signals.
Task<> startHandler(Call& call) {
  ModelContext& e = call.context;
  const Value argument = call.copied(2);
  const FunctionId handler = startedBy(call, call.argument(0), "a signal handler at");
  const FunctionId function = startedBy(call, call.argument(1), "a signal handler at");
  if (handler == kNone || function == kNone || areTooMany(call)) co_return;
  const ThreadId child = nameThread(call, handler, argument, true);
  co_await call.event(EventKind::Create, nullptr, child);
  e.describe(call.thread, "a signal may start " + e.names.label(child));
  if (Thread* created = addCreated(call, child, function, argument, true)) created->isHandler = true;
}

Task<> create(Call& call) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  // thrd_create(handle, function, argument), as uv_thread_create; g_thread_new(name, function, data) gives
  // the handle.
  const bool isPosix = call.name == "pthread_create", isC11 = call.name == "thrd_create";
  const bool givesHandle = isGlib(call.name);
  const Value argument = call.copied(isPosix ? 3 : 2);
  const Value start = call.argument(isPosix ? 2 : 1);
  const Value attributes = isPosix ? call.argument(1) : Value{};
  bool detached = false;
  if (attributes.bits != 0) {
    Target from;
    if (!co_await call.resolve(attributes, 4, false, from)) co_return;
    const Value state = e.settled(t, co_await call.load(from, 4));
    e.choose(t, state);
    detached = (state.bits & 1) != 0;
  }
  const FunctionId function = startedBy(call, start, "pthread_create of");
  if (function == kNone) co_return;
  Target handle;
  if (!givesHandle && !co_await call.resolve(call.argument(0), call.pointerBits() / 8, true, handle))
    co_return;
  if (areTooMany(call)) co_return;
  if (isCreationRefused(call)) co_return call.returns(failedCreation(call.name));
  const ThreadId child = nameThread(call, function, argument, false);
  if (isC11) co_await call.store(handle, call.pointerBits() / 8, {handleOf(child)});
  co_await call.event(EventKind::Create, nullptr, child);
  e.describe(t, "create " + e.names.label(child));
  if (!addCreated(call, child, function, argument, detached)) co_return;
  // POSIX does not say that the handle is there before the thread runs; C11 says that it is.
  if (givesHandle) co_return call.returns({handleOf(child)}, call.pointerBits());
  if (!isC11) co_await call.store(handle, call.pointerBits() / 8, {handleOf(child)});
  call.returns(0);
}

/// A thread is joined or detached once. Whether it was is told and asked like any shared data, beside the
/// request to cancel it. False: return at once.
Task<bool> takeHandle(Call& call, Thread& other) {
  ModelContext& e = call.context;
  SyncObject* handle = e.cancelRequest(other.id);
  if (!handle) {
    e.unsupported(call.thread, "the address space is used up");
    co_return false;
  }
  const bool joins = !call.name.ends_with("detach");
  const std::string& name = other.label;
  const std::optional<Value> state =
      co_await call.askUsable(*handle, "look whether " + name + " is joinable");
  if (!state) co_return false;
  if (call.is(*state, Usable::Yes, BranchRole::Check, 0)) {
    const std::string text = joins ? name + " is not joinable any more" : "detach " + name;
    co_return co_await call.setUsable(*handle, joins ? Usable::Joined : Usable::Detached, text);
  }
  const bool detached = call.is(*state, Usable::Detached);
  std::string message;
  if (joins)
    message = detached ? "join of the detached thread " + name : "thread " + name + " is joined twice";
  else
    message = "thread " + name + " is detached, but it was " + (detached ? "detached" : "joined") + " before";
  e.fail(call.thread, FailureKind::Misuse, std::move(message));
  co_return false;
}

/// All that the thread accesses from now on comes after all that those accessed that have ended by now.
void noteEnded(Thread& t, const Thread& other) {
  std::vector<ThreadId> all = t.endedBefore;
  all.push_back(other.id);
  all.insert(all.end(), other.endedBefore.begin(), other.endedBefore.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  t.endedBefore = std::move(all);
}

/// Undefined in POSIX (pthread_join, pthread_detach); glibc reads what the handle leads to.
std::string noThread(const Call& call) {
  return "'" + call.name + "' is given no thread";
}

Task<> join(Call& call) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  const bool isPosixOrC11 = !isGlib(call.name) && !isLibuv(call.name);
  uint64_t handle = 0;
  if (isLibuv(call.name)) {  // a pointer to it
    Target from;
    if (!co_await call.resolve(call.argument(0), call.pointerBits() / 8, false, from)) co_return;
    const Value read = e.settled(t, co_await call.load(from, call.pointerBits() / 8));
    e.choose(t, read);
    handle = read.bits;
  } else {
    handle = call.number(0);
  }
  const Value destination = isPosixOrC11 ? call.argument(1) : Value{};
  Thread* other = handle == 0 ? nullptr : e.thread(static_cast<ThreadId>(handle - 1));
  if (!other) {
    e.fail(t, FailureKind::Misuse, noThread(call));
    co_return;
  }
  if (other == &t) {
    e.fail(t, FailureKind::Misuse, "thread " + t.label + " joins itself");
    co_return;
  }
  if (!co_await takeHandle(call, *other)) co_return;
  if (co_await cancelledInWait(call)) co_return co_await endCancelled(call);
  EventAwaiter ended = call.event(EventKind::Join, nullptr, other->id);
  ended.event.timed = mayBeCancelled(call);
  co_await ended;
  other->joined = true;
  noteEnded(t, *other);
  e.sink().join(t.next.event);
  e.describe(t, "join " + other->label);
  call.returns(0);
  e.choose(t, destination);
  const bool givesResult = isGlib(call.name) && call.resultWidth != 0;
  if (destination.bits == 0 && !givesResult) co_return;
  const unsigned size = call.pointerBits() / 8;
  MemoryObject* result = e.threadResult(other->id);
  if (!result) {
    e.unsupported(t, "the address space is used up");
    co_return;
  }
  Value value = co_await call.load({result, 0}, size);
  if (givesResult) {
    call.result = value;
    co_return;
  }
  // thrd_join stores an int.
  const unsigned stored = call.name == "thrd_join" ? 4 : size;
  if (!isUndefined(value)) value = truncated(e.terms, value, stored * 8);
  Target to;
  if (!co_await call.resolve(destination, stored, true, to)) co_return;
  co_await call.store(to, stored, value);
}

/// The result crosses threads through memory, so that an explorer sees where it comes from.
Task<> end(Call& call, Value value) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  if (!co_await runDestructors(call)) co_return;
  // A function of C11 returns an int.
  if (value.term != kNoTerm && !isUndefined(value) && e.terms.width(value.term) < call.pointerBits())
    value.term = e.terms.zext(value.term, call.pointerBits());
  if (t.id != kMainThread) {
    MemoryObject* result = e.threadResult(t.id);
    if (!result) {
      e.unsupported(t, "the address space is used up");
      co_return;
    }
    // No value is none that was ever written: who reads it and uses it is told.
    if (isUndefined(value))
      e.memory.makeUndefined(*result);
    else
      co_await call.store({result, 0}, call.pointerBits() / 8, value);
  }
  if (!co_await leaveRobust(call) || !co_await endLives(call, 0, true)) co_return;
  e.finish(t);
}

Task<> exit(Call& call) {
  return exitThread(call, call.copied(0));
}

void self(Call& call) {
  call.returns(handleOf(call.thread.id));
}

/// Another reference to a thread: nothing is freed here.
void sameThread(Call& call) {
  call.returns(call.argument(0), call.pointerBits());
}

void equal(Call& call) {
  const Value same =
      binaryValue(call.context.terms, TermOp::Eq, call.argument(0), call.argument(1), call.pointerBits());
  call.returns(same, 1);
}

Task<> detach(Call& call) {
  const uint64_t handle = call.number(0);
  Thread* other = handle == 0 ? nullptr : call.context.thread(static_cast<ThreadId>(handle - 1));
  if (!other) {
    call.context.fail(call.thread, FailureKind::Misuse, noThread(call));
    co_return;
  }
  if (!co_await takeHandle(call, *other)) co_return;
  other->detached = true;
  call.returns(0);
}

/// Of thread attributes only the detach state matters; it is kept in the first bytes.
Task<> setDetachState(Call& call) {
  Target target;
  if (!co_await call.resolve(call.argument(0), 4, true, target)) co_return;
  const bool isInit = call.name == "pthread_attr_init";
  co_await call.store(target, 4, isInit ? Value{} : Value{call.number(1) & 1});
  call.returns(0);
}

Task<> getDetachState(Call& call) {
  Target from, to;
  if (!co_await call.resolve(call.argument(0), 4, false, from)) co_return;
  const Value state = co_await call.load(from, 4);
  if (!co_await call.resolve(call.argument(1), 4, true, to)) co_return;
  co_await call.store(to, 4, state);
  call.returns(0);
}

Task<> getStackSize(Call& call) {
  constexpr uint64_t kStackSize = 8u << 20;  // bytes, the usual default
  Target to;
  if (!co_await call.resolve(call.argument(1), call.pointerBits() / 8, true, to)) co_return;
  co_await call.store(to, call.pointerBits() / 8, {kStackSize});
  call.returns(0);
}

Task<> getGuardSize(Call& call) {
  constexpr uint64_t kPage = 4096;  // bytes, the usual default
  Target to;
  if (!co_await call.resolve(call.argument(1), call.pointerBits() / 8, true, to)) co_return;
  co_await call.store(to, call.pointerBits() / 8, {kPage});
  call.returns(0);
}

/// Of attributes that are not kept: what they are when nobody has set them.
Task<> getZero(Call& call) {
  Target to;
  if (!co_await call.resolve(call.argument(1), 4, true, to)) co_return;
  co_await call.store(to, 4, {});
  call.context.assume(call.context.place(call.thread), "scheduling attributes are the default ones");
  call.returns(0);
}

constexpr ModelledCall kModels[] = {
    {"pthread_create", nullptr, create},
    {"heddle_start_handler", nullptr, startHandler},
    {"pthread_join", nullptr, join},
    {"pthread_exit", nullptr, exit},
    {"pthread_self", self, nullptr},
    {"pthread_equal", equal, nullptr},
    {"pthread_detach", nullptr, detach},
    {"pthread_yield", succeed, nullptr},
    {"sched_yield", succeed, nullptr},
    {"thrd_create", nullptr, create},
    {"thrd_join", nullptr, join},
    {"thrd_exit", nullptr, exit},
    {"thrd_current", self, nullptr},
    {"thrd_equal", equal, nullptr},
    {"thrd_detach", nullptr, detach},
    {"thrd_yield", succeed, nullptr},
    {"thrd_sleep", succeed, nullptr},
    {"uv_thread_create", nullptr, create},
    {"uv_thread_join", nullptr, join},
    {"uv_thread_self", self, nullptr},
    {"g_thread_new", nullptr, create},
    {"g_thread_join", nullptr, join},
    {"g_thread_ref", sameThread, nullptr},
    {"g_thread_unref", succeed, nullptr},
    {"g_thread_exit", nullptr, exit},
    {"g_thread_self", self, nullptr},
    {"g_thread_yield", succeed, nullptr},
    {"pthread_attr_init", nullptr, setDetachState},
    {"pthread_attr_destroy", succeed, nullptr},
    {"pthread_attr_setdetachstate", nullptr, setDetachState},
    {"pthread_attr_getdetachstate", nullptr, getDetachState},
    {"pthread_attr_getstacksize", nullptr, getStackSize},
    {"pthread_attr_setstacksize", succeed, nullptr},
    {"pthread_attr_setguardsize", succeed, nullptr},
    {"pthread_attr_setscope", succeed, nullptr},
    {"pthread_attr_setschedpolicy", succeed, nullptr},
    {"pthread_attr_setschedparam", succeed, nullptr},
    {"pthread_attr_setinheritsched", succeed, nullptr},
    {"pthread_setconcurrency", succeed, nullptr},
    {"pthread_setname_np", succeed, nullptr},
    {"pthread_atfork", succeed, nullptr},  // fork is refused where it is called
    {"pthread_setaffinity_np", succeed, nullptr},
    {"pthread_setschedparam", succeed, nullptr},
    {"pthread_setschedprio", succeed, nullptr},
    {"pthread_attr_setstack", succeed, nullptr},
    {"pthread_attr_setstackaddr", succeed, nullptr},
    {"pthread_attr_setaffinity_np", succeed, nullptr},
    {"pthread_attr_getguardsize", nullptr, getGuardSize},
    {"pthread_attr_getscope", nullptr, getZero},
    {"pthread_attr_getschedpolicy", nullptr, getZero},
    {"pthread_attr_getschedparam", nullptr, getZero},
    {"pthread_attr_getinheritsched", nullptr, getZero},
    {"pthread_getconcurrency", succeed, nullptr},
    {"pthread_setattr_default_np", succeed, nullptr},
};

}  // namespace
}  // namespace thread_calls

namespace thread_calls {
namespace {
Task<> exitNow(Call& call, Value value) {
  return call.thread.calls.cleanups.empty() ? end(call, value) : runCleanup(call, value);
}

Task<> exitFromOnce(Call& call, Value value) {
  const bool left = co_await leaveOnce(call);
  if (!left) co_return;
  Task<> rest = exitNow(call, value);
  co_await rest;
}

Task<> nothingMore() {
  co_return;
}
}  // namespace
}  // namespace thread_calls

Task<> exitThread(Call& call, Value value) {
  ModelContext& e = call.context;
  if (!e.noteReachedEnd(call.thread)) return thread_calls::nothingMore();
  if (call.thread.id == kMainThread && e.program.environment.checkLeaks)
    e.result.bounds.insert({BoundKind::LeaksAtExit, e.place(call.thread)});
  return call.thread.calls.onces.empty() ? thread_calls::exitNow(call, value)
                                         : thread_calls::exitFromOnce(call, value);
}

std::span<const ModelledCall> threadModels() {
  return thread_calls::kModels;
}

Task<> endThread(Call& call, Value value) {
  return thread_calls::end(call, value);
}

}  // namespace heddle
