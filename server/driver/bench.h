// `heddle bench`: the benchmark tables of the papers, beside their figures.
//
// Threading: must run in a process with one thread, as each row is explored in a forked child.
#pragma once

#include "server/driver/bench_command.h"
#include "server/driver/check.h"
#include "server/engine.h"

namespace heddle {

/// The process' exit code: 0 all as expected, 1 a wrong verdict, 2 rows without an answer, 3 usage.
int runBench(const BenchCommand& command, const Engine& engine, Streams streams);

}  // namespace heddle
