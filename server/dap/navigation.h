// Where the steps of a debugger lead along a schedule, forwards and backwards: a question about the recorded
// stops alone, without running anything.
//
// Threading: pure functions.
#pragma once

#include "analysis/debug/time_travel.h"

namespace heddle::dap {

enum class StepKind : uint8_t { Over, In, Out };

/// The thread's next line after `from`; end() if there is none. Other threads run meanwhile as the schedule
/// says.
uint64_t lineAfter(const TimeTravel& travel, uint64_t from, ThreadId thread, StepKind kind);

/// The start of the thread's previous line before `from`, without going into calls. If the thread stands in
/// the middle of a line, the start of that line. 0 if there is none.
uint64_t lineBefore(const TimeTravel& travel, uint64_t from, ThreadId thread);

/// The stop right before a step of the interleaving (an event, counted from 0); end() behind the last.
uint64_t stopOfEvent(const TimeTravel& travel, uint64_t event);

/// The next and the previous event of any thread.
uint64_t eventAfter(const TimeTravel& travel, uint64_t from);
uint64_t eventBefore(const TimeTravel& travel, uint64_t from);

/// Events executed before the position.
uint64_t eventsBefore(const TimeTravel& travel, uint64_t position);

/// The number of steps before this one with the same thread and text, and the step that this number names. An
/// interleaving that leaves steps out leaves out all steps of one text, so that both count alike.
int64_t occurrenceOf(const TimeTravel& travel, uint64_t step);
std::optional<size_t> stepNamed(const TimeTravel& travel, const std::string& thread, const std::string& text,
                                int64_t occurrence);

/// The first line of the program, where a session begins.
uint64_t firstLine(const TimeTravel& travel);

}  // namespace heddle::dap
