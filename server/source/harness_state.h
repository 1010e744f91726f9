// HarnessState: what the functions that a harness calls leave as they find it, by a look at the text: global
// pointers that others set, and locks that others release.
//
// Threading: one thread. The survey must outlive it.
#pragma once

#include <map>
#include <set>
#include <string>

#include "server/source/call_context.h"
#include "server/source/generated_harness.h"

namespace heddle {

class HarnessState {
 public:
  /// `first`: what each harness calls before all else; null: nothing.
  HarnessState(const Survey& survey, const SurveyFunction* first);

  /// Fills in GeneratedHarness::notSetUp, keepsLocks, givers and inner. `called`: the functions called to set
  /// up and to take down.
  void note(const std::set<std::string>& called, GeneratedHarness& harness);

 private:
  const SurveyFunction& whole(const std::string& name);
  void noteOwnLines(GeneratedHarness& harness);

  const Survey& survey_;
  const SurveyFunction* first_;
  const std::map<std::string, CallContext> contexts_;  // by the calls of the file
  std::set<std::string> changed_;                      // data that some function of the file may change
  std::set<std::string> releasedByOthers_;             // locks that some function releases and does not take
  std::map<std::string, SurveyFunction> whole_;        // with what they call
};

}  // namespace heddle
