// InterferenceForest: the part of the interference forest (Con2colic, Definition 3) that is needed to make
// new scenarios. It has every event that another thread can depend on, each with its causal interference
// scenario.
//
// The paper merges the scenarios into one forest of nodes. A node of the paper's forest corresponds to a
// node of our forest (a thread-local path) together with its causal scenario here.
//
// Threading: belongs to one exploration.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "analysis/explore/con2colic/con2colic_scenario.h"

namespace heddle {

/// What an event offers to other threads, or what a scenario lacks. `id`: a location of memory, a mutex or a
/// condition variable, or a thread.
struct Dependency {
  enum class Kind : uint8_t { Write, End, Signal, Lock, Release } kind = Kind::Write;
  uint32_t id = 0;
  auto operator<=>(const Dependency&) const = default;
};

class InterferenceForest {
 public:
  explicit InterferenceForest(const Forest& forest) : forest_(forest) {}

  void clear();

  struct Source {
    Dependency offers;
    NodeId node = kNone;
    Scenario scenario;  // causal, of `node`
  };

  /// Adds what the events of `thread` after `from` offer in `scenario`. Returns the numbers of the new
  /// sources.
  std::vector<size_t> add(const Scenario& scenario, ThreadId thread, const ThreadPrefix& from);
  const Source& source(size_t number) const { return sources_[number]; }
  /// The numbers of all sources that offer the dependency.
  const std::vector<size_t>& offering(const Dependency& dependency) const;

  /// The ways to extend the scenario so that every thread except that of the sink goes on to where it holds
  /// no mutex (section 5.3, lock-protected writes). `scenario` itself if there is nothing to extend.
  /// Threads whose release has not been seen stay where they are.
  std::vector<Scenario> untilReleased(const Scenario& scenario) const;

 private:
  bool isFirstRelease(NodeId release, const ThreadPrefix& after) const;

  const Forest& forest_;
  std::vector<Source> sources_;
  std::map<Dependency, std::vector<size_t>> byDependency_;
  std::set<std::pair<Dependency, std::vector<uint64_t>>> known_;
};

}  // namespace heddle
