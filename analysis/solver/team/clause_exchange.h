// ClauseExchange: what several copies of one search have learnt that is good enough to pass on.
//
// Learnt clauses follow from the problem alone, never from what was assumed, so each copy may take in those
// of any other.
//
// Threading: all functions may be called from any thread.
#pragma once

#include <mutex>
#include <vector>

#include "analysis/solver/sat/sat_solver.h"

namespace heddle {

class ClauseExchange {
 public:
  explicit ClauseExchange(size_t parties) : seen_(parties, 0) {}

  void give(size_t party, std::vector<SharedClause> clauses) {
    const std::lock_guard lock(mutex_);
    for (SharedClause& clause : clauses) all_.push_back({party, std::move(clause)});
  }

  /// What the others gave since `party` asked last.
  std::vector<SharedClause> take(size_t party) {
    const std::lock_guard lock(mutex_);
    std::vector<SharedClause> fresh;
    for (size_t& i = seen_[party]; i < all_.size(); ++i)
      if (all_[i].party != party) fresh.push_back(all_[i].clause);
    return fresh;
  }

 private:
  struct Given {
    size_t party;
    SharedClause clause;
  };

  std::mutex mutex_;
  std::vector<Given> all_;
  std::vector<size_t> seen_;  // by party
};

}  // namespace heddle
