// CallContext: what holds for every call of a function of a file, by the calls in the file.
//
// Threading: pure functions.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "analysis/survey/survey.h"

namespace heddle {

struct CallContext {
  std::optional<std::set<std::string>> held;  // locks; nothing: no caller is known yet
  bool isBeforeOrAfter = false;  // nobody uses its object beside it: it sets up, takes down or joins
  bool isAlone = false;          // nobody runs beside it: the same, and it is of no object
};

/// By the function's name. The greatest solution: a static function whose address nobody takes is called as
/// its callers in the file call it. `isWhole`: the survey has all functions that may call one, so this holds
/// for any function that some other calls.
std::map<std::string, CallContext> callContextsOf(const Survey& survey, bool isWhole = false);

}  // namespace heddle
