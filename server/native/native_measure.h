// NativeMeasure: what constraints cost: runs a program with and without them, in turns. The only place that
// runs what was made of the user's code, and only for `heddle build --enforce --measure N`.
//
// Threading: any thread.
#pragma once

#include <string>

namespace heddle {

struct Overhead {
  unsigned runs = 0;                       // of each, that ended without a failure
  double seconds = 0, secondsWithout = 0;  // medians
  std::string problem;                     // not empty: nothing was measured
  double ratio() const { return secondsWithout > 0 ? seconds / secondsWithout : 1; }
};

/// Runs each program `runs` times, in turns, without input and with its output thrown away. A run that fails
/// or takes longer than ten seconds does not count: the program without constraints may have its bug.
Overhead measureOverhead(const std::string& constrained, const std::string& plain, unsigned runs);

}  // namespace heddle
