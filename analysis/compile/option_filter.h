// Option filter: an allow-list over compiler options that come from a workspace.
//
// Only options that the front end needs to read the text as the user's compiler does pass; everything else is
// dropped, known or not. So an option that loads code, runs a program, names an output or reads further
// options has no way in, also when a later compiler invents it. Pure text: no file is touched here.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <vector>

namespace heddle {

struct FilteredOptions {
  /// Options that take a separate value are always two elements ("-I", "dir"), however they were written.
  std::vector<std::string> kept;
  std::vector<std::string> dropped;
};

/// `options` without the compiler's name. Arguments that are no options (input files) are dropped as well.
FilteredOptions filterOptions(const std::vector<std::string>& options);

}  // namespace heddle
