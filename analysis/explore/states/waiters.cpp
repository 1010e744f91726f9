#include "analysis/explore/states/waiters.h"

#include <algorithm>

namespace heddle {

namespace {

void insertSorted(std::vector<ThreadId>& threads, ThreadId thread) {
  threads.insert(std::lower_bound(threads.begin(), threads.end(), thread), thread);
}

}  // namespace

void Waiters::wait(ThreadId thread) {
  leave(thread);
  entries_.push_back(thread);
  normalize();
}

void Waiters::signal() {
  entries_.push_back(kSignal);
  normalize();
}

void Waiters::broadcast() {
  for (const ThreadId entry : entries_)
    if (entry != kSignal) insertSorted(released_, entry);
  entries_.clear();
}

void Waiters::wake(ThreadId thread) {
  if (const auto at = std::find(released_.begin(), released_.end(), thread); at != released_.end()) {
    released_.erase(at);
    return;
  }
  const auto wait = std::find(entries_.begin(), entries_.end(), thread);
  const auto signal = std::find(wait, entries_.end(), kSignal);
  if (signal == entries_.end()) return;
  entries_.erase(signal);
  entries_.erase(wait);
  normalize();
}

void Waiters::leave(ThreadId thread) {
  const size_t before = released_.size() + entries_.size();
  std::erase(released_, thread);
  std::erase(entries_, thread);
  if (released_.size() + entries_.size() != before) normalize();
}

bool Waiters::canWake(ThreadId thread) const {
  if (isReleased(thread)) return true;
  const auto wait = std::find(entries_.begin(), entries_.end(), thread);
  return std::find(wait, entries_.end(), kSignal) != entries_.end();
}

bool Waiters::isReleased(ThreadId thread) const {
  return std::binary_search(released_.begin(), released_.end(), thread);
}

void Waiters::addTo(StateKey& key) const {
  key.add(released_.size());
  for (const ThreadId thread : released_) key.add(thread);
  key.add(entries_.size());
  for (const ThreadId entry : entries_) key.add(entry);
}

size_t Waiters::releasedPrefix() const {
  for (size_t end = entries_.size(); end != 0; --end) {
    // A wait takes a later signal: as with parentheses, no tail may have more waits than signals.
    ptrdiff_t spare = 0;
    for (size_t i = end; i-- != 0 && spare >= 0;) spare += entries_[i] == kSignal ? 1 : -1;
    if (spare >= 0) return end;
  }
  return 0;
}

void Waiters::normalize() {
  const auto end = entries_.begin() + static_cast<ptrdiff_t>(releasedPrefix());
  for (auto entry = entries_.begin(); entry != end; ++entry)
    if (*entry != kSignal) insertSorted(released_, *entry);
  entries_.erase(entries_.begin(), end);
  for (auto from = entries_.begin(); from != entries_.end();) {
    const auto to = std::find(from, entries_.end(), kSignal);
    std::sort(from, to);
    from = to == entries_.end() ? to : to + 1;
  }
}

}  // namespace heddle
