// Searching and cutting strings; blocks that the block family does not have; texts that the library owns.
#include <algorithm>
#include <cstring>

#include "analysis/interp/core/call.h"

namespace heddle {

namespace text_calls {
namespace {

using Bytes = std::vector<Value>;

/// A branch on two bytes being equal.
bool same(Call& call, const Value& a, const Value& b) {
  ModelContext& e = call.context;
  return e.branch(call.thread, binaryValue(e.terms, TermOp::Eq, a, b, 8), BranchRole::Branch, -1);
}

bool contains(Call& call, const Bytes& set, const Value& byte) {
  return std::any_of(set.begin(), set.end(), [&](const Value& wanted) { return same(call, byte, wanted); });
}

Value offsetFrom(Call& call, const Value& start, uint64_t offset) {
  return binaryValue(call.context.terms, TermOp::Add, start, {offset}, call.pointerBits());
}

/// Makes both cases of a letter one, for the comparisons that ignore case.
Value folded(Call& call, const Value& byte) {
  TermTable& terms = call.context.terms;
  const Value low = binaryValue(terms, TermOp::Sub, byte, {'A'}, 8);
  const Value upper = binaryValue(terms, TermOp::Ult, low, {26}, 8);
  return selected(terms, upper, binaryValue(terms, TermOp::Add, byte, {32}, 8), byte, 8);
}

Task<> find(Call& call) {
  const Value start = call.argument(0);
  const auto text = co_await call.readString(start);
  if (!text) co_return;
  const auto wanted = co_await call.readString(call.argument(1));
  if (!wanted) co_return;
  const bool anyCase = call.name == "strcasestr";
  for (size_t at = 0; at + wanted->size() <= text->size(); ++at) {
    size_t k = 0;
    while (k < wanted->size() &&
           (anyCase ? same(call, folded(call, (*text)[at + k]), folded(call, (*wanted)[k]))
                    : same(call, (*text)[at + k], (*wanted)[k])))
      ++k;
    if (k < wanted->size()) continue;
    call.result = offsetFrom(call, start, at);
    co_return;
  }
  call.returns(0);
}

/// strspn, strcspn, strpbrk.
Task<> span(Call& call) {
  const Value start = call.argument(0);
  const auto text = co_await call.readString(start);
  if (!text) co_return;
  const auto set = co_await call.readString(call.argument(1));
  if (!set) co_return;
  const bool wanted = call.name == "strspn";
  size_t length = 0;
  while (length < text->size() && contains(call, *set, (*text)[length]) == wanted) ++length;
  if (call.name != "strpbrk") co_return call.returns(length);
  if (length < text->size())
    call.result = offsetFrom(call, start, length);
  else
    call.returns(0);
}

/// strtok, strtok_r and strsep: the rest of the text is kept in memory, the program's or the library's.
Task<> cut(Call& call) {
  ModelContext& e = call.context;
  const unsigned size = call.pointerBits() / 8;
  const bool separates = call.name == "strsep", own = call.name == "strtok";
  Target state;
  if (own) {
    // Objects of 8 bytes belong to synchronization objects.
    state.object = e.memory.create({ObjectKind::Library, kNone, 7, 0, 16});
    if (!state.object || !e.memory.touch(*state.object)) {
      e.unsupported(call.thread, "the address space is used up");
      co_return;
    }
  } else if (!co_await call.resolve(call.argument(separates ? 0 : 2), size, true, state)) {
    co_return;
  }
  const auto set = co_await call.readString(call.argument(1));
  if (!set) co_return;
  Value start = separates ? Value{} : call.argument(0);
  e.choose(call.thread, start);
  if (start.bits == 0) start = e.used(call.thread, co_await call.load(state, size));
  e.choose(call.thread, start);
  call.returns(0);
  if (start.bits == 0) co_return;
  const auto text = co_await call.readString(start);
  if (!text) co_return;
  size_t first = 0;
  if (!separates)
    while (first < text->size() && contains(call, *set, (*text)[first])) ++first;
  if (!separates && first == text->size()) {
    co_await call.store(state, size, own ? Value{0} : offsetFrom(call, start, first));
    co_return;
  }
  size_t end = first;
  while (end < text->size() && !contains(call, *set, (*text)[end])) ++end;
  const bool more = end < text->size();
  if (more && !co_await call.writeBytes(offsetFrom(call, start, end), Bytes(1))) co_return;
  const Value rest = more               ? offsetFrom(call, start, end + 1)
                     : separates || own ? Value{0}
                                        : offsetFrom(call, start, end);
  co_await call.store(state, size, rest);
  call.result = offsetFrom(call, start, first);
}

Task<> compareAnyCase(Call& call) {
  ModelContext& e = call.context;
  const uint64_t limit = call.name == "strncasecmp" ? call.number(2) : ~0ull;
  const auto first = co_await call.readString(call.argument(0), limit);
  if (!first) co_return;
  const auto second = co_await call.readString(call.argument(1), limit);
  if (!second) co_return;
  for (size_t i = 0; i < limit; ++i) {
    const Value a = i < first->size() ? folded(call, (*first)[i]) : Value{0};
    const Value b = i < second->size() ? folded(call, (*second)[i]) : Value{0};
    if (!same(call, a, b)) {
      const Value less = binaryValue(e.terms, TermOp::Ult, a, b, 8);
      call.returns(selected(e.terms, less, {0xffffffff}, {1}, 32), 32);
      co_return;
    }
    if (i >= first->size()) break;
  }
  call.returns(0);
}

/// memchr, memrchr, rawmemchr.
Task<> findByte(Call& call) {
  ModelContext& e = call.context;
  const Value start = call.argument(0);
  const Value wanted = extracted(e.terms, call.argument(1), 0, 8, 32);
  const bool unbounded = call.name == "rawmemchr", backwards = call.name == "memrchr";
  const uint64_t size = unbounded ? ~0ull : call.number(2);
  call.returns(0);
  if (size == 0) co_return;
  Target at;
  // memchr may be told of more bytes than there are, as long as it finds what it looks for.
  if (!co_await call.resolve(start, backwards ? size : 1, false, at)) co_return;
  const uint64_t first = at.offset;
  for (uint64_t i = 0; i < size; ++i) {
    at.offset = first + (backwards ? size - 1 - i : i);
    if (at.offset >= at.object->size && !co_await call.resolve({at.object->base + at.offset}, 1, false, at))
      co_return;
    const Value byte = e.used(call.thread, co_await call.load(at, 1));
    if (!same(call, byte, wanted)) continue;
    call.result = offsetFrom(call, start, at.offset - first);
    co_return;
  }
}

/// A text that the library owns, at a fixed address.
MemoryObject* ownText(Call& call, uint32_t ordinal, const std::string& text) {
  ModelContext& e = call.context;
  MemoryObject* object = e.memory.create({ObjectKind::Library, call.thread.id, 8, ordinal, text.size() + 1});
  if (!object || !e.memory.touch(*object)) {
    e.unsupported(call.thread, "the address space is used up");
    return nullptr;
  }
  e.noteWritten(call.thread, *object);
  for (size_t i = 0; i <= text.size(); ++i)
    e.memory.write(*object, i, 1, {static_cast<unsigned char>(text.c_str()[i])});
  return object;
}

void errorText(Call& call) {
  const auto number = static_cast<int>(signExtend(call.number(0), 32));
  const std::string text =
      call.name == "strsignal" ? "signal " + std::to_string(number) : std::strerror(number);
  const auto ordinal = static_cast<uint32_t>(number & 0xffff) + (call.name == "strsignal" ? 0x10000u : 0u);
  if (const MemoryObject* object = ownText(call, ordinal, text)) call.returns(object->base);
}

Task<> errorTextInto(Call& call) {
  const auto number = static_cast<int>(signExtend(call.number(0), 32));
  const uint64_t room = call.number(2);
  const std::string text = std::strerror(number);
  std::vector<Value> bytes;
  for (const char c : text)
    if (bytes.size() + 1 < room) bytes.push_back({static_cast<unsigned char>(c)});
  if (room > 0) bytes.push_back({0});
  const Value to = call.argument(1);
  if (!co_await call.writeBytes(to, std::move(bytes))) co_return;
  if (call.name == "__xpg_strerror_r")
    call.returns(0);
  else
    call.result = to;  // GNU's returns the text
}

/// strlcpy and strlcat.
Task<> copyBounded(Call& call) {
  const Value destination = call.argument(0);
  const uint64_t room = call.number(2);
  auto text = co_await call.readString(call.argument(1));
  if (!text) co_return;
  uint64_t used = 0;
  if (call.name == "strlcat") {
    const auto before = co_await call.readString(destination, room);
    if (!before) co_return;
    used = before->size();
  }
  call.returns(used + text->size());
  if (used >= room) co_return;
  text->resize(std::min<uint64_t>(text->size(), room - used - 1));
  text->push_back({0});
  co_await call.writeBytes(offsetFrom(call, destination, used), std::move(*text));
}

constexpr ModelledCall kModels[] = {
    {"strstr", nullptr, find},
    {"strcasestr", nullptr, find},
    {"strspn", nullptr, span},
    {"strcspn", nullptr, span},
    {"strpbrk", nullptr, span},
    {"strtok", nullptr, cut},
    {"strtok_r", nullptr, cut},
    {"__strtok_r", nullptr, cut},
    {"strsep", nullptr, cut},
    {"strcasecmp", nullptr, compareAnyCase},
    {"strncasecmp", nullptr, compareAnyCase},
    {"memchr", nullptr, findByte},
    {"memrchr", nullptr, findByte},
    {"rawmemchr", nullptr, findByte},
    {"strerror", errorText, nullptr},
    {"strsignal", errorText, nullptr},
    {"strerror_r", nullptr, errorTextInto},
    {"__xpg_strerror_r", nullptr, errorTextInto},
    {"strlcpy", nullptr, copyBounded},
    {"strlcat", nullptr, copyBounded},
};

}  // namespace
}  // namespace text_calls

std::span<const ModelledCall> textModels() {
  return text_calls::kModels;
}

}  // namespace heddle
