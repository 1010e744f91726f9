// From a failure that an execution reached to a finding as plain data.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/explore/run/exploration.h"
#include "analysis/model/names.h"
#include "analysis/program/program.h"
#include "analysis/report.h"

namespace heddle {

/// What the failure violates.
Property propertyOf(FailureKind kind);

SourcePlace sourcePlace(const Program& program, PlaceId place);

/// One step per trace entry.
std::vector<Step> describeSteps(const Program& program, const Names& names,
                                const std::vector<TraceEntry>& trace);
/// Those that lines of the program say. `last`: as many at the end stay, hidden or not.
std::vector<Step> describeShownSteps(const Program& program, const Names& names,
                                     const std::vector<TraceEntry>& trace, size_t last = 0);
std::vector<InputValue> describeInputs(const Program& program, const Names& names,
                                       const std::vector<UsedInput>& inputs);
/// The threads of a trace as they are numbered: main, then each before the threads that it creates.
std::vector<ThreadDescription> describeThreads(const Program& program, const Names& names,
                                               const std::vector<TraceEntry>& trace);

/// `text`: the source, for an id that survives edits elsewhere in the file.
Finding describeFailure(const Program& program, const Names& names, const Witness& witness,
                        std::string_view text);

/// A line of a text, from 1, without blanks at its ends; empty: there is none.
std::string_view trimmedLine(std::string_view text, uint32_t line);

/// A stable id from what a finding is, not where nor in which words: kind, objects, function and the text of
/// its line. A failure that is about no object counts by its message without names and numbers.
std::string findingId(const Finding& finding, std::string_view text);

}  // namespace heddle
