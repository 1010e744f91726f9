// SharedBuffers: static arrays that a function hands out to be written, to a call or to a pointer of its own:
// all who call it at one time write the same memory.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

/// Adds writes of such arrays to SurveyFunction::accesses. Nothing where the function takes a lock: under
/// which one it writes is not looked at.
void addSharedBuffers(clang::ASTContext& context, const clang::FunctionDecl& function, SurveyFunction& out);

}  // namespace heddle
