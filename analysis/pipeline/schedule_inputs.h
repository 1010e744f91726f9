// ScheduleInputs: a sink that gives a run the inputs in its schedule.
//
// Threading: as the machine that it belongs to.
#pragma once

#include <string>

#include "analysis/interp/core/event_sink.h"
#include "analysis/model/names.h"
#include "analysis/model/schedule.h"

namespace heddle {

class ScheduleInputs : public EventSink {
 public:
  /// Both must outlive it; `names` must be the machine's.
  ScheduleInputs(const Names& names, const Schedule& schedule) : names_(names), schedule_(schedule) {}

  Value input(const InputRequest& request) override {
    if (ScheduleInputs::isBehindLastInput(request)) return {};
    const int64_t given = schedule_.inputs.at(labelOf(request))[request.ordinal];
    return {static_cast<uint64_t>(given) & widthMask(request.width), kNoTerm};
  }
  bool isBehindLastInput(const InputRequest& request) const override {
    const auto it = schedule_.inputs.find(labelOf(request));
    return it == schedule_.inputs.end() || request.ordinal >= it->second.size();
  }
  bool wasInput(const InputRequest& request) const override {
    return schedule_.inputs.count(labelOf(request)) != 0;
  }
  bool isReplay() const override { return true; }

 protected:
  std::string labelOf(const InputRequest& request) const {
    return inputLabel(names_.label(request.thread), request.memoryOperation);
  }

 private:
  const Names& names_;
  const Schedule& schedule_;
};

}  // namespace heddle
