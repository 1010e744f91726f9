#include "analysis/explore/states/access_records.h"

#include <algorithm>

namespace heddle {

void AccessRecords::clear() {
  entries_.clear();
  contested_ = 0;
  lockSets_.assign(1, {});
  lockSetIds_ = {{{}, 0}};
}

LockSetId AccessRecords::lockSet(const std::vector<LocationId>& locks) {
  const auto [at, isNew] = lockSetIds_.try_emplace(locks, static_cast<LockSetId>(lockSets_.size()));
  if (isNew) lockSets_.push_back(locks);
  return at->second;
}

std::optional<LockSetId> AccessRecords::findLockSet(const std::vector<LocationId>& locks) const {
  const auto at = lockSetIds_.find(locks);
  return at == lockSetIds_.end() ? std::nullopt : std::optional(at->second);
}

bool AccessRecords::knows(const Resource& resource, const AccessRecord& record) const {
  const size_t number = numberOf(resource);
  if (number >= entries_.size()) return false;
  const Entry& entry = entries_[number];
  return entry.isContested ||
         std::find(entry.records.begin(), entry.records.end(), record) != entry.records.end();
}

bool AccessRecords::shareLock(LockSetId a, LockSetId b) const {
  const std::vector<LocationId>& x = lockSets_[a];
  const std::vector<LocationId>& y = lockSets_[b];
  return std::find_first_of(x.begin(), x.end(), y.begin(), y.end()) != x.end();
}

bool AccessRecords::isOrdered(const AccessRecord& record, ThreadId other) const {
  if ((record.joined & maskOf(other)) != 0) return true;
  for (ThreadId at = other; at != kNone;) {
    const ThreadId parent = names_.threadName(at).parent;
    if (parent == record.thread) return at < 32 && (record.children & maskOf(at)) == 0;
    at = parent;
  }
  return false;
}

bool AccessRecords::keepApart(const AccessRecord& a, const AccessRecord& b) const {
  return a.thread == b.thread || !(a.changes || b.changes) || shareLock(a.locks, b.locks) ||
         isOrdered(a, b.thread) || isOrdered(b, a.thread);
}

bool AccessRecords::add(const Resource& resource, const AccessRecord& record) {
  if (knows(resource, record)) return false;
  const size_t number = numberOf(resource);
  if (number >= entries_.size()) entries_.resize(number + 1);
  Entry& entry = entries_[number];
  entry.isContested = !std::all_of(entry.records.begin(), entry.records.end(),
                                   [&](const AccessRecord& other) { return keepApart(record, other); });
  contested_ += entry.isContested ? 1 : 0;
  if (entry.isContested)
    entry.records = {};
  else
    entry.records.push_back(record);
  return entry.isContested;
}

}  // namespace heddle
