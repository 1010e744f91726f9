#include "analysis/diagnose/explain.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/detect/failure_finding.h"
#include "analysis/diagnose/pattern.h"

namespace heddle {

namespace {

std::string lineText(const SourceView& view, NodeId node) {
  const SourcePlace place = view.place(node);
  return place.line == 0 ? "" : " (line " + std::to_string(place.line) + ")";
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

/// "read", "write", "update": what a thread did, as a noun.
std::string noun(const SourceView& view, NodeId node) {
  const Node& n = view.forest()[node];
  if (!n.cells.empty() && view.isLife(n.cells[0].location))
    return n.event == EventKind::Read ? "use" : "free";
  if (n.event == EventKind::Update) return "update";
  return n.event == EventKind::Write ? "write" : "read";
}

class Explainer {
 public:
  Explainer(const SourceView& view, const SourceEvents& events, const ExplainedFailure& failure,
            Finding& finding)
      : view_(view), events_(events), failure_(failure), finding_(finding), out_(*finding.explanation) {}

  void run() {
    switch (failure_.kind) {
      case DiagnosisSubject::Kind::Race:
        race();
        break;
      case DiagnosisSubject::Kind::Deadlock:
        deadlock();
        break;
      case DiagnosisSubject::Kind::Failure:
        failed();
        break;
    }
    steps();
  }

 private:
  const Forest& forest() const { return view_.forest(); }

  void failed() {
    if (failure_.cores.empty()) return;
    const Core& core = failure_.cores.front();
    if (core.orderings.empty()) {
      out_.claim = finding_.message + " on every schedule" +
                   (failure_.execution.inputs.empty() ? "" : " with these inputs") +
                   ": no order of the threads is to blame";
      return;
    }
    const std::optional<Interruption> interruption = findInterruption(forest(), events_, core);
    if (interruption) {
      atomicity(*interruption);
    } else if (isOrderViolation(events_, core)) {
      order(core);
    } else {
      const Ordering& last = core.orderings.back();
      out_.claim = sentence(last, core.failing) + ", and so " + finding_.message;
    }
  }

  void atomicity(const Interruption& found) {
    const std::string thread = view_.thread(found.first);
    const bool sameObject = view_.object(found.first) == view_.object(found.last);
    const std::string object = "`" + view_.object(found.first) + "`";
    const std::string around =
        found.oneVariable || sameObject
            ? thread + "'s " + noun(view_, found.first) + lineText(view_, found.first) + " and " +
                  noun(view_, found.last) + lineText(view_, found.last) + " of " + object
            : thread + "'s " + noun(view_, found.first) + " of " + object + lineText(view_, found.first) +
                  " and " + noun(view_, found.last) + " of `" + view_.object(found.last) + "`" +
                  lineText(view_, found.last);
    out_.claim = view_.action(found.remote) + lineText(view_, found.remote) + " between " + around;
    out_.pattern = "atomicity violation (" + (found.oneVariable ? "" : std::string("several variables, ")) +
                   tripleName(forest(), found) + ")";
    missingLocks({found.first, found.remote, found.last});
  }

  void order(const Core& core) {
    const Ordering& first = core.orderings.front();
    out_.claim = sentence(first, core.failing);
    out_.pattern = "order violation";
    if (core.orderings.size() > 1) {
      const Ordering& last = core.orderings.back();
      if (last.before != first.before) out_.claim += ", and " + sentence(last, core.failing);
    }
  }

  void deadlock() {
    std::set<std::string> mutexes;
    bool locks = true;
    std::vector<std::string> waits;
    for (const NodeId node : failure_.nodes) {
      const Node& n = forest()[node];
      locks &= n.event == EventKind::Lock;
      if (n.event == EventKind::Lock) mutexes.insert(view_.object(node));
      const std::vector<std::string> held = quoted(view_.heldLocks(node));
      waits.push_back(view_.thread(node) + (held.empty() ? "" : " holds " + joined(held) + " and") +
                      " waits for " +
                      (n.event == EventKind::Join   ? "the end of " + view_.object(node)
                       : n.event == EventKind::Wake ? "a signal of `" + view_.object(node) + "`"
                                                    : "`" + view_.object(node) + "`") +
                      lineText(view_, node));
    }
    out_.claim = joined(waits);
    if (locks && mutexes.size() > 1) out_.pattern = "lock-order cycle";
    for (const NodeId node : failure_.nodes) missedSignal(node);
    for (const NodeId node : failure_.nodes)
      for (const NodeId lock : forest()[node].held)
        out_.facts.push_back({view_.place(lock), view_.action(lock) + " here and still holds it"});
  }

  /// A signal came before the thread that waits for it had begun to wait.
  void missedSignal(NodeId wake) {
    if (forest()[wake].event != EventKind::Wake) return;
    for (const NodeId node : failure_.execution.order) {
      if (node == forest()[wake].acquire) break;
      const Node& n = forest()[node];
      if (n.event != EventKind::Signal && n.event != EventKind::Broadcast) continue;
      if (!cellAt(n, forest()[wake].cells[0].location)) continue;
      out_.pattern = "missed signal";
      out_.facts.push_back({view_.place(node), view_.action(node) + " before " + view_.thread(wake) +
                                                   " has begun to wait for it"});
    }
  }

  void race() {
    if (failure_.nodes.size() != 2) return;
    NodeId first = failure_.nodes[0], second = failure_.nodes[1];
    out_.claim = "nothing orders " + view_.thread(first) + "'s " + noun(view_, first) +
                 lineText(view_, first) + " and " + view_.thread(second) + "'s " + noun(view_, second) +
                 lineText(view_, second) + " of `" + view_.object(first) + "`";
    for (const NodeId node : {first, second}) {
      const std::vector<std::string> held = quoted(view_.heldLocks(node));
      out_.facts.push_back(
          {view_.place(node), view_.action(node) + " holding " + (held.empty() ? "no lock" : joined(held))});
    }
    const std::vector<std::string> one = view_.heldLocks(first), other = view_.heldLocks(second);
    if (one.empty() != other.empty()) {
      const NodeId bare = one.empty() ? first : second;
      out_.facts.push_back({view_.place(bare), view_.thread(bare) + " would have to hold " +
                                                   joined(quoted(one.empty() ? other : one)) +
                                                   " here as well"});
    } else if (!one.empty()) {
      out_.facts.push_back({view_.place(first), "the locks are different ones, so they exclude nothing"});
    }
    out_.facts.push_back(
        {view_.place(first),
         "no create, join or lock puts one before the other: either can come first, or both at once"});
    if (isMemoryWrite(forest()[second]) && !isMemoryWrite(forest()[first])) std::swap(first, second);
    if (publishes(first, second)) out_.pattern = "unprotected publication";
  }

  /// What `read` sees of `write` decides whether its thread goes on to data that the writer wrote before.
  bool publishes(NodeId write, NodeId read) const {
    if (!isMemoryWrite(forest()[write]) || !isMemoryRead(forest()[read])) return false;
    std::set<LocationId> written;
    for (NodeId node = forest()[write].lastEvent; node != kNone; node = forest()[node].lastEvent)
      if (isMemoryWrite(forest()[node]))
        for (const NodeCell& cell : forest()[node].cells) written.insert(cell.location);
    bool decides = false;
    for (NodeId id = read + 1; id < forest().size(); ++id) {
      const Node& n = forest()[id];
      if (n.thread != forest()[read].thread || !forest().isAncestor(read, id)) continue;
      decides |= n.kind == NodeKind::Branch || n.kind == NodeKind::Choice;
      if (!decides || !isMemoryRead(n)) continue;
      for (const NodeCell& cell : n.cells)
        if (written.count(cell.location) && !cellAt(forest()[read], cell.location)) return true;
    }
    return false;
  }

  /// Which lock some of the accesses hold and others do not.
  void missingLocks(const std::vector<NodeId>& accesses) {
    for (const NodeId node : accesses) {
      const std::vector<std::string> held = quoted(view_.heldLocks(node));
      out_.facts.push_back(
          {view_.place(node), view_.action(node) + " holding " + (held.empty() ? "no lock" : joined(held))});
    }
    const auto& first = forest()[accesses.front()].held;
    const auto& last = forest()[accesses.back()].held;
    const bool kept = std::any_of(first.begin(), first.end(), [&](NodeId lock) {
      return std::find(last.begin(), last.end(), lock) != last.end();
    });
    if (!kept && !first.empty() && !last.empty())
      out_.facts.push_back({view_.place(accesses.back()),
                            view_.thread(accesses.front()) + " gave up the lock between the two accesses"});
  }

  /// The steps of the core, of the failing thread's last reads and their sources, and the failure.
  void steps() {
    finding_.threads = describeThreads(view_.program(), view_.runner().names(), failure_.execution.trace);
    const std::vector<Step> all =
        describeSteps(view_.program(), view_.runner().names(), failure_.execution.trace);
    std::set<size_t> kept;
    std::set<SourceEventId> mentioned;
    std::set<LocationId> locations;
    if (!failure_.cores.empty())
      for (const Ordering& o : failure_.cores.front().orderings) mentioned.insert({o.before, o.after});
    const std::vector<NodeId>& order = failure_.execution.order;
    size_t end = order.size();
    for (size_t i = 0; i < order.size(); ++i) {
      const NodeId node = order[i];
      const bool isSubject =
          std::find(failure_.nodes.begin(), failure_.nodes.end(), node) != failure_.nodes.end();
      if (!mentioned.count(events_.of(node)) && !isSubject) continue;
      kept.insert(i);
      if (isData(node))
        for (const NodeCell& cell : forest()[node].cells) locations.insert(cell.location);
      if (isSubject && failure_.kind == DiagnosisSubject::Kind::Failure) end = i;
    }
    // Everything else that was done to the same data up to the failure.
    for (size_t i = 0; i < order.size() && i < end; ++i) {
      if (!isData(order[i])) continue;
      for (const NodeCell& cell : forest()[order[i]].cells)
        if (locations.count(cell.location)) kept.insert(i);
    }
    for (const NodeId node : failure_.nodes)
      for (const NodeId lock : forest()[node].held)
        for (size_t i = 0; i < order.size(); ++i)
          if (order[i] == lock) kept.insert(i);
    for (const size_t i : kept)
      if (i < end && i < all.size()) out_.steps.push_back(all[i]);
    if (failure_.kind == DiagnosisSubject::Kind::Failure && end < order.size())
      out_.steps.push_back({view_.thread(order[end]), finding_.place, finding_.message});
    if (failure_.kind == DiagnosisSubject::Kind::Deadlock)
      for (const NodeId node : failure_.nodes)
        out_.steps.push_back({view_.thread(node), view_.place(node), "waits for " + view_.object(node)});
  }

  bool isData(NodeId node) const { return isMemoryRead(forest()[node]) || isMemoryWrite(forest()[node]); }

  NodeId nodeOf(SourceEventId event, const RecordedExecution& execution) const {
    for (const auto* list : {&execution.order, &execution.blocked})
      for (const NodeId node : *list)
        if (events_.of(node) == event) return node;
    return events_[event].nodes.front();
  }

  std::string sentence(const Ordering& o, const RecordedExecution& execution) const {
    const NodeId before = nodeOf(o.before, execution), after = nodeOf(o.after, execution);
    return view_.action(before) + lineText(view_, before) + " before " + view_.action(after) +
           lineText(view_, after);
  }

  static std::vector<std::string> quoted(std::vector<std::string> names) {
    for (std::string& name : names) name = "`" + name + "`";
    return names;
  }

  const SourceView& view_;
  const SourceEvents& events_;
  const ExplainedFailure& failure_;
  Finding& finding_;
  Explanation& out_;
};

}  // namespace

void explainFailure(const SourceView& view, const SourceEvents& events, const ExplainedFailure& failure,
                    Finding& finding) {
  Explainer(view, events, failure, finding).run();
}

std::vector<OrderingFact> describeOrderings(const SourceView& view, const SourceEvents& events,
                                            const RecordedExecution& execution,
                                            const std::vector<Ordering>& orderings) {
  std::map<SourceEventId, NodeId> happened;
  for (const auto* list : {&execution.order, &execution.blocked})
    for (const NodeId node : *list) happened.try_emplace(events.of(node), node);
  const auto nodeOf = [&](SourceEventId event) {
    const auto it = happened.find(event);
    return it == happened.end() ? events[event].nodes.front() : it->second;
  };
  std::vector<OrderingFact> facts;
  for (const Ordering& o : orderings) {
    const NodeId before = nodeOf(o.before), after = nodeOf(o.after);
    facts.push_back({view.place(before), view.thread(before), view.place(after), view.thread(after),
                     view.action(before) + " before " + view.action(after)});
  }
  return facts;
}

}  // namespace heddle
