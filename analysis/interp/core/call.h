// Call: a modelled library call under way, and what its model may do.
//
// A model is a plain function, or a Task if it accesses memory or synchronizes: each of these may be a
// visible event, before which the model suspends. After a failed operation (false, or nullopt) it must
// co_return at once: the thread stands before its End event then, or the run is over.
#pragma once

#include <span>
#include <string_view>

#include "analysis/interp/core/event_sink.h"
#include "analysis/interp/core/model_context.h"
#include "analysis/interp/core/task.h"
#include "analysis/interp/core/thread_state.h"
#include "analysis/model/bound.h"
#include "analysis/model/sync_rule.h"

namespace heddle {

class Execution;
struct Call;

struct ModelledCall {
  const char* name;
  void (*plain)(Call&) = nullptr;
  Task<> (*task)(Call&) = nullptr;
};

/// The model of a function, or null.
const ModelledCall* findModel(std::string_view name);

// The families; each is a table in its own file.
std::span<const ModelledCall> threadModels();          // pthread/thread.cpp: create, join, …
std::span<const ModelledCall> mutexModels();           // pthread/mutex.cpp
std::span<const ModelledCall> semaphoreModels();       // pthread/semaphore.cpp
std::span<const ModelledCall> conditionModels();       // pthread/cond.cpp
std::span<const ModelledCall> barrierModels();         // pthread/barrier.cpp
std::span<const ModelledCall> rwlockModels();          // pthread/rwlock.cpp
std::span<const ModelledCall> onceModels();            // pthread/once.cpp
std::span<const ModelledCall> keyModels();             // pthread/keys.cpp: thread-specific data
std::span<const ModelledCall> cancelModels();          // pthread/cancel.cpp: cancellation of threads
std::span<const ModelledCall> namedSemaphoreModels();  // pthread/named_semaphore.cpp
std::span<const ModelledCall> robustModels();          // pthread/robust.cpp: mutexes whose owner may end
std::span<const ModelledCall> sectionModels();         // pthread/atomic.cpp: atomic sections
std::span<const ModelledCall> verifierModels();        // verifier/verifier.cpp: assertions, inputs
std::span<const ModelledCall> processModels();         // system/process.cpp: exit, sleep, varargs
std::span<const ModelledCall> heapModels();            // libc/heap.cpp
std::span<const ModelledCall> channelModels();         // system/channel.cpp: pipes, eventfd
std::span<const ModelledCall> hostModels();            // system/host.cpp: files, addresses, processors
std::span<const ModelledCall> socketModels();          // system/socket.cpp: to other processes
std::span<const ModelledCall> mappingModels();         // libc/mapping.cpp: mmap, getline
std::span<const ModelledCall> leakModels();            // libc/leak.cpp: the end of the process
std::span<const ModelledCall> blockModels();           // libc/block.cpp: memcpy, memset, …
std::span<const ModelledCall> stringModels();          // libc/string.cpp
std::span<const ModelledCall> outputModels();          // libc/output.cpp: printf, puts, …
std::span<const ModelledCall> jumpModels();            // libc/jump.cpp: setjmp, longjmp, cleanup handlers
std::span<const ModelledCall> sortModels();            // libc/sort.cpp: qsort, bsearch
std::span<const ModelledCall> numberModels();          // libc/number.cpp: strtol, atoi, abs, …
std::span<const ModelledCall> characterModels();       // libc/ctype.cpp: isdigit, toupper, …
std::span<const ModelledCall> textModels();            // libc/text.cpp: strstr, strtok, strerror, …
std::span<const ModelledCall> inputModels();           // libc/input.cpp: scanf, fgets, fopen, read, …
std::span<const ModelledCall> scanModels();            // libc/scan.cpp
std::span<const ModelledCall> timeModels();            // libc/time.cpp: time, clock_gettime, sleep, …
std::span<const ModelledCall> mathModels();            // libc/math.cpp: sin, pow, …
std::span<const ModelledCall> systemModels();          // system/system.cpp: getopt, sysconf, signals
std::span<const ModelledCall> variableModels();        // system/variables.cpp: getenv, setenv, …

/// The model of a function that always succeeds and changes nothing that a program can see: it returns 0.
void succeed(Call& call);

/// The model of a function that is neither defined nor modelled, where it can touch memory
/// (verifier/unknown_call.cpp).
const ModelledCall& unknownModel();

struct EventAwaiter {
  Execution& execution;
  Thread& thread;
  Event event;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle);
  void await_resume() const noexcept {}
};

struct AccessAwaiter {
  Execution& execution;
  Thread& thread;
  Target target;
  unsigned size;  // 1..8, within one object
  bool write;
  Value value;  // to write
  unsigned operations = 1;
  bool asEvent = false;
  bool atomic = false;
  bool await_ready();
  void await_suspend(std::coroutine_handle<> handle);
  Value await_resume();
};

/// Resolves an address and reads whether its object is alive. False means the same as of Accesses::resolve.
struct ResolveAwaiter {
  Execution& execution;
  Thread& thread;
  Value address;
  uint64_t size;
  bool write;
  Target& out;
  bool ok = false;
  bool asEvent = false;
  bool await_ready();
  void await_suspend(std::coroutine_handle<> handle);
  bool await_resume();
};

/// Suspends before an access event that the model performs itself.
struct PendingAwaiter {
  Execution& execution;
  Thread& thread;
  EventKind kind;
  Target target;
  unsigned size;
  bool atomic = false;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle);
  void await_resume() const noexcept {}
};

/// Executes a rule on a synchronization object, once its guard holds: as an event, or at once in the
/// prologue. Gives the old state.
struct RuleAwaiter {
  Execution& execution;
  Thread& thread;
  const SyncRule& rule;
  SyncObject& object;
  Value operand;
  bool timed = false;  // the thread would give up waiting
  bool asEvent = false;
  bool await_ready();
  void await_suspend(std::coroutine_handle<> handle);
  Value await_resume();
};

/// Runs a function of the program and gives its result.
struct InvokeAwaiter {
  Execution& execution;
  Thread& thread;
  FunctionId function;
  std::vector<Value> arguments;
  Value result = {};
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle);
  Value await_resume() const noexcept { return result; }
};

struct Call {
  Execution& execution;  // for the awaiters; models use the members below
  ModelContext& context;
  Thread& thread;
  const std::string& name;
  std::vector<Value> arguments;
  uint32_t pool = 0;         // of the arguments in Program::arguments
  unsigned resultWidth = 0;  // of the first scalar of the result; 0: none, or nobody uses it
  Value result;
  Value resultHigh = {};  // the second scalar of a result that has two

  unsigned pointerBits() const;
  /// Argument `i` as a defined value; 0 if the program passes fewer.
  Value argument(size_t i);
  /// As `argument`, for a value that the call only copies: a copy of a value that was never written is not a
  /// use of it.
  Value copied(size_t i);
  /// The concrete value of argument `i`; a symbol in it is reported as a choice.
  uint64_t number(size_t i);
  /// Notes that whether this call is misuse depends on what other threads have done by now.
  void dependsOnOthers(BoundKind what);
  void returns(uint64_t bits);
  void returns(Value value, unsigned width);

  /// One thing a thread does that others can see (lock, join, …). It counts one operation.
  EventAwaiter event(EventKind kind, const Target* identity = nullptr, ThreadId other = kNone);
  AccessAwaiter load(const Target& target, unsigned size) {
    return {execution, thread, target, size, false, {}};
  }
  AccessAwaiter store(const Target& target, unsigned size, Value value) {
    return {execution, thread, target, size, true, value};
  }
  ResolveAwaiter resolve(const Value& address, uint64_t size, bool write, Target& out) {
    return {execution, thread, address, size, write, out};
  }

  RuleAwaiter apply(const SyncRule& rule, SyncObject& object, Value operand = {}) {
    return {execution, thread, rule, object, operand};
  }
  /// The synchronization object that argument `i` points to. Null if `resolve` fails, or if the object cannot
  /// be used as a `what`: it was destroyed or, if `needsInit`, never initialized.
  Task<SyncObject*> syncArgument(size_t i, const char* what, bool needsInit, Target& target);
  /// The object that argument `i` points to, for a call that initializes it. Null if `resolve` fails.
  Task<SyncObject*> syncStorage(size_t i, bool needsInit, Target& target);
  /// Reads whether the object can be used. False: it cannot, and the thread has failed. This state is read
  /// and written like any shared data, so that the exploration decides the question for all schedules.
  Task<bool> checkUsable(SyncObject& object, const char* what, const Target& target);
  /// As checkUsable, for an object that must not be initialized yet.
  Task<bool> checkFresh(SyncObject& object, const char* what, const Target& target);
  Task<bool> makeUsable(SyncObject& object, const Target& target);
  /// Initializes an object that could be used before that, too. This is a plain write: it races with every
  /// use that it is not ordered with.
  Task<bool> initialize(SyncObject& object, const Target& target);
  Task<bool> setUsable(SyncObject& object, Usable usable, std::string text, bool atomic = true);
  /// Reads a Usable. Nothing: return at once. `text`: for the trace.
  Task<std::optional<Value>> askUsable(SyncObject& object, std::string text);
  /// Branches on whether `usable` is `what`. Returns the side taken.
  bool is(const Value& usable, Usable what, BranchRole role = BranchRole::Branch, int errorSide = -1);
  /// The program's name for bytes: "m", "s.lock[1]".
  std::string nameOf(const Target& target) const;
  /// The calling thread's errno.
  void setErrno(uint64_t number);
  /// Calls a function of the program with these arguments, one per slot.
  InvokeAwaiter invoke(FunctionId function, std::vector<Value> values) {
    return {execution, thread, function, std::move(values)};
  }
  /// The object that holds this thread's errno; null when the run ended.
  MemoryObject* errorNumber();
  /// A fresh input of `width` bits, zero- or sign-extended to `to` bits.
  Value input(unsigned width, bool isSigned, unsigned to, const std::string& label);
  /// The call returns an input of the result's width (32 bits if it has no result) and does nothing else.
  void returnsInput();
  /// Branches on an input of one bit with this label, which stands for a choice of the environment. Returns
  /// the side taken.
  bool outcome(const std::string& label);
  /// Whether the call of the system succeeds: an input decides, or it is assumed (Environment::callsSucceed).
  bool succeeds();
  /// The function that a pointer of the program calls; kNone after a failure.
  FunctionId functionAt(const Value& pointer);

  /// All bytes of a range in order; each access is at most 8 bytes and ends at cell boundaries.
  using Chunks = std::vector<std::pair<unsigned, Value>>;  // bytes, value
  static constexpr uint64_t kMostAtOnce = 64u << 20;       // bytes, where each chunk is kept
  static constexpr uint64_t kMostCopied = 512u << 20;      // bytes, where nothing is kept
  /// Runs what fills bytes of the range that were never read (Memory::postpone). `isPartly`: only where the
  /// range does not cover all of what it fills.
  Task<> fill(Target range, uint64_t size, bool isPartly);
  /// False: the block is too large to be moved at once, and the run ended as unsupported.
  bool isMovable(uint64_t size, uint64_t most = kMostAtOnce);
  Task<std::optional<Chunks>> readBlock(Target from, uint64_t size);
  Task<bool> writeBlock(Target to, Chunks chunks);
  /// The same byte `size` times.
  Task<> fillBlock(Target to, uint64_t size, Value byte);
  /// A string up to its terminator, which must lie in the object. At most `limit` bytes are read.
  Task<std::optional<std::vector<Value>>> readString(Value address, uint64_t limit = ~0ull);
  Task<std::optional<std::string>> readText(Value address, uint64_t limit = ~0ull);
  Task<bool> writeBytes(Value address, std::vector<Value> bytes);
  /// Whether argument `i` is a stream, one of the standard ones or an object. False: the thread has failed,
  /// as at any bad pointer: return at once.
  Task<bool> isStream(size_t i);
};

// The heap (libc/heap.cpp).
/// As malloc (or calloc): null when it fails, and after the run ended.
Task<MemoryObject*> allocateHeap(Call& call, uint64_t size, bool cleared);
/// As free. False: return at once.
Task<bool> freeHeap(Call& call, uint64_t address);

// Pipes and the like (system/channel.cpp).
/// The channel that the first argument is a descriptor of; null for other descriptors.
Descriptor* channel(Call& call);
Task<> readChannel(Call& call, Descriptor from);
Task<> writeChannel(Call& call, Descriptor to);
Task<> closeChannel(Call& call, Descriptor closed);

/// Notes for the search for leaks that the heap object is allocated from now on, or no longer is. Does
/// nothing without that search. False: return at once.
Task<bool> tellAllocated(Call& call, const MemoryObject& object, bool isAllocated);  // libc/leak.cpp

/// The thread's function has returned `value`.
Task<> endThread(Call& call, Value value);  // pthread/thread.cpp
/// pthread_exit: goes to the innermost cleanup handler if there is one, else ends the thread with the value.
Task<> exitThread(Call& call, Value value);  // pthread/thread.cpp
/// pthread_once's own cleanup handler: a thread that ends in the routine leaves the routine to the next
/// caller. Does nothing while handlers that the routine has registered are to run first. False: return at
/// once.
Task<bool> leaveOnce(Call& call);  // pthread/once.cpp
/// Jumps to the innermost cleanup handler, which must exist.
Task<> runCleanup(Call& call, Value value);  // libc/jump.cpp

// Cancellation (pthread/cancel.cpp). Each is false at once in a program that cancels no thread.
/// Whether the function is a cancellation point.
bool isCancellationPoint(std::string_view name);
/// The call of a cancellation point: what `model` does, unless the thread is cancelled before.
Task<> cancelFirst(Call& call, const ModelledCall& model);
/// Whether the thread, which is about to wait, is cancelled while it waits: an input decides. If it is, the
/// thread waits for the request first. Otherwise the bound CancelledWaits is noted, and the wait that follows
/// may be cut short (Event::timed).
Task<bool> cancelledInWait(Call& call);
/// True: the wait that follows may be ended by a cancellation.
bool mayBeCancelled(const Call& call);
/// Ends the thread as a cancellation does.
Task<> endCancelled(Call& call);

/// Whether a timed wait's last argument is a valid time, and its clock one of the two that exist. False:
/// return at once, with the error set.
Task<bool> checkDeadline(Call& call);  // libc/time.cpp
/// Checks the clock alone. Functions that take a clock check it before they look whether they must wait.
bool checkClock(Call& call);

/// The mutex at an address, with its kind looked up.
MutexState& mutexAt(Call& call, const Target& target);  // pthread/mutex.cpp

// Robust mutexes (pthread/robust.cpp).
/// What a lock of a robust mutex returns, once the thread has it: 0, EOWNERDEAD, or ENOTRECOVERABLE.
Task<uint64_t> robustResult(Call& call, MutexState& mutex, const Target& target);
/// The calling thread owns the mutex from its pending event on.
void acquire(Call& call, MutexState& mutex);
/// Must be called before a robust mutex is unlocked: one that is still inconsistent becomes unusable. False:
/// return at once.
Task<bool> robustUnlock(Call& call, MutexState& mutex, const Target& target);
/// Unlocks the robust mutexes that the thread, which ends, still holds. False: return at once.
Task<bool> leaveRobust(Call& call);

/// Ends the lives of the thread's stack objects from the first on, and of its thread-local ones if asked for.
/// False: return at once.
Task<bool> endLives(Call& call, size_t first, bool threadLocals);  // libc/jump.cpp

/// Runs the destructors of the calling thread's specific data. False: return at once.
Task<bool> runDestructors(Call& call);  // pthread/keys.cpp

struct ActiveCall {
  Call call;
  Task<> task;
};

}  // namespace heddle
