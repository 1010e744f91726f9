#include "analysis/debug/thread_view.h"

#include <algorithm>

#include "analysis/detect/failure_finding.h"

namespace heddle {

std::string ThreadView::syncName(const Event& event) const {
  if (event.cells.empty()) return "";
  const Cell& cell = execution_.locations.cell(event.cells.front());
  return program_.describe(execution_.names.info(cell.object).name, cell.offset, cell.size);
}

std::string ThreadView::waitsFor(const Thread& thread) const {
  if (thread.ended) return "ended";
  if (thread.stopped) return "goes on no more";
  if (thread.rounds.setAside || thread.rounds.awaits) return "waits in a loop";
  if (!thread.next.isGiven) return "";
  const Event& event = thread.next.event;
  const bool isEnabled = execution_.enabled(thread);
  switch (event.kind) {
    case EventKind::Start:
      return "about to start";
    case EventKind::End:
      return "about to end";
    case EventKind::Lock:
    case EventKind::LockBusy: {
      std::string out = (isEnabled ? "about to lock " : "waits for lock ") + syncName(event);
      if (!isEnabled && thread.next.mutex && thread.next.mutex->owner != kNone)
        out += ", which " + execution_.names.label(thread.next.mutex->owner) + " holds";
      return out;
    }
    case EventKind::Unlock:
      return "about to unlock " + syncName(event);
    case EventKind::Join:
      return (isEnabled ? "about to join " : "waits for the end of ") + execution_.names.label(event.other);
    case EventKind::Wake:
      return (isEnabled ? "about to wake up from " : "waits for a signal of ") + syncName(event);
    case EventKind::Wait:
      return "about to wait for " + syncName(event);
    case EventKind::Signal:
    case EventKind::Broadcast:
      return "about to signal " + syncName(event);
    case EventKind::Create:
      return "about to create a thread";
    case EventKind::Read:
      return (isEnabled ? "about to read " : "waits for ") + syncName(event);
    case EventKind::Write:
      return "about to write " + syncName(event);
    case EventKind::Update:
      return (isEnabled ? "about to update " : "waits for ") + syncName(event);
  }
  return "";
}

std::vector<ThreadState> ThreadView::threads() const {
  std::vector<ThreadState> out;
  for (const auto& thread : execution_.threads())
    out.push_back({thread->id, thread->label + ' ' + program_.functionName(thread->function),
                   waitsFor(*thread), thread->ended});
  return out;
}

uint32_t ThreadView::statementAt(uint32_t pc, FunctionId function) const {
  const Function& of = program_.functions[function];
  if (pc < of.entry || pc >= of.end) return kNone;
  for (uint32_t at = pc + 1; at-- > of.entry;)
    if (program_.code[at].op == Opcode::Statement) return program_.code[at].a;
  return kNone;
}

std::vector<FrameView> ThreadView::frames(ThreadId id) const {
  std::vector<FrameView> out;
  const Thread* thread = execution_.thread(id);
  if (!thread || thread->ended) return out;
  if (thread->frames.empty()) {
    const Function& function = program_.functions[thread->function];
    out.push_back({function.name, sourcePlace(program_, function.place), 0, kNone});
    return out;
  }
  uint32_t pc = thread->pc;
  size_t callbacks = thread->calls.suspended.size();
  for (size_t i = thread->frames.size(); i-- > 0;) {
    const Frame& frame = thread->frames[i];
    FrameView view;
    view.function = program_.functionName(frame.function);
    view.index = i;
    view.statement = statementAt(pc, frame.function);
    if (pc < program_.code.size()) view.place = sourcePlace(program_, program_.code[pc].place);
    out.push_back(std::move(view));
    pc = frame.returnPc;
    // The model of a library function called it; that was called here.
    if (pc == kCallback && callbacks > 0) pc = thread->calls.suspended[--callbacks].pc;
  }
  return out;
}

std::vector<NamedValue> ThreadView::locals(ThreadId id, size_t frame) const {
  std::vector<NamedValue> out;
  const Thread* thread = execution_.thread(id);
  if (!thread) return out;
  for (const FrameView& view : frames(id)) {
    if (view.index != frame || view.statement == kNone || frame >= thread->frames.size()) continue;
    const Value* r = thread->registers.data() + thread->frames[frame].base;
    for (const VariablePlace& place : program_.statements[view.statement].variables) {
      const LocalVariable& variable = program_.localVariables[place.variable];
      NamedValue named{variable.name, {}};
      named.value.type = variable.type;
      if (place.slot != kNone && place.isAddress) {
        if (r[place.slot].bits != 0) named.value.address = r[place.slot].bits;
      } else if (place.slot != kNone && variable.type != kNoType) {
        const TypeNode& type = program_.types.at(variable.type);
        if (type.size >= 1 && type.size <= 8)
          named.value.scalar = Scalar{type.kind, type.size, r[place.slot].bits, isUndefined(r[place.slot])};
      }
      std::erase_if(out, [&](const NamedValue& outer) { return outer.name == named.name; });
      out.push_back(std::move(named));
    }
  }
  return out;
}

std::vector<NamedValue> ThreadView::globals(ThreadId id) const {
  std::vector<NamedValue> out;
  const ValueView values(execution_);
  const Thread* thread = execution_.thread(id);
  for (uint32_t i = 0; i < program_.globals.size(); ++i) {
    const GlobalVariable& global = program_.globals[i];
    if (global.isConstant || global.isExternal || global.place == kNone || global.type == kNoType) continue;
    NamedValue named{global.name, values.global(i)};
    if (global.isThreadLocal) {
      named.value.address.reset();
      if (!thread) continue;
      if (const auto own = thread->threadLocals.find(i); own != thread->threadLocals.end())
        named.value.address = own->second->base;
    }
    out.push_back(std::move(named));
  }
  return out;
}

std::optional<NamedValue> ThreadView::variable(ThreadId id, size_t frame, const std::string& name) const {
  for (NamedValue& local : locals(id, frame))
    if (local.name == name) return std::move(local);
  const Place* here = nullptr;
  for (const FrameView& view : frames(id))
    if (view.index == frame && view.statement != kNone)
      here = &program_.place(program_.statements[view.statement].place);
  std::optional<NamedValue> found;
  const ValueView values(execution_);
  for (NamedValue& global : globals(id)) {
    if (global.name != name) continue;
    if (!found) found = global;
    // Several files may have a static variable of that name.
    for (uint32_t i = 0; here && i < program_.globals.size(); ++i)
      if (program_.globals[i].name == name && program_.place(program_.globals[i].place).file == here->file &&
          global.value.address == values.global(i).address)
        found = global;
  }
  return found;
}

std::vector<std::string> ThreadView::heldLocks(ThreadId id) const {
  std::vector<std::string> out;
  const auto nameOf = [&](const std::pair<ObjectId, uint64_t>& at) {
    return program_.describe(execution_.names.info(at.first).name, at.second);
  };
  for (const auto& [at, mutex] : execution_.sync.mutexes())
    if (mutex.owner == id)
      out.push_back(nameOf(at) + (mutex.depth > 1 ? " (" + std::to_string(mutex.depth) + " times)" : ""));
  const Thread* thread = execution_.thread(id);
  for (const HeldRwlock& held : thread ? thread->rwlocks : std::vector<HeldRwlock>{})
    for (const auto& [at, object] : execution_.sync.objects())
      if (&object == held.lock)
        out.push_back(nameOf(at) + (held.writing ? " (for writing)" : " (for reading)"));
  return out;
}

}  // namespace heddle
