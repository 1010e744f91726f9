#include "analysis/diagnose/regions.h"

#include <algorithm>
#include <map>

namespace heddle {

namespace {

void addSymbols(const TermTable& terms, Term term, std::set<Term>& seen, std::set<Term>& symbols) {
  if (term == kNoTerm || !seen.insert(term).second) return;
  const TermNode& n = terms.node(term);
  if (n.op == TermOp::Symbol) symbols.insert(term);
  for (const Term part : {n.a, n.b, n.c}) addSymbols(terms, part, seen, symbols);
}

class RegionFinder {
 public:
  RegionFinder(Runner& runner, ObjectId object) : runner_(runner), object_(object) {}

  bool touches(const Node& n) const {
    return std::any_of(n.cells.begin(), n.cells.end(), [&](const NodeCell& cell) {
      return runner_.locations().cell(cell.location).object == object_;
    });
  }

  /// From the first access that the write depends on to the write.
  Region endingAt(NodeId write) const {
    const Forest& forest = runner_.forest();
    std::set<Term> seen, symbols;
    for (const NodeCell& cell : forest[write].cells) addSymbols(runner_.terms(), cell.value, seen, symbols);
    Region accesses{write};
    size_t used = 1;
    for (NodeId node = forest[write].parent; node != kNone; node = forest[node].parent) {
      const Node& n = forest[node];
      // Whether the write happens depends on the condition (or address) that led here.
      if (n.kind == NodeKind::Branch || n.kind == NodeKind::Choice)
        addSymbols(runner_.terms(), n.term, seen, symbols);
      if (n.kind != NodeKind::Event || (!isMemoryRead(n) && !isMemoryWrite(n)) || !touches(n)) continue;
      // What the thread has written itself before is another operation.
      if (isMemoryWrite(n)) break;
      accesses.push_back(node);
      const bool needed = std::any_of(n.cells.begin(), n.cells.end(), [&](const NodeCell& cell) {
        return cell.symbol != kNoTerm && symbols.count(cell.symbol);
      });
      if (needed) used = accesses.size();
    }
    accesses.resize(used);
    std::reverse(accesses.begin(), accesses.end());
    return accesses;
  }

 private:
  Runner& runner_;
  ObjectId object_;
};

std::vector<PlaceId> placesOf(const Forest& forest, const Region& region) {
  std::vector<PlaceId> places;
  for (const NodeId node : region) places.push_back(forest[node].place);
  return places;
}

}  // namespace

std::vector<Region> regionsOf(Runner& runner, const Precedence& precedence, ObjectId object) {
  const Forest& forest = runner.forest();
  const RegionFinder finder(runner, object);
  std::map<std::vector<PlaceId>, Region> byPlaces;
  const std::vector<NodeId> accesses = executedAccesses(forest);
  std::set<NodeId> inRegion;
  std::vector<NodeId> reads;
  for (NodeId id = 0; id < forest.size(); ++id) {
    const Node& n = forest[id];
    if (n.kind != NodeKind::Event || !n.executed || !finder.touches(n)) continue;
    if (!meetsOthers(forest, precedence, accesses, id)) continue;
    if (isMemoryWrite(n)) {
      Region region = finder.endingAt(id);
      inRegion.insert(region.begin(), region.end());
      byPlaces.try_emplace(placesOf(forest, region), std::move(region));
    } else if (isMemoryRead(n)) {
      reads.push_back(id);
    }
  }
  std::set<PlaceId> covered;
  for (const NodeId node : inRegion) covered.insert(forest[node].place);
  for (const NodeId read : reads)
    if (!covered.count(forest[read].place)) byPlaces.try_emplace({forest[read].place}, Region{read});
  std::vector<Region> regions;
  for (auto& [places, region] : byPlaces) regions.push_back(std::move(region));
  dropContained(forest, regions);
  return regions;
}

void dropContained(const Forest& forest, std::vector<Region>& regions) {
  std::vector<std::set<PlaceId>> places;
  for (const Region& region : regions) {
    const std::vector<PlaceId> list = placesOf(forest, region);
    places.emplace_back(list.begin(), list.end());
  }
  std::vector<Region> kept;
  for (size_t i = 0; i < regions.size(); ++i) {
    bool contained = false;
    for (size_t j = 0; j < regions.size() && !contained; ++j) {
      if (i == j || !std::includes(places[j].begin(), places[j].end(), places[i].begin(), places[i].end()))
        continue;
      // Of equal ones the first stays.
      contained = places[i].size() < places[j].size() || j < i;
    }
    if (!contained) kept.push_back(regions[i]);
  }
  regions = std::move(kept);
}

bool isReadModifyWrite(const Forest& forest, const Region& region, const Program& program) {
  if (region.size() != 2) return false;
  const Node& read = forest[region[0]];
  const Node& write = forest[region[1]];
  if (read.event != EventKind::Read || write.event != EventKind::Write || read.cells.size() != 1 ||
      write.cells.size() != 1 || read.cells[0].location != write.cells[0].location)
    return false;
  const Place& from = program.place(read.place);
  const Place& to = program.place(write.place);
  return from.line == to.line && from.file == to.file;
}

}  // namespace heddle
