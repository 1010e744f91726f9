// The life of stack and thread-local objects that other threads look at: it ends with the frame or the
// thread, as an event once an exploration knows that somebody else asks for it.
//
// Each such end counts one operation whether it is an event or not, so that schedules do not depend on what
// an exploration knows.
#include <algorithm>

#include "analysis/interp/core/execution.h"

namespace heddle {

bool Execution::isForeign(const Thread& t, const MemoryObject& object) const {
  return (object.kind == ObjectKind::Stack || object.kind == ObjectKind::ThreadLocal) &&
         names.info(object.id).name.owner != t.id;
}

MemoryObject* Execution::lifeOf(MemoryObject& object) {
  if (object.life) return object.life;
  MemoryObject* life = memory.create(program.lifeOf(names.info(object.id).name));
  if (!life || !memory.touch(*life)) return nullptr;
  memory.write(*life, 0, 1, {object.lifeEnded ? 0u : 1u});
  return object.life = life;
}

MemoryObject* Execution::endStackLives(Thread& t, size_t first, bool threadLocals) {
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
        object->kind == ObjectKind::Stack ? &program.code[names.info(object->id).name.site] : nullptr;
    if (made && made->op == Opcode::Alloca && made->flags & kPrivate) continue;
    bool isEvent = false;
    if (!prologue && (object->life || locations.isForeign(object->id))) {
      if (!lifeOf(*object)) {
        unsupported(t, "the address space is used up");
        return nullptr;
      }
      isEvent = visible(t, {object->life, 0}, 1, true);
      if (ended || isEvent) return ended ? nullptr : object;
    }
    ++t.operations;
    object->lifeEnded = true;
    if (object->life) memory.write(*object->life, 0, 1, {0});
  }
  return nullptr;
}

void Execution::endStackLife(Thread& t, MemoryObject& object) {
  store(t, {object.life, 0}, 1, {0}, true);
  describe(t, "end of " + program.describe(names.info(object.id).name));
  object.lifeEnded = true;
}

}  // namespace heddle
