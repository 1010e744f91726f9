// Blocked step: in the steps of a witness, a thread that waits for ever. It is no event of the run: such
// steps stand behind all others, and no schedule counts them.
#pragma once

namespace heddle {

inline constexpr const char* kBlockedStep = "blocked";  // Step::kind

}  // namespace heddle
