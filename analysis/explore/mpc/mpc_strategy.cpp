#include "analysis/explore/mpc/mpc_strategy.h"

#include <algorithm>

#include "analysis/explore/formula/forest_formula.h"

namespace heddle {

namespace {

/// What main does before its path first forks: the other threads need it to exist.
ThreadPrefix beforeFirstFork(const Forest& forest, Position at) {
  const std::vector<Position> forks = forksTo(forest, at);
  if (forks.empty()) return {ThreadPrefix::End::Observed, at, {}};
  const Node& fork = forest[forks.front().node];
  return {ThreadPrefix::End::Observed, {fork.parent, fork.slot}, {}};
}

bool failedAssumption(const Forest& forest, Position at) {
  return at.node != kNone && isDeadEnd(forest[at.node], at.slot);
}

}  // namespace

void MpcStrategy::explore(const Budget& budget) {
  ExploreResult& result = runner_.result();
  do {
    restarted_ = ended_ = false;
    splits_.clear();
    execute({}, budget);
    while (!ended_ && !restarted_) {
      const std::vector<MpcQuestion> questions = takeQuestions(budget);
      if (questions.empty()) break;
      std::vector<MpcAnswer> answers = answerAll(questions);
      for (const MpcAnswer& answered : answers) result.stats.solver += answered.stats;
      for (size_t i = 0; i < answers.size() && !ended_ && !restarted_; ++i) {
        take(questions[i], std::move(answers[i]), budget);
        runner_.progress();
      }
    }
  } while (restarted_ && !ended_);
  if (!result.problem && !runner_.builder().divergences().empty())
    result.problem = runner_.whyMissed(runner_.builder().divergences().front());
  if (!result.problem && result.stop == StopReason::None)
    result.problem = {ProblemKind::Strategy,
                      "this strategy can miss paths, so it proves nothing; use mpc-s2-fixed or forest"};
}

std::vector<MpcQuestion> MpcStrategy::takeQuestions(const Budget& budget) {
  // Enough for any number of workers to be busy most of the time, and the same for each number.
  constexpr size_t kMost = 64;
  std::vector<MpcQuestion> questions;
  while (questions.size() < kMost && !splits_.empty()) {
    Split& split = splits_.front();
    if (split.combinations.done()) {
      splits_.pop_front();
      continue;
    }
    questions.push_back({split.combinations.current(), split.base, budget.part(1)});
    split.combinations.advance();
  }
  return questions;
}

std::vector<MpcAnswer> MpcStrategy::answerAll(const std::vector<MpcQuestion>& questions) {
  std::vector<MpcAnswer> answers(questions.size());
  askSideBySide(runner_, questions.size(), [&](const FormulaParts& parts, size_t i) {
    answers[i] = answer(parts, questions[i], cores_);
  });
  return answers;
}

void MpcStrategy::take(const MpcQuestion& question, MpcAnswer answered, const Budget& budget) {
  if (answered.answer == Answer::Sat) {
    execute(std::move(answered.item), budget);
  } else if (answered.answer != Answer::Unsat) {
    noteNoAnswer(runner_, answered.answer, question.budget);
    ended_ = true;
  }
  if (ended_) return;
  if (runner_.result().stop = budget.check(); runner_.result().stop != StopReason::None) ended_ = true;
}

void MpcStrategy::execute(MpcItem item, const Budget& budget) {
  std::string problem;
  switch (followPlan(runner_, std::move(item.plan), item.inputs, item.first, budget, problem)) {
    case Runner::Outcome::Restarted:
      restarted_ = true;
      return;
    case Runner::Outcome::Ended:
      ended_ = true;
      return;
    case Runner::Outcome::Merged:
      break;
  }
  if (!problem.empty() || !runner_.lastRun().unsupported.empty()) {
    ended_ = true;
    return;
  }
  split(item);
}

void MpcStrategy::split(const MpcItem& item) {
  const Forest& forest = runner_.forest();
  const GlobalPath path = runner_.builder().positions();
  const size_t threads = std::max(path.size(), item.prefix.size());
  std::vector<std::vector<ThreadPrefix>> options(threads);
  bool observedIsPossible = true, followed = true;
  for (ThreadId t = 0; t < threads; ++t) {
    const Position at = t < path.size() ? path[t] : Position{};
    const ThreadPrefix& prefix = prefixOf(item.prefix, t);
    if (!follows(forest, at, prefix)) {
      options[t] = {prefix};
      followed = false;
      continue;
    }
    if (failedAssumption(forest, at))
      observedIsPossible = false;
    else
      options[t].push_back({ThreadPrefix::End::Observed, at, {}});
    for (ThreadPrefix& way : deviationsAfter(forest, at, prefix)) options[t].push_back(std::move(way));
    if (options[t].empty()) return;
  }
  std::vector<ThreadPrefix> base = followed ? item.prefix : item.base;
  if (base.empty()) base.push_back(beforeFirstFork(forest, path[kMainThread]));
  splits_.push_back({PrefixProduct(std::move(options), followed && observedIsPossible), std::move(base)});
}

}  // namespace heddle
