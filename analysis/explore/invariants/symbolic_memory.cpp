#include <algorithm>

#include "analysis/explore/invariants/symbolic_stepper.h"

namespace heddle {

uint64_t SymbolicStepper::addressOf(const Relocation& relocation) const {
  const bool isFunction = relocation.target == RelocationTarget::Function;
  return baseOf(isFunction ? kFunctionObjects + relocation.index : 1 + relocation.index);
}

uint64_t SymbolicStepper::constantPart(Term address) const {
  const TermNode& node = terms_.node(address);
  if (node.op == TermOp::Const) return node.value;
  if (node.op == TermOp::Add) return constantPart(node.a) + constantPart(node.b);
  if (node.op == TermOp::Sub) return constantPart(node.a) - constantPart(node.b);
  return 0;
}

StateKey SymbolicStepper::pathOf(const SymbolicThread& thread) {
  StateKey key;
  for (size_t depth = 0; depth + 1 < thread.frames.size(); ++depth) key.add(thread.frames[depth].pc);
  key.add(thread.frames.empty() ? kNone : thread.frames.back().function);
  return key;
}

ObjectNumber SymbolicStepper::newObject(const Walk& walk, uint32_t pc, bool isHeap) {
  const Block block{walk.thread, pathOf(walk.path.state.threads[walk.thread]), pc, isHeap};
  const auto number = static_cast<ObjectNumber>(kBlockObjects + numbers_.size());
  const auto [at, isNew] = numbers_.try_emplace(block, number);
  if (isNew) blocks_.emplace(number, block);
  if (walk.path.state.sizes.contains(at->second)) refuse("one place allocates several blocks");
  return at->second;
}

std::optional<Term> SymbolicStepper::sizeOf(const SymbolicState& state, ObjectNumber object) {
  if (isGlobal(object)) return terms_.constant(program_.globals[object - 1].size, 64);
  const auto known = state.sizes.find(object);
  if (known == state.sizes.end()) return std::nullopt;
  return known->second;
}

/// Where an access of `bytes` lies; nothing where it cannot be. It may be outside: see resolve().
std::optional<SymbolicStepper::Place> SymbolicStepper::resolve(Walk& walk, Term address, unsigned bytes) {
  const uint64_t rounded = constantPart(address) + (uint64_t{1} << (kObjectBits - 1));
  Place place;
  place.object = static_cast<ObjectNumber>(rounded >> kObjectBits);
  if (terms_.width(address) != 64) return refuse("an address of another width"), std::nullopt;
  const std::optional<Term> size = sizeOf(walk.path.state, place.object);
  if (!size) {
    // Null, or what is not there any more; or an address that a variable holds.
    if (terms_.isConst(address))
      violations_.push_back(walk.path.when);
    else
      refuse("an address that is not known");
    walk.isOver = true;
    return std::nullopt;
  }
  if (isGlobal(place.object)) {
    const GlobalVariable& global = program_.globals[place.object - 1];
    if (global.isExternal || global.isThreadLocal) refuse("a variable of another kind");
  }
  place.offset = terms_.binary(TermOp::Sub, address, terms_.constant(baseOf(place.object), 64));
  const Term length = terms_.constant(bytes, 64);
  const Term isSmall = terms_.binary(TermOp::Ult, *size, length);
  const Term isBehind = terms_.binary(TermOp::Ult, terms_.binary(TermOp::Sub, *size, length), place.offset);
  require(walk, terms_.binary(TermOp::Or, isSmall, isBehind));
  if (walk.isOver) return std::nullopt;
  if (terms_.isConst(place.offset)) place.address = baseOf(place.object) + terms_.constValue(place.offset);
  if (!place.address) facts_.makeWhole(place.object);
  if (!facts_.isWhole(place.object)) {
    // Parts of what is a cell elsewhere.
    const auto& cells = walk.path.state.cells;
    for (auto at = cells.lower_bound(*place.address > 16 ? *place.address - 16 : 0);
         at != cells.end() && at->first < *place.address + bytes; ++at) {
      const bool overlaps = at->first + at->second.bytes > *place.address;
      if (overlaps && (at->first != *place.address || at->second.bytes != bytes))
        facts_.makeWhole(place.object);
    }
  }
  return place;
}

SharedResource SymbolicStepper::resourceOf(const Place& place) const {
  return facts_.isWhole(place.object) ? wholeOf(place.object) : *place.address;
}

std::optional<Term> SymbolicStepper::initialValue(uint64_t address, unsigned bytes) const {
  const GlobalVariable& global = program_.globals[(address >> kObjectBits) - 1];
  const uint64_t offset = address & ((uint64_t{1} << kObjectBits) - 1);
  uint64_t bits = 0;
  for (unsigned i = 0; i < bytes; ++i)
    if (offset + i < global.initializer.size()) bits |= uint64_t{global.initializer[offset + i]} << (8 * i);
  for (const Relocation& relocation : global.relocations) {
    if (relocation.offset + relocation.size <= offset || offset + bytes <= relocation.offset) continue;
    if (relocation.offset != offset || relocation.size != bytes || bytes != 8) return std::nullopt;
    bits += addressOf(relocation);
  }
  return terms_.constant(bits, bytes * 8);
}

Term SymbolicStepper::found(Walk& walk, const Place& place, unsigned bytes) {
  for (const SymbolicPath::Found& known : walk.path.found)
    if (known.object == place.object && known.offset == place.offset && known.bytes == bytes)
      return known.value;
  const Term value = fresh(bytes);
  for (const SymbolicPath::Found& known : walk.path.found) {
    if (known.object != place.object || known.bytes != bytes) continue;
    const Term isElsewhere = terms_.logicalNot(terms_.eq(known.offset, place.offset));
    walk.path.when.push_back(terms_.binary(TermOp::Or, isElsewhere, terms_.eq(known.value, value)));
  }
  walk.path.found.push_back({place.object, place.offset, bytes, value});
  return value;
}

Term SymbolicStepper::load(Walk& walk, const Place& place, unsigned bytes) {
  SymbolicState& state = walk.path.state;
  if (facts_.isWhole(place.object)) {
    if (!isGlobal(place.object)) unproven_.insert(Property::Uninitialized);
    const bool isAlone = state.threads.size() == 1;
    return isAlone || facts_.isChanging(place.object) ? fresh(bytes) : found(walk, place, bytes);
  }
  const auto cell = state.cells.find(*place.address);
  if (cell != state.cells.end()) return cell->second.value;
  if (!isGlobal(place.object)) {
    // What is there is not known.
    unproven_.insert(Property::Uninitialized);
    facts_.makeWhole(place.object);
    return fresh(bytes);
  }
  const std::optional<Term> initial = initialValue(*place.address, bytes);
  if (!initial) {
    facts_.makeWhole(place.object);
    return fresh(bytes);
  }
  if (!program_.globals[place.object - 1].isConstant) facts_.addCell(*place.address, {bytes, *initial});
  return *initial;
}

void SymbolicStepper::store(Walk& walk, const Place& place, unsigned bytes, Term value) {
  SymbolicState& state = walk.path.state;
  if (facts_.isWhole(place.object)) {
    if (state.threads.size() > 1) facts_.makeChanging(place.object);
    return;
  }
  if (isGlobal(place.object) && !state.cells.contains(*place.address)) {
    const std::optional<Term> initial = initialValue(*place.address, bytes);
    if (initial)
      facts_.addCell(*place.address, {bytes, *initial});
    else
      facts_.makeWhole(place.object);
  }
  state.cells[*place.address] = {bytes, value};
}

std::optional<SymbolicAccess> SymbolicStepper::accessOf(const SymbolicState& state, ThreadId thread) {
  if (state.threads[thread].at != StandsAt::Step) return std::nullopt;
  const Instruction& in = program_.code[state.threads[thread].frames.back().pc];
  if (in.op != Opcode::Load && in.op != Opcode::Store && in.op != Opcode::AtomicRmw &&
      in.op != Opcode::CompareExchange)
    return std::nullopt;
  Walk walk;
  walk.path.state = state;
  walk.thread = thread;
  const bool isUpdate = in.op == Opcode::AtomicRmw || in.op == Opcode::CompareExchange;
  const unsigned bytes = isUpdate ? in.width / 8u : in.aux;
  const size_t before = violations_.size();
  const std::optional<Place> place = resolve(walk, slot(walk, in.a), bytes);
  violations_.resize(before);  // the step says so itself
  if (!place) return std::nullopt;
  return SymbolicAccess{resourceOf(*place), place->offset, bytes, in.op != Opcode::Load,
                        isUpdate || (in.flags & kAtomic) != 0};
}

void SymbolicStepper::memory(Walk& walk, const Instruction& in) {
  SymbolicFrame& frame = walk.frame();
  if (in.op == Opcode::Alloca) {
    if (in.b != kNone) return refuse("a variable whose size is not known");
    const ObjectNumber object = newObject(walk, frame.pc, false);
    walk.path.state.sizes[object] = terms_.constant(program_.stackVariables[in.a].size, 64);
    frame.slots[in.dst] = terms_.constant(baseOf(object), 64);
    ++frame.pc;
    return;
  }
  if (in.flags & kVolatile) unproven_.insert(Property::Volatile);
  const bool isUpdate = in.op == Opcode::AtomicRmw || in.op == Opcode::CompareExchange;
  const unsigned width = in.width, bytes = isUpdate ? width / 8u : in.aux;
  if (bytes == 0 || bytes > 8) return refuse("an access of another size");
  const std::optional<Place> place = resolve(walk, slot(walk, in.a), bytes);
  if (!place) return;
  facts_.record(resourceOf(*place), walk.path.state, walk.thread, in.op != Opcode::Load);
  const auto fitted = [&](Term term, unsigned to) {
    if (term == kUndefined) return term;
    const unsigned from = terms_.width(term);
    return from > to ? terms_.extract(term, 0, to) : from < to ? terms_.zext(term, to) : term;
  };
  switch (in.op) {
    case Opcode::Load:
      frame.slots[in.dst] = fitted(load(walk, *place, bytes), width);
      break;
    case Opcode::Store: {
      const Term held = frame.slots[in.b];
      store(walk, *place, bytes,
            held == kUndefined ? held : fitted(fitted(slot(walk, in.b), width), bytes * 8));
      break;
    }
    case Opcode::AtomicRmw: {
      const Term old = load(walk, *place, bytes);
      if (old == kUndefined) return refuse("memory is updated that nothing has written");
      const Value next = updated(terms_, static_cast<RmwOp>(in.flags), value(old),
                                 value(fitted(slot(walk, in.b), width)), width);
      store(walk, *place, bytes, termOf(terms_, next, width));
      walk.frame().slots[in.dst] = old;
      break;
    }
    default: {
      const Term old = load(walk, *place, bytes);
      if (old == kUndefined) return refuse("memory is updated that nothing has written");
      const Term isEqual = terms_.eq(old, fitted(slot(walk, in.b), width));
      if (in.flags & kWeak) return refuse("a weak compare-exchange");
      const Term desired = fitted(slot(walk, in.c), width);
      store(walk, *place, bytes, terms_.ite(isEqual, desired, old));
      walk.frame().slots[in.dst] = old;
      walk.frame().slots[in.dst + 1] = isEqual;
    }
  }
  ++walk.frame().pc;
}

bool SymbolicStepper::isInterleaved(Walk& walk, const Instruction& in) {
  switch (in.op) {
    case Opcode::Load:
    case Opcode::Store:
    case Opcode::AtomicRmw:
    case Opcode::CompareExchange: {
      const bool isUpdate = in.op == Opcode::AtomicRmw || in.op == Opcode::CompareExchange;
      const std::optional<Place> place = resolve(walk, slot(walk, in.a), isUpdate ? in.width / 8u : in.aux);
      if (!place) return false;
      facts_.record(resourceOf(*place), walk.path.state, walk.thread, in.op != Opcode::Load);
      return facts_.isContested(resourceOf(*place));
    }
    case Opcode::CallExternal: {
      const std::string& name = program_.externals[in.a];
      if (name == "pthread_join") {
        const std::optional<uint64_t> handle = constantArgument(walk, in, 0, "a thread to join");
        if (!handle) return false;
        walk.self().waitsFor = static_cast<ThreadId>((*handle >> kObjectBits) - kThreadObjects);
        if (walk.self().waitsFor >= walk.path.state.threads.size()) {
          violations_.push_back(walk.path.when);
          walk.isOver = true;
          return false;
        }
        if (walk.path.state.threads[walk.self().waitsFor].at == StandsAt::Over) return false;
        standAt(walk, StandsAt::Join);
        return false;
      }
      if (name == "pthread_barrier_wait") {
        arrive(walk, in);
        return false;
      }
      if (name.starts_with("pthread_cond_") && knownCall(name)) {
        if (name.ends_with("init") || name.ends_with("destroy")) return false;
        const std::optional<uint64_t> condition = constantArgument(walk, in, 0, "a condition variable");
        if (!condition) return false;
        facts_.record(conditionOf(*condition), walk.path.state, walk.thread, name.ends_with("wait"));
        return facts_.isContested(conditionOf(*condition));
      }
      if (name != "pthread_mutex_lock") return false;
      const std::optional<uint64_t> mutex = constantArgument(walk, in, 0, "a mutex");
      if (!mutex) return false;
      facts_.record(takingOf(*mutex), walk.path.state, walk.thread, true);
      return facts_.isContested(takingOf(*mutex)) || walk.path.state.holder(*mutex);
    }
    default:
      return false;
  }
}

bool SymbolicStepper::isEnabled(const SymbolicState& state, ThreadId thread) {
  const SymbolicThread& at = state.threads[thread];
  if (!at.isAlive()) return false;
  switch (at.at) {
    case StandsAt::Join:
      return state.threads[at.waitsFor].at == StandsAt::Over;
    case StandsAt::Wait:
      return false;
    case StandsAt::Woken:
      return !state.holder(at.retakes);
    case StandsAt::Barrier:
      return state.arrived(at.waitsAt).size() >= state.barriers.at(at.waitsAt);
    case StandsAt::Step:
      break;
    default:
      return true;
  }
  const Instruction& in = program_.code[at.frames.back().pc];
  if (in.op != Opcode::CallExternal || program_.externals[in.a] != "pthread_mutex_lock") return true;
  Walk walk;
  walk.path.state = state;
  walk.thread = thread;
  const std::optional<uint64_t> mutex = constantArgument(walk, in, 0, "a mutex");
  return !mutex || !state.holder(*mutex);
}

bool SymbolicStepper::mayStep(const SymbolicState& state, ThreadId thread) {
  const SymbolicThread& at = state.threads[thread];
  return at.at == StandsAt::Wait ? !state.holder(at.retakes) : isEnabled(state, thread);
}

}  // namespace heddle
