// Exhaustive: executes every schedule of a program with given inputs, by depth-first search with
// re-execution. It is the oracle of the tests.
//
// A state is what each thread has done and read so far, and what memory holds. The search does not enter a
// state a second time. It uses neither the encoder nor a solver, so it can check them.
//
// Threading: one thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/explore/run/exploration.h"

namespace heddle {

struct ExhaustiveResult {
  bool complete = false;
  std::string problem;
  std::set<std::string> localPaths;  // see local_paths.h
  std::set<std::string> globalPaths;
  std::set<std::string> failures;  // "line:column message"
  bool stuck = false;  // some execution ends with threads that wait for ever, without an exit of the process
  std::set<std::string> races;  // "line:column line:column" of two conflicting accesses that both come next
  uint64_t executions = 0;
};

/// The places as "line:column line:column", the smaller text first.
std::string placePair(const Program& program, PlaceId a, PlaceId b);

/// Explores the program with each assignment in `inputs` (by thread label, in the order in which the thread
/// asks). `symbolicInputs`: branches on inputs count as local forks, as they do in an exploration of all
/// inputs. `valueForks`: paths are histories of values (ForestBuilder::setValueForks).
ExhaustiveResult exploreExhaustively(const Program& program, FunctionId entry,
                                     const std::vector<std::map<std::string, std::vector<int64_t>>>& inputs,
                                     const Budget& budget, bool symbolicInputs = false,
                                     bool valueForks = false);

}  // namespace heddle
