#include "analysis/model/locations.h"

#include <algorithm>

namespace heddle {

namespace {
constexpr uint32_t kLargestCell = 8;  // bytes: terms have at most 64 bits
}

Locations::ObjectUse& Locations::use(ObjectId object) {
  if (object >= objects_.size()) objects_.resize(object + 1);
  return objects_[object];
}

bool Locations::noteAccess(ObjectId object, ThreadId thread, bool write, bool prologue) {
  ObjectUse& u = use(object);
  if (prologue) {
    // Main's accesses of the prologue come before everything else in every execution.
    return false;
  }
  if (u.first == kNone) u.first = thread;
  if (u.first != thread) u.several = true;
  if (write) u.written = true;
  const bool nowShared = u.several && u.written;
  if (nowShared && !u.shared) {
    u.shared = true;
    if (!everything_) ++version_;
  }
  return u.shared || everything_;
}

void Locations::cells(ObjectId object, uint32_t offset, uint32_t size, std::vector<LocationId>& out) {
  ObjectUse& u = use(object);
  const uint32_t end = offset + size;
  // A cut inside a cell that already has an identity invalidates what was recorded for that cell.
  auto cutAt = [&](uint32_t position) {
    if (!u.cuts.insert(position).second) return;
    auto after = u.ids.upper_bound(position);
    if (after == u.ids.begin()) return;
    const auto& [start, id] = *std::prev(after);
    if (start < position && position < start + cells_[id].size) ++version_;
  };
  cutAt(offset);
  cutAt(end);
  uint32_t at = offset;
  while (at < end) {
    uint32_t next = std::min(*u.cuts.upper_bound(at), end);
    if (next - at > kLargestCell) {
      next = at + kLargestCell;
      cutAt(next);
    }
    auto [it, isNew] = u.ids.try_emplace(at, static_cast<LocationId>(cells_.size()));
    if (isNew) {
      cells_.push_back({object, at, next - at});
    } else if (cells_[it->second].size != next - at) {
      // The old identity stood for a larger cell; the version has changed, so this run ends soon.
      it->second = static_cast<LocationId>(cells_.size());
      cells_.push_back({object, at, next - at});
    }
    out.push_back(it->second);
    at = next;
  }
}

void Locations::restart() {
  cells_.clear();
  for (ObjectUse& u : objects_) u.ids.clear();
}

}  // namespace heddle
