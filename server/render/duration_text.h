// How long something took, for a person.
#pragma once

#include <chrono>
#include <string>

namespace heddle {

/// "0.25 s": `digits` (0..3) after the point.
std::string secondsText(std::chrono::duration<double> time, int digits = 2);

}  // namespace heddle
