// Blocks of memory: memcpy, memmove, memset, memcmp.
#include <algorithm>
#include <cstring>

#include "analysis/interp/core/call.h"

namespace heddle {

namespace block_calls {
namespace {

Task<> copy(Call& call) {
  ModelContext& e = call.context;
  const bool backwards = call.name == "bcopy";
  const Value destination = call.argument(backwards ? 1 : 0);
  const uint64_t size = call.number(2);
  call.result = destination;
  if (call.name == "mempcpy")
    call.result = binaryValue(e.terms, TermOp::Add, destination, {size}, call.pointerBits());
  if (size == 0) co_return;
  Target from, to;
  if (!co_await call.resolve(call.argument(backwards ? 0 : 1), size, false, from) ||
      !co_await call.resolve(destination, size, true, to))
    co_return;
  const bool mayOverlap = backwards || call.name.find("memmove") != std::string::npos;
  const bool overlaps =
      from.object == to.object && from.offset < to.offset + size && to.offset < from.offset + size;
  // Compilers copy a structure to itself by memcpy; that is none in the program.
  if (overlaps && !mayOverlap && from.offset != to.offset) {
    e.fail(call.thread, FailureKind::Memory,
           "'" + call.name + "' between parts of '" + call.nameOf(from) + "' that overlap");
    co_return;
  }
  if (!call.isMovable(size, Call::kMostCopied)) co_return;
  // At once, if no one else sees it and nothing in it has a term.
  const bool reads = e.visible(call.thread, from, size, false),
             writes = e.visible(call.thread, to, size, true);
  if (e.ended) co_return;
  if (!reads && !writes && from.object->pieces.empty()) {
    e.noteWritten(call.thread, *to.object);
    e.memory.erasePieces(*to.object, to.offset, size);
    std::memmove(to.object->bytes + to.offset, from.object->bytes + from.offset, size);
    call.thread.operations += 2 * size;
    co_return;
  }
  auto chunks = co_await call.readBlock(from, size);
  if (chunks) co_await call.writeBlock(to, std::move(*chunks));
}

Task<> fill(Call& call) {
  ModelContext& e = call.context;
  const Value destination = call.argument(0);
  const bool clears = call.name.ends_with("bzero");
  Value byte = clears ? Value{0} : call.argument(1);
  const uint64_t size = call.number(clears ? 1 : 2);
  if (call.resultWidth) call.result = destination;
  if (size == 0) co_return;
  const bool intrinsic = call.name == "llvm.memset";
  byte = extracted(e.terms, byte, 0, 8, intrinsic ? 8 : 32);
  Target to;
  if (!co_await call.resolve(destination, size, true, to)) co_return;
  co_await call.fillBlock(to, size, byte);
}

/// The sign of the first difference, as a term when a byte is symbolic.
Task<> compare(Call& call) {
  ModelContext& e = call.context;
  const uint64_t size = call.number(2);
  Value result{0};
  if (size > 0) {
    Target first, second;
    if (!co_await call.resolve(call.argument(0), size, false, first) ||
        !co_await call.resolve(call.argument(1), size, false, second))
      co_return;
    if (!call.isMovable(size)) co_return;
    std::vector<Value> left, right;
    for (uint64_t i = 0; i < size; ++i) {
      left.push_back(e.used(call.thread, co_await call.load({first.object, first.offset + i}, 1)));
      right.push_back(e.used(call.thread, co_await call.load({second.object, second.offset + i}, 1)));
    }
    for (uint64_t i = size; i-- > 0;) {
      const Value less = binaryValue(e.terms, TermOp::Ult, left[i], right[i], 8);
      const Value equal = binaryValue(e.terms, TermOp::Eq, left[i], right[i], 8);
      const Value sign = selected(e.terms, less, {0xffffffff}, {1}, 32);
      result = selected(e.terms, equal, result, sign, 32);
    }
  }
  call.returns(result, 32);
}

constexpr ModelledCall kModels[] = {
    {"memcpy", nullptr, copy},       {"memmove", nullptr, copy},       {"memset", nullptr, fill},
    {"llvm.memset", nullptr, fill},  {"memcmp", nullptr, compare},     {"__memcpy_chk", nullptr, copy},
    {"__memset_chk", nullptr, fill}, {"__memmove_chk", nullptr, copy}, {"mempcpy", nullptr, copy},
    {"bcopy", nullptr, copy},        {"bzero", nullptr, fill},         {"explicit_bzero", nullptr, fill},
    {"bcmp", nullptr, compare},
};

}  // namespace
}  // namespace block_calls

std::span<const ModelledCall> blockModels() {
  return block_calls::kModels;
}

}  // namespace heddle
