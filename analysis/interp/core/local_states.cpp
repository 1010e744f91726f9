// The local state of a thread as a key: call stack, live registers, private memory it has written, and the
// counters that name what it will make. Symbolic values count as their terms, so equal keys mean equal states
// for all values of the symbols.
#include "analysis/interp/core/local_states.h"

#include <algorithm>

#include "analysis/interp/core/execution.h"

namespace heddle {

namespace {

void add(StateKey& key, const Value& value) {
  // A value with a term is described by the term alone.
  key.add(value.term == kNoTerm || isUndefined(value) ? value.bits : 0);
  key.add(value.term);
}

StateKey contentOf(const MemoryObject& object) {
  StateKey key;
  key.add(object.id);
  key.add(object.live);
  // An object that was never touched is like one that holds zeros: a private one may have been touched in an
  // earlier call of its function.
  for (uint64_t at = 0; object.bytes && at < object.size; at += 8) {
    uint64_t word = 0;
    for (uint64_t i = 0; i < 8 && at + i < object.size; ++i)
      word |= uint64_t{object.bytes[at + i]} << (8 * i);
    // Bytes under a term are described by the term; those of an undefined piece are what one goes on with.
    auto piece = object.pieces.lower_bound(at + 8);
    while (piece != object.pieces.begin()) {
      --piece;
      const uint64_t end = piece->first + piece->second.size;
      if (end <= at) break;
      if (piece->second.term == kUndefined) continue;
      for (uint64_t byte = std::max(at, piece->first); byte < std::min(at + 8, end); ++byte)
        word &= ~(uint64_t{0xff} << (8 * (byte - at)));
    }
    if (word == 0) continue;
    key.add(at);
    key.add(word);
  }
  key.add(object.size);  // the end of the words
  for (const auto& [offset, piece] : object.pieces) {
    key.add(offset);
    key.add(piece.size);
    key.add(piece.term);
    key.add(piece.filler.function);
    key.add(piece.filler.argument);
  }
  return key;
}

}  // namespace

void LocalStates::noteWritten(Thread& t, MemoryObject& object) {
  // What others may read there is the same in every execution: how often it was written stands for it.
  if (!run_.prologue && locations_.isShared(object.id)) {
    ++t.certainWrites;
    return;
  }
  if (object.noted || (object.kind == ObjectKind::Stack && run_.lives.isForeign(t, object))) return;
  object.noted = true;
  if (object.kind != ObjectKind::Stack) t.written.push_back(&object);
}

std::optional<StateKey> LocalStates::of(const Thread& t, bool counters) const {
  constexpr uint64_t kLargest = 1 << 14;  // bytes of private memory
  const Instruction& here = program_.code[t.pc];
  if (t.calls.active || t.frames.empty() || here.op != Opcode::MergePoint) return std::nullopt;
  StateKey key;
  key.add(t.pc);
  for (size_t i = t.frames.size(); i-- > 0;) {
    const Frame& frame = t.frames[i];
    const FramePoint* point = &program_.mergePoints[here.a];
    if (i + 1 < t.frames.size()) {
      const uint32_t call = t.frames[i + 1].returnPc;
      const auto known = program_.afterCall.find(call);
      if (known == program_.afterCall.end()) return std::nullopt;
      point = &known->second;
      key.add(call);
    }
    key.add(frame.function);
    for (const uint32_t slot : point->live) add(key, t.registers[frame.base + slot]);
    for (uint32_t k = 0; k < frame.variableCount; ++k) add(key, t.registers[frame.variableBase + k]);
    if (counters)
      for (const uint32_t slot : point->counters) {
        const uint64_t counter = t.registers[frame.base + slot].bits;
        key.add(static_cast<uint32_t>(counter));
        if (options_.rounds == 0) continue;
        key.add(static_cast<uint16_t>(t.rounds.forks) == static_cast<uint16_t>(counter >> 48));
        key.add(static_cast<uint16_t>(t.rounds.pathEvents) == static_cast<uint16_t>(counter >> 32));
      }
  }
  // Objects and counters in any order: two paths may have come to them in different ones.
  uint64_t bytes = 0, low = 0, high = 0;
  const auto addAny = [&](const StateKey& part) {
    low += part.low;
    high += part.high;
  };
  const auto addObject = [&](const MemoryObject& object) {
    if (locations_.isShared(object.id)) return true;
    bytes += object.size;
    if (bytes > kLargest) return false;
    addAny(contentOf(object));
    return true;
  };
  // What it has not written since the prologue is the same in every execution, or another thread's work: that
  // one alone may have written it meanwhile, without an event.
  for (const MemoryObject* object : t.stack)
    if (object->noted && !addObject(*object)) return std::nullopt;
  for (const MemoryObject* object : t.written)
    if (!addObject(*object)) return std::nullopt;
  for (const auto& [site, count] : t.sites) {
    StateKey part;
    part.add(site);
    part.add(count);
    addAny(part);
  }
  for (const auto& [at, state] : run_.sync.mutexes()) {
    if (state.owner != t.id) continue;
    StateKey part;
    part.add(at.first);
    part.add(at.second);
    part.add(state.depth * 2u + (state.inconsistent ? 1 : 0));
    addAny(part);
  }
  for (const HeldRwlock& held : t.rwlocks) {
    StateKey part;
    part.add(held.lock->state->id);
    part.add(held.writing);
    addAny(part);
  }
  for (const auto& [name, text] : t.variables) {
    for (const char character : name) key.add(static_cast<unsigned char>(character));
    key.add(text);
  }
  for (const uint64_t buffer : t.calls.cleanups) key.add(buffer);
  for (const JumpPoint& point : t.calls.jumps) {
    key.add(point.frames);
    key.add(point.pc);
  }
  if (locations_.hasReuse()) {
    key.add(t.allocations);
    for (const MemoryObject* object : t.freed) key.add(object->id);
  }
  for (const ExitHandler& handler : run_.process.exitHandlers) {
    key.add(handler.function);
    key.add(handler.argument);
  }
  key.add(low);
  key.add(high);
  if (counters && options_.rounds != 0) {  // a loop that is entered later counts from 0
    key.add(static_cast<uint16_t>(t.rounds.forks) == 0);
    key.add(static_cast<uint16_t>(t.rounds.pathEvents) == 0);
  }
  key.add(t.creates);
  key.add(t.rounds.sharedStack);
  key.add(t.certainWrites);
  // What it may read without an event depends on whom it has joined.
  for (const ThreadId other : t.endedBefore) key.add(other);
  return key;
}

}  // namespace heddle
