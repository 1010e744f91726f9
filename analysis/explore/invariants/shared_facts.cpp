#include "analysis/explore/invariants/shared_facts.h"

#include <algorithm>

namespace heddle {

void SharedFacts::record(SharedResource resource, const SymbolicState& state, ThreadId thread, bool changes) {
  const SymbolicThread& at = state.threads[thread];
  for (ThreadId number = 0; number < state.threads.size(); ++number)
    parents_.emplace(number, state.threads[number].parent);
  const bool isLate = changes && (thread != 0 || at.children != 0);
  if (isLate && unsettled_.insert(resource).second && relied_.contains(resource)) grew_ = true;
  const Record record{thread, changes, at.joined, at.children, at.held};
  std::set<Record>& known = records_[resource];
  if (!known.insert(record).second || contested_.contains(resource)) return;
  const auto isApart = [&](const Record& other) { return keepApart(record, other); };
  if (std::all_of(known.begin(), known.end(), isApart)) return;
  contested_.insert(resource);
  grew_ = true;
}

bool SharedFacts::isShared(SharedResource resource) const {
  const auto known = records_.find(resource);
  if (known == records_.end()) return false;
  const std::set<Record>& records = known->second;
  return std::any_of(records.begin(), records.end(), [](const Record& record) { return record.changes; }) &&
         records.begin()->thread != records.rbegin()->thread;  // they are sorted by thread
}

bool SharedFacts::keepApart(const Record& a, const Record& b) const {
  if (a.thread == b.thread || (!a.changes && !b.changes)) return true;
  const auto isHeldByB = [&](uint64_t mutex) {
    return std::binary_search(b.held.begin(), b.held.end(), mutex);
  };
  return std::any_of(a.held.begin(), a.held.end(), isHeldByB) || isOrdered(a, b.thread) ||
         isOrdered(b, a.thread);
}

bool SharedFacts::isOrdered(const Record& record, ThreadId other) const {
  if (record.joined >> other & 1) return true;
  for (ThreadId at = other; at != kNone;) {
    const auto parent = parents_.find(at);
    if (parent == parents_.end()) return false;
    if (parent->second == record.thread) return (record.children >> at & 1) == 0;
    at = parent->second;
  }
  return false;
}

}  // namespace heddle
