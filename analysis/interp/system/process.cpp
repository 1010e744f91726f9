// The end of the process, waiting for time, and variable arguments.
#include <algorithm>

#include "analysis/interp/core/call.h"
#include "analysis/model/failure_text.h"
#include "analysis/program/modelled_names.h"

namespace heddle {

namespace process_calls {
namespace {

/// abort and the like: no handlers.
void endProcess(Call& call) {
  if (call.name != "abort" && !call.context.noteReachedEnd(call.thread)) return;
  if (call.name != "abort") call.context.result.exitCode = static_cast<int>(call.argument(0).bits & 0xff);
  call.context.exitProcess(call.thread);
}

void exitProcess(Call& call) {
  if (!call.context.noteReachedEnd(call.thread)) return;
  call.context.result.exitCode = static_cast<int>(call.argument(0).bits & 0xff);
  // The caller of this model steps over the call that it was started for.
  if (call.context.leaveProcess(call.thread)) --call.thread.pc;
}

/// atexit, and its relatives whose handlers take an argument.
void registerHandler(Call& call) {
  ModelContext& e = call.context;
  if (call.thread.id != kMainThread || !e.prologue)
    e.assume(e.place(call.thread),
             "exit handlers are run in the order in which this execution registered them");
  const bool hasArgument = call.name != "atexit";
  e.process.exitHandlers.push_back(
      {call.number(0), hasArgument ? call.number(1) : 0, call.name == "on_exit"});
  call.returns(0);
}

void nextHandler(Call& call) {
  ModelContext& e = call.context;
  ExitHandler next;
  if (!e.process.exitHandlers.empty()) {
    next = e.process.exitHandlers.back();
    e.process.exitHandlers.pop_back();
  } else if (e.process.destructorsRun < e.program.destructors.size()) {
    next.function = e.memory.functionBase(e.program.destructors[e.process.destructorsRun++]);
  }
  e.process.handlerArguments = {next.argument, 0};
  if (next.takesStatus)
    e.process.handlerArguments = {static_cast<uint64_t>(e.result.exitCode), next.argument};
  call.result = {next.function};
}

void handlerArguments(Call& call) {
  call.result = {call.context.process.handlerArguments[0]};
  call.resultHigh = {call.context.process.handlerArguments[1]};
}

void pass(Call& call) {
  call.returns(0);
}

void trap(Call& call) {
  call.context.fail(call.thread, FailureKind::Assertion, "trap reached");
}

/// The branch that Clang's check of signed operations takes; its argument is Clang's number of the operation.
void overflow(Call& call) {
  constexpr uint64_t kAdd = 0, kDivide = 3, kMultiply = 12, kNegate = 13, kSubtract = 21;
  const char* operation = "an operation";
  switch (call.number(0)) {
    case kAdd:
      operation = "an addition";
      break;
    case kDivide:
      operation = "a division";
      break;
    case kMultiply:
      operation = "a multiplication";
      break;
    case kNegate:
      operation = "a negation";
      break;
    case kSubtract:
      operation = "a subtraction";
      break;
    default:
      break;
  }
  call.context.fail(call.thread, FailureKind::Overflow, std::string("signed overflow of ") + operation);
}

/// The branch that the check of an index takes: the array is a part of something larger, so that there is
/// memory behind it. How large an index callers pass, a function that is called alone cannot know. The number
/// of elements is 0 where neither it nor the index is known.
void beyondArray(Call& call) {
  const uint64_t base = call.copied(0).bits, count = call.number(2);
  const MemoryObject* object = base != 0 ? call.context.memory.at(base) : nullptr;
  if (base != 0 && call.context.isMadeUp(object, base)) return call.context.assumeFit(call.thread);
  std::string message(kInnerIndexText);
  if (object && base - object->base <= object->size) {
    std::string name = call.nameOf({const_cast<MemoryObject*>(object), base - object->base});
    // The array begins with its first element, or with the first member of that.
    if (const size_t first = name.rfind("[0]"); first != std::string::npos) name.resize(first);
    message += " of '" + name + "'";
  }
  if (count != 0) {
    const unsigned unused = 64 - call.context.program.arguments[call.pool + 1].width;
    const auto index = static_cast<int64_t>(call.argument(1).bits << unused) >> unused;
    message += " (index " + std::to_string(index) + " of " + std::to_string(count) + ")";
  }
  call.context.fail(call.thread, FailureKind::Memory, std::move(message));
}

/// Lays the variable arguments of the running function out in memory, in the form that clang's va_arg code
/// reads.
Task<> startArguments(Call& call) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  const Frame frame = t.frames.back();
  const unsigned pointer = call.pointerBits() / 8;
  uint64_t size = 0;
  for (uint32_t i = 0; i < frame.variableCount; ++i) {
    const CallArgument& argument = e.program.arguments[frame.variablePool + i];
    size = std::max<uint64_t>(size, argument.offset + std::max<uint64_t>(argument.bytes, 8));
  }
  MemoryObject* area = e.newObject(t, ObjectKind::Stack, t.pc, size + 8);
  if (!area || !e.memory.touch(*area)) {
    e.unsupported(t, "the address space is used up");
    co_return;
  }
  t.stack.push_back(area);
  e.noteStackObject(area->size);
  for (uint32_t i = 0; i < frame.variableCount; ++i) {
    const CallArgument& argument = e.program.arguments[frame.variablePool + i];
    const Value value = e.settled(t, t.registers[frame.variableBase + i]);
    if (argument.isMemory) {
      Target from;
      if (!co_await call.resolve(value, argument.bytes, false, from)) co_return;
      auto chunks = co_await call.readBlock(from, argument.bytes);
      if (!chunks) co_return;
      co_await call.writeBlock({area, argument.offset}, std::move(*chunks));
      continue;
    }
    const unsigned bytes = (argument.width + 7u) / 8;
    e.memory.write(*area, argument.offset, bytes, zeroExtended(e.terms, value, argument.width, bytes * 8));
  }
  Target list;
  if (pointer == 4) {
    if (!co_await call.resolve(call.argument(0), 4, true, list)) co_return;
    co_await call.store(list, 4, {area->base});
    co_return;
  }
  // No argument is in a register save area: both register counts say that it is used up.
  if (!co_await call.resolve(call.argument(0), 24, true, list)) co_return;
  co_await call.store(list, 4, {48});
  list.offset += 4;
  co_await call.store(list, 4, {176});
  list.offset += 4;
  co_await call.store(list, 8, {area->base});
  list.offset += 8;
  co_await call.store(list, 8, {area->base});
}

Task<> copyArguments(Call& call) {
  const uint64_t size = call.pointerBits() == 64 ? 24 : 4;
  Target from, to;
  if (!co_await call.resolve(call.argument(1), size, false, from)) co_return;
  auto chunks = co_await call.readBlock(from, size);
  if (!chunks || !co_await call.resolve(call.argument(0), size, true, to)) co_return;
  co_await call.writeBlock(to, std::move(*chunks));
}

/// Each thread has its own errno. Models of calls that fail set it.
void errorNumber(Call& call) {
  if (const MemoryObject* object = call.errorNumber()) call.returns(object->base);
}

constexpr ModelledCall kModels[] = {
    {"exit", exitProcess, nullptr},
    {"_exit", endProcess, nullptr},
    {"_Exit", endProcess, nullptr},
    {"quick_exit", endProcess, nullptr},
    {"abort", endProcess, nullptr},
    {"atexit", registerHandler, nullptr},
    {"on_exit", registerHandler, nullptr},
    {"__cxa_atexit", registerHandler, nullptr},
    {"at_quick_exit", pass, nullptr},
    {"heddle.next_exit_handler", nextHandler, nullptr},
    {"heddle.exit_handler_arguments", handlerArguments, nullptr},
    {"srand", pass, nullptr},
    {"srandom", pass, nullptr},
    {"srand48", pass, nullptr},
    {"__errno_location", errorNumber, nullptr},
    {"llvm.trap", trap, nullptr},
    {"llvm.ubsantrap", overflow, nullptr},
    {kBeyondArrayCall.data(), beyondArray, nullptr},
    {"llvm.va_start", nullptr, startArguments},
    {"llvm.va_copy", nullptr, copyArguments},
};

}  // namespace
}  // namespace process_calls

std::span<const ModelledCall> processModels() {
  return process_calls::kModels;
}

}  // namespace heddle
