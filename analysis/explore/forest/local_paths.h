// Local and global paths: the thread-local paths of a forest and their combinations, as texts with which
// explorations of one program can be compared.
#pragma once

#include <set>
#include <string>

#include "analysis/explore/forest/forest_builder.h"
#include "analysis/model/names.h"
#include "analysis/model/term.h"
#include "analysis/program/program.h"

namespace heddle {

/// One text for every continuation that some run took: the thread, the branch sides and chosen values on
/// the way to it, and what was reached (a side, a value, an event that ended a wait, a failure). If two
/// sets are equal, the explorations saw the same thread-local behaviour.
std::set<std::string> localPaths(const Forest& forest, const Names& names, const Program& program);

/// One text for each global path: every thread's path and how it ended.
std::set<std::string> globalPaths(const Forest& forest, const std::set<GlobalPath>& paths, const Names& names,
                                  const Program& program);

}  // namespace heddle
