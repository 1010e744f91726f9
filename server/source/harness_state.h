// HarnessState: what the functions that a harness calls leave as they find it, by a look at the text: global
// pointers that others set, and locks that others release.
//
// Threading: one thread. The survey must outlive it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "server/source/call_context.h"
#include "server/source/generated_harness.h"
#include "server/source/harness_object.h"

namespace heddle {

class HarnessState {
 public:
  /// `first`: what each harness calls before all else; null: nothing.
  HarnessState(const Survey& survey, const SurveyFunction* first);

  /// Fills in GeneratedHarness::notSetUp and notSetUpIn, testedHooks, setMembers, handedOver, keepers,
  /// resetsKeys, hooks, singleThreads, stop, givers, consumer, inner, undoes and undone. `writer`: has
  /// written the harness.
  void note(const HarnessWriter& writer, GeneratedHarness& harness);

 private:
  const SurveyFunction& whole(const std::string& name);
  void noteUndoes(GeneratedHarness& harness) const;
  /// A function that takes a lock for its callers, by its name, in a file that has no release of it.
  bool isReleasedElsewhere(const SurveyFunction& function, const std::string& lock) const;
  /// Functions that give a reference back, and what they call, where the function calls one, at any depth,
  /// and takes no reference before.
  const std::set<std::string>& giversInside(const std::string& name);
  bool signalsEnd() const;
  const GeneratedHarness::Stop& stopBefore(const std::string& end);
  std::string consumerIn(const GeneratedHarness& harness, const HarnessWriter& writer);
  void noteOwnLines(GeneratedHarness& harness);
  void noteNotSetUp(const std::set<std::string>& names, const HarnessWriter& writer,
                    GeneratedHarness& harness);
  void noteHandedOver(const std::set<std::string>& names, GeneratedHarness& harness);

  const Survey& survey_;
  const SurveyFunction* first_;
  const std::map<std::string, CallContext> contexts_;  // by the calls of the file
  std::set<std::string> changed_;                      // data that some function of the file may change
  std::set<std::string> released_;                     // locks that some function releases
  std::set<std::string> releasedByOthers_;             // locks that some function releases and does not take
  std::map<std::string, std::string> counterparts_;    // by function that undoes: what it undoes
  std::map<std::string, SurveyFunction> whole_;        // with what they call
  std::map<std::string, std::set<std::string>> inside_;
  std::map<std::string, GeneratedHarness::Stop> stops_;
  std::optional<bool> signalsEnd_;
};

}  // namespace heddle
