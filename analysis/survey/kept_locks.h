// KeptLocks: ways that keep a lock which others release, and ways that release one which they have not.
//
// Threading: pure functions.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/survey/block_states.h"
#include "analysis/survey/lock_place.h"
#include "analysis/survey/lock_state.h"
#include "analysis/survey/survey.h"
#include "clang/Analysis/CFG.h"

namespace heddle {

/// All ways through a function.
struct LockWays {
  struct Exit {
    uint32_t line = 0;  // of the return, or of the function's end
    States states;
    std::set<int> nulls;  // parameters that are null there
  };
  BlockStates<States> in;
  std::map<const clang::CFGBlock*, States> out;
  std::map<const clang::CFGBlock*, uint32_t> lastLine;
  std::map<const clang::CFGBlock*, std::set<std::string>> operated;  // locks that the block does something to
  /// Of locks that the block releases before it does anything else to them: the line.
  std::map<const clang::CFGBlock*, std::map<std::string, uint32_t>> released;
  std::map<std::string, LockPlace> places;  // by text
  std::vector<Exit> exits;                  // in the order of the text
};

/// Sets `kept` and `releasesFirst`, and adds to `slips`.
void addKeptLocks(const LockWays& ways, SurveyFunction& out);

}  // namespace heddle
