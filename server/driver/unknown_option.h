// The option --unknown and the setting `unknown`: what calls of functions that are neither defined nor
// modelled are assumed to change.
//
// Threading: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/support/environment.h"

namespace heddle {

/// Each word is "EFFECT", which holds in general, or "FUNCTION=EFFECT"; returns what is wrong, or nothing.
std::optional<std::string> parseUnknown(const std::vector<std::string>& words, Environment& out);

/// The words that give the environment, one per option of a command line; none for the ordinary one.
std::vector<std::string> unknownWords(const Environment& environment);

}  // namespace heddle
