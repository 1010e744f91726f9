#include "analysis/explore/weak/decision_tree.h"

#include <algorithm>

#include "analysis/interp/weak/axioms.h"

namespace heddle {

void DecisionTree::Written::add(LocationId location, ThreadId thread) {
  const auto [known, isNew] = byThread.try_emplace(location, thread);
  if (!isNew && known->second != thread) known->second = kNone;
}

void DecisionTree::Written::add(const Written& other) {
  isAnything |= other.isAnything;
  for (const auto& [location, thread] : other.byThread) add(location, thread);
}

bool DecisionTree::Written::hasOther(LocationId location, ThreadId thread) const {
  const auto known = byThread.find(location);
  return isAnything || (known != byThread.end() && known->second != thread);
}

void DecisionTree::beginRun(GraphModel& model) {
  model_ = &model;
  depth_ = 0;
  known_ = PathConditions::kAny;
  schedule_ = {};
  schedule_.model = kind_;
  covered_.clear();
  asked_.clear();
  writes_.clear();
  end_ = {};
  isPruned_ = false;
}

void DecisionTree::endRun(bool isWhole) {
  // What follows a graph that was seen is known.
  end_.isAnything |= !isWhole && !isPruned_;
}

void DecisionTree::learn() {
  Written behind = end_;
  for (size_t i = decisions_.size(), write = writes_.size(); i-- > 0;) {
    while (write > 0 && writes_[write - 1].depth > i) {
      --write;
      behind.add(writes_[write].location, writes_[write].thread);
    }
    Decision& decision = decisions_[i];
    if (decision.kind != Decision::Kind::Step) continue;
    if (decision.isLazy && behind.hasOther(decision.location, decision.threads.front())) {
      decision.isLazy = false;
      decision.ways = decision.threads.size();
    }
    decision.behind.add(behind);
  }
}

bool DecisionTree::moveOn(Decision& decision) {
  if (decision.kind != Decision::Kind::Fork) {
    inputs_ = conditions_.inputs(decision.conditions);
    return ++decision.at < decision.ways;
  }
  const unsigned width = terms_.width(decision.term);
  const Term had =
      width == 1 ? decision.term : terms_.eq(decision.term, terms_.constant(decision.value, width));
  const uint64_t other = width == 1 ? decision.value ^ 1 : 0;
  const std::optional<ConditionId> rest = conditions_.with(decision.rest, had, other, budget_);
  if (!rest) return false;
  decision.rest = *rest;
  inputs_ = conditions_.inputs(*rest);
  decision.value = terms_.evaluate(decision.term, inputs_) & widthMask(width);
  return true;
}

bool DecisionTree::advance() {
  learn();
  while (!decisions_.empty() && problem().empty() && !moveOn(decisions_.back())) {
    Decision& last = decisions_.back();
    if (last.kind == Decision::Kind::Step) visited_[last.key] = std::move(last.behind);
    decisions_.pop_back();
  }
  return !decisions_.empty() && problem().empty();
}

void DecisionTree::restart() {
  decisions_.clear();
  visited_.clear();
  inputs_.clear();
}

std::optional<ThreadId> DecisionTree::next(std::span<const Event* const> enabled) {
  if (!problem().empty()) return std::nullopt;
  for (const Event* event : enabled)
    if (commutes(*event)) return take(*event);
  if (depth_ == decisions_.size()) {
    Decision decision;
    decision.kind = Decision::Kind::Step;
    decision.key = model_->key();
    Written unknown;
    unknown.isAnything = true;
    const auto [known, isNew] = visited_.try_emplace(decision.key, std::move(unknown));
    if (!isNew) {
      isPruned_ = true;
      end_ = known->second;
      return std::nullopt;
    }
    decision.conditions = known_;
    for (const Event* event : enabled) decision.threads.push_back(event->thread);
    decision.ways = decision.threads.size();
    const bool hasSection =
        std::any_of(enabled.begin(), enabled.end(), [](const Event* event) { return event->section != 0; });
    const auto first = std::find_if(enabled.begin(), enabled.end(),
                                    [&](const Event* event) { return openRead(*event) != kNone; });
    if (readsFirst_ && !hasSection && first != enabled.end() && enabled.size() > 1) {
      decision.isLazy = true;
      decision.location = openRead(**first);
      decision.ways = 1;
      std::swap(decision.threads.front(), decision.threads[static_cast<size_t>(first - enabled.begin())]);
    }
    decisions_.push_back(std::move(decision));
  }
  const Decision& decision = decisions_[depth_++];
  for (const Event* event : enabled)
    if (event->thread == decision.threads[decision.at]) return take(*event);
  return std::nullopt;
}

size_t DecisionTree::choose(const Event& event, std::span<const WriteChoice> writes) {
  if (writes.size() == 1) return 0;
  const size_t at = way(writes.size());
  if (at == 0) return 0;
  const WriteChoice& write = writes[at];
  const std::string source = write.thread == kNone ? "" : names_.label(write.thread);
  schedule_.writes[{names_.label(event.thread), event.operation}] = {source, write.operation};
  return at;
}

size_t DecisionTree::way(size_t ways) {
  if (depth_ == decisions_.size()) {
    Decision decision;
    decision.conditions = known_;
    decision.ways = ways;
    decisions_.push_back(std::move(decision));
  }
  return decisions_[depth_++].at;
}

void DecisionTree::note(const InputRequest& request, uint64_t bits) {
  const bool isNegative = request.isSigned && request.width > 1;
  schedule_.inputs[inputLabel(names_.label(request.thread), request.memoryOperation)].push_back(
      isNegative ? signExtend(bits, request.width) : static_cast<int64_t>(bits));
}

Value DecisionTree::input(const InputRequest& request) {
  Value value;
  if (request.width == 1) {
    value.bits = way(2);
  } else {
    Term& symbol = symbols_[{request.thread, asked_[request.thread]++, request.width}];
    if (symbol == kNoTerm) symbol = terms_.symbol(request.width);
    value = {terms_.evaluate(symbol, inputs_), symbol};
  }
  note(request, value.bits);
  return value;
}

void DecisionTree::fork(ThreadId thread, Term term, uint64_t bits) {
  bits &= widthMask(terms_.width(term));
  model_->forked(thread, bits);
  const std::optional<ConditionId> side = conditions_.with(known_, term, bits, budget_);
  // No side, or one that was sure anyway: there is nothing to decide.
  if (!side || *side == known_) return;
  if (depth_ == decisions_.size()) {
    Decision decision;
    decision.kind = Decision::Kind::Fork;
    decision.conditions = decision.rest = known_;
    decision.term = term;
    decision.value = bits;
    decisions_.push_back(std::move(decision));
  }
  ++depth_;
  known_ = *side;
}

bool DecisionTree::commutes(const Event& event) const {
  switch (event.kind) {
    case EventKind::Start:
    case EventKind::End:
    case EventKind::Create:
    case EventKind::Join:
      return true;
    case EventKind::Write:
      // Reads of others choose among all writes, whenever they come.
      if (readsFirst_ && model_->isOpen(event) && event.section == 0) return true;
      [[fallthrough]];
    case EventKind::Read:
      return !Axioms::of(kind_).coversPlainAccesses() && !event.atomic && !event.rule && event.section == 0 &&
             model_->isOfProgram(event);
    default:
      return false;
  }
}

LocationId DecisionTree::openRead(const Event& event) const {
  const bool reads = event.kind == EventKind::Read || event.kind == EventKind::Update;
  return reads && event.cells.size() == 1 && model_->isOpen(event) ? event.cells.front() : kNone;
}

ThreadId DecisionTree::take(const Event& event) {
  if (event.kind == EventKind::Write || event.kind == EventKind::Update)
    for (const LocationId cell : event.cells) writes_.push_back({depth_, cell, event.thread});
  uint64_t& covered = covered_[event.thread];
  const uint64_t added = event.operation - covered;
  covered = event.operation;
  const std::string label = names_.label(event.thread);
  if (!schedule_.segments.empty() && schedule_.segments.back().thread == label)
    schedule_.segments.back().operations += added;
  else
    schedule_.segments.push_back({label, added});
  return event.thread;
}

}  // namespace heddle
