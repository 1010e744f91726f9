// Declared functions: what a text says of the functions that it calls and does not define, as plain data.
//
// Threading: pure function; on the guarded thread, while the AST is alive.
#pragma once

#include <vector>

#include "analysis/support/declared_function.h"

namespace clang {
class ASTContext;
class CodeGenerator;
}  // namespace clang

namespace heddle {

/// The functions that the generator's module only declares, in the module's order. Functions that the
/// compiler knows itself are left out.
std::vector<DeclaredFunction> declaredFunctions(clang::CodeGenerator& generator, clang::ASTContext& context);

}  // namespace heddle
