// DataName: how surveys name data and locks, so that two functions mean the same by one name.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <string>

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace heddle {

/// "struct.member", whatever the object; empty: the member is no field.
std::string memberName(const clang::MemberExpr& member);

/// Of a member of a structure that is a member itself, from the outermost structure on:
/// "struct.member.member"; empty: it is no such member.
std::string wholeName(const clang::MemberExpr& member);

std::string fieldName(const clang::FieldDecl& field);

/// A variable's name; that of a static one of a function has the function's in front: functions may have
/// static variables of the same name.
std::string variableName(const clang::VarDecl& variable);

/// The variable, local ones too, or the member that an expression names, one for all its declarations; null:
/// it names neither.
const clang::ValueDecl* namedData(const clang::Expr& expression);

/// It stands in the file that is compiled, not in a header.
bool isOfMainFile(const clang::Decl& declared);

/// Of the member or the variable that is not local; empty: the expression is neither.
std::string dataName(const clang::Expr& expression);

}  // namespace heddle
