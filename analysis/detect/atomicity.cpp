#include "analysis/detect/atomicity.h"

#include <algorithm>
#include <map>
#include <memory>

#include "analysis/explore/run/guided_scheduler.h"

namespace heddle {

namespace {

/// The symbols that a term mentions, up to a limit of subterms.
std::set<Term> symbolsIn(const TermTable& terms, Term term) {
  constexpr size_t kMost = 2000;
  std::set<Term> seen, symbols;
  std::vector<Term> waiting{term};
  while (!waiting.empty() && seen.size() < kMost) {
    const Term at = waiting.back();
    waiting.pop_back();
    if (at == kNoTerm || !seen.insert(at).second) continue;
    const TermNode& node = terms.node(at);
    if (node.op == TermOp::Symbol) symbols.insert(at);
    for (const Term part : {node.a, node.b, node.c}) waiting.push_back(part);
  }
  return symbols;
}

bool touches(const TraceEntry& entry, const std::vector<LocationId>& cells) {
  return std::find_first_of(entry.cells.begin(), entry.cells.end(), cells.begin(), cells.end()) !=
         entry.cells.end();
}

}  // namespace

bool showsLostUpdate(const std::vector<TraceEntry>& trace, PlaceId read, PlaceId between, PlaceId write) {
  for (size_t last = 0; last < trace.size(); ++last) {
    if (trace[last].place != write || !trace[last].wrote) continue;
    bool isWritten = false;
    for (size_t i = last; i-- > 0;) {
      const TraceEntry& entry = trace[i];
      if (!touches(entry, trace[last].cells)) continue;
      if (entry.thread != trace[last].thread) {
        isWritten |= entry.wrote && entry.place == between;
        continue;
      }
      if (isWritten && entry.place == read) return true;
      break;
    }
  }
  return false;
}

std::vector<AtomicityDetector::Pair> AtomicityDetector::pairs() const {
  Runner& runner = strategy_.runner();
  const Forest& forest = runner.forest();
  std::map<Term, std::pair<NodeId, LocationId>> readers;
  for (NodeId id = 0; id < forest.size(); ++id) {
    const Node& n = forest[id];
    if (n.kind != NodeKind::Event || n.event != EventKind::Read || n.rule || !n.executed) continue;
    for (const NodeCell& cell : n.cells)
      if (cell.symbol != kNoTerm) readers.try_emplace(cell.symbol, id, cell.location);
  }
  std::vector<Pair> found;
  for (NodeId id = 0; id < forest.size(); ++id) {
    const Node& n = forest[id];
    if (!isMemoryWrite(n) || n.rule || !n.executed) continue;
    for (const NodeCell& cell : n.cells) {
      if (cell.value == kNoTerm) continue;
      const std::set<Term> symbols = symbolsIn(runner.terms(), cell.value);
      if (cell.symbol != kNoTerm && symbols.contains(cell.symbol)) continue;
      for (const Term symbol : symbols) {
        const auto reader = readers.find(symbol);
        if (reader == readers.end() || reader->second.second != cell.location) continue;
        const Pair pair{reader->second.first, id, cell.location};
        if (forest[pair.read].thread == n.thread && !isLookedAtAgain(pair)) found.push_back(pair);
      }
    }
  }
  return found;
}

bool AtomicityDetector::isLookedAtAgain(const Pair& pair) const {
  const Forest& forest = strategy_.runner().forest();
  // Up to the read, or to where paths meet: what lies behind that is not known.
  for (NodeId at = forest[pair.write].parent; at != kNone && at != pair.read; at = forest[at].parent)
    if (isMemoryAccess(forest[at]) && cellAt(forest[at], pair.location)) return true;
  return false;
}

bool AtomicityDetector::isExcluded(const Pair& pair, NodeId between) const {
  const Forest& forest = strategy_.runner().forest();
  const Node &read = forest[pair.read], &write = forest[pair.write], &other = forest[between];
  if (other.thread == read.thread) return true;
  // The first thread waits while the handler that interrupts it runs.
  if (strategy_.runner().names().threadName(read.thread).ofSignal && other.thread == kMainThread) return true;
  if (read.section != kNone && read.section == write.section) return true;
  for (const NodeId lock : read.held) {
    if (std::find(write.held.begin(), write.held.end(), lock) == write.held.end()) continue;
    for (const NodeId others : other.held)
      if (forest[others].cells[0].location == forest[lock].cells[0].location) return true;
  }
  const Precedence& precedence = strategy_.encoder().precedence();
  return precedence.always(between, pair.read) || precedence.always(pair.write, between);
}

AtomicityDetector::Key AtomicityDetector::keyOf(const Pair& pair) const {
  Runner& runner = strategy_.runner();
  return {runner.locations().cell(pair.location).object, runner.forest()[pair.read].place,
          runner.forest()[pair.write].place};
}

void AtomicityDetector::afterwards(const std::function<bool()>& isWhole, const Budget& budget) {
  if (isWhole() && strategy_.encoder().update(budget)) ask(budget);
}

void AtomicityDetector::ask(const Budget& budget) {
  const Forest& forest = strategy_.runner().forest();
  const Budget part = budget.part(&Tuning::lostUpdates);
  std::map<LocationId, std::vector<NodeId>> writesTo;
  for (NodeId id = 0; id < forest.size(); ++id)
    if (isMemoryWrite(forest[id]) && forest[id].executed)
      for (const NodeCell& cell : forest[id].cells) writesTo[cell.location].push_back(id);
  size_t questions = 0;
  for (const Pair& pair : pairs()) {
    for (const NodeId between : writesTo[pair.location]) {
      if (forest.size() == 0 || part.check() != StopReason::None ||
          questions == budget.tuning().lostUpdateQuestions)
        break;
      if (found_.contains(keyOf(pair)) || isExcluded(pair, between)) continue;
      ++questions;
      const std::vector<Lit> literals = strategy_.encoder().races().inOrder(pair.read, between, pair.write);
      if (strategy_.query(literals, part) == Answer::Sat) confirm(pair, between, part);
    }
    if (forest.size() == 0) break;  // the exploration has restarted
  }
}

bool AtomicityDetector::confirm(const Pair& pair, NodeId between, const Budget& budget) {
  Runner& runner = strategy_.runner();
  ModelInputs inputs;
  const std::vector<NodeId> plan = strategy_.modelPlan(inputs, {});
  GuidedScheduler scheduler(runner.forest(), runner.builder(), plan, {});
  if (runner.follow(scheduler, inputs, budget) != Runner::Outcome::Merged || scheduler.diverged())
    return false;
  const std::vector<NodeId>& executed = runner.builder().executed();
  const auto read = std::find(executed.begin(), executed.end(), pair.read);
  const auto other = std::find(read, executed.end(), between);
  const auto write = std::find(other, executed.end(), pair.write);
  const std::vector<TraceEntry>& whole = runner.lastRun().trace;
  if (write == executed.end() || whole.size() != executed.size()) return false;
  const std::vector<TraceEntry> trace(whole.begin(), whole.begin() + (write - executed.begin()) + 1);
  const Forest& forest = runner.forest();
  if (!showsLostUpdate(trace, forest[pair.read].place, forest[between].place, forest[pair.write].place))
    return false;
  found_.insert(keyOf(pair));
  report_({pair.read, between, pair.write, pair.location,
           scheduleOf(runner.names(), trace, trace.size(), runner.lastRun().inputs), runner.lastRun().inputs,
           trace});
  return true;
}

}  // namespace heddle
