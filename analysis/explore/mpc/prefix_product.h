// PrefixProduct: the combinations of per-thread path prefixes, produced one at a time (MPC, split(pre, p)).
//
// Threading: plain data.
#pragma once

#include <vector>

#include "analysis/explore/forest/thread_prefix.h"

namespace heddle {

class PrefixProduct {
 public:
  /// `options`: the ways to go on, by thread; no list may be empty. The first way of each thread is the
  /// observed one.
  /// `withoutFirst`: leaves out the combination of all first ways.
  PrefixProduct(std::vector<std::vector<ThreadPrefix>> options, bool withoutFirst)
      : options_(std::move(options)), at_(options_.size(), 0) {
    if (withoutFirst) advance();
  }

  bool done() const { return done_; }
  /// The current combination, by thread id.
  std::vector<ThreadPrefix> current() const {
    std::vector<ThreadPrefix> combination;
    for (size_t t = 0; t < options_.size(); ++t) combination.push_back(options_[t][at_[t]]);
    return combination;
  }
  /// The thread takes its first way in the current combination.
  bool isFirst(size_t thread) const { return at_[thread] == 0; }
  void advance() {
    for (size_t t = options_.size(); t-- > 0;) {
      if (++at_[t] < options_[t].size()) return;
      at_[t] = 0;
    }
    done_ = true;
  }

 private:
  std::vector<std::vector<ThreadPrefix>> options_;
  std::vector<size_t> at_;
  bool done_ = false;
};

}  // namespace heddle
