// Covers: sets of orderings that would exclude all cores if the program enforced them (ConcBugAssist,
// Algorithm 2).
//
//   kill-set of a core   orderings between threads that close a cycle with the core and program order
//   cover                a set of orderings that closes a cycle with each core, and none with the program
//   composite            for every core a pair of its killers that run in opposite directions and enclose one
//                        stretch of each thread: "either this one first or that one" is mutual exclusion
//
// Covers are found by increasing number of orderings; none contains another. (The search is a small one of
// our own, because the binate covering problem has only tens of columns here.) If the exact search is cut,
// or if no cover is within its limits, greedily chosen covers follow. Each of them excludes all cores and
// needs all its orderings, but there may be smaller ones.
//
// Threading: one thread.
#pragma once

#include <vector>

#include "analysis/diagnose/cores.h"
#include "analysis/diagnose/reachability.h"

namespace heddle {

/// A stretch of one thread's events, first to last.
struct Stretch {
  SourceEventId first = kNone, last = kNone;
  auto operator<=>(const Stretch&) const = default;
};

struct Cover {
  std::vector<Ordering> orderings;  // an elementary solution
};

struct CoverSet {
  std::vector<std::vector<Ordering>> killSets;  // by core
  std::vector<Cover> covers;                    // fewest orderings first
  std::vector<Stretch>
      exclusive;             // the composite: these stretches must exclude each other; empty if there is none
  bool complete = false;     // all covers up to the size limit were found
  uint32_t approximate = 0;  // number of greedily chosen covers, which come last
};

struct CoverOptions {
  uint32_t maxOrderings = 6;
  uint32_t maxCovers = 128;
  uint64_t maxSteps = 200'000;
  uint32_t maxApproximate = 8;
};

class CoverSearch {
 public:
  /// All references must outlive it. Neither `cores` nor any core in it may be empty.
  CoverSearch(const Forest& forest, const SourceEvents& events, const Precedence& precedence,
              const std::vector<Core>& cores);

  CoverSet run(const CoverOptions& options, const Budget& budget);

  /// `a` comes before `b` by program order, create or join on some path.
  bool programOrder(SourceEventId a, SourceEventId b) const;

 private:
  size_t number(SourceEventId id) const;
  bool cyclic(const Reachability& base, const std::vector<Ordering>& added) const;
  std::vector<Ordering> killSet(size_t core) const;
  void search(std::vector<Ordering>& chosen, uint32_t size, const CoverOptions& options,
              const Budget& budget);
  void keep(const std::vector<Ordering>& chosen);
  /// Adds covers that begin with one killer; each further killer is one that excludes most of the remaining
  /// cores.
  void greedy(const CoverOptions& options, const Budget& budget);
  std::vector<Ordering> greedyFrom(const Ordering& first) const;
  /// Removes the orderings that the cover does not need.
  void reduce(std::vector<Ordering>& chosen) const;
  /// Adds covers whose orderings all lead from one operation of the text to one other, in any threads.
  void uniform();
  bool coversAll(const std::vector<Ordering>& chosen) const;
  std::vector<Stretch> composite() const;
  size_t length(const Stretch& stretch, const Core& core) const;
  void join(std::vector<Stretch>& stretches, const Stretch& added) const;

  const Forest& forest_;
  const SourceEvents& events_;
  const Precedence& precedence_;
  const std::vector<Core>& cores_;
  std::vector<SourceEventId> universe_;  // events that cores mention
  Reachability program_;                 // reachability by program order, create and join
  std::vector<Reachability> graphs_;     // by core: reachability by its orderings and program order
  CoverSet result_;
  uint64_t steps_ = 0;
  bool cut_ = false;
};

}  // namespace heddle
