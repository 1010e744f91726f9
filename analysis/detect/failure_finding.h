// Failure findings: turns a failure that an execution reached into a finding as plain data.
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

/// The property that the failure violates.
Property propertyOf(FailureKind kind);

SourcePlace sourcePlace(const Program& program, PlaceId place);

/// One step per trace entry.
std::vector<Step> describeSteps(const Program& program, const Names& names,
                                const std::vector<TraceEntry>& trace);
/// The steps that lines of the program show. `last`: so many steps at the end are always kept.
std::vector<Step> describeShownSteps(const Program& program, const Names& names,
                                     const std::vector<TraceEntry>& trace, size_t last = 0);
std::vector<InputValue> describeInputs(const Program& program, const Names& names,
                                       const std::vector<UsedInput>& inputs);
/// The threads of a trace in the order of their numbers: main first, and each thread before the threads
/// that it creates.
std::vector<ThreadDescription> describeThreads(const Program& program, const Names& names,
                                               const std::vector<TraceEntry>& trace);

/// `text`: the source. The finding's id is made from it, so that edits elsewhere in the file do not change
/// it.
Finding describeFailure(const Program& program, const Names& names, const Witness& witness,
                        std::string_view text);

/// Line `line` of the text, counted from 1, without white space at its ends; empty: there is no such line.
std::string_view trimmedLine(std::string_view text, uint32_t line);

/// A stable id that depends on what a finding is, not on its line number or wording: its kind, objects,
/// function and the text of its line. For a failure that is about no object, the message without names and
/// numbers is used.
std::string findingId(const Finding& finding, std::string_view text);

}  // namespace heddle
