#include "analysis/model/locations.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle {

namespace {
constexpr uint64_t kSmallest = 64;    // bytes: elements of smaller objects are not told apart
constexpr unsigned kMostGrowths = 4;  // restarts because of an object's elements
constexpr uint32_t kLargestCell = 8;  // bytes: terms have at most 64 bits
}  // namespace

Locations::ObjectUse& Locations::use(ObjectId object) {
  if (object >= objects_.size()) objects_.resize(object + 1);
  return objects_[object];
}

bool Locations::noteAccess(const Access& access, const Names& names) {
  ObjectUse& u = use(access.object);
  // Main's accesses of the prologue come before everything else in every execution.
  if (access.prologue) return false;
  if (everything_) return true;
  if (!u.shared && isShared(u, access)) {
    u.shared = true;
    u.apart = names.info(access.object).name.size > kSmallest;
    ++version_;
  }
  if (!u.shared) return false;
  return !u.apart || !u.noted || noteElements(u, access, names);
}

/// Whether the object is not to be left without events any more, as one whole.
bool Locations::isShared(ObjectUse& u, const Access& access) {
  if (std::find(u.users.begin(), u.users.end(), access.thread) == u.users.end())
    u.users.push_back(access.thread);
  if (access.write) {
    const std::vector<ThreadId> ended = access.ended ? *access.ended : std::vector<ThreadId>{};
    if (u.writer == kNone) {
      u.writer = access.thread;
      u.before = ended;
    } else if (u.writer != access.thread) {
      return true;
    } else if (!u.before.empty() && u.before != ended) {
      std::vector<ThreadId> both;
      std::set_intersection(u.before.begin(), u.before.end(), ended.begin(), ended.end(),
                            std::back_inserter(both));
      u.before = std::move(both);
    }
  }
  return u.writer != kNone && std::any_of(u.users.begin(), u.users.end(), [&](ThreadId user) {
           return user != u.writer && !std::binary_search(u.before.begin(), u.before.end(), user);
         });
}

void Locations::noteAwaited(ObjectId object, uint64_t offset, uint64_t size, bool prologue,
                            const Names& names) {
  ObjectUse& u = use(object);
  if (prologue && !u.endsPrologue) {
    u.endsPrologue = true;
    ++version_;
  }
  if (everything_) return;
  if (!u.shared) {
    u.shared = true;
    u.apart = names.info(object).name.size > kSmallest;
    ++version_;
  }
  if (!u.apart) return;
  const uint64_t end = offset + std::max<uint64_t>(size, 1);
  for (auto at = cutElements(u.elements, offset, end); at != u.elements.end() && at->first < end; ++at)
    share(u, at->second);
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

void Locations::noteNewHeapObject(ThreadId owner) {
  const bool isMissed = std::any_of(heapCheckers_.begin(), heapCheckers_.end(),
                                    [&](ThreadId checker) { return checker != owner; });
  if (isMissed) ++version_;
}

bool Locations::noteCompared(ObjectId block, bool isTooLate) {
  if (!compared_.insert(block).second) return false;
  if (isTooLate) ++version_;
  return true;
}

bool Locations::noteReuse(ObjectId later, ObjectId freed) {
  constexpr size_t kMost = 16;
  if (reused_.contains({later, freed})) return true;
  if (reused_.size() == kMost) return false;
  reused_.emplace(later, freed);
  ++version_;
  return true;
}

void Locations::restart() {
  cells_.clear();
  heapCheckers_.clear();
  for (ObjectUse& u : objects_) {
    u.ids.clear();
    u.noted = u.apart;
    // Each time costs a restart: not more of them than are worth it.
    if (std::exchange(u.grew, false) && ++u.growths == kMostGrowths) {
      u.apart = false;
      u.elements.clear();
    }
  }
}

}  // namespace heddle
