#include "analysis/diagnose/explain.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/detect/failure_finding.h"
#include "analysis/diagnose/kept_lock.h"
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

/// "1st", "2nd", "11th"
std::string ordinalText(uint32_t number) {
  const uint32_t last = number % 100 / 10 == 1 ? 0 : number % 10;
  return std::to_string(number) + (last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
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
      case DiagnosisSubject::Kind::Other:
        return;
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
    interruption_ = findInterruption(forest(), events_, core);
    if (!interruption_ && !isOrderViolation(events_, core))
      interruption_ = findWiderInterruption(forest(), events_, core);
    if (interruption_) {
      atomicity(*interruption_);
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
    const bool sameAccess = noun(view_, found.first) == noun(view_, found.last) &&
                            lineText(view_, found.first) == lineText(view_, found.last);
    const std::string around =
        sameAccess && (found.oneVariable || sameObject)
            ? "two " + noun(view_, found.first) + "s of " + object + " by " + thread +
                  lineText(view_, found.first)
        : found.oneVariable || sameObject
            ? thread + "'s " + noun(view_, found.first) + lineText(view_, found.first) + " and " +
                  noun(view_, found.last) + lineText(view_, found.last) + " of " + object
            : thread + "'s " + noun(view_, found.first) + " of " + object + lineText(view_, found.first) +
                  " and " + noun(view_, found.last) + " of `" + view_.object(found.last) + "`" +
                  lineText(view_, found.last);
    out_.claim = view_.action(found.remote) + lineText(view_, found.remote) + " between " + around;
    out_.pattern = "atomicity violation (" + (found.oneVariable ? "" : std::string("several variables, ")) +
                   tripleName(forest(), found) + ")";
    missingLocks({found.first, found.remote, found.last});
    for (const std::string& held : heldAt(found.remote)) {
      const std::string lock = held.substr(0, held.rfind('`') + 1);
      if (out_.cure.empty() && (!holds(found.first, lock) || !holds(found.last, lock)))
        out_.cure = "hold " + lock + " " + stretchText(found.first, found.last);
    }
  }

  /// `lock`: its name between backquotes, for reading or writing.
  bool holds(NodeId node, const std::string& lock) const {
    const std::vector<std::string> held = heldAt(node);
    return std::any_of(held.begin(), held.end(),
                       [&](const std::string& one) { return one.starts_with(lock); });
  }

  /// "at line 5 in f", "from line 5 in f to line 9 in g"
  std::string stretchText(NodeId first, NodeId last) const {
    const auto at = [&](NodeId node) {
      return "line " + std::to_string(view_.place(node).line) + " in " + view_.place(node).function;
    };
    if (at(first) == at(last)) return "at " + at(first);
    if (view_.place(first).function == view_.place(last).function)
      return "from line " + std::to_string(view_.place(first).line) + " to " + at(last);
    return "from " + at(first) + " to " + at(last);
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
      waits.push_back(waitText(node));
    }
    out_.claim = joined(waits);
    for (const NodeId node : failure_.nodes) out_.claim += signalStory(node);
    if (locks && mutexes.size() > 1) out_.pattern = "lock-order cycle";
    if (!failure_.cores.empty() && failure_.cores.front().orderings.empty())
      out_.facts.push_back({view_.place(failure_.nodes.front()),
                            "it happens on every schedule: no order of the threads is to blame"});
    for (const NodeId node : failure_.nodes) missedSignal(node);
    for (const NodeId node : failure_.nodes)
      for (const NodeId lock : forest()[node].held)
        out_.facts.push_back({view_.place(lock), view_.action(lock) + " here and still holds it"});
  }

  /// "T1 holds `a` and waits for `b` (line 9)", or whom it waits for in vain.
  std::string waitText(NodeId node) const {
    const Node& n = forest()[node];
    const std::string name = "`" + view_.object(node) + "`";
    const std::string kind = n.rule ? std::string(n.rule->object) + " " : "";
    const NodeId kept =
        acquires(n) ? keptLock(forest(), failure_.execution.order, n.cells[0].location) : kNone;
    if (kept != kNone)
      return view_.thread(kept) + " ends without releasing " + kind + name + ", taken at line " +
             std::to_string(view_.place(kept).line) + ", and " + view_.thread(node) + " waits for it" +
             lineText(view_, node);
    const std::vector<std::string> held = heldAt(node);
    return view_.thread(node) + (held.empty() ? "" : " holds " + joined(held) + " and") + " waits for " +
           (n.event == EventKind::Join   ? "the end of " + view_.object(node)
            : n.event == EventKind::Wake ? "a signal of " + name
                                         : kind + name) +
           lineText(view_, node);
  }

  /// What became of the last signal that the thread might have been woken by.
  std::string signalStory(NodeId wake) const {
    if (forest()[wake].event != EventKind::Wake) return "";
    NodeId early = kNone, late = kNone;
    bool waits = false;
    for (const NodeId node : failure_.execution.order) {
      waits |= node == forest()[wake].acquire;
      const Node& n = forest()[node];
      const bool isSignal = n.event == EventKind::Signal || n.event == EventKind::Broadcast;
      if (isSignal && cellAt(n, forest()[wake].cells[0].location)) (waits ? late : early) = node;
    }
    if (late != kNone)
      return "; " + view_.thread(late) + "'s signal" + lineText(view_, late) +
             " woke another thread, and only one";
    if (early == kNone) return "; nobody signals it";
    return "; " + view_.thread(early) + "'s signal" + lineText(view_, early) +
           " came before it had begun to wait";
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
    const std::vector<std::string> one = heldAt(first), other = heldAt(second);
    // Who holds a lock there means it to guard this.
    if (one.empty() != other.empty()) {
      const NodeId bare = one.empty() ? first : second, guarded = one.empty() ? second : first;
      const std::string locks = joined(one.empty() ? other : one);
      out_.claim = view_.action(bare) + lineText(view_, bare) + " without " + locks + ", under which " +
                   view_.action(guarded) + lineText(view_, guarded);
      out_.cure = "hold " + locks + " " + stretchText(bare, bare) + " as well";
    }
    if (one.empty() && other.empty()) {
      out_.facts.push_back({view_.place(first),
                            "neither holds a lock, and no create or join puts one before the other: either "
                            "can come first, or both at once"});
    } else {
      for (const NodeId node : {first, second}) holding(node);
      if (one.empty() != other.empty()) {
        const NodeId bare = one.empty() ? first : second;
        out_.facts.push_back({view_.place(bare), view_.thread(bare) + " would have to hold " +
                                                     joined(one.empty() ? other : one) + " here as well"});
      } else {
        out_.facts.push_back(
            {view_.place(first), one == other ? "held like this they do not exclude each other"
                                              : "the locks are different ones, so they exclude nothing"});
      }
      out_.facts.push_back({view_.place(first), "no create or join puts one before the other"});
    }
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

  void holding(NodeId node) {
    const std::vector<std::string> held = heldAt(node);
    out_.facts.push_back(
        {view_.place(node), view_.action(node) + " holding " + (held.empty() ? "no lock" : joined(held))});
  }

  /// Which lock some of the accesses hold and others do not.
  void missingLocks(const std::vector<NodeId>& accesses) {
    const bool noLocks =
        std::all_of(accesses.begin(), accesses.end(), [&](NodeId node) { return heldAt(node).empty(); });
    if (noLocks) {
      out_.facts.push_back({view_.place(accesses.front()), "none of the three accesses holds a lock"});
      return;
    }
    for (const NodeId node : accesses) holding(node);
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
    if (failure_.kind != DiagnosisSubject::Kind::Race) addChanges(end, locations, kept);
    for (const NodeId node : failure_.nodes)
      for (const NodeId lock : forest()[node].held)
        for (size_t i = 0; i < order.size(); ++i)
          if (order[i] == lock) kept.insert(i);
    const bool ofRace = failure_.kind == DiagnosisSubject::Kind::Race;
    for (const size_t i : kept)
      if (i < end && i < all.size() && (ofRace || !failure_.execution.trace[i].isHidden))
        out_.steps.push_back(all[i]);
    if (failure_.kind == DiagnosisSubject::Kind::Failure && end < order.size())
      out_.steps.push_back({view_.thread(order[end]), finding_.place, finding_.message});
    if (failure_.kind == DiagnosisSubject::Kind::Deadlock)
      for (const NodeId node : failure_.nodes)
        out_.steps.push_back({view_.thread(node), view_.place(node), "waits for " + view_.object(node)});
  }

  /// What else changed the same data up to the failure, the claim's accesses, and what the failing thread saw
  /// last.
  void addChanges(size_t end, const std::set<LocationId>& locations, std::set<size_t>& kept) const {
    const std::vector<NodeId>& order = failure_.execution.order;
    std::map<LocationId, size_t> lastSeen;
    const ThreadId failing = failure_.nodes.empty() ? kNone : forest()[failure_.nodes.front()].thread;
    for (size_t i = 0; i < order.size() && i < end; ++i) {
      if (interruption_ && (order[i] == interruption_->first || order[i] == interruption_->remote ||
                            order[i] == interruption_->last))
        kept.insert(i);
      if (!isData(order[i])) continue;
      const Node& n = forest()[order[i]];
      for (const NodeCell& cell : n.cells) {
        if (!locations.count(cell.location)) continue;
        if (isMemoryWrite(n)) kept.insert(i);
        if (n.thread == failing) lastSeen[cell.location] = i;
      }
    }
    for (const auto& [location, i] : lastSeen) kept.insert(i);
  }

  bool isData(NodeId node) const { return isMemoryAccess(forest()[node]); }

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

  /// The locks that the thread has there, quoted: mutexes, and read-write locks with what they are held for.
  std::vector<std::string> heldAt(NodeId node) const {
    std::vector<std::string> names;
    for (const std::string& name : view_.heldLocks(node)) names.push_back("`" + name + "`");
    std::map<LocationId, std::string> readWrite;
    for (const NodeId before : failure_.execution.order) {
      if (before == node) break;
      const Node& n = forest()[before];
      if (n.thread != forest()[node].thread || !n.rule || n.cells.empty()) continue;
      const std::string name = "`" + view_.object(before) + "`";
      if (isRule(n, "read-write lock", "read-lock")) readWrite[n.cells[0].location] = name + " for reading";
      if (isRule(n, "read-write lock", "write-lock")) readWrite[n.cells[0].location] = name + " for writing";
      if (releases(n)) readWrite.erase(n.cells[0].location);
    }
    for (const auto& [location, name] : readWrite) names.push_back(name);
    return names;
  }

  const SourceView& view_;
  const SourceEvents& events_;
  const ExplainedFailure& failure_;
  Finding& finding_;
  Explanation& out_;
  std::optional<Interruption> interruption_;
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
  // Where a thread passes a place more than once, which time is meant.
  std::map<std::tuple<ThreadId, PlaceId, EventKind>, std::set<uint32_t>> times;
  for (const Ordering& o : orderings)
    for (const SourceEventId id : {o.before, o.after})
      times[{events[id].thread, events[id].place, events[id].kind}].insert(events[id].ordinal);
  const auto action = [&](SourceEventId id) {
    const SourceEvent& event = events[id];
    const std::string text = view.action(nodeOf(id));
    if (times[{event.thread, event.place, event.kind}].size() < 2) return text;
    return text + " for the " + ordinalText(event.ordinal + 1) + " time";
  };
  std::vector<OrderingFact> facts;
  for (const Ordering& o : orderings) {
    const NodeId before = nodeOf(o.before), after = nodeOf(o.after);
    facts.push_back({view.place(before), view.thread(before), view.place(after), view.thread(after),
                     action(o.before) + " before " + action(o.after)});
  }
  return facts;
}

}  // namespace heddle
