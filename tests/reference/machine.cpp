#include "tests/reference/machine.h"

#include <algorithm>
#include <stdexcept>

#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::reference {
namespace {

constexpr uint32_t kMostQuiet = 1'000'000;  // instructions of one step

bool isCallOf(const llvm::Instruction& instruction, const char* name) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

bool isIgnored(const llvm::CallBase& call) {
  if (llvm::isa<llvm::DbgInfoIntrinsic>(call)) return true;
  const llvm::Function* callee = call.getCalledFunction();
  return callee &&
         (callee->getName().starts_with("llvm.lifetime") || callee->getName().starts_with("llvm.dbg"));
}

}  // namespace

unsigned Machine::lineOf(const llvm::Instruction& instruction) {
  return instruction.getDebugLoc() ? instruction.getDebugLoc().getLine() : 0;
}

State Machine::start() {
  State state;
  state.objects = code_.globals();
  const FunctionCode* main = code_.function("main");
  if (!main) throw std::runtime_error("no main");
  state.threads.emplace_back();
  enter(state.threads[0], *main, std::vector<Value>(main->function->arg_size()), kStackBase);
  advance(state, 0);
  return state;
}

const llvm::Instruction& Machine::at(const Thread& thread) const {
  const Frame& frame = thread.frames.back();
  return *frame.code->blocks.at(frame.block)[frame.next];
}

Value Machine::value(const Thread& thread, const llvm::Value& operand) const {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&operand)) return code_.constant(*constant);
  const Frame& frame = thread.frames.back();
  return frame.values[frame.code->slots.at(&operand)];
}

uint64_t Machine::argument(const Thread& thread, const llvm::CallBase& call, unsigned i) const {
  return value(thread, *call.getArgOperand(i)).bits;
}

void Machine::set(Thread& thread, const llvm::Instruction& instruction, Value value) const {
  Frame& frame = thread.frames.back();
  frame.values[frame.code->slots.at(&instruction)] = value;
}

void Machine::jump(Thread& thread, const llvm::BasicBlock& to) const {
  Frame& frame = thread.frames.back();
  std::vector<std::pair<uint32_t, Value>> phis;
  for (const llvm::PHINode& phi : to.phis())
    phis.emplace_back(frame.code->slots.at(&phi), value(thread, *phi.getIncomingValueForBlock(frame.block)));
  if (const auto temporary = frame.code->temporary.find(frame.block);
      temporary != frame.code->temporary.end())
    for (uint32_t slot : temporary->second) frame.values[slot] = {};
  for (const auto& [slot, value] : phis) frame.values[slot] = value;
  frame.block = &to;
  frame.from = nullptr;
  frame.next = static_cast<uint32_t>(phis.size());
}

void Machine::enter(Thread& thread, const FunctionCode& function, const std::vector<Value>& arguments,
                    uint64_t stackTop) const {
  Frame frame;
  frame.code = &function;
  frame.block = &function.function->getEntryBlock();
  frame.stackTop = stackTop;
  frame.values.resize(function.slotCount);
  for (size_t i = 0; i < arguments.size() && i < function.function->arg_size(); ++i)
    frame.values[i] = arguments[i];
  thread.frames.push_back(std::move(frame));
}

void Machine::leave(State& state, size_t t, std::optional<Value> result) const {
  Thread& thread = state.threads[t];
  const uint64_t bottom = thread.frames.size() > 1 ? thread.frames[thread.frames.size() - 2].stackTop
                                                   : kStackBase + t * kStackEach;
  const uint64_t top = thread.frames.back().stackTop;
  std::erase_if(state.objects, [&](const Object& o) { return o.base >= bottom && o.base < top; });
  thread.frames.pop_back();
  if (thread.frames.empty()) return finish(state, t, result ? result->bits : 0);
  const llvm::Instruction& call = at(thread);
  if (result) set(thread, call, *result);
  ++thread.frames.back().next;
}

void Machine::finish(State& state, size_t t, uint64_t result) const {
  Thread& thread = state.threads[t];
  while (!thread.frames.empty()) {
    const uint64_t base = kStackBase + t * kStackEach;
    std::erase_if(state.objects,
                  [&](const Object& o) { return o.base >= base && o.base < base + kStackEach; });
    thread.frames.clear();
  }
  thread.status = ThreadStatus::Ended;
  thread.result = result;
}

const Object* Machine::objectAt(const State& state, uint64_t address, uint32_t size) const {
  for (const Object& object : state.objects)
    if (address >= object.base && address + size <= object.base + object.bytes.size())
      if (!object.freed) return &object;
  return nullptr;
}

Machine::Pointer Machine::resolve(State& state, uint64_t address, uint32_t size) const {
  Object* object = const_cast<Object*>(objectAt(state, address, size));
  return {object, object ? address - object->base : 0};
}

bool Machine::isVisible(const State& state, size_t t) const {
  const Thread& thread = state.threads[t];
  const llvm::Instruction& instruction = at(thread);
  if (const std::optional<Access> access = accessOf(state, thread, instruction)) {
    const Object* object = objectAt(state, access->address, access->size);
    return !object || object->region == Region::Global || object->region == Region::Heap ||
           object->region == Region::SharedStack || access->wild;
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    if (isIgnored(*call)) return false;
    const llvm::Function* callee = call->getCalledFunction();
    if (callee && !callee->isDeclaration()) return false;
    if (callee) {
      const llvm::StringRef name = callee->getName();
      if (name == "heddle_assume" || name == "__VERIFIER_assume") return argument(thread, *call, 0) == 0;
      if (name == "printf" || name == "puts" || name == "usleep" || name == "sched_yield") return false;
    } else {
      const Value target = value(thread, *call->getCalledOperand());
      return target.undefined || !code_.functionAt(target.bits);
    }
    return true;
  }
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
    return branch->isConditional() && value(thread, *branch->getCondition()).undefined;
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
    return value(thread, *choice->getCondition()).undefined;
  if (llvm::isa<llvm::ReturnInst>(instruction)) {
    if (t == 0 && thread.frames.size() == 1) return true;
    return !thread.frames.back().code->reachable.empty();
  }
  switch (instruction.getOpcode()) {
    case llvm::Instruction::SDiv:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SRem:
    case llvm::Instruction::URem:
      return value(thread, *instruction.getOperand(1)).bits == 0;
    case llvm::Instruction::Unreachable:
      return true;
    default:
      return false;
  }
}

void Machine::advance(State& state, size_t t) {
  for (uint32_t quietly = 0; state.process == Process::Running; ++quietly) {
    Thread& thread = state.threads[t];
    if (thread.status == ThreadStatus::Ended || isVisible(state, t)) return;
    if (quietly > kMostQuiet) throw std::runtime_error("a thread goes round without a visible step");
    quiet(state, t, at(thread));
  }
}

void Machine::quiet(State& state, size_t t, const llvm::Instruction& instruction) {
  Thread& thread = state.threads[t];
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    if (!llvm::isa<llvm::ConstantInt>(variable->getArraySize()))
      throw std::runtime_error("variable length array");
    const uint64_t count = llvm::cast<llvm::ConstantInt>(variable->getArraySize())->getZExtValue();
    Frame& frame = thread.frames.back();
    Object object;
    object.base = frame.stackTop;
    object.region = frame.code->reachable.count(variable) ? Region::SharedStack : Region::PrivateStack;
    object.bytes.assign(count * code_.layout().getTypeAllocSize(variable->getAllocatedType()), 0);
    object.undefined.assign(object.bytes.size(), 1);
    frame.stackTop += (object.bytes.size() + 127) / 64 * 64;
    set(thread, instruction, {object.base});
    ++frame.next;
    state.objects.push_back(std::move(object));
    // Sorted, so that the order in which threads enter functions tells no states apart.
    std::sort(state.objects.begin(), state.objects.end(),
              [](const Object& a, const Object& b) { return a.base < b.base; });
    return;
  }
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    const bool first = !branch->isConditional() || (value(thread, *branch->getCondition()).bits & 1);
    return jump(thread, *branch->getSuccessor(first ? 0 : 1));
  }
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
    const uint64_t selected = value(thread, *choice->getCondition()).bits;
    const llvm::BasicBlock* to = choice->getDefaultDest();
    for (const auto& one : choice->cases())
      if (one.getCaseValue()->getZExtValue() == selected) to = one.getCaseSuccessor();
    return jump(thread, *to);
  }
  if (const auto* result = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
    std::optional<Value> given;
    if (result->getReturnValue()) given = value(thread, *result->getReturnValue());
    return leave(state, t, given);
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const llvm::Function* callee = call->getCalledFunction();
    const FunctionCode* target =
        code_.functionAt(callee ? code_.addressOf(*callee) : value(thread, *call->getCalledOperand()).bits);
    if (target && !isIgnored(*call)) {
      std::vector<Value> arguments;
      for (const llvm::Use& use : call->args()) arguments.push_back(value(thread, *use));
      return enter(thread, *target, arguments, thread.frames.back().stackTop);
    }
    if (!call->getType()->isVoidTy()) set(thread, instruction, {});
    ++thread.frames.back().next;
    return;
  }
  if (accessOf(state, thread, instruction)) {
    std::vector<Successor> out;
    memory(state, t, instruction, out);
    if (out.size() != 1) throw std::runtime_error("an access to a private variable has several results");
    state = std::move(out[0].state);
    return;
  }
  set(thread, instruction, computed(thread, instruction));
  ++thread.frames.back().next;
}

State Machine::done(const State& state, size_t t, uint64_t result) {
  State next = state;
  Thread& thread = next.threads[t];
  const llvm::Instruction& instruction = at(thread);
  thread.phase = 0;
  thread.waitsOn = 0;
  thread.woken = false;
  if (!instruction.getType()->isVoidTy()) set(thread, instruction, {result});
  ++thread.frames.back().next;
  return next;
}

void Machine::push(State state, Successors& out) {
  out.push_back({std::move(state), {}});
}

Refusal Machine::fail(const State& state, size_t t, const std::string& kind, Successors& out) {
  failures_.insert({kind, lineOf(at(state.threads[t]))});
  State next = state;
  next.process = Process::Failed;
  out.push_back({std::move(next), {}});
  return Refusal::None;
}

Refusal Machine::execute(const State& state, size_t t, Successors& out) {
  const llvm::Instruction& instruction = at(state.threads[t]);
  const size_t before = out.size();
  const Refusal refusal = effect(state, t, instruction, out);
  for (size_t i = before; i < out.size(); ++i) advance(out[i].state, t);
  return refusal;
}

Refusal Machine::effect(const State& state, size_t t, const llvm::Instruction& instruction, Successors& out) {
  if (accessOf(state, state.threads[t], instruction)) return memory(state, t, instruction, out);
  if (const auto* called = llvm::dyn_cast<llvm::CallBase>(&instruction)) return call(state, t, *called, out);
  if (llvm::isa<llvm::BranchInst>(instruction) || llvm::isa<llvm::SwitchInst>(instruction))
    return fail(state, t, "uninitialized", out);
  if (llvm::isa<llvm::ReturnInst>(instruction)) {
    State next = state;
    if (t == 0 && next.threads[0].frames.size() == 1)
      next.process = Process::Exited;
    else
      quiet(next, t, instruction);
    push(std::move(next), out);
    return Refusal::None;
  }
  return fail(state, t, "memory", out);  // a division by zero, the end of what has no end
}

bool Machine::beginsSection(const State& state, size_t t) const {
  return state.threads[t].status == ThreadStatus::Running &&
         isCallOf(at(state.threads[t]), "__VERIFIER_atomic_begin");
}

Refusal Machine::step(const State& state, size_t t, std::vector<Successor>& out) {
  const llvm::Instruction& instruction = at(state.threads[t]);
  if (isCallOf(instruction, "__VERIFIER_atomic_begin")) {
    State inside = done(state, t);
    advance(inside, t);
    return section(inside, t, {}, out);
  }
  const std::optional<Access> access = nextAccess(state, t);
  const size_t before = out.size();
  const Refusal refusal = execute(state, t, out);
  if (access)
    for (size_t i = before; i < out.size(); ++i) out[i].accesses = {*access};
  return refusal;
}

Refusal Machine::section(const State& state, size_t t, std::vector<Access> accesses, Successors& out) {
  // What an assumption cuts off inside a section has never begun.
  if (state.process == Process::Assumed) return Refusal::Assumption;
  if (state.process != Process::Running) {
    out.push_back({state, std::move(accesses), true});
    return Refusal::None;
  }
  if (state.threads[t].status == ThreadStatus::Ended)
    throw std::runtime_error("a thread ends in an atomic section");
  const llvm::Instruction& instruction = at(state.threads[t]);
  if (isCallOf(instruction, "__VERIFIER_atomic_end")) {
    State after = done(state, t);
    advance(after, t);
    out.push_back({std::move(after), std::move(accesses), true});
    return Refusal::None;
  }
  const std::optional<Access> access = nextAccess(state, t);
  if (access) accesses.push_back(*access);
  std::vector<Successor> next;
  Refusal refusal = execute(state, t, next);
  // A section that cannot be left stops its thread for good, like an assumption (docs/interp.md).
  if (refusal == Refusal::Waits) refusal = Refusal::Assumption;
  bool any = false;
  for (Successor& one : next) {
    const Refusal inner = section(one.state, t, accesses, out);
    any |= inner == Refusal::None;
    if (inner == Refusal::Assumption || refusal == Refusal::None) refusal = inner;
  }
  return any ? Refusal::None : refusal;
}

}  // namespace heddle::reference
