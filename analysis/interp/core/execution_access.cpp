// Addresses to objects, the failures of addresses, and the events of memory accesses.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "analysis/interp/core/execution.h"
#include "analysis/interp/core/memory_model.h"
#include "analysis/model/failure_text.h"

namespace heddle {

namespace {

const char* verb(bool write) {
  return write ? "write to" : "read of";
}

/// A name is quoted, a description is not.
std::string quoted(const std::string& what) {
  return what.find(" allocated at ") == std::string::npos ? "'" + what + "'" : what;
}

}  // namespace

bool Execution::resolve(Thread& t, const Value& addressValue, const Value& rootValue, uint64_t size,
                        bool write, Target& out) {
  const Value address = used(t, addressValue, " as an address"),
              root = &addressValue == &rootValue || isUndefined(rootValue) ? address : rootValue;
  // The pointer first, then the index: other values of the pointer lead to other objects, other values of the
  // index must stay inside this one.
  choose(t, root);
  MemoryObject* object = memory.at(root.bits);
  if (!object || root.bits - object->base > object->size) object = memory.at(address.bits);
  const bool plain = object && object->kind != ObjectKind::Function;
  // Whether another thread's variable is still there is asked of its life.
  const uint64_t extent = plain && isForeign(t, *object) ? object->size : plain ? object->live : 0;
  if (address.term && extent >= size && extent > 0) {
    const unsigned width = program.pointerBits();
    const bool offsetKnown = root.term && terms.isConst(terms.binary(TermOp::Sub, address.term, root.term));
    if (!offsetKnown && address.term != root.term) {
      const Value offset = binaryValue(terms, TermOp::Sub, address, {object->base}, width);
      const Value inside = binaryValue(terms, TermOp::Ule, offset, {extent - size}, width);
      branch(t, inside, BranchRole::Check, 0);
      if (inside.bits & 1) choose(t, address);
    }
  }
  if (plain && address.bits - object->base <= extent && size <= extent - (address.bits - object->base) &&
      !(write && object->readOnly)) {
    if (!memory.touch(*object)) {
      unsupported(t, "no memory for '" + program.describe(names.info(object->id).name) + "'");
      return false;
    }
    if (object->kind == ObjectKind::Global) {
      const GlobalVariable& global = program.globals[names.info(object->id).name.site];
      if (global.isExternal && streamHandle(global.name) == 0)
        assume(place(t), "'" + global.name + "', defined elsewhere, taken as 0");
    }
    out = {object, address.bits - object->base};
    return true;
  }
  failAddress(t, object, address.bits, size, write);
  return false;
}

void Execution::failAddress(Thread& t, const MemoryObject* object, uint64_t address, uint64_t size,
                            bool write) {
  if (address < 0x10000 || !object) {
    // Which one does not matter: a pointer that depends on an input has as many as there are.
    return fail(
        t, FailureKind::Memory,
        address < 0x1000 ? "null pointer dereference" : std::string(verb(write)) + " an invalid address");
  }
  const ObjectName& name = names.info(object->id).name;
  const std::string what = program.describeAt(place(t), name);
  if (object->kind == ObjectKind::Function)
    return fail(t, FailureKind::Memory, std::string(verb(write)) + " the code of " + what);
  const uint64_t offset = address - object->base;
  // Its true size is known to the unit that defines it only.
  if (object->kind == ObjectKind::Global && program.globals[name.site].isExternal && object->size == 0)
    return unsupported(t, "'" + what + "', an array of unknown size defined elsewhere");
  if (object->live == 0 && object->size > 0) {
    return fail(t, FailureKind::Memory,
                std::string(verb(write)) + " '" + what + "' after its function returned");
  }
  if (object->contains(offset, size))
    return fail(t, FailureKind::Memory, std::string(verb(write)) + " read-only memory '" + what + "'");
  if (object->isSizeAssumed) result.unknownWrites.insert(place(t));
  std::string message = "out-of-bounds " + std::string(verb(write)) + " '" + what + "'";
  const auto [stride, count] = program.elements(name);
  const auto distance = static_cast<int64_t>(offset);
  if (stride > 0 && distance % static_cast<int64_t>(stride) == 0)
    message += " (index " + std::to_string(distance / static_cast<int64_t>(stride)) + " of " +
               std::to_string(count) + ")";
  else
    message += " (offset " + std::to_string(distance) + " of " + std::to_string(object->size) + " bytes)";
  fail(t, FailureKind::Memory, std::move(message));
}

void Execution::noteKnowledge() {
  constexpr uint64_t kEvents = 20'000, kInstructions = 2'000'000;  // enough for what restarts are worth
  if (locations.version() == knowledge_) return;
  knowledge_ = locations.version();
  if (learning_) return;
  learning_ = true;
  sink_ = &silent_;
  maxEvents_ = std::min(options.maxEvents, result.events + kEvents);
  maxInstructions_ = std::min(options.maxInstructions, result.instructions + kInstructions);
}

bool Execution::visible(Thread& t, const Target& target, uint64_t size, bool write) {
  // Nobody can write it, so there is nothing to order.
  if (target.object->readOnly && !write) return false;
  if (prologue && locations.endsPrologue(target.object->id)) endPrologue();
  const bool shared = locations.noteAccess({target.object->id, target.offset, size, t.id, write, prologue,
                                            !t.uncertain, t.creates, &t.endedBefore},
                                           names);
  if (locations.version() != knowledge_) {
    noteKnowledge();
    target.object->fastRead = target.object->fastWrite = kNone;
  }
  return shared && !prologue;
}

void Execution::allowFast(Thread& t, MemoryObject& object, bool write) {
  if (t.watchesLoop || t.watchesRound) return;
  // Of an object whose elements are told apart every access is noted.
  if (!prologue && locations.isShared(object.id)) return;
  if (!object.pieces.empty() || object.lifeShared || isForeign(t, object)) return;
  (write ? object.fastWrite : object.fastRead) = write && object.readOnly ? kNone : t.id;
}

bool Execution::checkLife(Thread& t, const Target& target) {
  MemoryObject& object = *target.object;
  const bool onHeap = object.kind == ObjectKind::Heap;
  if (!onHeap && !isForeign(t, object)) return true;
  if (!onHeap) {
    locations.noteForeign(object.id);
    if (!lifeOf(object)) {
      unsupported(t, "the address space is used up");
      return false;
    }
    // Nobody knew that the end of its life matters: from the next run on it is an event.
    if (object.lifeEnded && !locations.isShared(object.life->id))
      locations.noteAccess({.object = object.life->id,
                            .thread = names.info(object.id).name.owner,
                            .write = true,
                            .prologue = prologue},
                           names);
  }
  const Target life{object.life, 0};
  const bool shared = visible(t, life, 1, false);
  if (ended) return false;
  if (!shared) {
    ++t.operations;
    return finishLifeCheck(t, target, false);
  }
  object.lifeShared = true;
  object.fastRead = object.fastWrite = kNone;
  t.access = target;
  // The end of a frame is no access that could race.
  t.checkingLife = waitForAccess(t, EventKind::Read, life, 1, 1, !onHeap);
  return false;
}

bool Execution::finishLifeCheck(Thread& t, const Target& target, bool asEvent) {
  MemoryObject& object = *target.object;
  const ObjectName& name = names.info(object.id).name;
  const Value alive = load(t, {object.life, 0}, 1, asEvent);
  if (asEvent && options.recordTrace)
    describe(t, (alive.bits ? "use " : "use (freed) ") + program.describeAt(place(t), name));
  if (branch(t, notEqual(terms, alive, {0}, 8), BranchRole::Check, 0)) return true;
  if (object.kind == ObjectKind::Heap)
    failFreed(t, object, "use after free of " + quoted(program.describeAt(place(t), name, target.offset)));
  else
    fail(t, FailureKind::Memory,
         "use of '" + program.describe(name) + "' after its " +
             (object.kind == ObjectKind::Stack ? "function returned" : "thread ended"));
  return false;
}

bool Execution::endLife(Thread& t, MemoryObject& object, bool asEvent) {
  const std::string what = program.describeAt(place(t), names.info(object.id).name);
  const Value old = update(t, {object.life, 0}, 1, 8, asEvent, [](const Value&) { return Value{0}; });
  if (asEvent) describe(t, "free " + what);
  if (!branch(t, notEqual(terms, old, {0}, 8), BranchRole::Check, 0)) {
    failFreed(t, object, std::string(kDoubleFreeText) + quoted(what));
    return false;
  }
  object.endedAt = place(t);
  object.fastRead = object.fastWrite = kNone;
  return true;
}

bool Execution::waitForAccess(Thread& t, EventKind kind, const Target& target, uint64_t size,
                              uint64_t operations, bool atomic) {
  if (target.offset + size > 0xffffffffu) {
    unsupported(t, "a shared object larger than 4 GiB");
    return false;
  }
  Event event;
  event.kind = kind;
  event.place = place(t);
  event.atomic = atomic;
  if (atomic) noteOrders(t, event);
  event.operation = t.operations + operations;
  locations.cells(target.object->id, static_cast<uint32_t>(target.offset), static_cast<uint32_t>(size),
                  event.cells);
  noteKnowledge();
  t.target = target;
  wait(t, std::move(event));
  return true;
}

void Execution::identify(const Target& target, Event& event) {
  locations.cells(target.object->id, static_cast<uint32_t>(target.offset), 4, event.cells);
  event.cells.erase(event.cells.begin() + 1, event.cells.end());
  noteKnowledge();
}

void Execution::reportInitial(const Event& event) {
  for (const LocationId id : event.cells) {
    if (id >= initialReported_.size()) initialReported_.resize(id + 1);
    if (initialReported_[id]) continue;
    initialReported_[id] = true;
    // All accesses to the cell since the prologue were events, so it still holds what it held then.
    const Cell& cell = locations.cell(id);
    MemoryObject* object = memory.at(names.info(cell.object).base);
    Value value = memory.read(*object, cell.offset, cell.size);
    const bool isWritten = !isUndefined(value);
    if (!isWritten) value.term = kNoTerm;
    sink().initialValue(id, value);
    if (!isWritten) sink().neverWritten(id);
  }
}

std::vector<Value> Execution::cellValues(Thread& t, const Event& event) {
  std::vector<Value> values;
  for (const LocationId id : event.cells) {
    const Cell& cell = locations.cell(id);
    Value value = memory.read(*memory.at(names.info(cell.object).base), cell.offset, cell.size);
    // An undefined byte that is only overwritten does not matter; one that is read does.
    // What is read is only copied yet: see load.
    if (isUndefined(value)) value = event.kind == EventKind::Update ? settled(t, value) : Value{value.bits};
    values.push_back(value);
  }
  return values;
}

Value Execution::joinCells(const Event& event, const std::vector<Value>& values) {
  Value joined;
  unsigned have = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const unsigned width = locations.cell(event.cells[i]).size * 8;
    joined = have == 0 ? values[i] : concatenated(terms, values[i], width, joined, have);
    have += width;
  }
  if (joined.term && terms.isConst(joined.term)) joined.term = kNoTerm;
  return joined;
}

std::vector<Value> Execution::splitCells(const Event& event, const Target& target, unsigned size,
                                         const Value& value) {
  std::vector<Value> parts;
  for (const LocationId id : event.cells) {
    const Cell& cell = locations.cell(id);
    const auto low = static_cast<unsigned>(cell.offset - target.offset) * 8;
    parts.push_back(extracted(terms, value, low, cell.size * 8, size * 8));
  }
  return parts;
}

Value Execution::load(Thread& t, const Target& target, unsigned size, bool asEvent) {
  if (!asEvent) {
    const Value value = memory.read(*target.object, target.offset, size);
    if (value.term != kNoTerm && !isUndefined(value)) t.uncertain = true;
    return value;
  }
  if (options.memoryModel) {
    if (options.memoryModel->isOpen(t.pending)) return loadOpen(t, target, size);
    tellAccess(t, {});
  }
  t.uncertain = true;
  reportInitial(t.pending);
  const bool isWritten = !isUndefined(memory.read(*target.object, target.offset, size));
  std::vector<Value> values = cellValues(t, t.pending);
  sink().read(t.pending, values);
  noteSectionValues(t, values);
  Value value = joinCells(t.pending, values);
  // That it was never written depends on the schedule, so no path tells: the run does.
  if (!isWritten && value.term != kNoTerm)
    for (const Value& part : values) undefinedTerms_.insert(part.term);
  if (!isWritten && value.term == kNoTerm)
    value = sink().isReplay() ? Value{value.bits, kUndefined} : settled(t, {value.bits, kUndefined});
  if (!t.pending.atomic) noteRecent(t, target, size, value);
  if (options.recordTrace) describe(t, "read " + printed(t, target, size, value));
  return value;
}

void Execution::store(Thread& t, const Target& target, unsigned size, Value value, bool asEvent) {
  if (!asEvent) {
    noteWritten(t, *target.object);
    return memory.write(*target.object, target.offset, size, value);
  }
  if (options.memoryModel && options.memoryModel->isOpen(t.pending)) return storeOpen(t, target, size, value);
  // A replay takes private memory for shared: what is only copied there stays undefined.
  const Value kept = sink().isReplay() ? value : settled(t, value);
  value = settled(t, value);
  reportInitial(t.pending);
  const std::vector<Value> values = splitCells(t.pending, target, size, value);
  if (options.memoryModel) tellAccess(t, values);
  sink().write(t.pending, values);
  noteSectionValues(t, values);
  noteUndo(t, target, size);
  memory.write(*target.object, target.offset, size, kept);
  if (!t.pending.atomic) noteRecent(t, target, size, value);
  if (options.recordTrace) describe(t, "write " + printed(t, target, size, value));
}

Value Execution::update(Thread& t, const Target& target, unsigned size, unsigned width, bool asEvent,
                        const std::function<Value(const Value&)>& compute) {
  if (!asEvent) {
    const Value old = truncated(terms, settled(t, memory.read(*target.object, target.offset, size)), width);
    noteWritten(t, *target.object);
    memory.write(*target.object, target.offset, size, zeroExtended(terms, compute(old), width, size * 8));
    return old;
  }
  if (options.memoryModel && options.memoryModel->isOpen(t.pending))
    return updateOpen(t, target, size, width, compute);
  t.uncertain = true;
  reportInitial(t.pending);
  std::vector<Value> values = cellValues(t, t.pending);
  sink().beginUpdate(t.pending, values);
  const Value old = truncated(terms, joinCells(t.pending, values), width);
  const Value now = zeroExtended(terms, compute(old), width, size * 8);
  const std::vector<Value> parts = splitCells(t.pending, target, size, now);
  if (options.memoryModel) tellAccess(t, parts);
  if (options.recordTrace) result.trace.back().wrote = hasWritten(t.pending);
  sink().endUpdate(t.pending, parts);
  noteSectionValues(t, parts);
  noteUndo(t, target, size);
  memory.write(*target.object, target.offset, size, now);
  if (now.bits != zeroExtended(terms, old, width, size * 8).bits)
    for (const LocationId cell : t.pending.cells) ++version(cell);
  if (options.recordTrace) describe(t, "update " + printed(t, target, size, now));
  return old;
}

void Execution::describe(Thread&, const std::string& text) {
  if (options.recordTrace) result.trace.back().text = text;
}

std::string Execution::printed(const Thread& t, const Target& target, unsigned size,
                               const Value& value) const {
  const ObjectName& name = names.info(target.object->id).name;
  const TypeNode* type = program.scalarAt(place(t), name, target.offset);
  return program.describeAt(place(t), name, target.offset, size) + " = " + valueText(type, size, value.bits);
}

std::string Execution::valueText(const TypeNode* type, unsigned size, uint64_t bits) const {
  const int64_t number = signExtend(bits & widthMask(size * 8), size * 8);
  if (type && type->size == size) {
    for (const auto& [enumerated, text] : type->enumerators)
      if (enumerated == number) return text;
    switch (type->kind) {
      case TypeKind::Unsigned:
        return std::to_string(bits & widthMask(size * 8));
      case TypeKind::Boolean:
        return bits <= 1 ? (bits ? "true" : "false") : std::to_string(bits);
      case TypeKind::Character:
        if (bits >= ' ' && bits <= '~') return {'\'', static_cast<char>(bits), '\''};
        return bits == 0 ? "'\\0'" : std::to_string(number);
      case TypeKind::Floating: {
        char text[32];
        double real = 0;
        if (size == 4) {
          float narrow = 0;
          std::memcpy(&narrow, &bits, 4);
          real = static_cast<double>(narrow);
        } else {
          std::memcpy(&real, &bits, 8);
        }
        std::snprintf(text, sizeof text, "%g", real);
        return text;
      }
      case TypeKind::Pointer:
        if (bits == 0) return "NULL";
        break;
      default:
        break;
    }
  }
  // A pointer prints as what it points to.
  if (size * 8 == program.pointerBits() && bits >= 0x10000) {
    const ObjectId pointee = names.objectAt(bits);
    if (pointee != kNone && bits - names.info(pointee).base <= names.info(pointee).name.size) {
      const ObjectName& object = names.info(pointee).name;
      const uint64_t offset = bits - names.info(pointee).base;
      if (object.kind != ObjectKind::Heap) return "&" + program.describe(object, offset, 1);
      // Several pointers lead there; which of them is meant the text does not say.
      return "&(" + program.describe(object) + ")" + (offset ? " + " + std::to_string(offset) : "");
    }
  }
  return std::to_string(number);
}

}  // namespace heddle
