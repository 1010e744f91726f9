// Environment: what a program under analysis may meet beyond what C and its inputs say. Plain data; all off
// is the ordinary case.
#pragma once

namespace heddle {

struct Environment {
  bool mallocMayFail = false;     // each allocation may return null: an input decides
  bool checkLeaks = false;        // heap memory that the end of the process finds allocated is a failure
  bool undefinedIsInput = false;  // what was never written has any value, instead of 0 with an assumption
  bool spuriousWakeups = false;   // a wait on a condition variable may end without a signal
  bool noSignals = false;         // signal handlers may be installed: it is assumed that no signal arrives
  bool operator==(const Environment&) const = default;
};

}  // namespace heddle
