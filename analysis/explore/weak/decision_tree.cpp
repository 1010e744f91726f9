#include "analysis/explore/weak/decision_tree.h"

namespace heddle {

void DecisionTree::beginRun(GraphModel& model) {
  model_ = &model;
  depth_ = 0;
  known_ = PathConditions::kAny;
  schedule_ = {};
  schedule_.model = kind_;
  covered_.clear();
  asked_.clear();
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
  while (!decisions_.empty() && problem().empty() && !moveOn(decisions_.back())) decisions_.pop_back();
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
    if (!visited_.insert(model_->key()).second) return std::nullopt;
    Decision decision;
    decision.kind = Decision::Kind::Step;
    decision.conditions = known_;
    for (const Event* event : enabled) decision.threads.push_back(event->thread);
    decision.ways = decision.threads.size();
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
    case EventKind::Read:
    case EventKind::Write:
      return kind_ == MemoryModelKind::C11 && !event.atomic && !event.rule && event.section == 0 &&
             model_->isOfProgram(event);
    default:
      return false;
  }
}

ThreadId DecisionTree::take(const Event& event) {
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
