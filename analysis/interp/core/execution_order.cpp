// Accesses, fences and synchronization where a memory model says what they see (memory_model.h).
#include <algorithm>

#include "analysis/interp/core/execution.h"
#include "analysis/interp/core/memory_model.h"

namespace heddle {

void Execution::noteOrders(const Thread& t, Event& event) {
  const auto weaker = program.weakAtomics.find(t.pc);
  if (weaker == program.weakAtomics.end()) return;
  event.orders = weaker->second;
  if (!options.memoryModel) result.bounds.insert({BoundKind::WeakAtomics, event.place});
}

void Execution::noteOrdering(const Thread& t, const Target& target, uint64_t size, EventKind kind) {
  if (!options.memoryModel || prologue) return;
  const auto weaker = program.weakAtomics.find(t.pc);
  const AtomicOrders orders = weaker == program.weakAtomics.end() ? AtomicOrders{} : weaker->second;
  const bool isRelaxed = orders.success == MemoryOrder::Relaxed && orders.failure == MemoryOrder::Relaxed;
  if (kind != EventKind::Update && isRelaxed) return;
  locations.noteOrdering(target.object->id, target.offset, size, names);
}

void Execution::fence(Thread& t, const Instruction& in) {
  if (options.memoryModel && !prologue) options.memoryModel->fence(t.id, static_cast<MemoryOrder>(in.aux));
}

void Execution::tellModel(const Thread& t) {
  const Event& event = t.pending;
  if (isAccess(event.kind)) return;
  bool acquired = false;
  if (event.kind == EventKind::LockBusy) {
    const Cell& cell = locations.cell(event.cells[0]);
    const auto mutex = mutexes_.find({cell.object, cell.offset});
    acquired = mutex == mutexes_.end() || mutex->second.owner == kNone;
  }
  options.memoryModel->synchronize(event, acquired);
}

bool Execution::refusesSection(Thread& t) {
  if (t.section == 0) return false;
  unsupported(t, "an atomic section under a weak memory model");
  return true;
}

void Execution::tellAccess(Thread& t, std::span<const Value> after) {
  if (refusesSection(t)) return;
  std::vector<Value> before;
  for (const LocationId id : t.pending.cells) {
    const Cell& cell = locations.cell(id);
    before.push_back(memory.read(*memory.at(names.info(cell.object).base), cell.offset, cell.size));
  }
  options.memoryModel->access(t.pending, before, after);
}

bool Execution::isSuperseded() const {
  if (!options.memoryModel || sink().isReplay()) return false;
  return std::any_of(threads_.begin(), threads_.end(),
                     [&](const auto& t) { return t->awaits && changed(t->awaited); });
}

std::optional<size_t> Execution::chooseWrite(Thread& t, const Target& target, unsigned size,
                                             const std::function<bool(const Value&)>& writes) {
  MemoryModel& model = *options.memoryModel;
  if (refusesSection(t)) return std::nullopt;
  if (t.pending.cells.size() != 1) {
    unsupported(t,
                "memory that is accessed atomically in pieces of different sizes, under a weak memory model");
    return std::nullopt;
  }
  const std::span<const WriteChoice> all =
      model.choices(t.pending, memory.read(*target.object, target.offset, size));
  sources_.assign(all.begin(), all.end());
  std::vector<size_t> allowed;
  std::vector<WriteChoice> offered;
  for (size_t i = 0; i < all.size(); ++i) {
    if (outOfBudget()) return std::nullopt;  // in a long execution each question takes its time
    if (!model.allows(i, writes(model.valueOf(i)))) continue;
    allowed.push_back(i);
    offered.push_back(all[i]);
  }
  // The latest write is always among them.
  const size_t at = scheduler_.choose(t.pending, offered);
  if (at >= allowed.size()) {
    result.outcome = RunOutcome::Stopped;
    ended = true;
    return std::nullopt;
  }
  // What it has read will have changed whatever comes: what is latest differs from it.
  if (allowed[at] != 0 && !t.reads.empty() && t.reads.back().location == t.pending.cells[0])
    t.reads.back().version = ~uint64_t{0};
  return allowed[at];
}

Value Execution::loadOpen(Thread& t, const Target& target, unsigned size) {
  t.uncertain = true;
  reportInitial(t.pending);
  const auto choice = chooseWrite(t, target, size, [](const Value&) { return false; });
  if (!choice) return {};
  MemoryModel& model = *options.memoryModel;
  Value value = model.valueOf(*choice);
  if (isUndefined(value) && !sink().isReplay()) value = settled(t, value);
  std::vector<Value> values{Value{value.bits}};
  sink().read(t.pending, values);
  model.take(*choice, nullptr);
  if (options.recordTrace)
    describe(t, "read " + printed(t, target, size, value) +
                    (*choice == 0 ? "" : ": " + sourceText(*choice, true)));
  return value;
}

void Execution::storeOpen(Thread& t, const Target& target, unsigned size, const Value& given) {
  const Value value = sink().isReplay() ? given : settled(t, given);
  reportInitial(t.pending);
  const auto choice = chooseWrite(t, target, size, [](const Value&) { return true; });
  if (!choice) return;
  const std::vector<Value> values{value};
  sink().write(t.pending, values);
  if (options.memoryModel->take(*choice, &value)) memory.write(*target.object, target.offset, size, value);
  if (options.recordTrace)
    describe(t, "write " + printed(t, target, size, value) +
                    (*choice == 0 ? "" : ", which comes right after " + sourceText(*choice)));
}

Value Execution::updateOpen(Thread& t, const Target& target, unsigned size, unsigned width,
                            const std::function<Value(const Value&)>& compute) {
  t.uncertain = true;
  reportInitial(t.pending);
  const auto oldOf = [&](const Value& value) { return truncated(terms, settled(t, value), width); };
  const auto choice = chooseWrite(t, target, size, [&](const Value& value) {
    compute(oldOf(value));
    // Where inputs decide, which ways it has is decided first.
    branch(t, t.pending.wrote, BranchRole::Branch, -1);
    return hasWritten(t.pending);
  });
  if (!choice) return {};
  MemoryModel& model = *options.memoryModel;
  const Value old = oldOf(model.valueOf(*choice));
  std::vector<Value> values{zeroExtended(terms, old, width, size * 8)};
  sink().beginUpdate(t.pending, values);
  const Value now = zeroExtended(terms, compute(old), width, size * 8);
  const bool writes = hasWritten(t.pending);
  if (options.recordTrace) result.trace.back().wrote = writes;
  sink().endUpdate(t.pending, std::vector<Value>{now});
  const std::string source =
      options.recordTrace && *choice != 0 ? ": it has read " + sourceText(*choice) : "";
  if (model.take(*choice, writes ? &now : nullptr) && writes)
    memory.write(*target.object, target.offset, size, now);
  const bool isSame = now.bits == values.front().bits && now.term == values.front().term;
  if (writes && !isSame) ++version(t.pending.cells[0]);
  if (options.recordTrace) describe(t, "update " + printed(t, target, size, now) + source);
  return old;
}

std::string Execution::sourceText(size_t choice, bool reads) const {
  if (choice == 0) return {};
  // Asked before: the choices are those of the access that is executed.
  const auto lineOf = [&](const WriteChoice& source) {
    const auto wrote = std::find_if(result.trace.rbegin(), result.trace.rend(), [&](const TraceEntry& entry) {
      return entry.thread == source.thread && entry.operation == source.operation;
    });
    return wrote == result.trace.rend() ? "" : " at line " + std::to_string(program.place(wrote->place).line);
  };
  const WriteChoice &source = sources_[choice], &latest = sources_.front();
  const std::string what = source.thread == kNone
                               ? "the initial value"
                               : "what " + names.label(source.thread) + " wrote" + lineOf(source);
  if (reads && options.memoryModel->isLatestBuffered())
    return what + ", and what " + names.label(latest.thread) + " wrote" + lineOf(latest) +
           " is still in its store buffer";
  return what + ", not yet what " + names.label(latest.thread) + " wrote" + lineOf(latest);
}

}  // namespace heddle
