// `heddle explain`: why each finding happens and what would mend it, short enough to be read beside the code;
// in full on request.
//
// Threading: pure functions.
#pragma once

#include <string>

#include "analysis/report.h"
#include "server/render/replay_command.h"

namespace heddle {

/// Each bug with its claim, cure, inputs and the steps that matter. `full`: also the core, locks, nearest
/// passing execution and all plans.
std::string renderExplanations(const Report& report, const ReplayContext& context, bool full);

}  // namespace heddle
