// GuidedScheduler: follows a planned order of forest events, then runs on to quiescence.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/explore/forest/forest.h"
#include "analysis/explore/forest/forest_builder.h"
#include "analysis/interp/core/scheduler.h"

namespace heddle {

class GuidedScheduler : public Scheduler {
 public:
  /// `plan`: event nodes in the order in which they are to happen. `first`: the threads that go on first
  /// after the plan. All arguments must outlive the run.
  GuidedScheduler(const Forest& forest, const ForestBuilder& builder, std::vector<NodeId> plan,
                  std::vector<ThreadId> first)
      : forest_(forest), builder_(builder), plan_(std::move(plan)), first_(std::move(first)) {}

  /// After the plan, executes one event of each of these threads in order, and then goes on to quiescence
  /// as always. (A run that ended earlier would show that a thread took a side of a branch, but not how it
  /// goes on.)
  void continueWith(std::vector<ThreadId> tail) { tail_ = std::move(tail); }
  /// The number of events of the run that plan and tail took; 0 while they are not done.
  size_t tailEnd() const { return tailEnd_; }

  /// After the plan, `random` chooses the threads. It must outlive the run.
  void randomAfter(Scheduler& random) { random_ = &random; }

  std::optional<ThreadId> next(std::span<const Event* const> enabled) override;

  /// The run did not follow the plan. This is an internal error: the model was not an execution of the
  /// program.
  bool diverged() const { return !divergence_.empty(); }
  const std::string& divergence() const { return divergence_; }
  bool planDone() const { return at_ == plan_.size(); }

 private:
  std::optional<ThreadId> free(std::span<const Event* const> enabled);

  // A thread that spins gives way to the others after this many events.
  static constexpr uint32_t kQuantum = 32;

  const Forest& forest_;
  const ForestBuilder& builder_;
  std::vector<NodeId> plan_;
  std::vector<ThreadId> first_;
  size_t at_ = 0;
  std::string divergence_;
  std::vector<ThreadId> tail_;
  size_t tailAt_ = 0, tailEnd_ = 0;
  size_t events_ = 0;  // number of events that were chosen
  Scheduler* random_ = nullptr;
  ThreadId current_ = kNone;
  uint32_t used_ = 0;
};

}  // namespace heddle
