#include "analysis/model/names.h"

#include <algorithm>

namespace heddle {

namespace {
// A gap after each object catches accesses that run past its end.
constexpr uint64_t kAlignment = 16;
constexpr uint64_t kSmallestGap = 4096;
constexpr uint64_t kLargestGap = 1ull << 20;
}  // namespace

Names::Names(unsigned pointerBits) : pointerBits_(pointerBits), next_(kFirstAddress) {
  thread(ThreadName{});  // main is thread 0
}

ThreadId Names::thread(const ThreadName& name) {
  const auto [it, isNew] = threadIndex_.try_emplace(name, static_cast<ThreadId>(threads_.size()));
  if (isNew) threads_.push_back(name);
  return it->second;
}

std::string Names::label(ThreadId id) const {
  const ThreadName& name = threads_[id];
  if (name.parent == kNone) return "T0";
  const std::string own = std::to_string(name.ordinal);
  return name.parent == kMainThread ? "T" + own : label(name.parent) + "." + own;
}

ObjectId Names::object(const ObjectName& name) {
  const auto found = objectIndex_.find(name);
  if (found != objectIndex_.end()) return found->second;
  const uint64_t gap = std::clamp(name.size, kSmallestGap, kLargestGap);
  const uint64_t limit = pointerBits_ >= 64 ? (1ull << 62) : (1ull << pointerBits_);
  if (name.size > limit || next_ + name.size + gap > limit) return kNone;
  const ObjectId id = static_cast<ObjectId>(objects_.size());
  objects_.push_back({name, next_});
  next_ = (next_ + name.size + gap + kAlignment - 1) / kAlignment * kAlignment;
  objectIndex_.emplace(name, id);
  return id;
}

ObjectId Names::objectAt(uint64_t address) const {
  // Bases grow with ids.
  const auto after = std::upper_bound(objects_.begin(), objects_.end(), address,
                                      [](uint64_t a, const ObjectInfo& o) { return a < o.base; });
  if (after == objects_.begin() || address >= next_) return kNone;
  return static_cast<ObjectId>(after - objects_.begin() - 1);
}

}  // namespace heddle
