// Interleaving: the steps of a witness as plain text, one column per thread, time running down. The command
// line and the hover show the same table.
//
//     line  T0 main             T1 worker
//       12  create T1
//        7                      write x = 2
//       15  assertion fails
//
// Threading: pure functions.
#pragma once

#include <string>
#include <vector>

#include "analysis/report.h"

namespace heddle {

struct InterleavingOptions {
  size_t maxRows =
      60;  // longer witnesses keep their end and some of their beginning; what is left out is counted
  size_t maxColumn = 34;                // wider cells are cut
  std::string mainFile = {};            // steps elsewhere show their file's name beside the line
  std::vector<SourcePlace> first = {};  // what stands there is left out last
};

/// Lines ending in '\n'; empty when there are no steps.
std::string renderInterleaving(const std::vector<ThreadDescription>& threads, const std::vector<Step>& steps,
                               const InterleavingOptions& options);

/// The steps of the finding and, where the failure is the last thread's own doing, the failure as the last
/// one.
std::vector<Step> stepsToFailure(const Finding& finding);

/// "i = 3 (line 4, T1)", one for each input, ready for a list.
std::vector<std::string> renderInputs(const std::vector<InputValue>& inputs);

/// The number as the program would print it.
std::string inputText(const InputValue& input);

std::string baseName(const std::string& path);

}  // namespace heddle
