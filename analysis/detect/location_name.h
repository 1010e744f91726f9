// What people call a memory cell: the variable with its member or index, of memory that a pointer leads to
// the expression of who accesses it, and for the hidden state of a semaphore, read-write lock, barrier or
// once control, or of whether memory is still allocated, what it belongs to.
//
// Threading: as the runner.
#pragma once

#include <string>

#include "analysis/explore/run/exploration.h"
#include "analysis/program/program.h"
#include "analysis/report.h"

namespace heddle {

/// `place`: of an access to it, whose text names it; kNone: as it was allocated.
std::string locationName(const Program& program, Runner& runner, LocationId location, PlaceId place = kNone);

std::string locationName(const Program& program, const Names& names, const Cell& cell, PlaceId place = kNone);

/// The object whose hidden byte says that it is allocated; kNone: the cell is another one.
bool isLifeByte(const ObjectName& name);

/// The cell as data of a finding.
FindingObject findingObject(const Program& program, Runner& runner, LocationId location);
FindingObject findingObject(const Program& program, const Names& names, const Cell& cell);
/// The bytes at `offset` of an object as data of a finding.
FindingObject findingObject(const Program& program, const ObjectName& name, uint64_t offset, uint64_t size);

/// Without what stands in brackets.
std::string withoutIndices(const std::string& name);

}  // namespace heddle
