// Memory that the end of the process finds allocated (Environment::checkLeaks).
//
// Which heap objects there are when the process ends depends on the schedule. So each has a hidden byte that
// is 1 from its allocation until it is freed, and the end of the process asks for the bytes of all objects
// that any execution has made so far, but for those that only its own path can make and has not. An object
// that becomes known later begins the exploration anew (Locations::noteNewHeapObject). The bytes are not
// those that tell accesses to freed memory (Program::lifeOf): every access asks for these, and only the end
// of the process for the ones here.
#include <set>

#include "analysis/interp/core/call.h"
#include "analysis/model/failure_text.h"

namespace heddle {

namespace leak_calls {
namespace {

Target allocationByte(ModelContext& e, const ObjectName& object) {
  MemoryObject* byte = e.memory.create(e.program.allocationOf(object));
  return {byte && e.memory.touch(*byte) ? byte : nullptr, 0};
}

/// The heap objects to ask for, each once: of one that several sizes were asked for there is one byte.
std::vector<ObjectName> heapObjects(const ModelContext& e, const Thread& thread) {
  std::set<std::tuple<ThreadId, uint32_t, uint32_t>> seen;
  std::vector<ObjectName> objects;
  for (size_t id = 0; id < e.names.objectCount(); ++id) {
    const ObjectName& name = e.names.info(static_cast<ObjectId>(id)).name;
    if (name.kind != ObjectKind::Heap) continue;
    const auto passed = thread.sites.find(name.site);
    const bool isOwn = name.owner == thread.id;
    if (isOwn && (passed == thread.sites.end() || passed->second <= name.ordinal)) continue;
    if (seen.emplace(name.owner, name.site, name.ordinal).second) objects.push_back(name);
  }
  return objects;
}

/// False: one is allocated, and the thread has failed.
Task<bool> areAllFreed(Call& call) {
  ModelContext& e = call.context;
  e.locations.noteHeapCheck(call.thread.id);
  for (const ObjectName& object : heapObjects(e, call.thread)) {
    const Target byte = allocationByte(e, object);
    if (!byte.object) {
      e.unsupported(call.thread, "the address space is used up");
      co_return false;
    }
    // How many are known depends on the exploration, so they count no operations.
    AccessAwaiter look = call.load(byte, 1);
    look.atomic = true;
    look.operations = 0;
    const Value allocated = co_await look;
    if (e.ended) co_return false;
    const std::string what = e.program.describe(object);
    if (look.asEvent) e.describe(call.thread, "is " + what + (allocated.bits ? " freed? no" : " freed? yes"));
    const Value isFreed = binaryValue(e.terms, TermOp::Eq, allocated, {0}, 8);
    if (e.branch(call.thread, isFreed, BranchRole::Check, 0)) continue;
    e.fail(call.thread, FailureKind::Memory,
           std::string(kLeakText) + what + " is still allocated when the program ends",
           e.program.code[object.site].place);
    co_return false;
  }
  co_return true;
}

/// Every heap object must have been freed when the process ends.
Task<> endProcess(Call& call) {
  ModelContext& e = call.context;
  if (!e.program.environment.checkLeaks) co_return e.exitProcess(call.thread);
  // With others beside, all is looked at in one moment. That moment is an event of its own, so that a
  // schedule can name it.
  const bool isAlone = e.isAlone(call.thread);
  if (!isAlone) {
    MemoryObject* moment = e.memory.create({ObjectKind::Library, kNone, 13, 0, 1});
    if (!moment || !e.memory.touch(*moment))
      co_return e.unsupported(call.thread, "the address space is used up");
    e.beginSection(call.thread);
    const Target at{moment, 0};
    co_await PendingAwaiter{call.execution, call.thread, EventKind::Read, at, 1, true};
    e.load(call.thread, at, 1, true);
    e.describe(call.thread, "the process ends");
  }
  if (!co_await areAllFreed(call)) co_return;
  if (!isAlone) e.endSection(call.thread);
  e.exitProcess(call.thread);
}

constexpr ModelledCall kModels[] = {
    {"heddle.end_process", nullptr, endProcess},
};

}  // namespace
}  // namespace leak_calls

Task<bool> tellAllocated(Call& call, const MemoryObject& object, bool isAllocated) {
  ModelContext& e = call.context;
  if (!e.program.environment.checkLeaks) co_return true;
  const ObjectName& name = e.names.info(object.id).name;
  const Target byte = leak_calls::allocationByte(e, name);
  if (!byte.object) {
    e.unsupported(call.thread, "the address space is used up");
    co_return false;
  }
  AccessAwaiter tell = call.store(byte, 1, {isAllocated ? 1u : 0u});
  tell.atomic = true;
  co_await tell;
  if (e.ended) co_return false;
  if (tell.asEvent) e.describe(call.thread, (isAllocated ? "allocate " : "free ") + e.program.describe(name));
  co_return true;
}

std::span<const ModelledCall> leakModels() {
  return leak_calls::kModels;
}

}  // namespace heddle
