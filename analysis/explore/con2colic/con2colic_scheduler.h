// Con2colicScheduler: realizes an interference scenario, then lets the thread of its sink go on alone
// (Con2colic, section 5.1) until it ends, has to wait, or is about to read what another thread wrote: an
// unforeseen interference (section 5.2).
//
// Threading: one run, on one thread.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/explore/forest/forest.h"
#include "analysis/explore/forest/forest_builder.h"
#include "analysis/interp/core/scheduler.h"

namespace heddle {

class Con2colicScheduler : public Scheduler {
 public:
  /// `plan`: event nodes in order. The arguments must outlive the run.
  Con2colicScheduler(const Forest& forest, const ForestBuilder& builder, std::vector<NodeId> plan,
                     ThreadId alone)
      : forest_(forest), builder_(builder), plan_(std::move(plan)), alone_(alone) {}

  std::optional<ThreadId> next(std::span<const Event* const> enabled) override;

  const std::string& divergence() const { return divergence_; }
  bool planDone() const { return at_ == plan_.size(); }
  /// The last event of the run was an unforeseen atomic update. It is not part of the scenario.
  bool overran() const { return overran_; }

 private:
  std::optional<ThreadId> perform(const Event& event);
  bool foreseen(const Event& event) const;

  const Forest& forest_;
  const ForestBuilder& builder_;
  std::vector<NodeId> plan_;
  ThreadId alone_;
  size_t at_ = 0;
  size_t behindPlan_ = 0;  // decisions
  bool overran_ = false;
  std::string divergence_;
  std::unordered_map<LocationId, ThreadId> lastWriter_;
};

}  // namespace heddle
