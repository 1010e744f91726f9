// What one C file defines for others and what it mentions, from its text alone: enough to tell which files of
// a project may belong to one program. Too many words do no harm: the linker takes what is needed.
//
// Threading: pure functions.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace heddle {

struct UnitFacts {
  std::set<std::string> defines;  // functions and variables with external linkage
  std::set<std::string> words;    // identifiers outside of directives that it does not define itself
  bool hasMain = false;
  bool isMainConditional = false;  // between #if and #endif
  bool mayLackMain() const { return !hasMain || isMainConditional; }
  bool operator==(const UnitFacts&) const = default;
};

UnitFacts factsOf(std::string_view text);

}  // namespace heddle
