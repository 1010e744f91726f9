// Compiles a C text natively and runs it, for tests that compare the interpreter with the machine.
#pragma once

#include <string>

namespace heddle::test {

struct Native {
  std::string output;  // or why there is none
  int exitCode = -1;   // -1: it did not end by itself
};

Native runNative(const std::string& text, const std::string& flags = {});

}  // namespace heddle::test
