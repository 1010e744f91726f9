// Blocked step: a step of a witness that shows a thread which waits for ever. It is not an event of the
// run: blocked steps come after all other steps, and schedules do not count them.
#pragma once

namespace heddle {

inline constexpr const char* kBlockedStep = "blocked";  // Step::kind

}  // namespace heddle
