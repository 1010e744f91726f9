// UndefinedValues: values that were never written, and where they are used.
//
// Threading: as the run.
#pragma once

#include <set>

#include "analysis/interp/core/execution_part.h"

namespace heddle {

class UndefinedValues : public ExecutionPart {
 public:
  explicit UndefinedValues(Execution& run) : ExecutionPart(run) {}

  /// A defined value: 0 with an assumption for an undefined one.
  Value settled(Thread& t, const Value& value);
  /// As settled, for a value that decides something (a condition, an address, an output): a value that was
  /// never written is a failure here, after which the thread goes on. `how`: for the message, " as an
  /// address"; empty: the call that is under way uses it.
  Value used(Thread& t, const Value& value, const char* how = "");
  /// A choice between values; what is chosen is copied, not used.
  Value chosen(Thread& t, const Value& condition, const Value& a, const Value& b, unsigned width);
  /// A read of shared memory that was never written has given this term.
  void noteRead(Term term) { unwritten_.insert(term); }

 private:
  bool mentions(Term term) const;

  std::set<Term> unwritten_;  // terms that such reads have given in this run
};

}  // namespace heddle
