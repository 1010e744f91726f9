// WrittenDirectives: what a text includes, and which macros it asks for, whatever its conditions come to.
//
// Threading: pure functions.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace heddle {

struct Include {
  std::string name;
  bool isQuoted = false;
  std::string switchedBy;  // the nearest macro around it that must be defined (or not 0); empty: none
};

/// The lines that include something, and the words of those that ask for a macro. What is asked for only to
/// refuse it (`#ifdef X`, then `#error`) is left out.
void readDirectives(const std::string& text, std::vector<Include>& includes, std::set<std::string>& asked);

}  // namespace heddle
