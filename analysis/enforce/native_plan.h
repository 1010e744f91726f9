// NativePlan: what the threads of a native program do at their constrained sites, in which order, and how it
// ends. Plain data; `planText` writes it as the tables of the run-time (runtime/heddle_runtime.c, which says
// what each flag does).
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
  std::vector<NativeWait> before;  // that it begins
  std::vector<NativeWait> resume;  // that it ends, once its call is back
  bool splits = false;             // others' steps lie between its begin and its end
  bool hasInput = false;
  bool fillsMemory = false;   // `input` is what the memory that it reads holds
  bool emulated = false;      // a wait on a condition variable: the plan wakes it
  bool notesAddress = false;  // a racing access that comes before others of its thread
  bool unfinished = false;    // the plan ends while the thread is in it
  int64_t input = 0;
};

enum class NativeEnd : uint8_t {
  Free,      // its code goes on as it is
  Held,      // stays behind its last step
  Fails,     // fails on its own, before another step
  Stuck,     // its last step is a call that does not return
  Spins,     // its last step is a look, again and again
  Races,     // its last step is an access that meets the other one
  Overlaps,  // its last step accesses what was noted
  Faults,    // its last step is what the finding is about
};

struct NativeThread {
  std::string name;  // "T1.2"
  uint32_t parent = 0;
  uint32_t ordinal = 0;  // number of the parent's create, from 1; 0: main
  NativeEnd end = NativeEnd::Held;
  std::vector<NativeStep> steps;
};

struct NativePlan {
  std::vector<NativeThread> threads;  // main first
  std::set<uint32_t> sites;           // that carry code
  std::set<uint32_t> inputs;          // of these, calls whose results the plan gives
  std::string finding;                // in one sentence
  std::vector<std::string> notes;     // what a native program cannot be made to do
};

/// Of a run that was recorded on the marked program. `isRace`, `isDeadlock`: how it ends, else a failure.
NativePlan planOf(const ReplayRun& run, const ReplayLog& log, const std::vector<Site>& sites, bool isRace,
                  bool isDeadlock);

std::string planText(const NativePlan& plan, const std::vector<Site>& sites);

}  // namespace heddle
