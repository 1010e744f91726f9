// How a search of joint states expands what waits: one state, or batches ahead of what is taken over.
#include <algorithm>

#include "analysis/explore/states/state_searcher.h"

namespace heddle {

namespace {

// States that are expanded ahead: so many that starting workers costs little, so few that a run that teaches
// something new makes few expansions useless.
constexpr size_t kBatch = 1'024;
constexpr size_t kTurn = 32;    // states that a worker takes at a time
constexpr size_t kFetched = 4;  // states between looking for a place in the table and needing it

}  // namespace

/// Until everything is visited, refused or void.
void StateSearch::Searcher::search() {
  while (!waiting_.empty() && !isOver() && !isTooStale()) {
    if (ahead_.states.empty()) lookAhead(0);
    if (ahead_.states.empty())
      expandFirst();
    else
      expandBatch();
  }
  turns_.pause();
  if (ahead_.states.empty()) return;
  ahead_.states.clear();
  for (Expander& expander : expanders_) expander.forget();
}

size_t StateSearch::Searcher::Batch::newChildren() const {
  size_t count = 0;
  for (size_t i = 0; i < states.size(); ++i)
    for (const Expansion::Child& child : expansions[i].children) count += child.number == kNone;
  return count;
}

/// Gives those that came before their numbers. False: some was not visited after all.
bool StateSearch::Searcher::numberOld(Expansion& expansion) const {
  for (Expansion::Child& child : expansion.children) {
    if (!child.cameBefore()) continue;
    const std::optional<uint32_t> number = learned_.numbers.find(child.key);
    if (!number) return false;
    child.number = *number;
  }
  return true;
}

void StateSearch::Searcher::expandFirst() {
  if (!mayGoOn()) return;
  if (batch_.expansions.empty()) batch_.expansions.resize(1);
  Expansion& expansion = batch_.expansions.front();
  expanders_.front().expand(waiting_.front().bytes, expansion);
  if (takeOver(expansion)) waiting_.pop();
}

void StateSearch::Searcher::lookAhead(size_t skipped) {
  const size_t count = std::min(waiting_.size() - skipped, kBatch);
  if (expanders_.size() == 1 || count < leastAhead_) return;
  ahead_.states.clear();
  for (size_t i = 0; i < count; ++i) ahead_.states.push_back(waiting_[skipped + i]);
  ahead_.expansions.resize(std::max(ahead_.expansions.size(), count));
  ahead_.contested = records_.contested();
  turns_.begin((count + kTurn - 1) / kTurn, [this, count](unsigned worker, size_t turn) {
    for (size_t i = turn * kTurn; i < std::min(count, (turn + 1) * kTurn); ++i)
      expanders_[worker].expandAhead(ahead_.states[i].bytes, ahead_.expansions[i]);
  });
}

void StateSearch::Searcher::expandBatch() {
  turns_.finish();
  std::swap(batch_, ahead_);
  ahead_.states.clear();
  learned_.numbers.makeRoom(batch_.newChildren());
  lookAhead(batch_.states.size());
  for (size_t i = 0; i < batch_.states.size() && !isOver() && !isTooStale(); ++i) {
    if (!mayGoOn()) return;
    Expansion& expansion = batch_.expansions[i];
    if (i + kFetched < batch_.states.size())
      for (const Expansion::Child& child : batch_.expansions[i + kFetched].children)
        learned_.numbers.fetch(child.key);
    // What was kept apart when it was made need not be any more, and what was lacking may be known by now.
    if (!expansion.isKnown() || records_.contested() != batch_.contested || !numberOld(expansion)) {
      turns_.pause();
      expanders_.front().expand(waiting_.front().bytes, expansion);
    }
    if (!takeOver(expansion)) return;  // expanded in full, when the search goes on
    waiting_.pop();
  }
}

}  // namespace heddle
