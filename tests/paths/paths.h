// Where the tests and measurements find their programs and the built command. In a file of its own so that
// only one object depends on where the checkout lies: all others are the same in every worktree, for a
// compiler cache.
#pragma once

#include <string>

namespace heddle {

/// The checkout, absolute, without a slash at its end.
std::string sourceDirectory();
/// The build directory, absolute, without a slash at its end.
std::string binaryDirectory();

}  // namespace heddle
