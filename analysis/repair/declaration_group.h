// DeclarationGroup: gives one of several variables that share a declaration ("int a, b;") its own
// declaration, so that its type can change while the others keep theirs.
//
// Threading: as the syntax tree.
#pragma once

#include <string>

#include "analysis/repair/text_edits.h"
#include "clang/AST/Decl.h"

namespace heddle {

/// True if another variable or member is declared by the same specifiers.
bool sharesDeclaration(const clang::DeclaratorDecl& declared);

/// Removes the variable from the group and declares it on the next line, with `qualifier` ("_Atomic ")
/// before its type. Returns an empty text, or why that is impossible; then `edits` is unchanged.
std::string declareApart(const clang::DeclaratorDecl& declared, const std::string& qualifier,
                         const clang::ASTContext& context, TextEdits& edits);

}  // namespace heddle
