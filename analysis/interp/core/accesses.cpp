// Addresses to objects, the failures of addresses, and the events of memory accesses.
#include "analysis/interp/core/accesses.h"

#include <algorithm>

#include "analysis/interp/core/execution.h"
#include "analysis/interp/core/memory_model.h"
#include "analysis/support/harness_names.h"

namespace heddle {

namespace {

const char* verb(bool write) {
  return write ? "write to" : "read of";
}

Term termOf(TermTable& terms, const Value& value) {
  return value.term != kNoTerm ? value.term : terms.constant(value.bits, kSyncBits);
}

/// The address is of nothing, and yet no null pointer: it is right in front of the first object.
bool isInFrontOf(const MemoryObject& object, uint64_t address) {
  constexpr uint64_t kNear = 64;
  return address < object.base && object.base - address <= kNear;
}

Term constantOf(TermTable& terms, const Value& value) {
  return terms.constant(value.bits, kSyncBits);
}

}  // namespace

bool Accesses::resolve(Thread& t, const Value& addressValue, const Value& rootValue, uint64_t size,
                       bool write, Target& out) {
  const Value address = run_.undefined.used(t, addressValue, " as an address"),
              root = &addressValue == &rootValue || isUndefined(rootValue) ? address : rootValue;
  // The pointer first, then the index: other values of the pointer lead to other objects, other values of the
  // index must stay inside this one.
  run_.choose(t, root);
  MemoryObject* object = memory_.at(root.bits);
  const bool isOfRoot = object && root.bits - object->base <= object->size;
  if (!isOfRoot) object = memory_.at(address.bits);
  const bool plain = object && object->kind != ObjectKind::Function;
  // Whether another thread's variable is still there is asked of its life.
  const uint64_t extent = plain && run_.lives.isForeign(t, *object) ? object->size : plain ? object->live : 0;
  if (address.term && extent >= size && extent > 0) {
    const unsigned width = program_.pointerBits();
    const bool offsetKnown = root.term && terms_.isConst(terms_.binary(TermOp::Sub, address.term, root.term));
    if (!offsetKnown && address.term != root.term) {
      const Value offset = binaryValue(terms_, TermOp::Sub, address, {object->base}, width);
      const Value inside = binaryValue(terms_, TermOp::Ule, offset, {extent - size}, width);
      run_.branch(t, inside, BranchRole::Check, 0);
      if (inside.bits & 1) run_.choose(t, address);
    }
  }
  if (plain && address.bits - object->base <= extent && size <= extent - (address.bits - object->base) &&
      !(write && object->readOnly)) {
    if (!memory_.touch(*object)) {
      run_.unsupported(t, "no memory for '" + program_.describe(names_.info(object->id).name) + "'");
      return false;
    }
    if (object->kind == ObjectKind::Global) {
      const GlobalVariable& global = program_.globals[names_.info(object->id).name.site];
      if (global.isExternal && streamHandle(global.name) == 0)
        run_.assume(run_.place(t), "'" + global.name + kTakenAsZero);
    }
    out = {object, address.bits - object->base};
    return true;
  }
  // Only of a pointer to the object itself: a wild one may lead anywhere.
  const bool isBehind = isOfRoot && address.bits > object->base &&
                        size > object->size - std::min(object->size, address.bits - object->base);
  if (isBehind && object->isEndUnknown) {
    run_.assume(run_.place(t), "what functions defined elsewhere return is as large as it is used");
    run_.stop(t);
    return false;
  }
  failAddress(t, isOfRoot ? object : nearest(address.bits), address, size, write);
  return false;
}

/// Of a pointer that leads to no object: the one in front, or the one behind where that is nearer.
MemoryObject* Accesses::nearest(uint64_t address) {
  MemoryObject* before = memory_.at(address);
  if (!before && address < kFirstAddress) {
    MemoryObject* first = memory_.at(kFirstAddress);
    return first && isInFrontOf(*first, address) ? first : nullptr;
  }
  // What the interpreter keeps between the program's objects, nobody knows by a name.
  while (before && before->kind == ObjectKind::Library && before->base > 0)
    before = memory_.at(before->base - 1);
  const ObjectId next = names_.objectAt(address) + 1;
  if (!before || address - before->base <= before->size || next >= names_.objectCount()) return before;
  const uint64_t base = names_.info(next).base;
  if (base - address >= address - before->base - before->size) return before;
  MemoryObject* behind = memory_.at(base);
  return behind && behind->kind != ObjectKind::Library ? behind : before;
}

bool Accesses::isMadeUp(const MemoryObject* object, uint64_t address) const {
  if (!object) return true;
  if (object->kind != ObjectKind::Global) return object->isMadeUp;
  const std::string_view name = program_.globals[names_.info(object->id).name.site].name;
  if (!name.starts_with(kHarnessPrefix)) return false;
  const bool isSized = name.starts_with(kSizedPrefix), isText = name.starts_with(kTextPrefix);
  if (address >= object->base) return !isSized && !isText;
  // In front of nothing there is as a rule nothing that callers could have passed.
  const bool isEmptyText =
      (isText || name.starts_with(kRoomPrefix)) && object->bytes && object->bytes[0] == 0;
  return !isEmptyText && !(isSized && object->size == 0);
}

bool Accesses::callersFit(const MemoryObject* object, uint64_t address) const {
  return program_.environment.callersFit &&
         (address >= kFirstAddress || (object && isInFrontOf(*object, address))) && isMadeUp(object, address);
}

void Accesses::assumeFit(Thread& t) {
  run_.assume(run_.place(t), "what callers pass is as large as it is used");
  run_.stop(t);
}

bool Accesses::isFarBack(Thread& t, const MemoryObject* object, const Value& address) {
  if (!program_.environment.callersFit || !object || object->kind != ObjectKind::Global) return false;
  if (address.bits >= object->base || object->base <= kFarBack) return false;
  const std::string_view name = program_.globals[names_.info(object->id).name.site].name;
  const bool isBuffer =
      name.starts_with(kSizedPrefix) || name.starts_with(kTextPrefix) || name.starts_with(kRoomPrefix);
  if (!isBuffer) return false;
  const uint64_t limit = object->base - kFarBack;
  // Where inputs decide, those that lead far are asked for.
  if (address.term)
    run_.branch(t, binaryValue(terms_, TermOp::Ult, address, {limit}, program_.pointerBits()),
                BranchRole::Check, 0);
  return address.bits < limit;
}

void Accesses::failAddress(Thread& t, const MemoryObject* object, const Value& addressValue, uint64_t size,
                           bool write) {
  const uint64_t address = addressValue.bits;
  const bool isFar = isFarBack(t, object, addressValue);
  if (!isFar && callersFit(object, address)) return assumeFit(t);
  if (!object || (!isFar && address < kFirstAddress && !isInFrontOf(*object, address))) {
    constexpr uint64_t kLargestMember = kFirstAddress / 16;  // what is beyond was no null pointer
    // Which one does not matter: a pointer that depends on an input has as many as there are.
    return run_.fail(t, FailureKind::Memory,
                     address < kLargestMember ? "null pointer dereference"
                                              : std::string(verb(write)) + " an invalid address");
  }
  const ObjectName& name = names_.info(object->id).name;
  const std::string what = program_.describeAt(run_.place(t), name);
  if (object->kind == ObjectKind::Function)
    return run_.fail(t, FailureKind::Memory, std::string(verb(write)) + " the code of " + what);
  const uint64_t offset = address - object->base;
  // Its true size is known to the unit that defines it only.
  if (object->kind == ObjectKind::Global && program_.globals[name.site].isSizeAssumed) {
    run_.assume(run_.place(t), "'" + what +
                                   "', an array of unknown size defined elsewhere, is used no further than " +
                                   std::to_string(object->size) + " bytes");
    return run_.stop(t);
  }
  if (object->live == 0 && object->size > 0) {
    return run_.fail(t, FailureKind::Memory,
                     std::string(verb(write)) + " '" + what + "' after its function returned");
  }
  if (object->contains(offset, size))
    return run_.fail(t, FailureKind::Memory, std::string(verb(write)) + " read-only memory '" + what + "'");
  if (object->isSizeAssumed) run_.result.unknownWrites.insert(run_.place(t));
  std::string message = "out-of-bounds " + std::string(verb(write)) + " '" + what + "'";
  const auto [stride, count] = program_.elements(name);
  const auto distance = static_cast<int64_t>(offset);
  // Of a block that begins inside, where it begins alone would tell nothing.
  constexpr uint64_t kMostOfValue = 8;
  const bool isBlock = size > kMostOfValue && object->contains(offset, 1);
  const std::string end = isBlock ? ", " + std::to_string(size) + " bytes from there)" : ")";
  if (stride > 0 && distance % static_cast<int64_t>(stride) == 0)
    message += " (index " + std::to_string(distance / static_cast<int64_t>(stride)) + " of " +
               std::to_string(count) + end;
  else
    message +=
        " (offset " + std::to_string(distance) + " of " + std::to_string(object->size) + " bytes" + end;
  run_.fail(t, FailureKind::Memory, std::move(message));
}

bool Accesses::visible(Thread& t, const Target& target, uint64_t size, bool write) {
  // Nobody can write it, so there is nothing to order.
  if (target.object->readOnly && !write) return false;
  if (run_.prologue && locations_.endsPrologue(target.object->id)) run_.endPrologue();
  const bool shared = locations_.noteAccess({target.object->id, target.offset, size, t.id, write,
                                             run_.prologue, !t.uncertain, t.creates, &t.endedBefore},
                                            names_);
  if (run_.noteKnowledge()) target.object->fastRead = target.object->fastWrite = kNone;
  return shared && !run_.prologue;
}

void Accesses::allowFast(Thread& t, MemoryObject& object, bool write) {
  if (t.rounds.watchesLoop || t.rounds.watchesRound) return;
  // Of an object whose elements are told apart every access is noted.
  if (!run_.prologue && locations_.isShared(object.id)) return;
  if (!object.pieces.empty() || object.lifeShared || run_.lives.isForeign(t, object)) return;
  (write ? object.fastWrite : object.fastRead) = write && object.readOnly ? kNone : t.id;
}

bool Accesses::wait(Thread& t, EventKind kind, const Target& target, uint64_t size, uint64_t operations,
                    bool atomic) {
  if (target.offset + size > 0xffffffffu) {
    run_.unsupported(t, "a shared object larger than 4 GiB");
    return false;
  }
  Event event;
  event.kind = kind;
  event.place = run_.place(t);
  event.atomic = atomic;
  if (atomic) run_.weak.noteOrders(t, event);
  event.operation = t.operations + operations;
  locations_.cells(target.object->id, static_cast<uint32_t>(target.offset), static_cast<uint32_t>(size),
                   event.cells);
  run_.noteKnowledge();
  t.next.target = target;
  run_.wait(t, std::move(event));
  return true;
}

void Accesses::identify(const Target& target, Event& event) {
  locations_.cells(target.object->id, static_cast<uint32_t>(target.offset), 4, event.cells);
  event.cells.erase(event.cells.begin() + 1, event.cells.end());
  run_.noteKnowledge();
}

void Accesses::reportInitial(const Event& event) {
  for (const LocationId id : event.cells) {
    if (id >= initialReported_.size()) initialReported_.resize(id + 1);
    if (initialReported_[id]) continue;
    initialReported_[id] = true;
    // All accesses to the cell since the prologue were events, so it still holds what it held then.
    const Cell& cell = locations_.cell(id);
    MemoryObject* object = memory_.at(names_.info(cell.object).base);
    Value value = memory_.read(*object, cell.offset, cell.size);
    const bool isWritten = !isUndefined(value);
    if (!isWritten) value.term = kNoTerm;
    run_.sink().initialValue(id, value);
    if (!isWritten) run_.sink().neverWritten(id);
  }
}

std::vector<Value> Accesses::cellValues(Thread& t, const Event& event) {
  std::vector<Value> values;
  for (const LocationId id : event.cells) {
    const Cell& cell = locations_.cell(id);
    Value value = memory_.read(*memory_.at(names_.info(cell.object).base), cell.offset, cell.size);
    // An undefined byte that is only overwritten does not matter; one that is read does.
    // What is read is only copied yet: see load.
    if (isUndefined(value))
      value = event.kind == EventKind::Update ? run_.undefined.settled(t, value) : Value{value.bits};
    values.push_back(value);
  }
  return values;
}

Value Accesses::joinCells(const Event& event, const std::vector<Value>& values) {
  Value joined;
  unsigned have = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const unsigned width = locations_.cell(event.cells[i]).size * 8;
    joined = have == 0 ? values[i] : concatenated(terms_, values[i], width, joined, have);
    have += width;
  }
  if (joined.term && terms_.isConst(joined.term)) joined.term = kNoTerm;
  return joined;
}

std::vector<Value> Accesses::splitCells(const Event& event, const Target& target, unsigned size,
                                        const Value& value) {
  std::vector<Value> parts;
  for (const LocationId id : event.cells) {
    const Cell& cell = locations_.cell(id);
    const auto low = static_cast<unsigned>(cell.offset - target.offset) * 8;
    parts.push_back(extracted(terms_, value, low, cell.size * 8, size * 8));
  }
  return parts;
}

Value Accesses::load(Thread& t, const Target& target, unsigned size, bool asEvent) {
  if (!asEvent) {
    const Value value = memory_.read(*target.object, target.offset, size);
    if (value.term != kNoTerm && !isUndefined(value)) t.uncertain = true;
    return value;
  }
  if (options_.memoryModel) {
    if (options_.memoryModel->isOpen(t.next.event)) return run_.weak.load(t, target, size);
    run_.weak.tellAccess(t, {});
  }
  t.uncertain = true;
  reportInitial(t.next.event);
  const bool isWritten = !isUndefined(memory_.read(*target.object, target.offset, size));
  std::vector<Value> values = cellValues(t, t.next.event);
  run_.sink().read(t.next.event, values);
  run_.sections.noteValues(t, values);
  Value value = joinCells(t.next.event, values);
  // That it was never written depends on the schedule, so no path tells: the run does.
  if (!isWritten && value.term != kNoTerm)
    for (const Value& part : values) run_.undefined.noteRead(part.term);
  if (!isWritten && value.term == kNoTerm)
    value = run_.sink().isReplay() ? Value{value.bits, kUndefined}
                                   : run_.undefined.settled(t, {value.bits, kUndefined});
  if (!t.next.event.atomic) run_.spurious.noteRecent(t, target, size, value);
  if (options_.recordTrace) run_.texts.describe(t, "read " + run_.texts.printed(t, target, size, value));
  return value;
}

void Accesses::store(Thread& t, const Target& target, unsigned size, Value value, bool asEvent) {
  if (!asEvent) {
    run_.states.noteWritten(t, *target.object);
    return memory_.write(*target.object, target.offset, size, value);
  }
  if (options_.memoryModel && options_.memoryModel->isOpen(t.next.event))
    return run_.weak.store(t, target, size, value);
  // A replay takes private memory for shared: what is only copied there stays undefined.
  const Value kept = run_.sink().isReplay() ? value : run_.undefined.settled(t, value);
  value = run_.undefined.settled(t, value);
  reportInitial(t.next.event);
  const std::vector<Value> values = splitCells(t.next.event, target, size, value);
  if (options_.memoryModel) run_.weak.tellAccess(t, values);
  run_.sink().write(t.next.event, values);
  run_.sections.noteValues(t, values);
  run_.sections.noteUndo(t, target, size);
  memory_.write(*target.object, target.offset, size, kept);
  if (!t.next.event.atomic) run_.spurious.noteRecent(t, target, size, value);
  if (options_.recordTrace) run_.texts.describe(t, "write " + run_.texts.printed(t, target, size, value));
}

Value Accesses::update(Thread& t, const Target& target, unsigned size, unsigned width, bool asEvent,
                       const std::function<Value(const Value&)>& compute) {
  if (!asEvent) {
    const Value old = truncated(
        terms_, run_.undefined.settled(t, memory_.read(*target.object, target.offset, size)), width);
    run_.states.noteWritten(t, *target.object);
    memory_.write(*target.object, target.offset, size, zeroExtended(terms_, compute(old), width, size * 8));
    return old;
  }
  if (options_.memoryModel && options_.memoryModel->isOpen(t.next.event))
    return run_.weak.update(t, target, size, width, compute);
  t.uncertain = true;
  reportInitial(t.next.event);
  std::vector<Value> values = cellValues(t, t.next.event);
  run_.sink().beginUpdate(t.next.event, values);
  const Value old = truncated(terms_, joinCells(t.next.event, values), width);
  const Value now = zeroExtended(terms_, compute(old), width, size * 8);
  const std::vector<Value> parts = splitCells(t.next.event, target, size, now);
  if (options_.memoryModel) run_.weak.tellAccess(t, parts);
  if (options_.recordTrace) run_.result.trace.back().wrote = hasWritten(t.next.event);
  run_.sink().endUpdate(t.next.event, parts);
  run_.sections.noteValues(t, parts);
  run_.sections.noteUndo(t, target, size);
  memory_.write(*target.object, target.offset, size, now);
  if (now.bits != zeroExtended(terms_, old, width, size * 8).bits)
    for (const LocationId cell : t.next.event.cells) ++run_.loops.version(cell);
  if (options_.recordTrace) run_.texts.describe(t, "update " + run_.texts.printed(t, target, size, now));
  return old;
}

Value Accesses::applyRule(Thread& t, const SyncRule& rule, const Value& operand, SyncObject& object,
                          bool asEvent) {
  constexpr unsigned kBytes = kSyncBits / 8;
  const Target target{object.state, 0};
  if (!asEvent) run_.loops.noteLook(t, target, kBytes);
  auto next = [&](const Value& old) -> Value {
    const Term bits = rule.next(terms_, constantOf(terms_, old), constantOf(terms_, operand));
    if (old.term == kNoTerm && operand.term == kNoTerm) return {terms_.constValue(bits)};
    const Term term = rule.next(terms_, termOf(terms_, old), termOf(terms_, operand));
    return {terms_.constValue(bits), terms_.isConst(term) ? kNoTerm : term};
  };
  if (rule.next) return update(t, target, kBytes, kSyncBits, asEvent, next);
  return load(t, target, kBytes, asEvent);
}

}  // namespace heddle
