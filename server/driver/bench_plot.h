// The rows that have a target as a picture: measured CPU time, target and best peer on a logarithmic axis.
//
// Threading: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/driver/bench_run.h"

namespace heddle {

/// An SVG document; without rows that have a target it shows the axis only.
std::string plotBench(const std::vector<BenchResult>& results);

/// Seconds of a peer as the suite writes them: "0.12", ">300"; nullopt for words.
std::optional<double> peerSeconds(const std::string& text);

}  // namespace heddle
