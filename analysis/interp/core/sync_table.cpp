#include "analysis/interp/core/sync_table.h"

#include <algorithm>

namespace heddle {

SyncObject* SyncTable::object(const Target& target, bool usable) {
  SyncObject& found = objects_[{target.object->id, target.offset}];
  if (found.state) return &found;
  found.state = memory_.create(
      {ObjectKind::Library, kNone, target.object->id, static_cast<uint32_t>(target.offset), kSyncBytes});
  if (!found.state || !memory_.touch(*found.state)) return nullptr;
  memory_.clear(*found.state);
  memory_.write(*found.state, kUsableByte, 1, {static_cast<uint64_t>(usable ? Usable::Yes : Usable::NotYet)});
  return &found;
}

SyncObject* SyncTable::cancelRequest(ThreadId id) {
  MemoryObject* result = threadResult(id);
  return result ? object({result, 0}) : nullptr;
}

std::vector<Target> SyncTable::robustHeld(const Thread& t) const {
  std::vector<Target> held;
  for (const auto& [at, state] : mutexes_)
    if (state.robust && state.owner == t.id)
      held.push_back({memory_.at(names_.info(at.first).base), at.second});
  return held;
}

bool SyncTable::isSynchronization(const MemoryObject& object, uint64_t offset) const {
  constexpr uint64_t kLargest = 64;  // bytes of an object of the thread library
  const auto reaches = [&](const auto& objects) {
    const auto behind = objects.upper_bound({object.id, offset});
    if (behind == objects.begin()) return false;
    const auto& [id, at] = std::prev(behind)->first;
    return id == object.id && offset - at < kLargest;
  };
  return reaches(mutexes_) || reaches(objects_);
}

bool SyncTable::guardHolds(const SyncRule& rule, const Value& operand, const SyncObject& object) const {
  if (!rule.guard) return true;
  const auto constantOf = [&](const Value& value) { return terms_.constant(value.bits, kSyncBits); };
  const Value state = memory_.read(*object.state, 0, kSyncBits / 8);
  const Term guard = rule.guard(terms_, constantOf(state), constantOf(operand));
  return terms_.constValue(guard) != 0;
}

MemoryObject* SyncTable::threadResult(ThreadId id) {
  MemoryObject* object = memory_.create({ObjectKind::Library, id, 0, 0, program_.pointerBits() / 8});
  return object && memory_.touch(*object) ? object : nullptr;
}

void SyncTable::setBack(ThreadId owner, uint64_t events) {
  for (auto& [at, state] : mutexes_)
    if (state.owner == owner) state.since = std::min(state.since, events);
}

const MutexState* SyncTable::find(const Cell& cell) const {
  const auto found = mutexes_.find({cell.object, cell.offset});
  return found == mutexes_.end() ? nullptr : &found->second;
}

}  // namespace heddle
