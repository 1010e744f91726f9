// Entering and leaving functions, and starting modelled calls.
#include "analysis/interp/core/calls.h"

#include <algorithm>

#include "analysis/interp/core/execution.h"
#include "analysis/interp/core/models.h"

namespace heddle {

namespace {
constexpr size_t kAlwaysDepth = 4096;  // frames that a thread gets, however large they are

uint64_t frameBytes(const Frame& frame, uint32_t top) {
  return sizeof(Frame) + (top - frame.base) * sizeof(Value);
}
}  // namespace

Calls::Calls(Execution& run)
    : ExecutionPart(run), constants_(program_.functions.size()), constantsReady_(program_.functions.size()) {
  models_.reserve(program_.externals.size());
  for (const std::string& name : program_.externals) models_.push_back(findModel(name));
}

const std::vector<uint64_t>& Calls::constants(FunctionId id) {
  const Function& function = program_.functions[id];
  if (!constantsReady_[id]) {
    constants_[id] = function.constants;
    for (const Relocation& relocation : function.relocations) {
      uint64_t& value = constants_[id][relocation.offset];
      value += relocation.target == RelocationTarget::Global ? memory_.globalBase(relocation.index)
                                                             : memory_.functionBase(relocation.index);
      value &= widthMask(program_.pointerBits());
    }
    constantsReady_[id] = true;
  }
  return constants_[id];
}

bool Calls::enter(Thread& t, FunctionId id, uint32_t pool, uint32_t count, uint32_t returnPc) {
  const Function& function = program_.functions[id];
  if (options_.reach) options_.reach->at[function.entry] |= ReachLog::kEntered;
  // Where addresses are few, objects of deep stacks would use them up.
  const bool deep = t.frames.size() >= options_.maxCallDepth ||
                    (t.frames.size() >= kAlwaysDepth &&
                     (stackBytes > options_.maxStackBytes || program_.pointerBits() == 32));
  if (deep) {
    run_.bound(t, {BoundKind::CallDepth, run_.place(t), t.frames.size()});
    return false;
  }
  Frame frame;
  frame.function = id;
  frame.serial = ++t.frameCount;
  frame.base = t.top;
  frame.returnPc = returnPc;
  frame.objects = static_cast<uint32_t>(t.stack.size());
  const uint32_t fixed = std::min(count, function.parameters);
  frame.variableBase = frame.base + function.slots;
  frame.variableCount = function.isVarArg ? count - fixed : 0;
  frame.variablePool = pool + fixed;
  const uint32_t top = frame.variableBase + frame.variableCount;
  if (t.registers.size() < top) t.registers.resize(std::max<size_t>(top, t.registers.size() * 2));
  Value* callee = t.registers.data() + frame.base;
  if (count > 0) {
    const Value* caller = t.registers.data() + t.frames.back().base;
    for (uint32_t i = 0; i < fixed; ++i) callee[i] = caller[program_.arguments[pool + i].slot];
    for (uint32_t i = 0; i < frame.variableCount; ++i)
      callee[function.slots + i] = caller[program_.arguments[pool + fixed + i].slot];
  }
  for (uint32_t i = fixed; i < function.parameters; ++i) callee[i] = {0, kUndefined};
  const std::vector<uint64_t>& values = constants(id);
  Value* constant = callee + function.parameters;
  for (size_t i = 0; i < values.size(); ++i)
    constant[i] = {values[i], function.undefined[i] ? kUndefined : kNoTerm};
  t.top = top;
  stackBytes += frameBytes(frame, top);
  frame.atomic = function.isAtomic;
  t.frames.push_back(frame);
  if (frame.atomic) run_.sections.begin(t);
  t.pc = function.entry;
  return true;
}

void Calls::endStackObjects(Thread& t, uint32_t first) {
  for (size_t i = first; i < t.stack.size(); ++i) {
    MemoryObject* object = t.stack[i];
    stackBytes -= sizeof(MemoryObject) + object->size;
    object->live = 0;
    const Instruction& made = program_.code[names_.info(object->id).name.site];
    if (made.op == Opcode::Alloca && made.flags & kPrivate)
      t.stackSites[made.a].unused.push_back(object);
    else
      object->fastRead = object->fastWrite = kNone;
  }
  t.stack.resize(first);
}

bool Calls::runsHandlers() const {
  return !run_.process.exitHandlers.empty() || run_.process.destructorsRun < program_.destructors.size();
}

bool Calls::holdsLocked(Thread& t, size_t first) {
  if (run_.sync.mutexes().empty()) return false;
  for (size_t i = first; i < t.stack.size(); ++i)
    if (run_.endsWhileLocked(t, *t.stack[i], "the end of", true) ||
        run_.endsWhileLocked(t, *t.stack[i], "the end of", false))
      return true;
  return false;
}

bool Calls::leave(Thread& t, uint32_t first, uint32_t count) {
  const Frame frame = t.frames.back();
  // What is main's is gone while handlers run; where the process ends at once, nobody sees it.
  const bool isMainBeforeHandlers = t.frames.size() == 1 && t.id == kMainThread && runsHandlers();
  if (t.frames.size() > 1 || isMainBeforeHandlers) {
    if (t.next.isGranted) {
      t.next.isGranted = false;
      run_.lives.endStackLife(t, *t.next.ending);
    }
    t.next.ending = run_.lives.endStackLives(t, frame.objects);
    if (run_.ended) return false;
    if (t.next.ending) {
      run_.accesses.wait(t, EventKind::Write, {t.next.ending->life, 0}, 1, 1, true);
      return false;
    }
  }
  if (holdsLocked(t, frame.objects)) return false;
  if (frame.atomic) run_.sections.end(t);
  if (isMainBeforeHandlers) {
    const Value value = count ? t.registers[frame.base + first] : Value{};
    endStackObjects(t, 0);
    return run_.endOfThread(t, value);
  }
  if (t.frames.size() == 1) {
    const Value value = count ? t.registers[frame.base + first] : Value{};
    return run_.endOfThread(t, value);
  }
  endStackObjects(t, frame.objects);
  t.frames.pop_back();
  stackBytes -= frameBytes(frame, t.top);
  t.top = frame.base;
  const Value* callee = t.registers.data() + frame.base + first;
  if (frame.returnPc == kCallback) {
    endCallback(t, count ? callee[0] : Value{0, kUndefined});
    return false;
  }
  if (frame.repeats) {
    t.pc = frame.returnPc;
    return true;
  }
  const Instruction& call = program_.code[frame.returnPc];
  Value* caller = t.registers.data() + t.frames.back().base;
  const uint32_t wanted = call.aux;
  for (uint32_t i = 0; i < wanted; ++i) caller[call.dst + i] = i < count ? callee[i] : Value{0, kUndefined};
  t.pc = frame.returnPc + 1;
  return true;
}

void Calls::unwind(Thread& t, size_t count) {
  if (count >= t.frames.size()) return;
  endStackObjects(t, t.frames[count].objects);
  stackBytes -= frameBytes(t.frames[count], t.top) + (t.frames.size() - count - 1) * sizeof(Frame);
  t.top = t.frames[count].base;
  for (; t.frames.size() > count; t.frames.pop_back())
    if (t.frames.back().atomic) run_.sections.end(t);
  while (!t.calls.onces.empty() && t.calls.onces.back().frames > count) t.calls.onces.pop_back();
  while (!t.calls.suspended.empty() && t.calls.suspended.back().frames > count) t.calls.suspended.pop_back();
}

void Calls::invoke(Thread& t, FunctionId function, std::vector<Value> arguments,
                   std::coroutine_handle<> resume, Value* out) {
  const uint32_t at = t.pc;
  if (!enter(t, function, 0, 0, kCallback)) return;
  Value* r = t.registers.data() + t.frames.back().base;
  const uint32_t count =
      std::min(program_.functions[function].parameters, static_cast<uint32_t>(arguments.size()));
  std::copy_n(arguments.begin(), count, r);
  t.calls.suspended.push_back({std::move(t.calls.active), resume, t.frames.size() - 1, at, out});
}

void Calls::fillFirst(Thread& t, uint64_t address, const Filler& filler) {
  if (!enter(t, filler.function, 0, 0, t.pc)) return;
  t.frames.back().repeats = true;
  Value* r = t.registers.data() + t.frames.back().base;
  const uint32_t count = program_.functions[filler.function].parameters;
  if (count > 0) r[0] = {address};
  if (count > 1) r[1] = {filler.argument};
}

void Calls::endCallback(Thread& t, const Value& value) {
  SuspendedCall waiting = std::move(t.calls.suspended.back());
  t.calls.suspended.pop_back();
  *waiting.result = value;
  t.pc = waiting.pc;
  t.calls.active = std::move(waiting.call);
  t.calls.resumePoint = waiting.resume;
}

bool Calls::callIndirect(Thread& t, const Instruction& in, Value* r) {
  const Value callee = run_.undefined.used(t, r[in.a], " as the address of a function");
  run_.choose(t, callee);
  const FunctionId id = memory_.functionAt(callee.bits);
  if (id == kNone && memory_.mayBeFunction(callee.bits))
    return unknownCall(t, returnedFunction(callee.bits), r, in);
  if (id == kNone) {
    run_.fail(t, FailureKind::Memory,
              callee.bits == 0 ? "call through a null function pointer"
                               : "call of an address that is not a function");
    return false;
  }
  const Function& function = program_.functions[id];
  if (function.defined) return enter(t, id, in.b, in.c, t.pc);
  return startCall(t, function.external, r, in);
}

const std::string& Calls::returnedFunction(uint64_t address) {
  const ObjectId object = names_.objectAt(address);
  const Instruction& made = program_.code[names_.info(object).name.site];
  const bool isNamed = made.op == Opcode::CallExternal;
  return returned_.try_emplace(object, (isNamed ? program_.externals[made.a] : "unknown") + "()")
      .first->second;
}

bool Calls::callExternal(Thread& t, const Instruction& in, Value* r) {
  return startCall(t, in.a, r, in);
}

bool Calls::startCall(Thread& t, uint32_t external, Value* r, const Instruction& in) {
  const ModelledCall* model = models_[external];
  if (options_.reach) options_.reach->at[t.pc] |= ReachLog::kEntered;
  const std::string& name = program_.externals[external];
  if (!model) return unknownCall(t, name, r, in);
  const bool mayCancel = program_.cancels && isCancellationPoint(name);
  if (model->plain && !mayCancel) {
    Call call{run_, run_.context, t, name, argumentsOf(r, in), in.b, in.width, {}};
    model->plain(call);
    if (run_.ended || t.next.isGiven || t.stopped) return false;
    if (in.width) r[in.dst] = call.result;
    if (in.aux == 2) r[in.dst + 1] = call.resultHigh;
    ++t.pc;
    return true;
  }
  return startTask(t, name, *model, r, in);
}

std::vector<Value> Calls::argumentsOf(const Value* r, const Instruction& in) const {
  std::vector<Value> arguments(in.c);
  for (uint32_t i = 0; i < in.c; ++i) arguments[i] = r[program_.arguments[in.b + i].slot];
  return arguments;
}

bool Calls::startTask(Thread& t, const std::string& name, const ModelledCall& model, const Value* r,
                      const Instruction& in) {
  const bool mayCancel = program_.cancels && isCancellationPoint(name);
  const uint64_t before = t.operations;
  t.calls.active.reset(
      new ActiveCall{{run_, run_.context, t, name, argumentsOf(r, in), in.b, in.width, {}}, {}});
  ActiveCall* started = t.calls.active.get();
  started->task = mayCancel ? cancelFirst(started->call, model) : model.task(started->call);
  started->task.handle().resume();
  // It may have been put aside to let a function of the program run.
  if (t.calls.active.get() != started || !started->task.done()) return false;
  finish(t);
  if (run_.ended || t.next.isGiven || t.stopped) return false;
  // The stepper counts instructions, and each may move many bytes: it is left for a look at the budget.
  moved_ += t.operations - before;
  if (moved_ <= kOperationsPerLook) return true;
  moved_ = 0;
  return false;
}

bool Calls::unknownCall(Thread& t, const std::string& name, Value* r, const Instruction& in) {
  const UnknownEffect effect = unknownEffectOf(program_.environment, name);
  const bool isRefused = !canBePassedOver(name) || effect == UnknownEffect::Refused;
  // Without an address among its arguments it cannot reach what the program's memory holds, save for globals
  // that other units define, and those are assumed.
  bool canTouch = in.flags & kPointerResult;
  for (uint32_t i = 0; i < in.c; ++i) canTouch |= program_.arguments[in.b + i].isPointer;
  if (isRefused && (canTouch || in.aux > 1 || !canBePassedOver(name))) {
    run_.unsupported(t, "call of '" + name + "'");
    return false;
  }
  if (in.flags & kNoReturn) {
    run_.noteUnknownCall(t, name);
    run_.assume(run_.place(t), "'" + name + "', defined elsewhere, ends the process");
    run_.exitProcess(t);
    return false;
  }
  if (canTouch || in.aux > 1 || effect == UnknownEffect::Reachable)
    return startTask(t, name, unknownModel(), r, in);
  run_.noteUnknownCall(t, name);
  run_.assume(run_.place(t), "'" + name + "', defined elsewhere, changes nothing that the program can see" +
                                 (in.width ? " and returns any value" : ""));
  if (in.width) {
    r[in.dst] = run_.inputs.fresh(t, in.width, true, name);
    run_.result.inputs.back().isReturned = true;
  }
  ++t.pc;
  return true;
}

void Calls::finish(Thread& t) {
  const std::unique_ptr<ActiveCall> call = std::move(t.calls.active);
  if (run_.ended || t.next.isGiven || t.stopped || t.frames.empty()) return;
  const Instruction& in = program_.code[t.pc];
  // Both of the instruction where it ends: a longjmp ends at the setjmp it goes to.
  Value* r = t.registers.data() + t.frames.back().base;
  if (in.width) r[in.dst] = call->call.result;
  if (in.aux == 2) r[in.dst + 1] = call->call.resultHigh;
  ++t.pc;
}

}  // namespace heddle
