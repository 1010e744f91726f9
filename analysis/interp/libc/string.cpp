// Strings: the basics of string.h. Whether a byte ends the string is a branch when the byte is symbolic.
#include <algorithm>

#include "analysis/interp/core/call.h"

namespace heddle {

namespace string_calls {
namespace {

Task<> length(Call& call) {
  const uint64_t limit = call.name == "strnlen" ? call.number(1) : ~0ull;
  const auto text = co_await call.readString(call.argument(0), limit);
  if (text) call.returns(text->size());
}

Task<> copy(Call& call) {
  const Value destination = call.argument(0);
  const bool bounded = call.name == "strncpy" || call.name == "stpncpy";
  const uint64_t limit = bounded ? call.number(2) : ~0ull;
  auto text = co_await call.readString(call.argument(1), limit);
  if (!text) co_return;
  const uint64_t length = text->size();
  // It writes that many bytes, whatever the text: more than any object has is wrong before they are made.
  constexpr uint64_t kLarge = 1 << 20;
  Target all;
  if (bounded && limit > kLarge && !co_await call.resolve(destination, limit, true, all)) co_return;
  if (bounded)
    text->resize(limit);
  else
    text->push_back({0});
  if (!co_await call.writeBytes(destination, std::move(*text))) co_return;
  if (call.name.find("stp") != std::string::npos)
    call.result = binaryValue(call.context.terms, TermOp::Add, destination, {length}, call.pointerBits());
  else
    call.result = destination;
}

Task<> append(Call& call) {
  const Value destination = call.argument(0);
  const uint64_t limit = call.name == "strncat" ? call.number(2) : ~0ull;
  const auto before = co_await call.readString(destination);
  if (!before) co_return;
  auto text = co_await call.readString(call.argument(1), limit);
  if (!text) co_return;
  text->push_back({0});
  const Value end =
      binaryValue(call.context.terms, TermOp::Add, destination, {before->size()}, call.pointerBits());
  if (!co_await call.writeBytes(end, std::move(*text))) co_return;
  call.result = destination;
}

Task<> compare(Call& call) {
  ModelContext& e = call.context;
  const uint64_t limit = call.name == "strncmp" ? call.number(2) : ~0ull;
  Value first = call.argument(0), second = call.argument(1);
  Target left, right;
  Value result{0};
  if (limit > 0) {
    if (!co_await call.resolve(first, 1, false, left) || !co_await call.resolve(second, 1, false, right))
      co_return;
    for (uint64_t i = 0; i < limit; ++i) {
      if (i > 0) {
        if (++left.offset >= left.object->size &&
            !co_await call.resolve({left.object->base + left.offset}, 1, false, left))
          co_return;
        if (++right.offset >= right.object->size &&
            !co_await call.resolve({right.object->base + right.offset}, 1, false, right))
          co_return;
      }
      const Value a = e.used(call.thread, co_await call.load(left, 1));
      const Value b = e.used(call.thread, co_await call.load(right, 1));
      const Value differ = notEqual(e.terms, a, b, 8);
      if (e.branch(call.thread, differ, BranchRole::Branch, -1)) {
        const Value less = binaryValue(e.terms, TermOp::Ult, a, b, 8);
        result = selected(e.terms, less, {0xffffffff}, {1}, 32);
        break;
      }
      if (e.branch(call.thread, binaryValue(e.terms, TermOp::Eq, a, {0}, 8), BranchRole::Branch, -1)) break;
    }
  }
  call.returns(result, 32);
}

Task<> findByte(Call& call) {
  ModelContext& e = call.context;
  const Value start = call.argument(0);
  const Value wanted = extracted(e.terms, call.argument(1), 0, 8, 32);
  const bool last = call.name == "strrchr" || call.name == "rindex";
  const auto text = co_await call.readString(start);
  if (!text) co_return;
  uint64_t found = call.name == "strchrnul" ? start.bits + text->size() : 0;
  for (size_t i = 0; i <= text->size(); ++i) {
    const Value byte = i < text->size() ? (*text)[i] : Value{0};
    if (!e.branch(call.thread, binaryValue(e.terms, TermOp::Eq, byte, wanted, 8), BranchRole::Branch, -1))
      continue;
    found = start.bits + i;
    if (!last) break;
  }
  call.returns(found);
}

constexpr ModelledCall kModels[] = {
    {"strlen", nullptr, length},   {"strnlen", nullptr, length},   {"strcpy", nullptr, copy},
    {"strncpy", nullptr, copy},    {"stpcpy", nullptr, copy},      {"strcat", nullptr, append},
    {"strncat", nullptr, append},  {"strcmp", nullptr, compare},   {"strncmp", nullptr, compare},
    {"strchr", nullptr, findByte}, {"strrchr", nullptr, findByte}, {"strcoll", nullptr, compare},
    {"index", nullptr, findByte},  {"rindex", nullptr, findByte},  {"strchrnul", nullptr, findByte},
    {"__stpcpy", nullptr, copy},   {"stpncpy", nullptr, copy},
};

}  // namespace
}  // namespace string_calls

std::span<const ModelledCall> stringModels() {
  return string_calls::kModels;
}

}  // namespace heddle
