// The life of stack and thread-local objects that other threads look at: it ends with the frame or the
// thread, as an event once an exploration knows that somebody else asks for it.
//
// Each such end counts one operation whether it is an event or not, so that schedules do not depend on what
// an exploration knows.
#include "analysis/interp/core/lives.h"

#include <algorithm>

#include "analysis/interp/core/execution.h"
#include "analysis/model/failure_text.h"

namespace heddle {

namespace {

/// A name is quoted, a description is not.
std::string quoted(const std::string& what) {
  return what.find(" allocated at ") == std::string::npos ? "'" + what + "'" : what;
}

}  // namespace

bool Lives::isForeign(const Thread& t, const MemoryObject& object) const {
  return (object.kind == ObjectKind::Stack || object.kind == ObjectKind::ThreadLocal) &&
         names_.info(object.id).name.owner != t.id;
}

MemoryObject* Lives::lifeOf(MemoryObject& object) {
  if (object.life) return object.life;
  MemoryObject* life = memory_.create(program_.lifeOf(names_.info(object.id).name));
  if (!life || !memory_.touch(*life)) return nullptr;
  memory_.write(*life, 0, 1, {object.lifeEnded ? 0u : 1u});
  return object.life = life;
}

bool Lives::check(Thread& t, const Target& target) {
  MemoryObject& object = *target.object;
  const bool onHeap = object.kind == ObjectKind::Heap;
  if (!onHeap && !isForeign(t, object)) return true;
  if (!onHeap) {
    locations_.noteForeign(object.id);
    if (!lifeOf(object)) {
      run_.unsupported(t, "the address space is used up");
      return false;
    }
    // Nobody knew that the end of its life matters: from the next run on it is an event.
    if (object.lifeEnded && !locations_.isShared(object.life->id))
      locations_.noteAccess({.object = object.life->id,
                             .thread = names_.info(object.id).name.owner,
                             .write = true,
                             .prologue = run_.prologue},
                            names_);
  }
  const Target life{object.life, 0};
  const bool shared = run_.accesses.visible(t, life, 1, false);
  if (run_.ended) return false;
  if (!shared) {
    ++t.operations;
    return finishCheck(t, target, false);
  }
  object.lifeShared = true;
  object.fastRead = object.fastWrite = kNone;
  t.next.access = target;
  // The end of a frame is no access that could race.
  t.next.checkingLife = run_.accesses.wait(t, EventKind::Read, life, 1, 1, !onHeap);
  return false;
}

bool Lives::finishCheck(Thread& t, const Target& target, bool asEvent) {
  MemoryObject& object = *target.object;
  const ObjectName& name = names_.info(object.id).name;
  const Value alive = run_.accesses.load(t, {object.life, 0}, 1, asEvent);
  if (asEvent && options_.recordTrace)
    run_.texts.describe(t, (alive.bits ? "use " : "use (freed) ") + program_.describeAt(run_.place(t), name));
  if (run_.branch(t, notEqual(terms_, alive, {0}, 8), BranchRole::Check, 0)) return true;
  if (object.kind == ObjectKind::Heap)
    run_.failFreed(t, object,
                   "use after free of " + quoted(program_.describeAt(run_.place(t), name, target.offset)));
  else
    run_.fail(t, FailureKind::Memory,
              "use of '" + program_.describe(name) + "' after its " +
                  (object.kind == ObjectKind::Stack ? "function returned" : "thread ended"));
  return false;
}

bool Lives::end(Thread& t, MemoryObject& object, bool asEvent) {
  const std::string what = program_.describeAt(run_.place(t), names_.info(object.id).name);
  const Value old =
      run_.accesses.update(t, {object.life, 0}, 1, 8, asEvent, [](const Value&) { return Value{0}; });
  if (asEvent) run_.texts.describe(t, "free " + what);
  if (!run_.branch(t, notEqual(terms_, old, {0}, 8), BranchRole::Check, 0)) {
    run_.failFreed(t, object, std::string(kDoubleFreeText) + quoted(what));
    return false;
  }
  object.endedAt = run_.place(t);
  object.fastRead = object.fastWrite = kNone;
  return true;
}

MemoryObject* Lives::endStackLives(Thread& t, size_t first, bool threadLocals) {
  std::vector<MemoryObject*> ending(t.stack.begin() + static_cast<std::ptrdiff_t>(first), t.stack.end());
  if (threadLocals) {
    const size_t locals = ending.size();
    for (const auto& [index, object] : t.threadLocals) ending.push_back(object);
    std::sort(ending.begin() + static_cast<std::ptrdiff_t>(locals), ending.end(),
              [](const MemoryObject* a, const MemoryObject* b) { return a->id < b->id; });
  }
  for (MemoryObject* object : ending) {
    if (object->lifeEnded) continue;
    const Instruction* made =
        object->kind == ObjectKind::Stack ? &program_.code[names_.info(object->id).name.site] : nullptr;
    if (made && made->op == Opcode::Alloca && made->flags & kPrivate) continue;
    bool isEvent = false;
    if (!run_.prologue && (object->life || locations_.isForeign(object->id))) {
      if (!lifeOf(*object)) {
        run_.unsupported(t, "the address space is used up");
        return nullptr;
      }
      isEvent = run_.accesses.visible(t, {object->life, 0}, 1, true);
      if (run_.ended || isEvent) return run_.ended ? nullptr : object;
    }
    ++t.operations;
    object->lifeEnded = true;
    if (object->life) memory_.write(*object->life, 0, 1, {0});
  }
  return nullptr;
}

void Lives::endStackLife(Thread& t, MemoryObject& object) {
  run_.accesses.store(t, {object.life, 0}, 1, {0}, true);
  run_.texts.describe(t, "end of " + program_.describe(names_.info(object.id).name));
  object.lifeEnded = true;
}

}  // namespace heddle
