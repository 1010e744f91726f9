// Where the steps of a debugger lead along a schedule, forwards and backwards: a question about the recorded
// stops alone, without running anything.
//
// Threading: pure functions.
#pragma once

#include "analysis/debug/time_travel.h"

namespace heddle::dap {

enum class StepKind : uint8_t { Over, In, Out };

/// The thread's next line after `from`; end() where it comes to none. Other threads run meanwhile as the
/// schedule says.
uint64_t lineAfter(const TimeTravel& travel, uint64_t from, ThreadId thread, StepKind kind);

/// The start of the thread's line before `from`, calls taken as one; of its own line where it stands in the
/// middle of it. 0 where there is none.
uint64_t lineBefore(const TimeTravel& travel, uint64_t from, ThreadId thread);

/// The stop right before a step of the interleaving (an event, counted from 0); end() behind the last.
uint64_t stopOfEvent(const TimeTravel& travel, uint64_t event);

/// The next and the previous event of any thread.
uint64_t eventAfter(const TimeTravel& travel, uint64_t from);
uint64_t eventBefore(const TimeTravel& travel, uint64_t from);

/// Events executed before the position.
uint64_t eventsBefore(const TimeTravel& travel, uint64_t position);

/// How many steps before it are of the same thread and text; and the step that is named so. An interleaving
/// that leaves steps out leaves out all of one text, so that both count alike.
int64_t occurrenceOf(const TimeTravel& travel, uint64_t step);
std::optional<size_t> stepNamed(const TimeTravel& travel, const std::string& thread, const std::string& text,
                                int64_t occurrence);

/// The first line of the program, where a session begins.
uint64_t firstLine(const TimeTravel& travel);

}  // namespace heddle::dap
