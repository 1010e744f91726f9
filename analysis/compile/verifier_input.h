// Inputs of generated C: which of the verifier's functions gives any value of a type, and how it is declared.
//
// Threading: pure functions; the AST that a type belongs to must be alive.
#pragma once

#include <string>

namespace clang {
class ASTContext;
class QualType;
}  // namespace clang

namespace heddle {

/// "uint", "longlong": what follows "__VERIFIER_nondet_" for a number of the type; empty: no input has it.
std::string verifierInput(const clang::ASTContext& context, const clang::QualType& type);

/// "extern unsigned int __VERIFIER_nondet_uint(void);" for such a name.
std::string inputDeclaration(const std::string& input);

}  // namespace heddle
