// Execution: the machine's inside. One object per run: its threads, its schedule, its failures. Its parts do
// the work, and each owns the data of its subject:
//   stepper      instructions
//   calls        functions entered and left, modelled calls (call.h; pthread/, libc/, system/, verifier/)
//   accesses     addresses to objects, accesses as events or not
//   lives        which objects are still there
//   reuse        addresses that come back after free
//   sync         mutexes and other synchronization objects
//   sections     atomic sections
//   states       the local state of a thread as a key
//   loops        loops that only wait, and where paths meet
//   spurious     what happens by itself
//   inputs       values that the program does not decide
//   undefined    values that were never written
//   weak         what a memory model is asked and told
//   texts        what the trace says
#pragma once

#include <set>

#include "analysis/interp/core/accesses.h"
#include "analysis/interp/core/address_reuse.h"
#include "analysis/interp/core/calls.h"
#include "analysis/interp/core/event_texts.h"
#include "analysis/interp/core/inputs.h"
#include "analysis/interp/core/lives.h"
#include "analysis/interp/core/local_states.h"
#include "analysis/interp/core/machine.h"
#include "analysis/interp/core/memory.h"
#include "analysis/interp/core/model_context.h"
#include "analysis/interp/core/process.h"
#include "analysis/interp/core/sections.h"
#include "analysis/interp/core/spurious_events.h"
#include "analysis/interp/core/stepper.h"
#include "analysis/interp/core/sync_table.h"
#include "analysis/interp/core/thread_state.h"
#include "analysis/interp/core/undefined_values.h"
#include "analysis/interp/core/waiting_loops.h"
#include "analysis/interp/core/weak_accesses.h"

namespace heddle {

class Execution {
 public:
  Execution(MachineContext context, const MachineOptions& options, Scheduler& scheduler, EventSink& sink,
            const Budget& budget);
  ~Execution();
  RunResult run();
  /// Runs to the next pause (true) or to the end (false), after which `finish` returns the result. During a
  /// pause all members may be read, and none may be changed.
  bool runToPause();
  RunResult finish();

  const Program& program;
  Names& names;
  TermTable& terms;
  Locations& locations;
  const MachineOptions options;
  const Budget& budget;
  Memory memory;
  RunResult result;
  bool ended = false;  // the run is over
  bool prologue = true;
  Process process;

  SyncTable sync;
  Sections sections{*this};
  AddressReuse reuse{*this};
  Lives lives{*this};
  LocalStates states{*this};
  WaitingLoops loops{*this};
  SpuriousEvents spurious{*this};
  Inputs inputs{*this};
  UndefinedValues undefined{*this};
  WeakAccesses weak{*this};
  Accesses accesses{*this};
  EventTexts texts{*this};
  Calls calls{*this};
  Stepper stepper{*this};
  ModelContext context{*this};

  // Threads.
  const std::vector<std::unique_ptr<Thread>>& threads() const { return threads_; }
  Thread* thread(ThreadId id);
  Thread& addThread(ThreadId id, FunctionId function, const Value& argument, PlaceId createdAt = kNone);
  /// The thread can execute its pending event now.
  bool enabled(const Thread& t);
  /// All other threads have been joined.
  bool isAlone(const Thread& thread) const;
  /// Where the thread is; in a library model, which has no places, where that is called.
  PlaceId place(const Thread& t) const {
    const PlaceId at = t.pc < program.code.size() ? program.code[t.pc].place : kNone;
    return at == kNone ? placeOfCall(t) : at;
  }
  /// The calls that the thread is executing, the innermost first; not all of very many.
  std::vector<PlaceId> callsOf(const Thread& t) const;
  /// The thread stands before the event.
  void wait(Thread& t, Event event);
  /// The thread goes no further.
  void stop(Thread& t) {
    t.stopped = true;
    sections.abandon(t);
  }
  /// The thread's code is over: its End event is next.
  /// `endsProcess`: by a failure or exit; joins of the thread then wait for ever.
  void finish(Thread& t, bool endsProcess = false);
  /// The thread's function has returned.
  bool endOfThread(Thread& t, const Value& value);
  /// The thread has come to its end. False: it fails there, because Environment::failAtEndOf names its
  /// function.
  bool noteReachedEnd(Thread& t);
  /// exit: exit handlers and destructors, then the end of the process. True when the thread now runs
  /// handlers.
  bool leaveProcess(Thread& t);
  void exitProcess(Thread& t);
  void endPrologue();

  // Who observes the run, and who decides its schedule.
  EventSink& sink() const { return *sink_; }
  Scheduler& scheduler() const { return scheduler_; }
  /// Takes note of what the Locations have learned since the last call. False: they have learned nothing.
  bool noteKnowledge();
  /// More is known to be shared than at the start, so only what the run teaches counts.
  bool isLearning() const { return learning_; }
  /// True: the run has ended.
  bool outOfBudget();
  /// The running thread stands at a statement at which somebody wants to look.
  void pause() { paused_ = true; }

  // Failures and the like.
  /// `at`: the place to report; kNone: the place where the thread is.
  void fail(Thread& t, FailureKind kind, std::string message, PlaceId at = kNone);
  /// Fails with `claim` about an object whose life has ended, and says where it ended.
  void failFreed(Thread& t, const MemoryObject& object, const std::string& claim);
  /// As fail, for a failure that depends on other threads in a way that no event shows. The run ends with it,
  /// so that nothing is recorded of how the thread goes on.
  void failHere(Thread& t, FailureKind kind, std::string message);
  void unsupported(Thread& t, std::string what);
  void bound(Thread& t, const Bound& hit);
  void assume(PlaceId at, const std::string& text);
  /// The thread calls a function that is neither defined nor modelled; what is assumed here is assumed of it.
  void noteUnknownCall(Thread& t, const std::string& name);
  /// Notes as an assumption that the term of a value is dropped: other executions may have another value,
  /// which is not explored. `what`: the value, as in "text".
  void takeFromThisExecution(PlaceId at, const std::string& what);
  /// Appends to the program's output, up to a limit.
  void print(std::string_view text);

  // Where paths fork.
  /// Reports a branch on a symbol; returns the side taken.
  bool branch(Thread& t, const Value& condition, BranchRole role, int errorSide);
  void choose(Thread& t, const Value& value);
  /// Chooses how many objects of `each` bytes are allocated. False if that many bytes are cut
  /// (MachineOptions::maxInputSize): the thread has stopped.
  bool chooseSize(Thread& t, const Value& count, uint64_t each);

  // Objects.
  MemoryObject* newObject(Thread& t, ObjectKind kind, uint32_t site, uint64_t size);
  /// Some thread waits for the object and cannot go on yet.
  bool isWaitedFor(const SyncObject& object);
  /// Whether the object is about to end while a thread holds a mutex in it, or waits for something in it.
  /// That is misuse, and the thread has failed. `what`: for the message, "free of". `byItself`: looks only at
  /// mutexes that the thread itself holds, which its path tells. Otherwise looks only at what other threads
  /// hold or wait for.
  bool endsWhileLocked(Thread& t, const MemoryObject& object, const char* what, bool byItself);

 private:
  void failWith(Thread& t, Failure failure);
  void perform(Thread& t);
  void performed(Thread& t);  // after `perform`, when the thread has come to its next event
  bool isEntry() const;
  /// Of the innermost call whose place is known, else where the thread was created.
  PlaceId placeOfCall(const Thread& t) const;
  void performStart(Thread& t);
  void performEnd(Thread& t);
  void startMain(Thread& t, Value* r);
  void startOther(Thread& t, Value* r);
  void advance(Thread& t);
  /// The thread goes round for ever without waiting for anything, or joins a thread that does.
  bool isIdle(const Thread& t);
  void noteBlocked(const Thread& t, const Event& event);
  /// Whether the threads that have not ended wait for ever.
  void noteStuck();
  /// Whether another thread has asked this one to end, and it has not come to act on that.
  bool isCancelled(const Thread& t);
  void readFinals();
  void noteReachedThreads();
  void noteSegment(Thread& t, uint64_t operation);

  Scheduler& scheduler_;
  std::vector<std::unique_ptr<Thread>> threads_;
  bool paused_ = false;  // at a statement of `running_`, or before the pending event of `chosen_`
  Thread* running_ = nullptr;
  uint32_t runningSection_ = 0;  // of the event that it has executed
  Thread* chosen_ = nullptr;
  std::set<std::pair<PlaceId, std::string>> assumed_;
  EventSink* sink_ = nullptr;
  // Once more is known to be shared than at the start, what the sink saw is void. The run goes on a while
  // without it, to learn the rest as well: else every surprise would cost an exploration a restart.
  EventSink silent_;
  bool learning_ = false;
  uint64_t maxEvents_ = 0, maxInstructions_ = 0;
  uint64_t knowledge_ = 0;  // Locations::version() so far
};

}  // namespace heddle
