// qsort and bsearch: the comparison is a function of the program.
#include <algorithm>

#include "analysis/interp/core/call.h"

namespace heddle {

namespace sort_calls {
namespace {

/// One sort under way: elements in the program's array, merged by way of a temporary object.
struct Sort {
  Call& call;
  Target array;
  MemoryObject* other = nullptr;
  uint64_t size = 0;
  FunctionId compare = kNone;
  std::vector<Value> extra;  // qsort_r's argument

  Value addressOf(uint64_t index) const { return {array.object->base + array.offset + index * size}; }

  /// Whether element `b` must come before element `a`.
  Task<std::optional<bool>> comesBefore(uint64_t b, uint64_t a) {
    ModelContext& e = call.context;
    std::vector<Value> arguments{addressOf(b), addressOf(a)};
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    const Value order = e.used(call.thread, co_await call.invoke(compare, std::move(arguments)));
    if (e.ended || call.thread.stopped) co_return std::nullopt;
    co_return e.branch(call.thread, binaryValue(e.terms, TermOp::Slt, order, {0}, 32), BranchRole::Branch,
                       -1);
  }

  Task<bool> merge(uint64_t from, uint64_t middle, uint64_t to) {
    uint64_t left = from, right = middle;
    for (uint64_t at = from; at < to; ++at) {
      bool takeRight = left >= middle;
      if (!takeRight && right < to) {
        const auto before = co_await comesBefore(right, left);
        if (!before) co_return false;
        takeRight = *before;
      }
      const uint64_t source = takeRight ? right++ : left++;
      auto chunks = co_await call.readBlock({array.object, array.offset + source * size}, size);
      if (!chunks) co_return false;
      co_await call.writeBlock({other, at * size}, std::move(*chunks));
    }
    auto merged = co_await call.readBlock({other, from * size}, (to - from) * size);
    if (!merged) co_return false;
    co_return co_await call.writeBlock({array.object, array.offset + from * size}, std::move(*merged));
  }
};

Task<> sort(Call& call) {
  ModelContext& e = call.context;
  const uint64_t count = call.number(1), size = call.number(2);
  if (count < 2 || size == 0) co_return;
  if (count > (1ull << 32) / size) {
    e.unsupported(call.thread, "a sort of more than 4 GiB");
    co_return;
  }
  Sort run{call, {}, nullptr, size, call.functionAt(call.argument(3)), {}};
  if (run.compare == kNone) co_return;
  if (call.name == "qsort_r") run.extra.push_back(call.argument(4));
  if (!co_await call.resolve(call.argument(0), count * size, true, run.array)) co_return;
  run.other = e.newObject(call.thread, ObjectKind::Stack, call.thread.pc, count * size);
  if (!run.other || !e.memory.touch(*run.other)) {
    e.unsupported(call.thread, "the address space is used up");
    co_return;
  }
  for (uint64_t width = 1; width < count; width *= 2)
    for (uint64_t from = 0; from + width < count; from += 2 * width)
      if (!co_await run.merge(from, from + width, std::min(count, from + 2 * width))) co_return;
}

Task<> search(Call& call) {
  ModelContext& e = call.context;
  const Value key = call.argument(0), base = call.argument(1);
  uint64_t low = 0, high = call.number(2);
  const uint64_t size = call.number(3);
  const FunctionId compare = call.functionAt(call.argument(4));
  if (compare == kNone) co_return;
  call.returns(0);
  e.choose(call.thread, base);
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    const Value element{base.bits + middle * size};
    const std::vector<Value> operands{key, element};
    const Value order = e.used(call.thread, co_await call.invoke(compare, std::vector<Value>(operands)));
    if (e.branch(call.thread, binaryValue(e.terms, TermOp::Eq, order, {0}, 32), BranchRole::Branch, -1)) {
      call.returns(element.bits);
      co_return;
    }
    if (e.branch(call.thread, binaryValue(e.terms, TermOp::Slt, order, {0}, 32), BranchRole::Branch, -1))
      high = middle;
    else
      low = middle + 1;
  }
}

constexpr ModelledCall kModels[] = {
    {"qsort", nullptr, sort},
    {"qsort_r", nullptr, sort},
    {"bsearch", nullptr, search},
};

}  // namespace
}  // namespace sort_calls

std::span<const ModelledCall> sortModels() {
  return sort_calls::kModels;
}

}  // namespace heddle
