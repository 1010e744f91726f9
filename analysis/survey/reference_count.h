// Reference counts: functions that give a reference back, and take the object down with the last one.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "clang/AST/Decl.h"

namespace heddle {

/// It lowers a count and tests it in a condition on which it depends whether something is freed or destroyed.
bool givesReferenceBack(const clang::FunctionDecl& function);

}  // namespace heddle
