// Memory that the library makes for the program: anonymous mappings, and the line of getline.
#include <algorithm>

#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"

namespace heddle {

namespace mapping_calls {
namespace {

constexpr uint64_t kLine = 120;    // bytes that glibc gives a line at first
constexpr uint64_t kLongest = 16;  // characters of a line, and bytes of a file, that are inputs

constexpr uint64_t kMostAnew = 64 * 1024;  // bytes that are mapped anew in the place of others

/// In the place of a part of a mapping, or of other memory: it is zeros.
Task<> mapAnew(Call& call, uint64_t address, uint64_t size) {
  ModelContext& e = call.context;
  const MemoryObject* object = e.memory.at(address);
  if (!object || size > kMostAnew || address - object->base + size > object->size) {
    e.unsupported(call.thread, "a mapping at a fixed address that is no part of one object");
    co_return;
  }
  std::vector<Value> zeros(size, Value{0});
  const Value place{address};
  if (co_await call.writeBytes(place, std::move(zeros))) call.returns(address);
}

/// A mapping is a block of the heap with zeros; what it may be used for is not looked at.
Task<> map(Call& call) {
  constexpr uint64_t kAnonymous = 0x20, kFixed = 0x10;  // MAP_ANONYMOUS, MAP_FIXED
  ModelContext& e = call.context;
  const uint64_t flags = call.number(3), size = call.number(1);
  if (size == 0) {
    call.setErrno(errno_value::kInvalid);
    co_return call.returns(widthMask(call.pointerBits()));  // MAP_FAILED
  }
  if ((flags & kFixed) != 0) {
    co_await mapAnew(call, call.number(0), size);
    co_return;
  }
  MemoryObject* object = co_await allocateHeap(call, size, true);
  if (e.ended) co_return;
  if (!object) {
    call.setErrno(errno_value::kNoMemory);
    co_return call.returns(widthMask(call.pointerBits()));  // MAP_FAILED
  }
  const uint64_t base = object->base;
  call.returns(base);
  if ((flags & kAnonymous) != 0) co_return;
  e.assume(e.place(call.thread), "a file that is mapped holds zeros behind its first " +
                                     std::to_string(kLongest) + " bytes, and nobody else changes it");
  std::vector<Value> bytes;
  for (uint64_t i = 0; i < std::min(size, kLongest); ++i) {
    bytes.push_back(call.input(8, true, 8, "mapped file"));
    e.result.inputs.back().isReadBack = true;  // the program may have written it, by any call
  }
  co_await call.writeBytes({base}, std::move(bytes));
}

Task<> unmap(Call& call) {
  constexpr uint64_t kPage = 4096;
  ModelContext& e = call.context;
  const uint64_t address = call.number(0), size = call.number(1);
  const MemoryObject* object = e.memory.at(address);
  const bool isWhole = object && object->kind == ObjectKind::Heap && object->base == address &&
                       (size + kPage - 1) / kPage == (object->size + kPage - 1) / kPage;
  if (!isWhole) {
    if (!object || object->kind != ObjectKind::Heap || !object->live) {
      e.unsupported(call.thread, "munmap of something other than a mapping");
      co_return;
    }
    e.assume(e.place(call.thread), "what munmap takes of a mapping, but not all of it, is used no more");
    call.returns(0);
    co_return;
  }
  if (co_await freeHeap(call, address)) call.returns(0);
}

/// A line that fits what glibc allocates at first; a buffer of the program must have room for it.
Task<> getLine(Call& call) {
  ModelContext& e = call.context;
  const unsigned width = call.pointerBits() / 8;
  Target line, room;
  const bool isStream = co_await call.isStream(2);
  if (!isStream) co_return;
  if (!co_await call.resolve(call.argument(0), width, true, line)) co_return;
  if (!co_await call.resolve(call.argument(1), width, true, room)) co_return;
  Value buffer = e.used(call.thread, co_await call.load(line, width));
  if (e.ended) co_return;
  e.choose(call.thread, buffer);
  if (buffer.bits == 0) {
    MemoryObject* object = co_await allocateHeap(call, kLine, false);
    if (e.ended) co_return;
    call.returns(widthMask(call.resultWidth ? call.resultWidth : 64));
    if (!object) co_return;
    buffer = {object->base};
    co_await call.store(line, width, buffer);
    co_await call.store(room, width, {kLine});
  } else {
    const Value size = e.used(call.thread, co_await call.load(room, width));
    if (e.ended) co_return;
    e.choose(call.thread, size);
    if (size.bits < kLongest + 2) {
      e.unsupported(call.thread, "getline with a buffer of fewer than 18 bytes");
      co_return;
    }
  }
  call.returns(widthMask(call.resultWidth ? call.resultWidth : 64));
  if (!call.outcome(call.name + " gets a line")) co_return;
  e.assume(e.place(call.thread), "what is read at once is at most " + std::to_string(kLongest) + " bytes");
  const Value given = call.input(32, false, 32, call.name + " length");
  const Value less = binaryValue(e.terms, TermOp::Sub, given, {1}, 32);
  const Value fits = binaryValue(e.terms, TermOp::Ule, less, {kLongest - 1}, 32);  // from 1 on
  if (!e.branch(call.thread, fits, BranchRole::Assume, -1)) co_return e.stop(call.thread);
  e.choose(call.thread, given);
  std::vector<Value> bytes;
  for (uint64_t i = 0; i < given.bits; ++i) bytes.push_back(call.input(8, true, 8, call.name));
  bytes.push_back({0});
  if (co_await call.writeBytes(buffer, std::move(bytes))) call.returns(given.bits);
}

constexpr ModelledCall kModels[] = {
    {"mmap", nullptr, map},
    {"mmap64", nullptr, map},
    {"munmap", nullptr, unmap},
    {"getline", nullptr, getLine},
};

}  // namespace
}  // namespace mapping_calls

std::span<const ModelledCall> mappingModels() {
  return mapping_calls::kModels;
}

}  // namespace heddle
