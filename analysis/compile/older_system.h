// OlderSystem: what texts written for an older C library need here: headers that it had, and functions that
// it did not have yet, which such texts define themselves.
//
// Threading: pure functions.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace heddle {

/// How the text of such a header begins.
inline constexpr std::string_view kGoneHeader = "// a header that the C library has no more\n";

/// A header that the GNU C Library had once ("sys/sysctl.h", until 2.31): nothing of it can be used here, but
/// texts that include it often use nothing.
bool isGoneHeader(std::string_view name);

/// Functions that the text defines for itself where no macro of their name says that they are there
/// (`#ifndef gettid`, then `static pid_t gettid(void)`). Where the C library declares one by now, a build of
/// then has it from the text, and one of today has two.
std::set<std::string> ownUnlessMacro(const std::string& text);

}  // namespace heddle
