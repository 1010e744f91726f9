// Assertions, assumptions and inputs: the verifier's vocabulary and what assert() expands to.
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "analysis/interp/core/call.h"
#include "analysis/interp/verifier/input_type.h"
#include "analysis/model/failure_text.h"

namespace heddle {

namespace {

struct InputType {
  std::string_view suffix;
  unsigned width;  // as NamedInputType
  bool isSigned;
};

constexpr InputType kInputTypes[] = {
    {"int", 32, true},
    {"uint", 32, false},
    {"unsigned", 32, false},
    {"unsigned_int", 32, false},
    {"char", 8, true},
    {"uchar", 8, false},
    {"unsigned_char", 8, false},
    {"schar", 8, true},
    {"short", 16, true},
    {"ushort", 16, false},
    {"unsigned_short", 16, false},
    {"long", 0, true},
    {"ulong", 0, false},
    {"unsigned_long", 0, false},
    {"longlong", 64, true},
    {"ulonglong", 64, false},
    {"bool", 1, false},
    {"_Bool", 1, false},
    {"size_t", 0, false},
    {"loff_t", 64, true},
    {"pchar", 0, false},
    {"u8", 8, false},
    {"u16", 16, false},
    {"u32", 32, false},
    {"u64", 64, false},
    {"i8", 8, true},
    {"i16", 16, true},
    {"i32", 32, true},
    {"i64", 64, true},
};

}  // namespace

std::optional<NamedInputType> inputTypeOf(std::string_view function) {
  bool isInput = false;
  for (const std::string_view prefix :
       {"__VERIFIER_nondet_", "heddle_input_", "__ESBMC_nondet_", "__SMACK_nondet_", "nondet_"}) {
    if (!function.starts_with(prefix)) continue;
    function.remove_prefix(prefix.size());
    isInput = true;
  }
  if (!isInput) return std::nullopt;
  for (const InputType& type : kInputTypes)
    if (type.suffix == function) return NamedInputType{type.width, type.isSigned};
  return std::nullopt;
}

namespace verifier_calls {
namespace {

void giveInput(Call& call, unsigned width, bool isSigned, const std::string& name) {
  if (call.resultWidth == 0) return;
  if (width == 0 || width > call.resultWidth) width = call.resultWidth;
  const Value value = call.context.inputAsResult(call.thread, width, isSigned, name);
  call.context.result.inputs.back().isAsked = true;
  call.result = isSigned ? signExtended(call.context.terms, value, width, call.resultWidth)
                         : zeroExtended(call.context.terms, value, width, call.resultWidth);
}

void nondeterministic(Call& call) {
  if (const std::optional<NamedInputType> type = inputTypeOf(call.name))
    return giveInput(call, type->width, type->isSigned, call.name);
  call.context.unsupported(call.thread, "call of '" + call.name + "'");
}

/// An output of inline assembly that nobody has read.
void assembly(Call& call) {
  ModelContext& e = call.context;
  e.noteUnknownCall(call.thread, call.name);
  e.assume(e.place(call.thread), "inline assembly leaves any value in its outputs and changes nothing else");
  if (call.resultWidth == 0) return;
  call.result = e.input(call.thread, call.resultWidth, true, "what inline assembly left");
  e.result.inputs.back().isInvented = true;
}

Task<> namedInput(Call& call) {
  const auto name = co_await call.readText(call.argument(0));
  if (!name) co_return;
  giveInput(call, 32, true, *name);
}

/// What a model in C takes for granted.
Task<> assumption(Call& call) {
  const auto text = co_await call.readText(call.argument(0), 200);
  if (text) call.context.assume(call.context.place(call.thread), *text);
}

/// heddle_lazily(place, size, filler, argument): filler(place, argument) sets the bytes at `place` when they
/// are first read.
Task<> postpone(Call& call) {
  ModelContext& e = call.context;
  Target place;
  const uint64_t bytes = call.number(1), argument = call.number(3);
  if (!co_await call.resolve(call.argument(0), bytes, true, place)) co_return;
  const FunctionId filler = call.functionAt(call.argument(2));
  if (filler == kNone) co_return;
  if (e.threadCount() > 1) {
    std::vector<Value> given(2);
    given[0].bits = place.object->base + place.offset;
    given[1].bits = argument;
    co_await call.invoke(filler, std::move(given));
    co_return;
  }
  e.noteWritten(call.thread, *place.object);
  e.memory.postpone(*place.object, place.offset, bytes, {filler, argument});
}

/// Of a heap object whose address no other one has got.
bool isFreed(ModelContext& e, const MemoryObject& object) {
  return object.kind == ObjectKind::Heap && object.endedAt != kNone && object.life &&
         e.memory.touch(*object.life) && e.memory.read(*object.life, 0, 1).bits == 0;
}

/// The heap object that was freed and that the 8 bytes point into; null: none.
const MemoryObject* freedBehind(ModelContext& e, MemoryObject& object, uint64_t offset,
                                MemoryObject*& pointsTo) {
  if (Memory::isPostponed(object, offset, 8)) return nullptr;
  const uint64_t address = e.memory.read(object, offset, 8).bits;
  pointsTo = address == 0 ? nullptr : e.memory.at(address);
  if (!pointsTo || address - pointsTo->base >= std::max<uint64_t>(pointsTo->size, 1)) {
    pointsTo = nullptr;
    return nullptr;
  }
  return isFreed(e, *pointsTo) ? pointsTo : nullptr;
}

/// heddle_left(object): behind a call of one thread, no pointer in the object, or near it, leads to memory
/// that the call has freed: the next one that follows it would use it.
void left(Call& call) {
  constexpr unsigned kDepth = 2;
  constexpr uint64_t kMostBytes = 4096;  // of each object
  ModelContext& e = call.context;
  MemoryObject* const root = e.memory.at(call.argument(0).bits);
  if (!root || isFreed(e, *root) || e.threadCount() > 1) return;
  std::vector<std::pair<MemoryObject*, unsigned>> open = {{root, 0}};
  std::set<const MemoryObject*> seen = {root};
  for (size_t i = 0; i < open.size(); ++i) {
    const auto [object, depth] = open[i];
    if (object->kind == ObjectKind::Function || !e.memory.touch(*object)) continue;
    for (uint64_t offset = 0; offset + 8 <= std::min(object->size, kMostBytes); offset += 8) {
      MemoryObject* pointsTo = nullptr;
      if (const MemoryObject* freed = freedBehind(e, *object, offset, pointsTo)) {
        const std::string name = e.program.describeWithoutPlace(e.names.info(object->id).name, offset, 8);
        e.fail(call.thread, FailureKind::Memory,
               "'" + name + "' is left pointing to memory that is freed here", freed->endedAt);
        return;
      }
      if (pointsTo && depth < kDepth && seen.insert(pointsTo).second) open.emplace_back(pointsTo, depth + 1);
    }
  }
}

/// The random numbers of the library.
void outside(Call& call) {
  // 0 … RAND_MAX
  const unsigned width = std::min(31u, call.resultWidth);
  if (width == 0) return;
  const Value value = call.context.inputAsResult(call.thread, width, false, call.name);
  call.context.result.inputs.back().isAsked = true;
  call.result = zeroExtended(call.context.terms, value, width, call.resultWidth);
}

void assume(Call& call) {
  ModelContext& e = call.context;
  const unsigned width = e.program.arguments[call.pool].width;
  const Value condition = notEqual(e.terms, call.argument(0), {0}, width);
  if (!e.branch(call.thread, condition, BranchRole::Assume, -1)) e.stop(call.thread);
}

void check(Call& call) {
  ModelContext& e = call.context;
  const unsigned width = e.program.arguments[call.pool].width;
  const Value condition = notEqual(e.terms, call.argument(0), {0}, width);
  if (!e.branch(call.thread, condition, BranchRole::Check, 0))
    e.fail(call.thread, FailureKind::Assertion, std::string(kCheckText));
}

/// klee_make_symbolic: the bytes of an object become inputs.
Task<> makeSymbolic(Call& call) {
  const uint64_t size = call.number(1);
  Target to;
  if (size == 0) co_return;
  if (size > 4096) co_return call.context.unsupported(call.thread, "an input of more than 4 KiB");
  const auto name = co_await call.readText(call.argument(2));
  if (!name || !co_await call.resolve(call.argument(0), size, true, to)) co_return;
  Call::Chunks chunks;
  for (uint64_t done = 0; done < size;) {
    const auto count = static_cast<unsigned>(std::min<uint64_t>(size - done, 8 - (to.offset + done) % 8));
    chunks.emplace_back(count, call.context.input(call.thread, count * 8, true, *name));
    call.context.result.inputs.back().isAsked = true;
    done += count;
  }
  co_await call.writeBlock(to, std::move(chunks));
}

/// Pointers from outside point nowhere.
void pointerInput(Call& call) {
  call.context.assume(call.context.place(call.thread), "a pointer from outside is null");
  call.returns(0);
}

/// Floating point is concrete only.
void realInput(Call& call) {
  call.context.assume(call.context.place(call.thread), "a floating-point input is 0");
  call.returns(0);
}

void ignored(Call& call) {
  call.returns(0);
}

Task<> assertFailLast(Call& call) {
  const auto expression = co_await call.readText(call.argument(3), 200);
  if (!expression) co_return;
  call.context.fail(call.thread, FailureKind::Assertion, "assertion '" + *expression + "' failed");
}

void reachError(Call& call) {
  call.context.fail(call.thread, FailureKind::Assertion, std::string(kErrorLocationText));
}

Task<> assertFail(Call& call) {
  const auto expression = co_await call.readText(call.argument(0), 200);
  if (!expression) co_return;
  call.context.fail(call.thread, FailureKind::Assertion, "assertion '" + *expression + "' failed");
}

/// Put in by analysis/enforce; no name in C has a dot.
void passed(Call& call) {
  call.context.sink().passed(call.thread.id, static_cast<uint32_t>(call.number(0)));
}

constexpr ModelledCall kModels[] = {
    {"heddle.passed", passed, nullptr},
    {"__assert_fail", nullptr, assertFail},
    {"__assert", nullptr, assertFail},
    {"_assert", nullptr, assertFail},
    {"__assert_c99", nullptr, assertFailLast},
    {"__assert_rtn", nullptr, assertFailLast},
    {"__assert_perror_fail", reachError, nullptr},
    {"__CPROVER_assert", check, nullptr},
    {"__CPROVER_assume", assume, nullptr},
    {"__ESBMC_assert", check, nullptr},
    {"__ESBMC_assume", assume, nullptr},
    {"__ESBMC_unreachable", reachError, nullptr},
    {"__goblint_check", check, nullptr},
    {"__goblint_assume", assume, nullptr},
    {"__goblint_assume_join", ignored, nullptr},
    {"klee_assume", assume, nullptr},
    {"klee_make_symbolic", nullptr, makeSymbolic},
    {"__VERIFIER_nondet_pointer", pointerInput, nullptr},
    {"__VERIFIER_nondet_pchar", pointerInput, nullptr},
    {"nondet_pointer", pointerInput, nullptr},
    {"__VERIFIER_nondet_float", realInput, nullptr},
    {"__VERIFIER_nondet_double", realInput, nullptr},
    {"nondet_float", realInput, nullptr},
    {"nondet_double", realInput, nullptr},
    {"__VERIFIER_loop_bound", ignored, nullptr},
    {"__CPROVER_fence", ignored, nullptr},
    {"nondet_int", nondeterministic, nullptr},
    {"nondet_uint", nondeterministic, nullptr},
    {"nondet_unsigned", nondeterministic, nullptr},
    {"nondet_char", nondeterministic, nullptr},
    {"nondet_uchar", nondeterministic, nullptr},
    {"nondet_short", nondeterministic, nullptr},
    {"nondet_ushort", nondeterministic, nullptr},
    {"nondet_long", nondeterministic, nullptr},
    {"nondet_ulong", nondeterministic, nullptr},
    {"nondet_longlong", nondeterministic, nullptr},
    {"nondet_ulonglong", nondeterministic, nullptr},
    {"nondet_bool", nondeterministic, nullptr},
    {"nondet_size_t", nondeterministic, nullptr},
    {"reach_error", reachError, nullptr},
    {"__VERIFIER_error", reachError, nullptr},
    {"__VERIFIER_assert", check, nullptr},
    {"__VERIFIER_assume", assume, nullptr},
    {"assume_abort_if_not", assume, nullptr},
    {"assume", assume, nullptr},
    {"assert", check, nullptr},
    {"heddle_assume", assume, nullptr},
    {"heddle_assert", check, nullptr},
    {"heddle.assembly", assembly, nullptr},
    {"heddle.assembly.8", assembly, nullptr},
    {"heddle.assembly.16", assembly, nullptr},
    {"heddle.assembly.32", assembly, nullptr},
    {"heddle.assembly.64", assembly, nullptr},
    {"heddle_assumption", nullptr, assumption},
    {"heddle_input", nullptr, namedInput},
    {"heddle_lazily", nullptr, postpone},
    {"heddle_left", left, nullptr},
    {"rand", outside, nullptr},
    {"random", outside, nullptr},
    {"lrand48", outside, nullptr},
    {"rand_r", outside, nullptr},
    {"__VERIFIER_nondet_int", nondeterministic, nullptr},
    {"__VERIFIER_nondet_uint", nondeterministic, nullptr},
    {"__VERIFIER_nondet_unsigned", nondeterministic, nullptr},
    {"__VERIFIER_nondet_unsigned_int", nondeterministic, nullptr},
    {"__VERIFIER_nondet_char", nondeterministic, nullptr},
    {"__VERIFIER_nondet_uchar", nondeterministic, nullptr},
    {"__VERIFIER_nondet_unsigned_char", nondeterministic, nullptr},
    {"__VERIFIER_nondet_schar", nondeterministic, nullptr},
    {"__VERIFIER_nondet_short", nondeterministic, nullptr},
    {"__VERIFIER_nondet_ushort", nondeterministic, nullptr},
    {"__VERIFIER_nondet_unsigned_short", nondeterministic, nullptr},
    {"__VERIFIER_nondet_long", nondeterministic, nullptr},
    {"__VERIFIER_nondet_ulong", nondeterministic, nullptr},
    {"__VERIFIER_nondet_unsigned_long", nondeterministic, nullptr},
    {"__VERIFIER_nondet_longlong", nondeterministic, nullptr},
    {"__VERIFIER_nondet_ulonglong", nondeterministic, nullptr},
    {"__VERIFIER_nondet_bool", nondeterministic, nullptr},
    {"__VERIFIER_nondet__Bool", nondeterministic, nullptr},
    {"__VERIFIER_nondet_size_t", nondeterministic, nullptr},
    {"__VERIFIER_nondet_loff_t", nondeterministic, nullptr},
    {"__VERIFIER_nondet_u8", nondeterministic, nullptr},
    {"__VERIFIER_nondet_u16", nondeterministic, nullptr},
    {"__VERIFIER_nondet_u32", nondeterministic, nullptr},
    {"__VERIFIER_nondet_u64", nondeterministic, nullptr},
    {"heddle_input_int", nondeterministic, nullptr},
    {"heddle_input_uint", nondeterministic, nullptr},
    {"heddle_input_char", nondeterministic, nullptr},
    {"heddle_input_uchar", nondeterministic, nullptr},
    {"heddle_input_short", nondeterministic, nullptr},
    {"heddle_input_ushort", nondeterministic, nullptr},
    {"heddle_input_long", nondeterministic, nullptr},
    {"heddle_input_ulong", nondeterministic, nullptr},
    {"heddle_input_longlong", nondeterministic, nullptr},
    {"heddle_input_ulonglong", nondeterministic, nullptr},
    {"heddle_input_bool", nondeterministic, nullptr},
    {"heddle_input_u8", nondeterministic, nullptr},
    {"heddle_input_u16", nondeterministic, nullptr},
    {"heddle_input_u32", nondeterministic, nullptr},
    {"heddle_input_u64", nondeterministic, nullptr},
    {"heddle_input_i8", nondeterministic, nullptr},
    {"heddle_input_i16", nondeterministic, nullptr},
    {"heddle_input_i32", nondeterministic, nullptr},
    {"heddle_input_i64", nondeterministic, nullptr},
};

}  // namespace
}  // namespace verifier_calls

std::span<const ModelledCall> verifierModels() {
  return verifier_calls::kModels;
}

}  // namespace heddle
