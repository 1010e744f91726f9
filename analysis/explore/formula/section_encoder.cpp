#include "analysis/explore/formula/section_encoder.h"

namespace heddle {

void SectionEncoder::encode(NodeId first) {
  const Lit on = nodes_.on(first);
  const ThreadId thread = forest_[first].thread;
  if (thread >= threads_.size()) threads_.resize(thread + 1);
  Sections& own = threads_[thread];
  Section section;
  section.done = solver_.newLit();
  solver_.guard(section.done, on);
  if (own.group == kNone) own.group = guards_.newGroup();
  section.guard = guards_.newGuard(own.group, section.done);
  solver_.addClause({-section.done, guards_.lit(section.guard)});
  sections_.emplace(first, section);
  if (own.inside == 0) {
    const Lit stays = solver_.newLit();
    for (const Sections& other : threads_)
      if (other.inside) solver_.addClause({-stays, -other.inside});
    own.inside = stays;
  }
  solver_.addClause({-on, section.done, own.inside});
}

void SectionEncoder::encodeEnd(NodeId id) {
  const Lit on = nodes_.encodeReached(id);
  guards_.grow(sections_.at(forest_[id].section).guard, on);
}

Lit SectionEncoder::done(NodeId event) const {
  const NodeId first = forest_[event].section;
  return first == kNone ? Solver::kTrue : sections_.at(first).done;
}

Lit SectionEncoder::before(NodeId a, NodeId b) {
  const Lit lit = solver_.before(nodes_.order(a), nodes_.order(b));
  if (forest_[a].section == kNone && forest_[b].section == kNone) return lit;
  if (!orders_.emplace(a, b).second) return lit;
  if (forest_[a].section != kNone) solver_.addClause({-lit, -nodes_.on(a), -nodes_.on(b), done(a)});
  if (forest_[b].section != kNone) solver_.addClause({lit, -nodes_.on(a), -nodes_.on(b), done(b)});
  return lit;
}

}  // namespace heddle
