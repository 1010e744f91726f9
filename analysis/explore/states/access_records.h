// AccessRecords: which threads touch which resources, and with which locks, in everything that a search of
// joint states has met. They tell what is *kept apart*: a resource that no thread can come to touch while
// another thread stands before a step on it, unless both only look. Steps on what is kept apart need not be
// interleaved (docs/reduction.md has the theorem).
//
// Two records keep apart if the threads hold a common lock and not both for reading, or if one record was
// made after the other thread was joined or before its thread created the other thread. A thread knows all
// of this by itself, so it is the same on all schedules.
//
// Threading: belongs to one search.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "analysis/model/ids.h"
#include "analysis/model/names.h"

namespace heddle {

/// A set of threads with numbers below 32. Nothing is claimed about other threads.
using ThreadMask = uint32_t;
inline ThreadMask maskOf(ThreadId thread) {
  return thread < 32 ? ThreadMask{1} << thread : 0;
}

/// What a step touches: memory, or one side of a synchronization object.
struct Resource {
  enum class Kind : uint8_t {
    Memory,   // accesses to memory
    Taking,   // locks and try-locks of a mutex
    Leaving,  // unlocks of a mutex only look, try-locks change it
    Waiting,  // waits on a condition variable change it, signals only look
  };
  Kind kind = Kind::Memory;
  LocationId location = kNone;
  auto operator<=>(const Resource&) const = default;
};

using LockSetId = uint32_t;

struct AccessRecord {
  ThreadId thread = kNone;
  bool changes = false;     // two that only look keep apart
  LockSetId locks = 0;      // AccessRecords::lockSet
  ThreadMask joined = 0;    // threads that the thread knows to have ended before
  ThreadMask children = 0;  // threads that the thread has created
  auto operator<=>(const AccessRecord&) const = default;
};

class AccessRecords {
 public:
  /// `names` must outlive it.
  explicit AccessRecords(const Names& names) : names_(names) { clear(); }

  void clear();
  /// The number of the set of these mutexes, which must be sorted. A new set gets a new number.
  LockSetId lockSet(const std::vector<LocationId>& locks);
  /// The same without making a number; nullopt if the set has none.
  std::optional<LockSetId> findLockSet(const std::vector<LocationId>& locks) const;
  /// True if add() would change nothing.
  bool knows(const Resource& resource, const AccessRecord& record) const;
  /// The number of resources that are not kept apart.
  size_t contested() const { return contested_; }
  /// Adds the record. True if the resource was kept apart until now and no longer is.
  bool add(const Resource& resource, const AccessRecord& record);
  /// Whether the resource is kept apart, by the records so far.
  bool isKeptApart(const Resource& resource) const {
    const size_t at = numberOf(resource);
    return at >= entries_.size() || !entries_[at].isContested;
  }

 private:
  struct Entry {
    bool isContested = false;
    std::vector<AccessRecord> records;  // empty once the resource is contested
  };
  static size_t numberOf(const Resource& resource) {
    return size_t{resource.location} * 4 + static_cast<size_t>(resource.kind);
  }
  bool keepApart(const AccessRecord& a, const AccessRecord& b) const;
  /// Everything that the other thread does comes before or after this record's step, by create and join.
  bool isOrdered(const AccessRecord& record, ThreadId other) const;
  bool shareLock(LockSetId a, LockSetId b) const;

  const Names& names_;
  std::vector<Entry> entries_;
  size_t contested_ = 0;
  std::vector<std::vector<LocationId>> lockSets_;
  std::map<std::vector<LocationId>, LockSetId> lockSetIds_;
};

}  // namespace heddle
