#include "analysis/interp/core/execution.h"

#include <algorithm>
#include <utility>

namespace heddle {

Execution::Execution(MachineContext shared, const MachineOptions& machineOptions, Scheduler& scheduler,
                     EventSink& eventSink, const Budget& runBudget)
    : program(shared.program),
      names(shared.names),
      terms(shared.terms),
      locations(shared.locations),
      options(machineOptions),
      budget(runBudget),
      memory(shared.program, shared.names, shared.terms),
      sync(program, names, terms, memory),
      scheduler_(scheduler) {
  for (const std::string& name : program.externals)
    process.setsVariables |= name == "setenv" || name == "putenv" || name == "unsetenv" || name == "clearenv";
  sink_ = &eventSink;
  knowledge_ = locations.version();
  maxEvents_ = options.maxEvents;
  maxInstructions_ = options.maxInstructions;
}

Execution::~Execution() = default;

RunResult Execution::run() {
  while (runToPause()) continue;
  return finish();
}

bool Execution::isEntry() const {
  return options.entry < program.functions.size() && program.functions[options.entry].defined;
}

bool Execution::runToPause() {
  if (threads_.empty()) {
    if (!isEntry()) return false;
    addThread(kMainThread, options.entry, {});
  }
  if (std::exchange(paused_, false)) {
    if (chosen_) {
      perform(*std::exchange(chosen_, nullptr));
    } else {
      stepper.resume();
      advance(*running_);
      if (!paused_) performed(*running_);
    }
    if (paused_) return true;
  }
  std::vector<const Event*> candidates;
  while (!ended) {
    candidates.clear();
    if (weak.isSuperseded()) {
      result.outcome = RunOutcome::Stopped;
      ended = true;
      break;
    }
    for (const auto& t : threads_)
      if (enabled(*t)) candidates.push_back(&t->next.event);
    if (candidates.empty()) {
      if (sections.giveUpBlocked()) continue;
      break;
    }
    if (outOfBudget()) break;
    const std::optional<ThreadId> chosen = scheduler_.next(candidates);
    Thread* t = chosen ? thread(*chosen) : nullptr;
    if (!t || !enabled(*t)) {
      result.outcome = RunOutcome::Stopped;
      ended = true;
      break;
    }
    if (options.pauses && sink().beforeEvent(t->next.event)) {
      chosen_ = t;
      return paused_ = true;
    }
    perform(*t);
    if (paused_) return true;
  }
  return false;
}

RunResult Execution::finish() {
  if (!isEntry()) {
    result.outcome = RunOutcome::Unsupported;
    result.unsupported = "no entry point";
    return std::move(result);
  }
  if (!ended) {
    for (const auto& t : threads_)
      if (t->next.isGiven) {
        if (t->next.event.rule) accesses.reportInitial(t->next.event);
        sink().blocked(t->next.event);
        // A thread that gave up an atomic section waits in an execution that does not count.
        if (t->stopped || isIdle(*t)) continue;
        noteBlocked(*t, loops.awaitedEvent(*t));
        if (t->next.event.timed && isCancelled(*t)) result.cancelled.insert(t->id);
      }
    noteStuck();
  }
  if (!ended || result.outcome == RunOutcome::Stopped || result.outcome == RunOutcome::Failed)
    for (const auto& t : threads_)
      if (t->next.isGiven) {
        if (t->next.event.kind == EventKind::Read || t->next.event.kind == EventKind::Update)
          accesses.reportInitial(t->next.event);
        result.pending.push_back(t->next.event);
      }
  const bool hasEnded =
      result.exitCode != -1 ||
      std::all_of(threads_.begin(), threads_.end(), [](const auto& t) { return t->ended && !t->stopped; });
  if (hasEnded) readFinals();
  noteReachedThreads();
  if (learning_) result.outcome = RunOutcome::Relearned;
  return std::move(result);
}

void Execution::readFinals() {
  for (const uint32_t global : options.finals) {
    MemoryObject* object = memory.global(global);
    const uint64_t size = object && memory.touch(*object) ? std::min<uint64_t>(object->size, 8) : 0;
    const Value value = size == 0 ? Value{} : memory.read(*object, 0, static_cast<unsigned>(size));
    // Each value that inputs may give it is a way to end.
    if (value.term != kNoTerm && !isUndefined(value))
      sink().choice(kMainThread, kNone, value.term, value.bits);
    result.finals.push_back(value.bits);
  }
}

bool Execution::isIdle(const Thread& t) {
  const Thread* joined = &t;
  for (size_t i = 0;
       i < threads_.size() && joined && joined->next.isGiven && joined->next.event.kind == EventKind::Join;
       ++i)
    joined = thread(joined->next.event.other);
  return joined && joined->goesRound() && joined->rounds.goesRound == GoesRound::Idle;
}

bool Execution::outOfBudget() {
  StopReason reason = budget.check();
  if (reason == StopReason::None && (result.events >= maxEvents_ || result.instructions >= maxInstructions_))
    reason = StopReason::Steps;
  if (reason == StopReason::None) return false;
  result.outcome = RunOutcome::OutOfBudget;
  result.stop = reason;
  ended = true;
  return true;
}

bool Execution::enabled(const Thread& t) {
  if (!t.next.isGiven || t.stopped || (t.rounds.awaits && !loops.changed(t.rounds.awaited))) return false;
  if (sections.excludes(t)) return false;
  if (t.next.event.kind == EventKind::Lock) return t.next.mutex->owner == kNone;
  if (t.next.event.rule) return sync.guardHolds(*t.next.event.rule, t.next.event.operand, *t.next.sync);
  if (t.next.event.kind == EventKind::Wake)
    return t.next.sync->condition.canWake(t.next.waitsSince, result.events + 1);
  if (t.next.event.kind == EventKind::Join)
    for (const auto& other : threads_)
      if (other->id == t.next.event.other) return other->ended && !other->next.event.endsProcess;
  return true;
}

Thread* Execution::thread(ThreadId id) {
  for (const auto& t : threads_)
    if (t->id == id) return t.get();
  return nullptr;
}

PlaceId Execution::placeOfCall(const Thread& t) const {
  if (t.pc >= program.code.size()) return kNone;
  for (size_t i = t.frames.size(); i-- > 0;) {
    const uint32_t call = t.frames[i].returnPc;
    if (i == 0 || call >= program.code.size()) continue;
    if (const PlaceId at = program.code[call].place; at != kNone) return at;
  }
  return t.createdAt;
}

Thread& Execution::addThread(ThreadId id, FunctionId function, const Value& argument, PlaceId createdAt) {
  auto added = std::make_unique<Thread>();
  added->id = id;
  added->label = names.label(id);
  added->function = function;
  added->argument = argument;
  Event start;
  start.kind = EventKind::Start;
  start.place = program.functions[function].place;
  if (start.place == kNone) start.place = createdAt;
  added->createdAt = createdAt;
  threads_.push_back(std::move(added));
  wait(*threads_.back(), std::move(start));
  return *threads_.back();
}

void Execution::wait(Thread& t, Event event) {
  event.thread = t.id;
  if (event.operation == 0) event.operation = t.operations + 1;
  event.section = t.atomic.number;
  const bool acquires = event.kind == EventKind::Lock || event.kind == EventKind::LockBusy;
  if (t.rounds.leaving && acquires &&
      std::find(t.rounds.released.begin(), t.rounds.released.end(), event.cells[0]) !=
          t.rounds.released.end()) {
    t.rounds.leaving = false;
    t.rounds.awaits = true;
  }
  // A handler unlocks nothing, and ends no thread.
  event.timed |= process.handlesSignals && event.kind != EventKind::Lock && event.kind != EventKind::Join;
  t.next.event = std::move(event);
  t.next.isGiven = true;
}

void Execution::perform(Thread& t) {
  t.next.isGiven = false;
  ++result.events;
  budget.spend();
  noteSegment(t, t.next.event.operation);
  if (t.atomic.number) t.atomic.isUsed = true;
  const uint32_t section = t.next.event.section;
  t.operations = t.next.event.operation;
  loops.noteEvent(t);
  if (options.memoryModel) weak.tellModel(t);
  if (options.recordTrace)
    result.trace.push_back({t.next.event.kind,
                            t.id,
                            t.next.event.place,
                            t.next.event.operation,
                            {},
                            t.next.event.cells,
                            hasWritten(t.next.event),
                            texts.isHidden(t.next.event),
                            t.next.event.atomic || t.next.event.rule != nullptr});
  switch (t.next.event.kind) {
    case EventKind::Start:
      performStart(t);
      break;
    case EventKind::End:
      performEnd(t);
      break;
    default:
      t.next.isGranted = true;
      break;
  }
  runningSection_ = section;
  advance(t);
  if (paused_)
    running_ = &t;
  else
    performed(t);
}

void Execution::performed(Thread& t) {
  const uint32_t section = runningSection_;
  if (t.rounds.setAside)
    sink().setAside(t.id, t.rounds.goesRound);
  else if (!ended)
    sink().advanced(t.id, t.next.isGiven ? &t.next.event : nullptr);
  sections.performed(t, section);
}

void Execution::noteSegment(Thread& t, uint64_t operation) {
  auto& segments = result.schedule.segments;
  const uint64_t added = operation - t.scheduled;
  if (!segments.empty() && segments.back().thread == t.label)
    segments.back().operations += added;
  else
    segments.push_back({t.label, added});
  t.scheduled = operation;
}

void Execution::performStart(Thread& t) {
  t.started = true;
  texts.describe(t, "start");
  sink().start(t.next.event, t.argument);
  t.argument = truncated(terms, t.argument, program.pointerBits());
  const Function& function = program.functions[t.function];
  if (t.isBeyondBound) return bound(t, {BoundKind::Threads, function.place, options.maxThreads});
  if (!function.defined) return unsupported(t, "a thread that runs '" + function.name + "'");
  if (!calls.enter(t, t.function, 0, 0, kNone)) return;
  Value* r = t.registers.data() + t.frames.back().base;
  if (t.id == kMainThread) {
    startMain(t, r);
    // Constructors run on top of main's frame, whose first instruction they return to.
    if (program.startup != kNone && !ended) calls.enter(t, program.startup, 0, 0, function.entry - 1);
    return;
  }
  if (function.parameters > 0) r[0] = t.argument;
  if (t.argument.term != kNoTerm) t.uncertain = true;
}

void Execution::noteReachedThreads() {
  if (!options.reach) return;
  std::map<FunctionId, uint32_t> started;
  for (const auto& t : threads_)
    if (t->started && !t->isBeyondBound) ++started[t->function];
  for (const auto& [function, count] : started) {
    uint32_t& most = options.reach->threads[function].started;
    most = std::max(most, count);
  }
}

bool Execution::noteReachedEnd(Thread& t) {
  if (options.reach) options.reach->threads[t.function].ended = true;
  const std::string& name = program.functions[t.function].name;
  if (name != program.environment.failAtEndOf) return true;
  fail(t, FailureKind::Assertion, "the end of '" + name + "' is reached");
  return false;
}

void Execution::performEnd(Thread& t) {
  texts.describe(t, "end");
  sink().end(t.next.event);
  t.ended = true;
}

void Execution::advance(Thread& t) {
  // A loop that calls something modelled in each round is left in each: the stepper's own look at the budget
  // never comes. One call may move many bytes.
  constexpr uint64_t kTurnsPerLook = 1 << 12;
  uint64_t looked = t.operations;
  for (uint64_t turn = 1;
       !ended && !paused_ && !t.next.isGiven && !t.ended && !t.stopped && !t.rounds.setAside; ++turn) {
    if (turn % kTurnsPerLook == 0 || t.operations - looked > kOperationsPerLook) {
      looked = t.operations;
      if (outOfBudget()) return;
    }
    if (!t.calls.active) {
      stepper.step(t);
      continue;
    }
    t.next.isGranted = false;
    const ActiveCall* resumed = t.calls.active.get();
    const std::coroutine_handle<> resume = std::exchange(t.calls.resumePoint, {});
    resume.resume();
    if (t.calls.active.get() == resumed && resumed->task.done()) calls.finish(t);
  }
}

void Execution::finish(Thread& t, bool endsProcess) {
  // The process takes everything with it at once: others that go on stand for those that came before.
  if (!endsProcess) {
    for (MemoryObject* object : t.stack) {
      calls.stackBytes -= sizeof(MemoryObject) + object->size;
      object->live = 0;
      object->fastRead = object->fastWrite = kNone;
    }
    t.stack.clear();
  }
  if (endsProcess)
    sections.abandon(t);
  else
    while (t.atomic.number) sections.end(t);
  Event end;
  end.kind = EventKind::End;
  end.endsProcess = endsProcess;
  end.place = place(t);
  wait(t, std::move(end));
}

bool Execution::endOfThread(Thread& t, const Value& value) {
  if (!noteReachedEnd(t)) return false;
  if (t.id == kMainThread) {
    result.exitCode = static_cast<int>(value.bits & 0xff);
    leaveProcess(t);
    return false;
  }
  static const std::string kName = "return";
  t.calls.active.reset(new ActiveCall{{*this, context, t, kName, {value}, 0, 0, {}}, {}});
  // A function may end without giving a value, as long as nobody uses it.
  t.calls.active->task = endThread(t.calls.active->call, value);
  const ActiveCall* started = t.calls.active.get();
  t.calls.active->task.handle().resume();
  // It is put aside while a destructor runs.
  if (t.calls.active.get() == started && started->task.done()) calls.finish(t);
  return false;
}

bool Execution::leaveProcess(Thread& t) {
  if (!calls.runsHandlers() && !program.environment.checkLeaks) {
    exitProcess(t);
    return false;
  }
  // The frame below is never returned to.
  calls.enter(t, program.shutdown, 0, 0, t.pc);
  return true;
}

void Execution::exitProcess(Thread& t) {
  for (const auto& other : threads_)
    if (other.get() != &t && !other->ended) result.processExited = true;
  finish(t, true);
}

void Execution::endPrologue() {
  if (!prologue) return;
  prologue = false;
  memory.dropFastPaths();
  // What the prologue wrote is the same in every execution.
  for (const auto& t : threads_) {
    for (MemoryObject* object : t->written) object->noted = false;
    for (MemoryObject* object : t->stack) object->noted = false;
    t->written.clear();
  }
}

MemoryObject* Execution::newObject(Thread& t, ObjectKind kind, uint32_t site, uint64_t size) {
  const uint32_t ordinal = t.sites[site]++;
  return memory.create({kind, t.id, site, ordinal, size});
}

bool Execution::noteKnowledge() {
  constexpr uint64_t kEvents = 20'000, kInstructions = 2'000'000;  // enough for what restarts are worth
  if (locations.version() == knowledge_) return false;
  knowledge_ = locations.version();
  if (learning_) return true;
  learning_ = true;
  sink_ = &silent_;
  maxEvents_ = std::min(options.maxEvents, result.events + kEvents);
  maxInstructions_ = std::min(options.maxInstructions, result.instructions + kInstructions);
  return true;
}

}  // namespace heddle
