// OuterSwitch: the macros that a file lies within. All of such a file is inside one `#if`, so without them it
// is empty, and nothing would be said of it.
//
// Threading: pure function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// What must be defined for the file's code to be there, where that is a choice of the project: no macro of
/// another system or compiler, and no include guard. Empty: the file has code without it, or the text does
/// not tell, or nothing in it is about threads.
std::vector<std::string> outerSwitches(const std::string& text);

/// Lines of a file, counted from 1, that are there only where macros are defined.
struct SwitchedLines {
  std::vector<std::string> names;
  uint32_t first = 0, last = 0;
};

/// What lies within a condition that asks whether macros of the project are defined (or not 0), and what lies
/// behind the `#else` of one that asks whether they are not. Of conditions within others, each is told.
std::vector<SwitchedLines> switchedLines(const std::string& text);

/// Whether the name of a macro or a file speaks of a compiler, a processor, or a system other than Linux.
bool isOfSystem(std::string_view name);

}  // namespace heddle
