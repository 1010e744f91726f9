// What the executions that a report shows (failing, and nearest passing) read at each shared read, and who
// wrote it.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <vector>

#include "analysis/report.h"

namespace heddle {

struct ReadValue {
  std::string value;
  std::string writer;   // the function that the writing thread runs; empty: nobody has written before
  SourcePlace written;  // line 0: as `writer`
  bool operator==(const ReadValue&) const = default;
};

struct SharedRead {
  SourcePlace place;
  std::string object;
  std::vector<ReadValue> values;
};

/// In the order of the steps.
std::vector<SharedRead> readsOf(const Report& report);

}  // namespace heddle
