// Stub text: a definition in C for a function that is only declared, ready to be changed: it returns any
// value and gives any value to the numbers that its arguments point to.
//
// Threading: pure function; on the guarded thread, while the AST is alive.
#pragma once

#include <string>

namespace clang {
class FunctionDecl;
}

namespace heddle {

std::string stubText(const clang::FunctionDecl& declared);

}  // namespace heddle
