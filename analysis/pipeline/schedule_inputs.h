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
    const auto it = schedule_.inputs.find(labelOf(request));
    const bool given = it != schedule_.inputs.end() && request.ordinal < it->second.size();
    return {given ? static_cast<uint64_t>(it->second[request.ordinal]) & widthMask(request.width) : 0,
            kNoTerm};
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
