// Elements of larger objects: which of them are found the same in every execution, and so need no events.
#include <algorithm>

#include "analysis/model/locations.h"

namespace heddle {

namespace {

/// The number, among the writer's threads, of the one that accesses, or that it descends from; 0: of none.
uint32_t childOf(ThreadId writer, ThreadId thread, const Names& names) {
  for (ThreadId at = thread; at != kNone;) {
    const ThreadName& name = names.threadName(at);
    if (name.parent == writer) return name.ordinal;
    at = name.parent;
  }
  return 0;
}

}  // namespace

void Locations::share(ObjectUse& u, Element& element) {
  if (element.shared) return;
  element = {element.end};
  element.shared = true;
  u.grew = true;
  ++version_;
}

/// Makes elements begin and end at these offsets, and fills what nobody has accessed yet. The first.
Locations::Elements::iterator Locations::cutElements(Elements& elements, uint64_t offset, uint64_t end) {
  const auto cutAt = [&](uint64_t at) {
    auto after = elements.upper_bound(at);
    if (after == elements.begin()) return;
    auto& [start, element] = *std::prev(after);
    if (start == at || element.end <= at) return;
    elements.emplace_hint(after, at, element);
    element.end = at;
  };
  cutAt(offset);
  cutAt(end);
  auto next = elements.lower_bound(offset);
  for (uint64_t at = offset; at < end;) {
    if (next == elements.end() || next->first > at) {
      const uint64_t stop = next == elements.end() ? end : std::min(end, next->first);
      next = elements.emplace_hint(next, at, Element{stop});
    }
    at = next->second.end;
    ++next;
  }
  return elements.find(offset);
}

/// Makes one of neighbours that are alike: a loop over an array leaves one element.
void Locations::joinElements(Elements& elements, uint64_t offset, uint64_t end) {
  auto at = elements.find(offset);
  if (at != elements.begin()) --at;
  while (at != elements.end() && at->first <= end) {
    const auto next = std::next(at);
    if (next == elements.end() || next->first != at->second.end) {
      at = next;
      continue;
    }
    Element like = next->second;
    like.end = at->second.end;
    if (like != at->second) {
      at = next;
      continue;
    }
    at->second.end = next->second.end;
    elements.erase(next);
  }
}

bool Locations::noteElements(ObjectUse& u, const Access& a, const Names& names) {
  constexpr uint64_t kWord = 8;  // larger blocks are accessed by words
  const uint64_t end = a.offset + std::max<uint64_t>(a.size, 1);
  const auto first = cutElements(u.elements, a.offset, end);
  bool some = false;
  for (auto at = first; at != u.elements.end() && at->first < end; ++at) {
    Element& element = at->second;
    if (element.shared) {
      some = true;
      continue;
    }
    bool same = true;  // is found so in every execution
    if (a.write) {
      same = a.certain && (element.writer == kNone || element.writer == a.thread) &&
             (element.reader == kNone || element.reader == a.thread);
      element.writer = a.thread;
      element.creates = std::max(element.creates, a.creates);
    } else if (element.writer == kNone) {
      // Of several readers any other than the writer will do.
      if (element.reader == kNone || element.reader == a.thread)
        element.reader = a.thread;
      else
        element.reader = kNone - 1;
    } else if (element.writer != a.thread) {
      const bool joined = a.ended && std::binary_search(a.ended->begin(), a.ended->end(), element.writer);
      const uint32_t child = joined ? ~0u : childOf(element.writer, a.thread, names);
      same = child != 0;
      element.child = std::min(element.child, child);
    }
    // The writer's child is created after `child - 1` others.
    if (!same || element.creates >= element.child) share(u, element);
    some |= element.shared;
  }
  // All of an event's bytes are events wherever they are accessed.
  if (some && a.size <= kWord)
    for (auto at = first; at != u.elements.end() && at->first < end; ++at) share(u, at->second);
  joinElements(u.elements, a.offset, end);
  return some;
}

}  // namespace heddle
