// What `heddle check --svcomp` is given, as plain data.
//
// Threading: plain data.
#pragma once

#include <string>

namespace heddle {

struct SvcompOptions {
  std::string property;   // file; empty: the command is no task of the competition
  std::string dataModel;  // "ILP32" or "LP64"; empty: the compile command's
  std::string witness;    // file to write; empty: none
  std::string validate;   // file of a witness to look for; empty: none
};

}  // namespace heddle
