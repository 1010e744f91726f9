#include "analysis/interp/weak/execution_graph.h"

#include <algorithm>

namespace heddle {

uint32_t ExecutionGraph::threadNumber(ThreadId id) {
  const auto [at, isNew] = numbers_.try_emplace(id, static_cast<uint32_t>(threads_.size()));
  if (isNew) {
    threads_.emplace_back();
    ids_.push_back(id);
  }
  return at->second;
}

void ExecutionGraph::begin(LocationId location, const Value& initial) {
  const auto [at, isNew] = writes_.try_emplace(location);
  if (!isNew) return;
  GraphEvent event;
  event.location = location;
  event.value = initial;
  at->second.push_back(static_cast<GraphEventId>(events_.size()));
  events_.push_back(std::move(event));
}

GraphEventId ExecutionGraph::append(GraphEvent event) {
  ThreadState& thread = threads_[event.thread];
  event.index = static_cast<uint32_t>(thread.events.size());
  thread.clock.set(event.thread, event.index + 1);
  event.clock = thread.clock;
  const auto id = static_cast<GraphEventId>(events_.size());
  thread.events.push_back(id);
  events_.push_back(std::move(event));
  return id;
}

void ExecutionGraph::fence(uint32_t thread, MemoryOrder order) {
  ThreadState& state = threads_[thread];
  if (isAcquire(order)) state.clock.join(state.acquirable);
  GraphEvent event;
  event.kind = GraphEventKind::Fence;
  event.thread = thread;
  event.order = order;
  const GraphEventId id = append(std::move(event));
  if (isRelease(order)) state.fence = state.clock;
  if (order == MemoryOrder::SeqCst) scFences_.push_back(id);
}

GraphEventId ExecutionGraph::plain(GraphEventKind kind, uint32_t thread, uint64_t operation,
                                   LocationId location, const Value* written) {
  GraphEvent event;
  event.kind = kind;
  event.thread = thread;
  event.operation = operation;
  event.location = location;
  std::vector<GraphEventId>& writes = writes_.at(location);
  if (written)
    event.value = *written;
  else
    event.readsFrom = writes.back();
  const GraphEventId id = append(std::move(event));
  if (written)
    writes.push_back(id);
  else
    reads_[location].push_back(id);
  return id;
}

GraphEventId ExecutionGraph::synchronize(uint32_t thread, uint64_t operation, LocationId location,
                                         bool acquires, bool releases) {
  ThreadState& state = threads_[thread];
  if (acquires) state.clock.join(left_[location]);
  GraphEvent event;
  event.kind = GraphEventKind::Sync;
  event.thread = thread;
  event.operation = operation;
  event.location = location;
  const GraphEventId id = append(std::move(event));
  if (releases) left_[location].join(state.clock);
  return id;
}

size_t ExecutionGraph::firstCoherent(const OpenAccess& access) const {
  const std::vector<GraphEventId>& writes = writes_.at(access.location);
  const VectorClock& clock = threads_[access.thread].clock;
  const auto reads = reads_.find(access.location);
  for (size_t at = writes.size(); at-- > 0;) {
    if (isBefore(writes[at], clock)) return at;
    if (reads == reads_.end()) continue;
    for (const GraphEventId read : reads->second)
      if (events_[read].readsFrom == writes[at] && isBefore(read, clock)) return at;
  }
  return 0;
}

bool ExecutionGraph::isBehindScFence(uint32_t thread) const {
  return std::any_of(scFences_.begin(), scFences_.end(),
                     [&](GraphEventId fence) { return isBefore(fence, threads_[thread].clock); });
}

bool ExecutionGraph::allows(const OpenAccess& access, size_t position) {
  const std::vector<GraphEventId>& writes = writes_.at(access.location);
  // Nothing that is there can come after the latest.
  if (position + 1 == writes.size()) return true;
  // An update comes right after what it reads.
  const GraphEvent& next = events_[writes[position + 1]];
  if (access.writes && next.kind == GraphEventKind::Update && next.readsFrom == writes[position])
    return false;
  if (!axioms_.mayExclude(*this, access)) return true;
  const ThreadState before = threads_[access.thread];
  const GraphEventId id = add(access, position, {});
  const bool isAllowed = axioms_.isConsistent(*this);
  events_.pop_back();
  threads_[access.thread] = before;
  if (access.writes) {
    std::vector<GraphEventId>& order = writes_.at(access.location);
    order.erase(std::find(order.begin(), order.end(), id));
  }
  if (access.reads) reads_[access.location].pop_back();
  return isAllowed;
}

GraphEventId ExecutionGraph::add(const OpenAccess& access, size_t position, const Value& written) {
  std::vector<GraphEventId>& writes = writes_.at(access.location);
  const GraphEventId source = writes[position];
  ThreadState& state = threads_[access.thread];
  GraphEvent event;
  event.kind = !access.writes ? GraphEventKind::Read
               : access.reads ? GraphEventKind::Update
                              : GraphEventKind::Write;
  event.thread = access.thread;
  event.operation = access.operation;
  event.location = access.location;
  event.order = access.isPlain ? MemoryOrder::Relaxed : access.order();
  event.isLocked = access.isLocked;
  event.value = written;
  if (access.reads) {
    event.readsFrom = source;
    const VectorClock& message = events_[source].message;
    (isAcquire(event.order) && !access.isPlain ? state.clock : state.acquirable).join(message);
  }
  const GraphEventId id = append(std::move(event));
  if (access.reads) reads_[access.location].push_back(id);
  if (!access.writes) return id;
  GraphEvent& added = events_[id];
  if (!access.isPlain) {
    if (isRelease(added.order)) state.released[access.location] = state.clock;
    const auto released = state.released.find(access.location);
    if (released != state.released.end()) added.message = released->second;
    added.message.join(state.fence);
    if (access.reads) added.message.join(events_[source].message);
  }
  writes.insert(writes.begin() + static_cast<std::ptrdiff_t>(position) + 1, id);
  return id;
}

}  // namespace heddle
