// `heddle check --svcomp FILE.prp`: one task of SV-COMP under its rules, with its verdict, and a witness
// written or looked for.
//
// Threading: call from one thread; ends early when `stop` is requested.
#pragma once

#include <stop_token>

#include "server/driver/check.h"

namespace heddle {

/// The process' exit code: as of `check`; unknown is kExitIncomplete.
int runSvcomp(const CheckCommand& command, const Engine& engine, Streams streams, std::stop_token stop);

}  // namespace heddle
