// Location names: how messages name a memory cell. A cell of a variable has the variable's name with member
// or index. Memory that a pointer leads to has the expression with which it is accessed. Hidden state has
// the name of the object that it belongs to: the state of a semaphore, read-write lock, barrier or once
// control, and the state that tells whether memory is still allocated.
//
// Threading: as the runner.
#pragma once

#include <string>

#include "analysis/explore/run/exploration.h"
#include "analysis/program/program.h"
#include "analysis/report.h"

namespace heddle {

/// `place`: an access to the cell, whose text gives the name; kNone: the name comes from the allocation.
std::string locationName(const Program& program, Runner& runner, LocationId location, PlaceId place = kNone);

std::string locationName(const Program& program, const Names& names, const Cell& cell, PlaceId place = kNone);

/// True for the hidden byte that tells whether an object is still allocated.
bool isLifeByte(const ObjectName& name);

/// The cell as data of a finding.
FindingObject findingObject(const Program& program, Runner& runner, LocationId location);
FindingObject findingObject(const Program& program, const Names& names, const Cell& cell);
/// The bytes at `offset` of an object as data of a finding.
FindingObject findingObject(const Program& program, const ObjectName& name, uint64_t offset, uint64_t size);

/// The name without the text in brackets.
std::string withoutIndices(const std::string& name);

}  // namespace heddle
