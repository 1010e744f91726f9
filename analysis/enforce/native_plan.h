// NativePlan: what the threads of a native program do at their constrained sites, in which order, and how
// the program ends. Plain data; `planText` writes it as the tables of the run-time
// (runtime/heddle_runtime.c, which says what each flag does).
//
// A thread's `steps` are its passes of instrumented sites, in order. Each step has two ticks of the thread's
// clock: 2 * index + 1 is its begin, 2 * index + 2 its end. A wait names another thread's tick.
//
// Threading: pure functions.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "analysis/enforce/sites.h"
#include "analysis/pipeline/replay_run.h"

namespace heddle {

struct NativeWait {
  uint32_t thread = 0;  // index in NativePlan::threads
  uint32_t tick = 0;
};

struct NativeStep {
  uint32_t site = 0;
  std::vector<NativeWait> before;  // waits before the step begins
  std::vector<NativeWait> resume;  // waits after its call has returned, before the step ends
  bool splits = false;             // steps of other threads lie between its begin and its end
  bool hasInput = false;
  bool fillsMemory = false;   // `input` is the content of the memory that it reads
  bool emulated = false;      // a wait on a condition variable that the plan ends
  bool notesAddress = false;  // a racing access that comes before other accesses of its thread
  bool unfinished = false;    // the plan ends while the thread is in this step
  int64_t input = 0;
};

enum class NativeEnd : uint8_t {
  Free,      // the thread's code goes on without constraints
  Held,      // the thread stays after its last step
  Fails,     // the thread fails by itself, before another step
  Stuck,     // its last step is a call that does not return
  Spins,     // its last step is a read that it repeats for ever
  Races,     // its last step is the racing access that meets the other one
  Overlaps,  // its last step accesses the address that was noted
  Faults,    // its last step causes the failure of the finding
};

struct NativeThread {
  std::string name;  // "T1.2"
  uint32_t parent = 0;
  uint32_t ordinal = 0;  // which create of the parent made it, from 1; 0: main
  NativeEnd end = NativeEnd::Held;
  std::vector<NativeStep> steps;
};

struct NativePlan {
  std::vector<NativeThread> threads;  // main first
  std::set<uint32_t> sites;           // that carry code
  std::set<uint32_t> inputs;          // sites among these that are calls whose results come from the plan
  std::string finding;                // in one sentence
  std::vector<std::string> notes;     // what the native program cannot be forced to do
};

/// The plan of a run that was recorded on the marked program. `isRace`, `isDeadlock`: how the run ends; if
/// both are false, it ends in a failure.
NativePlan planOf(const ReplayRun& run, const ReplayLog& log, const std::vector<Site>& sites, bool isRace,
                  bool isDeadlock);

std::string planText(const NativePlan& plan, const std::vector<Site>& sites);

}  // namespace heddle
