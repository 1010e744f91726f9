// AccessRecords: who touches what, holding which locks, in all that a search of joint states has met; and so
// what is *kept apart*: no thread can come to touch it while another one stands before doing so, unless both
// only look. Steps on what is kept apart need not be interleaved (docs/reduction.md has the theorem).
//
// Two records keep apart where the threads hold a common lock, not both for reading, or where one was made
// after the other thread was joined, or before the thread created it. All of this is known to the thread
// alone, so it is the same on all schedules.
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

/// Of threads with numbers below 32; of others nothing is claimed.
using ThreadMask = uint32_t;
inline ThreadMask maskOf(ThreadId thread) {
  return thread < 32 ? ThreadMask{1} << thread : 0;
}

/// What a step touches: memory, or one side of a synchronization object.
struct Resource {
  enum class Kind : uint8_t {
    Memory,   // accesses
    Taking,   // of a mutex: locks, tries
    Leaving,  // of a mutex: unlocks look, tries change
    Waiting,  // on a condition variable: waits change, signals look
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
  ThreadMask joined = 0;    // ended before, as the thread knows
  ThreadMask children = 0;  // that the thread has created
  auto operator<=>(const AccessRecord&) const = default;
};

class AccessRecords {
 public:
  /// `names` must outlive it.
  explicit AccessRecords(const Names& names) : names_(names) { clear(); }

  void clear();
  /// Of sorted mutexes that are held.
  LockSetId lockSet(const std::vector<LocationId>& locks);
  /// The same where it has a number.
  std::optional<LockSetId> findLockSet(const std::vector<LocationId>& locks) const;
  /// add() would change nothing.
  bool knows(const Resource& resource, const AccessRecord& record) const;
  /// How many resources are not kept apart.
  size_t contested() const { return contested_; }
  /// True where the resource was kept apart until now.
  bool add(const Resource& resource, const AccessRecord& record);
  /// As far as records tell.
  bool isKeptApart(const Resource& resource) const {
    const size_t at = numberOf(resource);
    return at >= entries_.size() || !entries_[at].isContested;
  }

 private:
  struct Entry {
    bool isContested = false;
    std::vector<AccessRecord> records;  // none once it is contested
  };
  static size_t numberOf(const Resource& resource) {
    return size_t{resource.location} * 4 + static_cast<size_t>(resource.kind);
  }
  bool keepApart(const AccessRecord& a, const AccessRecord& b) const;
  /// Whatever the other thread does, it does it before or after this record's step.
  bool isOrdered(const AccessRecord& record, ThreadId other) const;
  bool shareLock(LockSetId a, LockSetId b) const;

  const Names& names_;
  std::vector<Entry> entries_;
  size_t contested_ = 0;
  std::vector<std::vector<LocationId>> lockSets_;
  std::map<std::vector<LocationId>, LockSetId> lockSetIds_;
};

}  // namespace heddle
