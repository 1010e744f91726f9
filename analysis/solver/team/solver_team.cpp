#include "analysis/solver/team/solver_team.h"

#include <atomic>
#include <optional>
#include <thread>

#include "analysis/solver/team/clause_exchange.h"

namespace heddle {

namespace {

/// The helpers of one question.
class Helpers {
 public:
  Helpers(const SatBackend& first, unsigned count, std::span<const Lit> assumptions, const Budget& budget,
          uint64_t slice)
      : exchange_(count + 1) {
    for (unsigned i = 1; i <= count; ++i) copies_.push_back(first.clone(i));
    for (unsigned i = 0; i < count; ++i)
      threads_.emplace_back(
          [this, i, slice, budget, assumptions = std::vector<Lit>(assumptions.begin(), assumptions.end())] {
            SatBackend& copy = *copies_[i];
            copy.pauseAfter(slice, [&] {
              exchange_.give(i + 1, copy.takeGoodClauses());
              copy.learnFrom(exchange_.take(i + 1));
              return !over_.load(std::memory_order_relaxed);
            });
            if (copy.check(assumptions, budget) != Answer::Unsat) return;
            const std::lock_guard lock(mutex_);
            if (!core_) core_ = copy.core();
            over_ = true;
          });
  }
  ~Helpers() { over_ = true; }

  void give(std::vector<SharedClause> clauses) { exchange_.give(0, std::move(clauses)); }
  bool over() const { return over_.load(std::memory_order_relaxed); }
  /// The core of a proof, if there is one.
  std::optional<std::vector<Lit>> core() {
    const std::lock_guard lock(mutex_);
    return core_;
  }

 private:
  ClauseExchange exchange_;
  std::atomic<bool> over_ = false;
  std::mutex mutex_;
  std::optional<std::vector<Lit>> core_;
  std::vector<std::unique_ptr<SatBackend>> copies_;
  std::vector<std::jthread> threads_;  // joined first
};

}  // namespace

Answer SolverTeam::check(std::span<const Lit> assumptions, const Budget& budget) {
  std::optional<Helpers> helpers;
  unsigned slices = 0;
  if (shape_.threads > 1)
    first_->pauseAfter(shape_.slice, [&] {
      if (++slices == shape_.aloneSlices) {
        first_->keepGoodClauses(true);
        helpers.emplace(*first_, shape_.threads - 1, assumptions, budget, shape_.slice);
      }
      if (!helpers) return true;
      helpers->give(first_->takeGoodClauses());
      return !helpers->over();
    });
  Answer answer = first_->check(assumptions, budget);
  first_->pauseAfter(0, {});
  if (helpers) first_->keepGoodClauses(false);
  core_ = first_->core();
  if (answer == Answer::Unknown && helpers)
    if (auto core = helpers->core()) {
      answer = Answer::Unsat;
      core_ = std::move(*core);
      ++helped_;
    }
  stats_ = first_->stats();
  stats_.unknown -= helped_;
  stats_.unsat += helped_;
  return answer;
}

}  // namespace heddle
