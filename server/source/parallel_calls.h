// ParallelCalls: the text of a harness in which several calls meet: each in a thread of its own, or by one
// thread in turn.
//
// Threading: one thread. The survey and the functions must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "server/source/generated_harness.h"
#include "server/source/harness_object.h"
#include "server/source/harness_state.h"
#include "server/source/harness_subject.h"

namespace heddle {

/// How a harness makes its calls.
struct Together {
  bool isInTurn = false;                   // by one thread, one after the other
  bool areApart = false;                   // each on an object of its own
  uint32_t shared = kNoRecord;             // areApart: the objects are made with one of this record
  const SurveyFunction* before = nullptr;  // called first
};

class ParallelCalls {
 public:
  /// `functions`: with their callees.
  ParallelCalls(const Survey& survey, const Subject& subject,
                const std::vector<const SurveyFunction*>& functions, const Together& together);

  /// Nothing: a call cannot be made (`failed`, `problem`). Once.
  std::optional<GeneratedHarness> write(HarnessState& state);

  /// The function of which no call can be made; empty: there is none, or the one that is called first.
  const std::string& failed() const { return failed_; }
  const std::string& problem() const { return writer_.problem; }
  /// Each of the calls takes a lock, and none is a callback.
  bool lock() const { return lock_; }
  /// Functions that set up and take down.
  const std::set<std::string>& setUp() const { return writer_.called; }

 private:
  bool makeObjects();
  bool addCalls(GeneratedHarness& harness);
  bool addCall(const SurveyFunction& function, GeneratedHarness& harness);
  std::string globalsText();

  const Survey& survey_;
  const Subject& subject_;
  const std::vector<const SurveyFunction*>& functions_;
  const Together together_;
  HarnessWriter writer_;
  std::string failed_;
  std::string threads_, first_, create_, join_, names_;
  std::vector<std::string> turns_;
  unsigned number_ = 0;  // of threads, or of calls in turn
  bool lock_ = true;
};

}  // namespace heddle
