// Execution: the machine's inside. One object per run; the parts are in files by concern:
//   execution.cpp         the run: scheduling, thread life, schedule and trace
//   execution_access.cpp  addresses to objects, failures of addresses, events of memory accesses
//   execution_failure.cpp failures, bounds, assumptions, branches, inputs
//   execution_sync.cpp    synchronization objects, atomic sections
//   execution_order.cpp   what a memory model is asked and told
//   step.cpp, step_slow.cpp   instructions
//   local_state.cpp, await.cpp, stutter.cpp local states, and loops that only wait
//   call.h; pthread/, libc/, system/, verifier/   modelled calls
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "analysis/interp/core/call.h"
#include "analysis/interp/core/machine.h"
#include "analysis/interp/core/memory.h"
#include "analysis/interp/core/thread_state.h"

namespace heddle {

class Execution {
 public:
  Execution(MachineContext context, const MachineOptions& options, Scheduler& scheduler, EventSink& sink,
            const Budget& budget);
  ~Execution();
  RunResult run();
  /// Runs on to the next pause (true) or to the end, after which `finish` tells the result. While the machine
  /// pauses everything here may be looked at, and nothing changed.
  bool runToPause();
  RunResult finish();
  /// The thread can execute its pending event now.
  bool enabled(const Thread& t);
  const std::vector<std::unique_ptr<Thread>>& threads() const { return threads_; }
  const std::map<std::pair<ObjectId, uint64_t>, MutexState>& mutexes() const { return mutexes_; }
  const std::map<std::pair<ObjectId, uint64_t>, SyncObject>& syncObjects() const { return syncObjects_; }

  // --- what instructions and models use -------------------------------------------------------------
  const Program& program;
  Names& names;
  TermTable& terms;
  Locations& locations;
  const MachineOptions options;
  EventSink& sink() const { return *sink_; }
  const Budget& budget;
  Memory memory;
  RunResult result;
  bool ended = false;  // the run is over
  bool prologue = true;

  /// Where the thread is.
  PlaceId place(const Thread& t) const {
    return t.pc < program.code.size() ? program.code[t.pc].place : kNone;
  }

  // Addresses. False: the thread failed or the run ended; the caller must return at once.
  bool resolve(Thread& t, const Value& address, const Value& root, uint64_t size, bool write, Target& out);
  void failAddress(Thread& t, const MemoryObject* object, uint64_t address, uint64_t size, bool write);
  /// Whether an access of the thread is a visible event. May end the run.
  bool visible(Thread& t, const Target& target, uint64_t size, bool write);
  /// Whether the heap object was freed: asks its life. False as resolve, or when the thread waits to ask.
  bool checkLife(Thread& t, const Target& target);
  bool finishLifeCheck(Thread& t, const Target& target, bool asEvent);
  /// The object is on the stack, or in the thread-local storage, of another thread.
  bool isForeign(const Thread& t, const MemoryObject& object) const;
  /// The object's hidden byte; null: the address space is used up.
  MemoryObject* lifeOf(MemoryObject& object);
  /// Ends the lives of the thread's stack objects from the first on (and of all its thread-local ones, if
  /// asked for) up to one whose end is an event: that one, or null when there is none.
  MemoryObject* endStackLives(Thread& t, size_t first, bool threadLocals = false);
  /// The end of such a life, as the event that the thread was waiting to execute.
  void endStackLife(Thread& t, MemoryObject& object);
  /// Ends the life. False when it had ended before.
  bool endLife(Thread& t, MemoryObject& object, bool asEvent);
  /// Takes note of what the Locations have learned since the last call.
  void noteKnowledge();
  /// Lets the thread wait before an access event. False: the run ended.
  bool waitForAccess(Thread& t, EventKind kind, const Target& target, uint64_t size, uint64_t operations,
                     bool atomic);
  void wait(Thread& t, Event event);
  /// Gives the event the cell that stands for the synchronization object at `target`.
  void identify(const Target& target, Event& event);

  // The access itself, as an event (`t.pending` is executed) or not.
  Value load(Thread& t, const Target& target, unsigned size, bool asEvent);
  void store(Thread& t, const Target& target, unsigned size, Value value, bool asEvent);
  /// Old value; `compute` gives the new one.
  Value update(Thread& t, const Target& target, unsigned size, unsigned width, bool asEvent,
               const std::function<Value(const Value&)>& compute);
  /// Lets later accesses of the thread go straight to the bytes, if nothing stands against it.
  // The same of an access that a memory model has choices for; the event's only cell (execution_order.cpp).
  Value loadOpen(Thread& t, const Target& target, unsigned size);
  void storeOpen(Thread& t, const Target& target, unsigned size, const Value& given);
  Value updateOpen(Thread& t, const Target& target, unsigned size, unsigned width,
                   const std::function<Value(const Value&)>& compute);
  void allowFast(Thread& t, MemoryObject& object, bool write);
  void reportInitial(const Event& event);
  std::vector<Value> cellValues(Thread& t, const Event& event);
  Value joinCells(const Event& event, const std::vector<Value>& values);
  std::vector<Value> splitCells(const Event& event, const Target& target, unsigned size, const Value& value);

  // Failures and the like.
  /// `at`: where it is reported; where the thread is, if kNone.
  void fail(Thread& t, FailureKind kind, std::string message, PlaceId at = kNone);
  /// `claim` of an object whose life has ended: says where, too.
  void failFreed(Thread& t, const MemoryObject& object, const std::string& claim);
  /// As fail, for what depends on other threads in a way that no event tells: the run ends with it, so that
  /// nothing is recorded of how the thread goes on.
  void failHere(Thread& t, FailureKind kind, std::string message);
  void unsupported(Thread& t, std::string what);
  void bound(Thread& t, const Bound& hit);
  void assume(PlaceId at, const std::string& text);
  /// The term of a value is dropped: other executions may find another value, and nothing tells. `what`: the
  /// value, as in "text".
  void takeFromThisExecution(PlaceId at, const std::string& what);
  void stop(Thread& t) {
    t.stopped = true;
    abandonSection(t);
  }
  /// Reports a branch on a symbol; returns the side taken.
  bool branch(Thread& t, const Value& condition, BranchRole role, int errorSide);
  void choose(Thread& t, const Value& value);
  /// Chooses how many objects of `each` bytes are allocated. False if so many are cut
  /// (MachineOptions::maxInputSize): the thread has stopped.
  bool chooseSize(Thread& t, const Value& count, uint64_t each);
  /// `exactName`: not the name of the variable that the call's result goes to.
  Value input(Thread& t, unsigned width, bool isSigned, const std::string& name, bool exactName = false);
  /// The result of the call, which does nothing else.
  Value inputAsResult(Thread& t, unsigned width, bool isSigned, const std::string& name);
  /// What the thread's operation has read from memory that was never written (Environment::undefinedIsInput).
  /// Whatever it is, it stays.
  Value undefinedInput(Thread& t, const Target& target, unsigned size, bool isShared);
  /// A defined value: 0 with an assumption for an undefined one.
  Value settled(Thread& t, const Value& value);
  /// As settled, of a value that decides something (a condition, an address, an output): that it was never
  /// written is a failure, which the thread goes on after. `how`: for its message, " as an address"; empty:
  /// by the call that is under way.
  Value used(Thread& t, const Value& value, const char* how = "");
  /// A choice between values; what is chosen is copied, not used.
  Value chosen(Thread& t, const Value& condition, const Value& a, const Value& b, unsigned width);
  void endPrologue();

  // Objects.
  MemoryObject* newObject(Thread& t, ObjectKind kind, uint32_t site, uint64_t size);
  MemoryObject* threadResult(ThreadId id);
  MutexState& mutex(const Target& target);
  /// The synchronization object at an address. Null: the address space is used up. `usable`: what a new one
  /// is.
  SyncObject* syncObject(const Target& target, bool usable = true);
  /// A lock or the like lies there, or reaches there.
  bool isSynchronization(const MemoryObject& object, uint64_t offset) const;
  bool guardHolds(const Thread& t, const SyncRule& rule, const Value& operand, const SyncObject& object);
  /// Executes the rule of the pending event, or, if `asEvent` is false, the rule at once. The old state.
  Value applyRule(Thread& t, const SyncRule& rule, const Value& operand, SyncObject& object, bool asEvent);

  std::map<uint32_t, uint64_t> keys;           // of thread-specific data: key to destructor
  std::map<uint64_t, Descriptor> descriptors;  // of pipes and the like, by number
  /// Threads wait for it that cannot go on yet.
  bool isWaitedFor(const SyncObject& object);
  /// Where the request to cancel a thread is kept. Null: the address space is used up.
  SyncObject* cancelRequest(ThreadId id);
  bool cancels = false;                     // the program may cancel threads
  uint64_t heapTime = 0;                    // allocations and frees so far
  std::vector<MemoryObject*> freedObjects;  // of the heap, and nothing lies there since
  /// The program asks whether these are equal: addresses, of which one may have come back, or may come back
  /// (address_reuse.cpp).
  void noteCompared(Thread& t, const Value& a, const Value& b);
  void noteTwoBlocks(Thread& t, const MemoryObject& earlier, const MemoryObject& later);
  /// The freed object in which a new one comes to lie, if so; null: in none.
  MemoryObject* reusedFor(Thread& t, const MemoryObject& object);
  /// The robust mutexes that the thread holds, in a fixed order.
  std::vector<Target> robustHeld(const Thread& t);

  // Atomic sections: no event of another thread happens between two events of one.
  void beginSection(Thread& t);
  void endSection(Thread& t);
  /// The thread goes on never, in the middle of a section: as if the section had not begun.
  void abandonSection(Thread& t);
  /// The thread's atomic section has read or written these values of the event's cells.
  void noteSectionValues(Thread& t, const std::vector<Value>& values);
  /// What a load would give, if the thread's atomic section has accessed all of it before.
  std::optional<Value> sectionValue(Thread& t, const Target& target, unsigned size);
  /// Before a write of an event: so that it can be undone.
  void noteUndo(Thread& t, const Target& target, unsigned size);
  Thread* thread(ThreadId id);
  /// All other threads have been joined.
  bool isAlone(const Thread& thread) const;
  size_t threadCount() const { return threads_.size(); }
  /// Appends to the program's output, up to a limit.
  void print(std::string_view text);
  Value input(Thread& t, InputRequest request);
  /// Named as the variable that the call's result goes to, if there is one.
  InputRequest inputRequest(const Thread& t, unsigned width, bool isSigned, const std::string& name) const;
  Value ask(const InputRequest& request);
  Thread& addThread(ThreadId id, FunctionId function, const Value& argument);
  /// The thread's code is over: its End event is next.
  /// `endsProcess`: by a failure or exit; joins of the thread then wait for ever.
  void finish(Thread& t, bool endsProcess = false);
  void exitProcess(Thread& t);
  void noteReachedThreads();

  bool isHidden(const Event& event) const;            // see TraceEntry
  void describe(Thread& t, const std::string& text);  // the trace entry of the event being executed
  void retitle(const Thread& t, EventKind kind);      // of that entry
  std::string printed(const Thread& t, const Target& target, unsigned size, const Value& value) const;
  /// As its type prints it; `type` null: not known.
  std::string valueText(const TypeNode* type, unsigned size, uint64_t bits) const;

  // Local states and awaits (local_state.cpp, await.cpp).
  /// What decides how the thread goes on, apart from what it will read from others. Nothing when the state is
  /// too large, or inside a modelled call.
  /// `counters`: how often the loops around it have gone round counts as state, too.
  std::optional<StateKey> localState(const Thread& t, bool counters) const;
  /// A private object was written by the thread.
  void noteWritten(Thread& t, MemoryObject& object);
  void noteEvent(Thread& t);  // `t.pending` is being executed
  void hasEffect(Thread& t);
  /// An atomic update was executed that changes memory exactly when `condition` holds.
  void noteEffect(Thread& t, const Value& condition);
  /// False: the thread goes round without an event for ever.
  bool mergePoint(Thread& t, const Instruction& in);
  bool roundsWithoutEvents(Thread& t, const Instruction& in);
  /// The thread has looked at these bytes without an event.
  void noteLook(Thread& t, const Target& target, uint64_t size) {
    if ((t.watchesLoop || t.watchesRound) && !isOwn(t, *target.object))
      t.looks.push_back({target.object, target.offset, size});
  }
  void mergeState(Thread& t);
  /// Counts a round of the loop whose counter this is, unless the loop `isCounted`: bounds leave it alone.
  /// False: it is one too many.
  bool countRound(const Thread& t, uint64_t& counter, bool isCounted) const;

  /// Where the thread would come to, without an event, if the instruction at its pc gave these values
  /// (stutter.cpp).
  enum class Ahead : uint8_t {
    Unknown,  // to an event, or too far
    Same,     // to where it stands, or to the head of a loop that it has passed with no effect since, in the
              // state in which it stood there
    Other,    // there, in another state
  };
  struct LookAhead {
    Ahead where = Ahead::Unknown;
    LocationId taken = kNone;  // LoopHead::taken of that head
  };
  LookAhead lookAhead(Thread& t, std::span<const Value> results);
  /// Something that nobody causes is about to be asked for here. False: not again, it has happened twice in a
  /// row, and the thread changes something each time; the bound is named.
  bool mayHappen(Thread& t, bool isCounted, BoundKind bound);
  void noteHappened(Thread& t, bool isCounted, bool happened);
  bool isCounted(const Thread& t, const LookAhead& ahead) const;
  /// A value of one bit: whether something happens that nobody causes. In a replay it does where it did.
  Value happens(Thread& t, uint64_t operation, std::string what);

  // Calls.
  bool enter(Thread& t, FunctionId function, uint32_t pool, uint32_t count, uint32_t returnPc);
  /// Returns from the innermost frame with the slots from `first` on.
  bool leave(Thread& t, uint32_t first, uint32_t count);
  bool endOfThread(Thread& t, const Value& value);
  /// The thread has come to its end. False: it fails there, as was asked for.
  bool noteReachedEnd(Thread& t);
  void finishCall(Thread& t);
  /// Runs a function of the program on behalf of the model that `resume` suspends; its result goes to
  /// `*out`, which must stay where it is.
  void invoke(Thread& t, FunctionId function, std::vector<Value> arguments, std::coroutine_handle<> resume,
              Value* out);
  /// Drops the frames above the first `count`, as if their functions had returned.
  void unwind(Thread& t, size_t count);
  /// exit: exit handlers and destructors, then the end of the process. True when the thread now runs
  /// handlers.
  bool leaveProcess(Thread& t);
  /// Exit handlers or destructors are still to run.
  bool runsHandlers() const;
  /// The object is about to go, while a thread holds a mutex in it, or waits for what lies in it: misuse, and
  /// the thread has failed. `what`: for its message, "free of".
  /// `byItself`: only of its own mutexes, which its path tells; else only of what others hold or wait for.
  bool endsWhileLocked(Thread& t, const MemoryObject& object, const char* what, bool byItself);

  /// What atexit and its relatives registered. The last is run first.
  struct ExitHandler {
    uint64_t function = 0, argument = 0;
    bool takesStatus = false;  // before the argument
  };
  std::vector<ExitHandler> exitHandlers;
  std::array<uint64_t, 2> handlerArguments{};  // of the one that runs
  bool handlesSignals = false;                 // a handler of the program was installed
  size_t destructorsRun = 0;
  uint64_t stackBytes = 0;  // of all threads' frames and stack objects

 private:
  void failWith(Thread& t, Failure failure);
  void perform(Thread& t);
  void performed(Thread& t);  // and the thread has come to its next event
  bool isEntry() const;
  void performStart(Thread& t);
  void performEnd(Thread& t);
  void startMain(Thread& t, Value* r);
  void startOther(Thread& t, Value* r);
  void advance(Thread& t);
  bool giveUpBlockedSection();
  bool changed(const std::vector<SeenCell>& seen) const;
  /// False: the thread waits, and is back where it was.
  bool goesOn(Thread& t, const Instruction& in, const StateKey& state);
  /// The round since `head` gave up a mutex that the thread held there, and not since its last event: without
  /// the round others would not get it (docs/awaits.md, 1).
  bool letsOthersIn(const Thread& t, const LoopHead& head) const;
  /// It goes round for ever without waiting for anything, or joins a thread that does.
  bool isIdle(const Thread& t);
  void readFinals();
  /// What the thread waits for: its pending event, or, in an await, what decides whether it goes on.
  Event awaitedEvent(const Thread& t) const;
  /// How a thread goes round whose last round was watched. What it waits for is shared from the next run on.
  GoesRound judgeLooks(Thread& t);
  void watch(Thread& t, bool& flag);
  /// Some of it is defined elsewhere, where whoever may write it.
  bool readsOutside(std::span<const SeenCell> reads) const;
  /// Nobody else can write the object, in any execution.
  bool isOwn(const Thread& t, const MemoryObject& object) const;
  /// The mutex that the thread's last event has acquired, or kNone.
  LocationId takenNow(const Thread& t) const;
  bool markHead(Thread& t, const Instruction& in, const StateKey& state);
  uint64_t& version(LocationId location);
  bool outOfBudget();
  void noteSegment(const Thread& t, uint64_t operation);
  const LoopHead* headHere(const Thread& t) const;
  void noteRecent(Thread& t, const Target& target, unsigned size, const Value& value);
  bool stepAhead(Thread& t, const Instruction& in);
  bool returnAhead(Thread& t, const Instruction& in);

  // execution_order.cpp
  void noteOrders(const Thread& t, Event& event);
  /// Sees to it that an atomic access that puts others in order is an event.
  void noteOrdering(const Thread& t, const Target& target, uint64_t size, EventKind kind);
  void fence(Thread& t, const Instruction& in);
  /// The pending event is an access without choices; `after`: as MemoryModel::access.
  void tellAccess(Thread& t, std::span<const Value> after);
  /// A section may be given up, and no model takes anything back. True: the run has ended.
  bool refusesSection(Thread& t);
  /// The pending event is being executed; it is no access.
  void tellModel(const Thread& t);
  /// Under a memory model: a thread waits in a loop, and its last round has not read what is latest. The same
  /// execution without that round shows all that may follow, so this one ends.
  bool isSuperseded() const;
  /// An index of the model's choices. `writes`: whether the access writes if it reads that value. Nothing:
  /// the run has ended.
  std::optional<size_t> chooseWrite(Thread& t, const Target& target, unsigned size,
                                    const std::function<bool(const Value&)>& writes);
  /// Of the access that was asked for last: "the initial value, not yet what T1 wrote at line 4".
  /// Empty: it is the latest.
  /// `reads`: and the choice is what a mere read takes.
  std::string sourceText(size_t choice, bool reads = false) const;

  // step.cpp
  void step(Thread& t);
  bool isEqual(Thread& t, uint32_t pc, uint64_t x, uint64_t y);
  // step_slow.cpp: true when the thread goes on with the next instruction
  bool slowLoad(Thread& t, const Instruction& in, Value* r);
  bool slowStore(Thread& t, const Instruction& in, Value* r);
  bool atomicRmw(Thread& t, const Instruction& in, Value* r);
  bool compareExchange(Thread& t, const Instruction& in, Value* r);
  Value weakFailure(Thread& t, const Value& expected, uint64_t operation);
  bool allocate(Thread& t, const Instruction& in, Value* r);
  bool divide(Thread& t, const Instruction& in, Value* r);
  bool shift(Thread& t, const Instruction& in, Value* r);
  void slowBinary(Thread& t, const Instruction& in, Value* r);
  uint32_t slowSwitch(Thread& t, const Instruction& in, Value* r);
  bool threadLocal(Thread& t, const Instruction& in, Value* r);
  void floatStep(Thread& t, const Instruction& in, Value* r);
  bool wideStep(Thread& t, const Instruction& in, Value* r);
  bool callExternal(Thread& t, const Instruction& in, Value* r);
  bool callIndirect(Thread& t, const Instruction& in, Value* r);
  bool startCall(Thread& t, uint32_t external, Value* r, const Instruction& in);
  bool unknownCall(Thread& t, const std::string& name, Value* r, const Instruction& in);
  /// Begins a call that may suspend. False: the thread does not go on with the next instruction now.
  bool startTask(Thread& t, const std::string& name, const ModelledCall& model, const Value* r,
                 const Instruction& in);
  std::vector<Value> argumentsOf(const Value* r, const Instruction& in) const;
  void endCallback(Thread& t, const Value& value);
  void endStackObjects(Thread& t, uint32_t first);
  bool holdsLocked(Thread& t, size_t first);  // endsWhileLocked, of stack objects
  bool accessBegin(Thread& t, const Value& address, const Value& root, const Instruction& in, EventKind kind,
                   bool atomic, Target& target, bool& asEvent);
  const std::vector<uint64_t>& constants(FunctionId function);

  Scheduler& scheduler_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::map<std::pair<ObjectId, uint64_t>, MutexState> mutexes_;
  std::map<std::pair<ObjectId, uint64_t>, SyncObject> syncObjects_;
  bool paused_ = false;   // at a statement of `running_`, or before the pending event of `chosen_`
  bool resumes_ = false;  // the statement that comes next was paused at
  Thread* running_ = nullptr;
  uint32_t runningSection_ = 0;  // of the event that it has executed
  Thread* chosen_ = nullptr;
  Thread* inSection_ = nullptr;        // between two events of its atomic section: nobody else may go on
  std::vector<bool> initialReported_;  // by location
  std::vector<uint64_t> versions_;     // by location: how often it was changed
  std::set<std::pair<PlaceId, std::string>> assumed_;
  std::vector<std::vector<uint64_t>> constants_;  // by function, with addresses filled in
  std::vector<bool> constantsReady_;
  std::vector<const ModelledCall*> models_;  // by external
  bool marksHeads_ = false;                  // loop heads are remembered
  std::vector<WriteChoice> sources_;         // of the open access that was asked for last
  MemoryObject nothing_;
  bool mentionsUndefined(Term term) const;
  /// What reads of shared memory that was never written have given in this run.
  std::set<Term> undefinedTerms_;
  std::array<MemoryObject*, 1024> cache_;  // the object an instruction last accessed, by program counter
  EventSink* sink_ = nullptr;
  // Once more is known to be shared than at the start, what the sink saw is void. The run goes on a while
  // without it, to learn the rest as well: else every surprise would cost an exploration a restart.
  EventSink silent_;
  bool learning_ = false;
  uint64_t maxEvents_ = 0, maxInstructions_ = 0;
  uint64_t knowledge_ = 0;  // Locations::version() so far
  uint64_t nextCheck_ = 0;  // instruction count of the next look at the budget
};

}  // namespace heddle
