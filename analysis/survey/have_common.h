// HaveCommon: whether two sets share something.
//
// Threading: pure functions.
#pragma once

#include <algorithm>

namespace heddle {

template <typename Some, typename Others>
bool haveCommon(const Some& some, const Others& others) {
  return std::any_of(some.begin(), some.end(), [&](const auto& one) { return others.contains(one); });
}

}  // namespace heddle
