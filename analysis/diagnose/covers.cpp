#include "analysis/diagnose/covers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace heddle {

namespace {

std::vector<SourceEventId> mentionedBy(const std::vector<Core>& cores) {
  std::set<SourceEventId> mentioned;
  for (const Core& core : cores)
    for (const Ordering& o : core.orderings) mentioned.insert({o.before, o.after});
  return {mentioned.begin(), mentioned.end()};
}

}  // namespace

CoverSearch::CoverSearch(const Forest& forest, const SourceEvents& events, const Precedence& precedence,
                         const std::vector<Core>& cores)
    : forest_(forest),
      events_(events),
      precedence_(precedence),
      cores_(cores),
      universe_(mentionedBy(cores)),
      program_(universe_.size()) {
  const size_t n = universe_.size();
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      if (i != j && programOrder(universe_[i], universe_[j])) program_.add(i, j);
  for (const Core& core : cores) {
    Reachability& graph = graphs_.emplace_back(program_);
    for (const Ordering& o : core.orderings) graph.add(number(o.before), number(o.after));
  }
}

bool CoverSearch::programOrder(SourceEventId a, SourceEventId b) const {
  for (const NodeId x : events_[a].nodes)
    for (const NodeId y : events_[b].nodes)
      if (precedence_.always(x, y)) return true;
  return false;
}

size_t CoverSearch::number(SourceEventId id) const {
  return static_cast<size_t>(std::lower_bound(universe_.begin(), universe_.end(), id) - universe_.begin());
}

bool CoverSearch::cyclic(const Reachability& base, const std::vector<Ordering>& added) const {
  if (added.size() == 1) return base.leads(number(added[0].after), number(added[0].before));
  Reachability graph = base;
  for (const Ordering& o : added) graph.add(number(o.before), number(o.after));
  return graph.isCyclic();
}

std::vector<Ordering> CoverSearch::killSet(size_t core) const {
  std::set<SourceEventId> happens;
  for (const NodeId node : cores_[core].failing.order) happens.insert(events_.of(node));
  for (const NodeId node : cores_[core].failing.blocked) happens.insert(events_.of(node));
  std::vector<Ordering> killers;
  for (size_t u = 0; u < universe_.size(); ++u)
    for (size_t v = 0; v < universe_.size(); ++v) {
      if (events_[universe_[u]].thread == events_[universe_[v]].thread || !graphs_[core].leads(v, u))
        continue;
      // The program itself already says the contrary.
      if (program_.leads(v, u)) continue;
      if (happens.count(universe_[u]) && happens.count(universe_[v]))
        killers.push_back({universe_[u], universe_[v]});
    }
  return killers;
}

CoverSet CoverSearch::run(const CoverOptions& options, const Budget& budget) {
  for (size_t core = 0; core < cores_.size(); ++core) result_.killSets.push_back(killSet(core));
  result_.exclusive = composite();
  uniform();
  std::vector<Ordering> chosen;
  for (uint32_t size = 1; size <= options.maxOrderings && !cut_; ++size)
    search(chosen, size, options, budget);
  result_.complete = !cut_;
  if (cut_ || result_.covers.empty()) greedy(options, budget);
  return std::move(result_);
}

void CoverSearch::greedy(const CoverOptions& options, const Budget& budget) {
  const auto fewest = std::min_element(result_.killSets.begin(), result_.killSets.end(),
                                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  const size_t exact = result_.covers.size();
  uint32_t starts = 0;
  for (const Ordering& first : *fewest) {
    if (result_.covers.size() - exact >= options.maxApproximate || ++starts > 4 * options.maxApproximate ||
        budget.check() != StopReason::None)
      break;
    const std::vector<Ordering> chosen = greedyFrom(first);
    if (!chosen.empty()) keep(chosen);
  }
  result_.approximate = static_cast<uint32_t>(result_.covers.size() - exact);
}

std::vector<Ordering> CoverSearch::greedyFrom(const Ordering& first) const {
  std::vector<Ordering> chosen;
  Reachability program = program_;
  std::vector<Reachability> open = graphs_;  // of the cores that are left, with what was chosen
  std::vector<size_t> left(cores_.size());
  for (size_t core = 0; core < left.size(); ++core) left[core] = core;
  const auto closes = [&](const Reachability& graph, const Ordering& o) {
    return graph.leads(number(o.after), number(o.before));
  };
  std::optional<Ordering> next = first;
  while (next && !closes(program, *next)) {
    chosen.push_back(*next);
    program.add(number(next->before), number(next->after));
    std::erase_if(left, [&](size_t core) {
      open[core].add(number(next->before), number(next->after));
      return open[core].isCyclic();
    });
    if (left.empty()) {
      reduce(chosen);
      return chosen;
    }
    next.reset();
    size_t most = 0;
    for (const size_t core : left)
      for (const Ordering& killer : result_.killSets[core]) {
        if (closes(program, killer)) continue;
        const auto closed = static_cast<size_t>(std::count_if(
            left.begin(), left.end(), [&](size_t other) { return closes(open[other], killer); }));
        if (closed <= most) continue;
        most = closed;
        next = killer;
      }
  }
  return {};
}

void CoverSearch::reduce(std::vector<Ordering>& chosen) const {
  for (size_t i = 0; i < chosen.size() && chosen.size() > 1;) {
    std::vector<Ordering> fewer = chosen;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (coversAll(fewer))
      chosen = std::move(fewer);
    else
      ++i;
  }
}

void CoverSearch::search(std::vector<Ordering>& chosen, uint32_t size, const CoverOptions& options,
                         const Budget& budget) {
  if (++steps_ > options.maxSteps || result_.covers.size() >= options.maxCovers ||
      budget.check() != StopReason::None)
    cut_ = true;
  if (cut_) return;
  // The core with the fewest killers left to choose from decides.
  std::optional<size_t> open;
  for (size_t core = 0; core < cores_.size(); ++core)
    if ((!open || result_.killSets[core].size() < result_.killSets[*open].size()) &&
        (chosen.empty() || !cyclic(graphs_[core], chosen)))
      open = core;
  if (!open) {
    if (chosen.size() == size) keep(chosen);
    return;
  }
  if (chosen.size() == size) return;
  for (const Ordering& killer : result_.killSets[*open]) {
    chosen.push_back(killer);
    if (!cyclic(program_, chosen)) search(chosen, size, options, budget);
    chosen.pop_back();
  }
}

bool CoverSearch::coversAll(const std::vector<Ordering>& chosen) const {
  return std::all_of(graphs_.begin(), graphs_.end(),
                     [&](const Reachability& graph) { return cyclic(graph, chosen); });
}

void CoverSearch::uniform() {
  using Operation = std::pair<PlaceId, EventKind>;
  const auto operation = [&](SourceEventId id) { return Operation(events_[id].place, events_[id].kind); };
  std::map<std::pair<Operation, Operation>, std::set<Ordering>> byText;
  for (const std::vector<Ordering>& killers : result_.killSets)
    for (const Ordering& killer : killers)
      byText[{operation(killer.before), operation(killer.after)}].insert(killer);
  for (const auto& [text, orderings] : byText) {
    std::vector<Ordering> chosen(orderings.begin(), orderings.end());
    if (chosen.empty() || cyclic(program_, chosen) || !coversAll(chosen)) continue;
    reduce(chosen);
    keep(chosen);
  }
}

void CoverSearch::keep(const std::vector<Ordering>& chosen) {
  std::vector<Ordering> sorted = chosen;
  std::sort(sorted.begin(), sorted.end());
  for (const Cover& cover : result_.covers)
    if (std::includes(sorted.begin(), sorted.end(), cover.orderings.begin(), cover.orderings.end())) return;
  result_.covers.push_back({std::move(sorted)});
}

size_t CoverSearch::length(const Stretch& stretch, const Core& core) const {
  const ThreadId thread = events_[stretch.first].thread;
  size_t length = 0;
  bool inside = false;
  for (const NodeId node : core.failing.order) {
    if (forest_[node].thread != thread) continue;
    inside |= events_.of(node) == stretch.first;
    length += inside ? 1 : 0;
    if (events_.of(node) == stretch.last) break;
  }
  return length;
}

void CoverSearch::join(std::vector<Stretch>& stretches, const Stretch& added) const {
  const auto notAfter = [&](SourceEventId a, SourceEventId b) {
    return a == b || program_.leads(number(a), number(b));
  };
  Stretch joined = added;
  for (size_t i = 0; i < stretches.size();) {
    const Stretch& s = stretches[i];
    const bool meets = events_[s.first].thread == events_[joined.first].thread &&
                       notAfter(s.first, joined.last) && notAfter(joined.first, s.last);
    if (!meets) {
      ++i;
      continue;
    }
    if (notAfter(s.first, joined.first)) joined.first = s.first;
    if (notAfter(joined.last, s.last)) joined.last = s.last;
    stretches.erase(stretches.begin() + static_cast<std::ptrdiff_t>(i));
    i = 0;
  }
  stretches.push_back(joined);
}

std::vector<Stretch> CoverSearch::composite() const {
  std::vector<Stretch> stretches;
  for (size_t core = 0; core < cores_.size(); ++core) {
    const std::vector<Ordering>& killers = result_.killSets[core];
    std::optional<std::pair<Stretch, Stretch>> best;
    size_t bestLength = 0;
    for (const Ordering& there : killers)
      for (const Ordering& back : killers) {
        if (events_[there.before].thread != events_[back.after].thread ||
            events_[there.after].thread != events_[back.before].thread)
          continue;
        const Stretch one{back.after, there.before}, other{there.after, back.before};
        const auto runs = [&](const Stretch& s) {
          return s.first == s.last || program_.leads(number(s.first), number(s.last));
        };
        if (!runs(one) || !runs(other)) continue;
        const size_t size = length(one, cores_[core]) + length(other, cores_[core]);
        if (best && size >= bestLength) continue;
        best = {one, other};
        bestLength = size;
      }
    if (!best) return {};
    join(stretches, best->first);
    join(stretches, best->second);
  }
  std::sort(stretches.begin(), stretches.end());
  return stretches;
}

}  // namespace heddle
