// What the user may have meant by a command or an option that does not exist.
//
// Threading: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// The nearest of `known` by letters added, left out, changed or swapped with their neighbour (optimal string
/// alignment); nullopt where none is near: more than one mistake in three letters.
std::optional<std::string> nearestWord(std::string_view word, const std::vector<std::string>& known);

}  // namespace heddle
