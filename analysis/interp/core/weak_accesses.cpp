// Accesses, fences and synchronization where a memory model says what they see (memory_model.h).
#include "analysis/interp/core/weak_accesses.h"

#include <algorithm>

#include "analysis/interp/core/execution.h"
#include "analysis/interp/core/memory_model.h"

namespace heddle {

void WeakAccesses::noteOrders(const Thread& t, Event& event) {
  const auto weaker = program_.weakAtomics.find(t.pc);
  if (weaker == program_.weakAtomics.end()) return;
  event.orders = weaker->second;
  if (!options_.memoryModel) run_.result.bounds.insert({BoundKind::WeakAtomics, event.place});
}

void WeakAccesses::noteOrdering(const Thread& t, const Target& target, uint64_t size, EventKind kind) {
  if (!options_.memoryModel || run_.prologue) return;
  const auto weaker = program_.weakAtomics.find(t.pc);
  const AtomicOrders orders = weaker == program_.weakAtomics.end() ? AtomicOrders{} : weaker->second;
  const bool isRelaxed = orders.success == MemoryOrder::Relaxed && orders.failure == MemoryOrder::Relaxed;
  if (kind != EventKind::Update && isRelaxed) return;
  locations_.noteOrdering(target.object->id, target.offset, size, names_);
}

void WeakAccesses::fence(Thread& t, const Instruction& in) {
  if (options_.memoryModel && !run_.prologue)
    options_.memoryModel->fence(t.id, static_cast<MemoryOrder>(in.aux));
}

void WeakAccesses::tellModel(const Thread& t) {
  const Event& event = t.next.event;
  if (isAccess(event.kind)) return;
  bool acquired = false;
  if (event.kind == EventKind::LockBusy) {
    const MutexState* mutex = run_.sync.find(locations_.cell(event.cells[0]));
    acquired = !mutex || mutex->owner == kNone;
  }
  options_.memoryModel->synchronize(event, acquired);
}

bool WeakAccesses::refusesSection(Thread& t) {
  if (t.atomic.number == 0) return false;
  run_.unsupported(t, "an atomic section under a weak memory model");
  return true;
}

void WeakAccesses::tellAccess(Thread& t, std::span<const Value> after) {
  if (refusesSection(t)) return;
  std::vector<Value> before;
  for (const LocationId id : t.next.event.cells) {
    const Cell& cell = locations_.cell(id);
    before.push_back(memory_.read(*memory_.at(names_.info(cell.object).base), cell.offset, cell.size));
  }
  options_.memoryModel->access(t.next.event, before, after);
}

bool WeakAccesses::isSuperseded() const {
  if (!options_.memoryModel || run_.sink().isReplay()) return false;
  return std::any_of(run_.threads().begin(), run_.threads().end(), [&](const auto& t) {
    return t->rounds.awaits && run_.loops.changed(t->rounds.awaited);
  });
}

std::optional<size_t> WeakAccesses::chooseWrite(Thread& t, const Target& target, unsigned size,
                                                const std::function<bool(const Value&)>& writes) {
  MemoryModel& model = *options_.memoryModel;
  if (refusesSection(t)) return std::nullopt;
  if (t.next.event.cells.size() != 1) {
    run_.unsupported(
        t, "memory that is accessed atomically in pieces of different sizes, under a weak memory model");
    return std::nullopt;
  }
  const std::span<const WriteChoice> all =
      model.choices(t.next.event, memory_.read(*target.object, target.offset, size));
  sources_.assign(all.begin(), all.end());
  std::vector<size_t> allowed;
  std::vector<WriteChoice> offered;
  for (size_t i = 0; i < all.size(); ++i) {
    if (run_.outOfBudget()) return std::nullopt;  // in a long execution each question takes its time
    if (!model.allows(i, writes(model.valueOf(i)))) continue;
    allowed.push_back(i);
    offered.push_back(all[i]);
  }
  // The latest write is always among them.
  const size_t at = run_.scheduler().choose(t.next.event, offered);
  if (at >= allowed.size()) {
    run_.result.outcome = RunOutcome::Stopped;
    run_.ended = true;
    return std::nullopt;
  }
  // What it has read will have changed whatever comes: what is latest differs from it.
  if (allowed[at] != 0 && !t.rounds.reads.empty() && t.rounds.reads.back().location == t.next.event.cells[0])
    t.rounds.reads.back().version = ~uint64_t{0};
  return allowed[at];
}

Value WeakAccesses::load(Thread& t, const Target& target, unsigned size) {
  t.uncertain = true;
  run_.accesses.reportInitial(t.next.event);
  const auto choice = chooseWrite(t, target, size, [](const Value&) { return false; });
  if (!choice) return {};
  MemoryModel& model = *options_.memoryModel;
  Value value = model.valueOf(*choice);
  if (isUndefined(value) && !run_.sink().isReplay()) value = run_.undefined.settled(t, value);
  std::vector<Value> values{Value{value.bits}};
  run_.sink().read(t.next.event, values);
  model.take(*choice, nullptr);
  if (options_.recordTrace)
    run_.texts.describe(t, "read " + run_.texts.printed(t, target, size, value) +
                               (*choice == 0 ? "" : ": " + sourceText(*choice, true)));
  return value;
}

void WeakAccesses::store(Thread& t, const Target& target, unsigned size, const Value& given) {
  const Value value = run_.sink().isReplay() ? given : run_.undefined.settled(t, given);
  run_.accesses.reportInitial(t.next.event);
  const auto choice = chooseWrite(t, target, size, [](const Value&) { return true; });
  if (!choice) return;
  const std::vector<Value> values{value};
  run_.sink().write(t.next.event, values);
  if (options_.memoryModel->take(*choice, &value)) memory_.write(*target.object, target.offset, size, value);
  if (options_.recordTrace)
    run_.texts.describe(t, "write " + run_.texts.printed(t, target, size, value) +
                               (*choice == 0 ? "" : ", which comes right after " + sourceText(*choice)));
}

Value WeakAccesses::update(Thread& t, const Target& target, unsigned size, unsigned width,
                           const std::function<Value(const Value&)>& compute) {
  t.uncertain = true;
  run_.accesses.reportInitial(t.next.event);
  const auto oldOf = [&](const Value& value) {
    return truncated(terms_, run_.undefined.settled(t, value), width);
  };
  const auto choice = chooseWrite(t, target, size, [&](const Value& value) {
    compute(oldOf(value));
    // Where inputs decide, which ways it has is decided first.
    run_.branch(t, t.next.event.wrote, BranchRole::Branch, -1);
    return hasWritten(t.next.event);
  });
  if (!choice) return {};
  MemoryModel& model = *options_.memoryModel;
  const Value old = oldOf(model.valueOf(*choice));
  std::vector<Value> values{zeroExtended(terms_, old, width, size * 8)};
  run_.sink().beginUpdate(t.next.event, values);
  const Value now = zeroExtended(terms_, compute(old), width, size * 8);
  const bool writes = hasWritten(t.next.event);
  if (options_.recordTrace) run_.result.trace.back().wrote = writes;
  run_.sink().endUpdate(t.next.event, std::vector<Value>{now});
  const std::string source =
      options_.recordTrace && *choice != 0 ? ": it has read " + sourceText(*choice) : "";
  if (model.take(*choice, writes ? &now : nullptr) && writes)
    memory_.write(*target.object, target.offset, size, now);
  const bool isSame = now.bits == values.front().bits && now.term == values.front().term;
  if (writes && !isSame) ++run_.loops.version(t.next.event.cells[0]);
  if (options_.recordTrace)
    run_.texts.describe(t, "update " + run_.texts.printed(t, target, size, now) + source);
  return old;
}

std::string WeakAccesses::sourceText(size_t choice, bool reads) const {
  if (choice == 0) return {};
  // Asked before: the choices are those of the access that is executed.
  const auto lineOf = [&](const WriteChoice& source) {
    const auto wrote =
        std::find_if(run_.result.trace.rbegin(), run_.result.trace.rend(), [&](const TraceEntry& entry) {
          return entry.thread == source.thread && entry.operation == source.operation;
        });
    return wrote == run_.result.trace.rend()
               ? ""
               : " at line " + std::to_string(program_.place(wrote->place).line);
  };
  const WriteChoice &source = sources_[choice], &latest = sources_.front();
  const std::string what = source.thread == kNone
                               ? "the initial value"
                               : "what " + names_.label(source.thread) + " wrote" + lineOf(source);
  if (reads && options_.memoryModel->isLatestBuffered())
    return what + ", and what " + names_.label(latest.thread) + " wrote" + lineOf(latest) +
           " is still in its store buffer";
  return what + ", not yet what " + names_.label(latest.thread) + " wrote" + lineOf(latest);
}

}  // namespace heddle
