#include "analysis/detect/access_summary.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/detect/failure_finding.h"
#include "analysis/detect/location_name.h"
#include "analysis/explore/forest/precedence.h"

namespace heddle {
namespace {

class Summary {
 public:
  Summary(const Program& program, Runner& runner)
      : program_(program), runner_(runner), forest_(runner.forest()), precedence_(forest_) {}

  std::vector<SharedAccess> make() {
    for (NodeId id = 0; id < forest_.size(); ++id) {
      const Node& n = forest_[id];
      if (n.kind == NodeKind::Event && n.event == EventKind::Create && n.executed) precedence_.addCreate(id);
      if (!isMemoryRead(n) && !isMemoryWrite(n)) continue;
      // Hidden objects of the interpreter (is the heap object alive, what did the thread return) are no data.
      if (n.cells.empty() || kindOf(n) == ObjectKind::Library) continue;
      const std::string name = nameOf(n.cells[0].location);
      groups_[{n.place, n.event, functionOf(n.thread), withoutIndices(name)}].push_back(id);
    }
    std::vector<SharedAccess> found;
    for (const auto& [key, nodes] : groups_) found.push_back(describe(key, nodes));
    return found;
  }

 private:
  using Key = std::tuple<PlaceId, EventKind, FunctionId, std::string>;

  ObjectKind kindOf(const Node& n) const {
    return runner_.names().info(runner_.locations().cell(n.cells[0].location).object).name.kind;
  }
  FunctionId functionOf(ThreadId thread) const { return runner_.names().threadName(thread).function; }
  std::string threadFunction(ThreadId thread) const {
    const FunctionId function = functionOf(thread);
    return function == kNone ? "main" : program_.functionName(function);
  }
  std::string nameOf(LocationId location) const {
    const Cell& cell = runner_.locations().cell(location);
    return program_.describe(runner_.names().info(cell.object).name, cell.offset, cell.size);
  }

  SharedAccess describe(const Key& key, const std::vector<NodeId>& nodes) {
    const Node& n = forest_[nodes.front()];
    SharedAccess found;
    found.access.place = sourcePlace(program_, n.place);
    found.access.kind = n.event == EventKind::Read    ? AccessKind::Read
                        : n.event == EventKind::Write ? AccessKind::Write
                                                      : AccessKind::Update;
    found.access.object = nameOf(n.cells[0].location);
    found.access.threadFunction = threadFunction(n.thread);
    found.data = std::get<3>(key);
    found.atomic = n.atomic;
    found.concurrent = isConcurrent(nodes);
    for (const NodeId lock : n.held) {
      const LocationId mutex = forest_[lock].cells[0].location;
      const bool always =
          std::all_of(nodes.begin(), nodes.end(), [&](NodeId id) { return holds(id, mutex); });
      if (!always) continue;
      SourceAccess at;
      at.place = sourcePlace(program_, forest_[lock].place);
      at.kind = AccessKind::Lock;
      at.object = nameOf(mutex);
      at.threadFunction = found.access.threadFunction;
      found.held.emplace_back(at.object, at);
    }
    found.ownLocks = ownLocksOf(nodes);
    return found;
  }

  /// Locks of the allocation that each node is about, by name.
  std::map<std::string, OwnLock> ownLocksAt(NodeId node) const {
    std::map<std::string, OwnLock> found;
    const Cell& data = runner_.locations().cell(forest_[node].cells[0].location);
    for (const NodeId lock : forest_[node].held) {
      const LocationId mutex = forest_[lock].cells[0].location;
      const Cell& cell = runner_.locations().cell(mutex);
      if (cell.object != data.object) continue;
      const auto distance = static_cast<int64_t>(cell.offset) - static_cast<int64_t>(data.offset);
      const std::string name = withoutIndices(nameOf(mutex));
      const auto [known, isNew] = found.try_emplace(name, OwnLock{name, distance, distance});
      // One of an array of locks: which one, the name does not tell.
      if (!isNew)
        known->second = {name, std::min(known->second.least, distance),
                         std::max(known->second.most, distance)};
    }
    return found;
  }

  std::vector<OwnLock> ownLocksOf(const std::vector<NodeId>& nodes) const {
    std::map<std::string, OwnLock> common = ownLocksAt(nodes.front());
    for (const NodeId node : nodes) {
      if (common.empty()) break;
      const std::map<std::string, OwnLock> here = ownLocksAt(node);
      for (auto lock = common.begin(); lock != common.end();) {
        const auto same = here.find(lock->first);
        if (same == here.end()) {
          lock = common.erase(lock);
          continue;
        }
        lock->second.least = std::min(lock->second.least, same->second.least);
        lock->second.most = std::max(lock->second.most, same->second.most);
        ++lock;
      }
    }
    std::vector<OwnLock> found;
    for (auto& [name, lock] : common) found.push_back(std::move(lock));
    return found;
  }

  bool holds(NodeId node, LocationId mutex) const {
    const std::vector<NodeId>& held = forest_[node].held;
    return std::any_of(held.begin(), held.end(),
                       [&](NodeId lock) { return forest_[lock].cells[0].location == mutex; });
  }

  /// Looks at a bounded number of pairs; beyond it the answer is yes, which only costs a lock.
  bool isConcurrent(const std::vector<NodeId>& nodes) const {
    size_t pairs = 0;
    for (const auto& [key, others] : groups_) {
      if (std::get<3>(key) != std::get<3>(keyOf(nodes.front()))) continue;
      for (const NodeId a : nodes)
        for (const NodeId b : others) {
          if (forest_[a].thread == forest_[b].thread) continue;
          if (!isMemoryWrite(forest_[a]) && !isMemoryWrite(forest_[b])) continue;
          if (++pairs > kPairLimit) return true;
          if (!precedence_.always(a, b) && !precedence_.always(b, a)) return true;
        }
    }
    return false;
  }
  Key keyOf(NodeId id) const {
    const Node& n = forest_[id];
    return {n.place, n.event, functionOf(n.thread), withoutIndices(nameOf(n.cells[0].location))};
  }

  static constexpr size_t kPairLimit = 20'000;
  const Program& program_;
  Runner& runner_;
  const Forest& forest_;
  Precedence precedence_;
  std::map<Key, std::vector<NodeId>> groups_;
};

}  // namespace

std::vector<SharedAccess> summarizeAccesses(const Program& program, Runner& runner) {
  return Summary(program, runner).make();
}

}  // namespace heddle
