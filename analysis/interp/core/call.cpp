#include "analysis/interp/core/call.h"

#include <algorithm>
#include <cstring>

#include "analysis/interp/core/execution.h"

namespace heddle {

void succeed(Call& call) {
  call.returns(0);
}

void EventAwaiter::await_suspend(std::coroutine_handle<> handle) {
  if (execution.ended) return;
  thread.calls.resumePoint = handle;
  execution.wait(thread, std::move(event));
}

bool AccessAwaiter::await_ready() {
  bool hasDropped = false;
  while (execution.memory.takePostponed(*target.object, target.offset, size, write)) hasDropped = true;
  if (hasDropped)
    execution.assume(execution.place(thread),
                     "what a library call reads of a made-up object, or writes a part of, is 0 where nobody "
                     "has read it before");
  asEvent = execution.accesses.visible(thread, target, size, write);
  if (execution.ended || asEvent) return false;
  thread.operations += operations;
  return true;
}

void AccessAwaiter::await_suspend(std::coroutine_handle<> handle) {
  if (execution.ended) return;
  thread.calls.resumePoint = handle;
  execution.accesses.wait(thread, write ? EventKind::Write : EventKind::Read, target, size, operations,
                          atomic);
}

Value AccessAwaiter::await_resume() {
  // Whether an object can be used is asked atomically, and nothing that a thread waits for.
  if (!write && !asEvent && !atomic) execution.loops.noteLook(thread, target, size);
  if (!write) return execution.accesses.load(thread, target, size, asEvent);
  execution.accesses.store(thread, target, size, value, asEvent);
  return {};
}

bool ResolveAwaiter::await_ready() {
  if (!execution.accesses.resolve(thread, address, address, size, write, out)) return true;
  ok = execution.lives.check(thread, out);
  asEvent = !ok && thread.next.checkingLife;
  return !asEvent;
}

void ResolveAwaiter::await_suspend(std::coroutine_handle<> handle) {
  thread.calls.resumePoint = handle;
}

bool ResolveAwaiter::await_resume() {
  if (!asEvent) return ok;
  thread.next.checkingLife = false;
  return execution.lives.finishCheck(thread, out, true);
}

void PendingAwaiter::await_suspend(std::coroutine_handle<> handle) {
  thread.calls.resumePoint = handle;
  execution.accesses.wait(thread, kind, target, size, 1, atomic);
}

void InvokeAwaiter::await_suspend(std::coroutine_handle<> handle) {
  execution.calls.invoke(thread, function, std::move(arguments), handle, &result);
}

FunctionId Call::functionAt(const Value& pointer) {
  execution.choose(thread, pointer);
  const FunctionId function = execution.memory.functionAt(pointer.bits);
  if (function != kNone && execution.program.functions[function].defined) return function;
  if (function != kNone)
    execution.unsupported(thread,
                          "a call of '" + execution.program.functionName(function) + "' by '" + name + "'");
  else if (execution.memory.mayBeFunction(pointer.bits))
    execution.unsupported(thread, "a call of what a function defined elsewhere returned by '" + name + "'");
  else
    execution.fail(thread, FailureKind::Memory,
                   pointer.bits == 0 ? "call through a null function pointer"
                                     : "call of an address that is not a function");
  return kNone;
}

MemoryObject* Call::errorNumber() {
  MemoryObject* object = execution.memory.create({ObjectKind::Library, thread.id, 3, 0, 4});
  if (object && execution.memory.touch(*object)) {
    execution.states.noteWritten(thread, *object);  // part of the thread's local state
    return object;
  }
  execution.unsupported(thread, "the address space is used up");
  return nullptr;
}

Value Call::input(unsigned width, bool isSigned, unsigned to, const std::string& label) {
  const Value value = execution.inputs.fresh(thread, width, isSigned, label);
  return isSigned ? signExtended(execution.terms, value, width, to)
                  : zeroExtended(execution.terms, value, width, to);
}

void Call::returnsInput() {
  const unsigned width = resultWidth ? resultWidth : 32;
  result = execution.inputs.asResult(thread, width, true, name);
}

bool Call::outcome(const std::string& label) {
  const Value value = execution.inputs.fresh(thread, 1, false, label);
  return execution.branch(thread, value, BranchRole::Branch, -1);
}

bool Call::succeeds() {
  if (!execution.program.environment.callsSucceed) return outcome(name + " succeeds");
  execution.assume(execution.place(thread), "calls of the system succeed");
  return true;
}

unsigned Call::pointerBits() const {
  return execution.program.pointerBits();
}

Value Call::argument(size_t i) {
  return i < arguments.size() ? execution.undefined.used(thread, arguments[i]) : Value{};
}

Value Call::copied(size_t i) {
  return i < arguments.size() ? execution.undefined.settled(thread, arguments[i]) : Value{};
}

uint64_t Call::number(size_t i) {
  const Value value = argument(i);
  execution.choose(thread, value);
  return value.bits;
}

void Call::returns(uint64_t bits) {
  if (resultWidth) result = {bits & widthMask(resultWidth)};
}

void Call::returns(Value value, unsigned width) {
  if (resultWidth == 0) return;
  result = resultWidth < width ? truncated(execution.terms, value, resultWidth)
                               : zeroExtended(execution.terms, value, width, resultWidth);
}

EventAwaiter Call::event(EventKind kind, const Target* identity, ThreadId other) {
  Event made;
  made.kind = kind;
  made.place = execution.place(thread);
  made.other = other;
  if (identity) execution.accesses.identify(*identity, made);
  return {execution, thread, std::move(made)};
}

bool Call::isMovable(uint64_t size, uint64_t most) {
  if (size <= most) return true;
  execution.unsupported(thread, "'" + name + "' of " + std::to_string(size) + " bytes at once");
  return false;
}

Task<> Call::fill(Target range, uint64_t size, bool isPartly) {
  while (const auto postponed = context.memory.takePostponed(*range.object, range.offset, size, isPartly)) {
    std::vector<Value> given(2);
    given[0].bits = range.object->base + postponed->first;
    given[1].bits = postponed->second.argument;
    co_await invoke(postponed->second.function, std::move(given));
  }
}

Task<std::optional<Call::Chunks>> Call::readBlock(Target from, uint64_t size) {
  if (!isMovable(size)) co_return std::nullopt;
  Chunks chunks;
  chunks.reserve((size + 7) / 8);
  const uint64_t end = from.offset + size;
  co_await fill(from, size, false);
  while (from.offset < end) {
    // Chunks end at multiples of 8, so that every exploration cuts the block alike.
    const auto count = static_cast<unsigned>(std::min(end - from.offset, 8 - from.offset % 8));
    AccessAwaiter access = load(from, count);
    access.operations = count;
    const Value value = co_await access;
    chunks.emplace_back(count, value);
    from.offset += count;
  }
  co_return chunks;
}

Task<bool> Call::writeBlock(Target to, Chunks chunks) {
  // Source and destination may be cut differently: go through bytes where they are.
  TermTable& terms = execution.terms;
  uint64_t total = 0;
  for (const auto& [count, value] : chunks) total += count;
  co_await fill(to, total, true);
  const uint64_t end = to.offset + total;
  size_t index = 0;
  unsigned used = 0;  // bytes of chunks[index] already written
  while (to.offset < end) {
    const auto count = static_cast<unsigned>(std::min(end - to.offset, 8 - to.offset % 8));
    Value value;
    for (unsigned have = 0; have < count;) {
      const auto& [size, source] = chunks[index];
      const unsigned take = std::min(size - used, count - have);
      if (take == count && take == size) {
        value = source;
      } else {
        Value part = isUndefined(source) ? Value{source.bits} : source;
        part = extracted(terms, part, used * 8, take * 8, size * 8);
        value = have == 0 ? part : concatenated(terms, part, take * 8, value, have * 8);
      }
      have += take;
      used += take;
      if (used == size) ++index, used = 0;
    }
    AccessAwaiter access = store(to, count, value);
    access.operations = count;
    co_await access;
    to.offset += count;
  }
  co_return true;
}

Task<std::optional<std::vector<Value>>> Call::readString(Value address, uint64_t limit) {
  std::vector<Value> bytes;
  Target at;
  if (limit == 0) co_return bytes;
  if (!co_await resolve(address, 1, false, at)) co_return std::nullopt;
  while (true) {
    Value byte = co_await load(at, 1);
    byte = execution.undefined.used(thread, byte);
    // Whether the string ends here decides what happens next.
    const Value isEnd = binaryValue(execution.terms, TermOp::Eq, byte, {0}, 8);
    if (execution.branch(thread, isEnd, BranchRole::Branch, -1)) co_return bytes;
    bytes.push_back(byte);
    if (bytes.size() >= limit) co_return bytes;
    ++at.offset;
    if (at.offset >= at.object->size && !co_await resolve({at.object->base + at.offset}, 1, false, at))
      co_return std::nullopt;
  }
}

Task<std::optional<std::string>> Call::readText(Value address, uint64_t limit) {
  std::string text;
  Target at;
  if (limit == 0) co_return text;
  if (!co_await resolve(address, 1, false, at)) co_return std::nullopt;
  while (true) {
    const Value byte = execution.undefined.used(thread, co_await load(at, 1));
    if (byte.term) execution.takeFromThisExecution(execution.place(thread), "text");
    if (byte.bits == 0) break;
    text += static_cast<char>(byte.bits);
    if (text.size() == limit) break;  // what comes behind is not looked at
    ++at.offset;
    if (at.offset >= at.object->size && !co_await resolve({at.object->base + at.offset}, 1, false, at))
      co_return std::nullopt;
  }
  co_return text;
}

Task<bool> Call::isStream(size_t i) {
  const Value stream = argument(i);
  execution.choose(thread, stream);
  if (stream.bits != 0 && stream.bits <= streamHandle("stderr")) co_return true;
  Target at;
  const bool isThere = co_await resolve(stream, 1, false, at);
  co_return isThere;
}

Task<> Call::fillBlock(Target to, uint64_t size, Value byte) {
  if (!isMovable(size, kMostCopied)) co_return;
  co_await fill(to, size, true);
  const bool writes = context.visible(thread, to, size, true);
  if (context.ended) co_return;
  if (!writes && !byte.term) {
    context.noteWritten(thread, *to.object);
    context.memory.erasePieces(*to.object, to.offset, size);
    std::memset(to.object->bytes + to.offset, static_cast<int>(byte.bits), size);
    thread.operations += size;
    co_return;
  }
  if (!isMovable(size)) co_return;
  Chunks chunks;
  const uint64_t end = to.offset + size;
  for (uint64_t at = to.offset; at < end;) {
    const auto count = static_cast<unsigned>(std::min(end - at, 8 - at % 8));
    Value value = byte;
    for (unsigned i = 1; i < count; ++i) value = concatenated(context.terms, byte, 8, value, i * 8);
    chunks.emplace_back(count, value);
    at += count;
  }
  co_await writeBlock(to, std::move(chunks));
}

Task<bool> Call::writeBytes(Value address, std::vector<Value> bytes) {
  Target to;
  if (bytes.empty()) co_return true;
  if (!co_await resolve(address, bytes.size(), true, to)) co_return false;
  for (const Value& byte : bytes) {
    co_await store(to, 1, byte);
    ++to.offset;
  }
  co_return true;
}

}  // namespace heddle
