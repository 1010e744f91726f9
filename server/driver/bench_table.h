// The results of the suite as text, JSON or Markdown.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <vector>

#include "server/driver/bench_command.h"
#include "server/driver/bench_run.h"

namespace heddle {

std::string renderBench(const std::vector<BenchResult>& results, BenchFormat format);

}  // namespace heddle
