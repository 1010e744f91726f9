// HarnessContract: findings of calls that no caller makes who keeps to what the text shows of an object's
// life and of threads: nobody uses an object beside the call that frees it. They are only possible.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <vector>

#include "analysis/report.h"
#include "server/source/generated_harness.h"

namespace heddle {

/// What the finding needs callers to do that the text speaks against, a sentence each.
std::vector<std::string> brokenContracts(const GeneratedHarness& harness, const Finding& finding);

/// The function that a thread of the harness calls; empty: it is another thread.
std::string calledBy(const GeneratedHarness& harness, const ThreadDescription& thread);

/// A static function of the file that does not compile is called: what it does there, the text would say.
bool restsOnLeftOut(const Finding& finding);

/// A null pointer where a function that the harness passes does nothing: the program's one may set it.
bool restsOnIdleHook(const GeneratedHarness& harness, const Finding& finding);

/// One of the calls is for the child of a fork: it shares no memory with what others call.
bool isOfTwoProcesses(const GeneratedHarness& harness);

}  // namespace heddle
