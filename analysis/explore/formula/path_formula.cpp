#include "analysis/explore/formula/path_formula.h"

#include <algorithm>

#include "analysis/explore/forest/linearize.h"

namespace heddle {

PathEvents::Thread pathOf(const Forest& forest, const ThreadPrefix& prefix) {
  PathEvents::Thread thread;
  if (prefix.at.node == kNone) return thread;
  uint64_t slot = prefix.at.slot;
  for (NodeId id = prefix.at.node; id != kNone; slot = forest[id].slot, id = forest[id].parent) {
    const Node& n = forest[id];
    const bool last = id == prefix.at.node;
    if (!isFork(n.kind)) {
      thread.nodes.push_back(id);
    } else if (last && prefix.deviates() && n.kind == NodeKind::Choice) {
      thread.open = id;
      thread.excluded = prefix.excluded;
    } else if (n.kind == NodeKind::TryLock) {
      // The outcome is an event of the path; at the end of the prefix it must be added.
      const NodeId outcome = forest.child(id, slot);
      if (last && outcome != kNone) thread.nodes.push_back(outcome);
    } else {
      thread.branches.push_back({id, slot});
    }
  }
  std::reverse(thread.nodes.begin(), thread.nodes.end());
  return thread;
}

namespace {

bool hasEnd(const Forest& forest, const PathEvents::Thread& thread) {
  if (thread.nodes.empty()) return false;
  const Node& last = forest[thread.nodes.back()];
  return last.kind == NodeKind::Event && last.event == EventKind::End && !last.endsProcess;
}

/// Keeps what comes before nodes[index].
void cutAt(const Forest& forest, PathEvents::Thread& thread, size_t index) {
  const uint32_t depth = forest[thread.nodes[index]].depth;
  thread.nodes.resize(index);
  std::erase_if(thread.branches, [&](const Position& p) { return forest[p.node].depth > depth; });
  if (thread.open != kNone && forest[thread.open].depth > depth) thread.open = kNone;
}

}  // namespace

std::optional<PathEvents> eventsOf(const Forest& forest, std::vector<ThreadPrefix>& prefixes) {
  PathEvents events;
  for (const ThreadPrefix& prefix : prefixes) events.threads.push_back(pathOf(forest, prefix));
  auto created = [&](ThreadId child) {
    for (const PathEvents::Thread& thread : events.threads)
      for (const NodeId id : thread.nodes)
        if (forest[id].event == EventKind::Create && forest[id].kind == NodeKind::Event &&
            forest[id].other == child)
          return true;
    return false;
  };
  bool changed = true;
  auto cut = [&](ThreadId t, size_t index) {
    const NodeId at = events.threads[t].nodes[index];
    cutAt(forest, events.threads[t], index);
    changed = true;
    if (prefixes[t].deviates()) return forest[prefixes[t].at.node].depth < forest[at].depth;
    prefixes[t].at = {forest[at].parent, forest[at].slot};
    return true;
  };
  while (changed) {
    changed = false;
    for (ThreadId t = 0; t < events.threads.size(); ++t) {
      const PathEvents::Thread& thread = events.threads[t];
      if (!thread.nodes.empty() && t != kMainThread && !created(t) && !cut(t, 0)) return std::nullopt;
      for (size_t i = 0; i < thread.nodes.size(); ++i) {
        const Node& n = forest[thread.nodes[i]];
        if (n.kind != NodeKind::Event || n.event != EventKind::Join) continue;
        if (n.other < events.threads.size() && hasEnd(forest, events.threads[n.other])) continue;
        if (!cut(t, i)) return std::nullopt;
        break;
      }
    }
  }
  return events;
}

PathFormula::PathFormula(const FormulaParts& parts, const PathEvents& events)
    : parts_(parts),
      solver_(makeSolver(parts.solver, parts.terms)),
      encoder_(std::make_unique<Encoder>(path_, parts.initialValues, parts.terms, *solver_)),
      events_(events) {}

void PathFormula::copyEvents(const PathEvents& events) {
  const Forest& forest = parts_.forest;
  auto copyOf = [&](NodeId id) {
    const auto it = copies_.find(id);
    return it == copies_.end() ? kNone : it->second;
  };
  for (const PathEvents::Thread& thread : events.threads) {
    NodeId parent = kNone;
    for (const NodeId id : thread.nodes) {
      Node node = forest[id];
      node.parent = parent;
      node.slot = 0;
      node.depth = 0;
      node.jump = node.lastEvent = node.lastJoin = kNone;
      node.acquire = node.acquire == kNone ? kNone : copyOf(node.acquire);
      if (node.section != kNone)
        node.section = node.section == id ? static_cast<NodeId>(path_.size()) : copyOf(node.section);
      for (NodeCell& cell : node.cells)
        cell.ownWrite = cell.ownWrite == kNone ? kNone : copyOf(cell.ownWrite);
      std::vector<NodeId> held;
      for (const NodeId lock : node.held) held.push_back(copyOf(lock));
      node.held = std::move(held);
      node.children.clear();
      node.sides.clear();
      parent = path_.add(std::move(node));
      copies_[id] = parent;
      original_.push_back(id);
    }
  }
}

void PathFormula::addConditions(ThreadId thread, const PathEvents::Thread& events) {
  if (events.branches.empty() && events.open == kNone) return;
  const Forest& forest = parts_.forest;
  TermTable& terms = parts_.terms;
  const Lit assumed = solver_->newLit();
  auto equals = [&](Term term, uint64_t value) {
    return solver_->condition(terms.eq(term, terms.constant(value, terms.width(term))));
  };
  for (const Position& branch : events.branches) {
    const Node& n = forest[branch.node];
    const Lit holds = n.kind == NodeKind::Choice ? equals(n.term, branch.slot)
                      : branch.slot == 1         ? solver_->condition(n.term)
                                                 : -solver_->condition(n.term);
    solver_->addClause({-assumed, holds});
  }
  if (events.open != kNone)
    for (const uint64_t value : events.excluded)
      solver_->addClause({-assumed, -equals(forest[events.open].term, value)});
  assumed_.emplace_back(assumed, thread);
}

void PathFormula::addReads(const ReadsFrom& from) {
  for (NodeId id = 0; id < path_.size(); ++id) {
    if (!isMemoryRead(path_[id])) continue;
    for (const NodeCell& cell : path_[id].cells) {
      const std::pair<NodeId, LocationId> read{original_[id], cell.location};
      const auto edge = from.find(read);
      const NodeId write = edge == from.end() ? cell.ownWrite : copies_.at(edge->second);
      const Lit lit = encoder_->readsFrom(id, cell.location, write);
      if (edge != from.end())
        solver_->addClause({lit});
      else
        localReads_.emplace_back(lit, read);
    }
  }
}

Answer PathFormula::check(const Budget& budget) {
  copyEvents(events_);
  if (!encoder_->update(budget)) return Answer::Timeout;
  for (NodeId id = 0; id < path_.size(); ++id)
    if (path_[id].kind == NodeKind::Event) solver_->addClause({encoder_->on(id)});
  // With fixed reads, what a read finds must follow from that alone, so that a core can name it.
  for (const GrowthGuards::Group& group : encoder_->groups())
    if (!readsFrom_ || !group.ofReads) solver_->addClause({-group.guard});
  for (ThreadId t = 0; t < events_.threads.size(); ++t) addConditions(t, events_.threads[t]);
  std::vector<Lit> assumptions;
  for (const auto& [lit, thread] : assumed_) assumptions.push_back(lit);
  if (readsFrom_) addReads(*readsFrom_);
  for (const auto& [lit, read] : localReads_) assumptions.push_back(lit);
  budget.spend();
  return solver_->check(assumptions, budget);
}

std::vector<NodeId> PathFormula::plan(ModelInputs& inputs) const {
  for (NodeId id = 0; id < path_.size(); ++id)
    if (path_[id].kind == NodeKind::Input) inputs.set(original_[id], solver_->modelTerm(path_[id].term));
  const ModelOrder order = orderOfModel(
      path_, path_.size(), [](NodeId) { return true; },
      [&](NodeId id) { return solver_->modelPosition(encoder_->order(id)); });
  std::vector<NodeId> plan;
  for (const NodeId id : order.before) plan.push_back(original_[id]);
  for (const NodeId id : order.inOpenSection) plan.push_back(original_[id]);
  return plan;
}

std::vector<ThreadId> PathFormula::coreThreads(const Budget& budget) {
  std::vector<ThreadId> threads;
  for (const Lit lit : minimizeCore(*solver_, solver_->core(), budget))
    for (const auto& [assumed, thread] : assumed_)
      if (assumed == lit) threads.push_back(thread);
  return threads;
}

std::vector<std::pair<NodeId, LocationId>> PathFormula::coreReads(const Budget& budget) {
  // A larger core only proposes more scenarios; a small one is not worth a question that takes seconds.
  constexpr uint64_t kWork = 5'000'000;
  solver_->limitWork(kWork);
  std::vector<std::pair<NodeId, LocationId>> reads;
  for (const Lit lit : minimizeCore(*solver_, solver_->core(), budget))
    for (const auto& [local, read] : localReads_)
      if (local == lit) reads.push_back(read);
  solver_->limitWork(0);
  return reads;
}

}  // namespace heddle
