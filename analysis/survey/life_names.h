// LifeNames: what a function does to the life of an object, by the words of its name.
//
// Threading: pure functions.
#pragma once

#include <string>

namespace heddle {

/// Whether "init" or the like is part of the name; isTakeDown the same for "destroy".
bool isSetUp(const std::string& name);
bool isTakeDown(const std::string& name);

}  // namespace heddle
