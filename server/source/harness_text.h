// HarnessText: pieces of the C text of generated harnesses: threads, the function that starts them, and the
// same calls in turn.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <vector>

#include "server/source/harness_object.h"

namespace heddle {

/// What stands in front of calls of the thread library: a project may have defined its names away.
inline constexpr const char* kThreadNames =
    "#include <pthread.h>\n#undef pthread_create\n#undef pthread_join\n";

/// The function of a thread that makes the call.
std::string threadText(unsigned number, const std::string& call);

/// Statements that start that thread, and that wait for its end.
std::string startText(unsigned number);
std::string joinText(unsigned number);
/// The declaration of the variables of so many threads.
std::string threadVariables(unsigned count);

/// The common frame: `first`, what the program sets up; objects, which may need it; `body`; the end of the
/// objects.
std::string frameText(HarnessWriter& writer, const std::string& threads, const std::string& first,
                      const std::string& body);

/// A call that is given one object of the harness twice.
bool repeatsObject(const std::string& call);

/// The harness `text` with calls side by side, `body`, made into one where an input says which comes first.
std::string inTurnText(std::string text, const std::string& body, const std::string& first,
                       const std::vector<std::string>& turns);

}  // namespace heddle
