// ThreadView: the threads of a program that stands still: their frames, variables, locks, and what they wait
// for.
//
// Threading: as the execution, which must stand still.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/debug/value_view.h"
#include "analysis/source_place.h"

namespace heddle {

struct FrameView {
  std::string function;
  SourcePlace place;
  size_t index = 0;            // in Thread::frames
  uint32_t statement = kNone;  // where it stands
};

struct ThreadState {
  ThreadId id = kNone;
  std::string name;   // "T1 worker"
  std::string state;  // "ended", "waits for lock m, which T0 holds", "about to write x"; empty: it runs
  bool hasEnded = false;
};

class ThreadView {
 public:
  explicit ThreadView(Execution& execution) : execution_(execution), program_(execution.program) {}

  std::vector<ThreadState> threads() const;
  /// Innermost first.
  std::vector<FrameView> frames(ThreadId id) const;
  /// In scope where the frame stands; inner ones hide outer ones of the same name.
  std::vector<NamedValue> locals(ThreadId id, size_t frame) const;
  std::optional<NamedValue> variable(ThreadId id, size_t frame, const std::string& name) const;
  /// Variables of the program that belong to no single function, without constants and without what the
  /// library defines.
  std::vector<NamedValue> globals(ThreadId id) const;
  std::vector<std::string> heldLocks(ThreadId id) const;
  std::string waitsFor(const Thread& thread) const;

 private:
  uint32_t statementAt(uint32_t pc, FunctionId function) const;
  std::string syncName(const Event& event) const;

  Execution& execution_;
  const Program& program_;
};

}  // namespace heddle
