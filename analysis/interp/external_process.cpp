// The end of the process, waiting for time, and variable arguments.
#include "analysis/interp/execution.h"

namespace heddle {

namespace {

void exitProcess(Call& call) {
  call.execution.exitProcess(call.thread);
}

/// Time is not modelled: a thread that sleeps may go on at any later moment, like any thread.
void pass(Call& call) {
  call.returns(0);
}

void trap(Call& call) {
  call.execution.fail(call.thread, FailureKind::Assertion, "trap reached");
}

/// Lays the variable arguments of the running function out in memory, in the form that clang's va_arg code
/// reads.
Task<> startArguments(Call& call) {
  Execution& e = call.execution;
  Thread& t = call.thread;
  const Frame& frame = t.frames.back();
  const unsigned pointer = call.pointerBits() / 8;
  uint64_t size = 0;
  std::vector<uint64_t> offsets;
  for (uint32_t i = 0; i < frame.variableCount; ++i) {
    const CallArgument& argument = e.program.arguments[frame.variablePool + i];
    if (argument.isMemory) {
      e.unsupported(t, "a structure as variable argument");
      co_return;
    }
    offsets.push_back(size);
    size += pointer == 8 ? 8u : (argument.width + 31u) / 32 * 4;
  }
  MemoryObject* area = e.newObject(t, ObjectKind::Stack, t.pc, size + 8);
  if (!area || !e.memory.touch(*area)) {
    e.unsupported(t, "the address space is used up");
    co_return;
  }
  t.stack.push_back(area);
  for (uint32_t i = 0; i < frame.variableCount; ++i) {
    const unsigned width = e.program.arguments[frame.variablePool + i].width;
    const Value value = e.settled(t, t.registers[frame.variableBase + i]);
    const unsigned bytes = std::max(width, 32u) / 8;
    e.memory.write(*area, offsets[i], bytes, zeroExtended(e.terms, value, width, bytes * 8));
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

/// Each thread has its own errno; models do not set it.
void errorNumber(Call& call) {
  const ThreadId thread = call.thread.id;
  const MemoryObject* object = call.execution.memory.create({ObjectKind::Library, thread, 3, 0, 4});
  if (object)
    call.returns(object->base);
  else
    call.execution.unsupported(call.thread, "the address space is used up");
}

constexpr ModelledCall kModels[] = {
    {"exit", exitProcess, nullptr},
    {"_exit", exitProcess, nullptr},
    {"_Exit", exitProcess, nullptr},
    {"quick_exit", exitProcess, nullptr},
    {"abort", exitProcess, nullptr},
    {"sleep", pass, nullptr},
    {"usleep", pass, nullptr},
    {"nanosleep", pass, nullptr},
    {"srand", pass, nullptr},
    {"srandom", pass, nullptr},
    {"__errno_location", errorNumber, nullptr},
    {"llvm.trap", trap, nullptr},
    {"llvm.va_start", nullptr, startArguments},
    {"llvm.va_copy", nullptr, copyArguments},
};

}  // namespace

std::span<const ModelledCall> processModels() {
  return kModels;
}

}  // namespace heddle
