// List events: what one statement does to a link of an object that lists are made of, by the name of the
// function or the macro: it is put into a list, taken out, or set up. The text of a macro's arguments counts:
// what macros make of them differs.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace heddle {

/// A variable that leads to an object, and its member; the member is empty: the variable is the link.
struct ListLink {
  std::string object, member;
  auto operator<=>(const ListLink&) const = default;
};

struct ListEvent {
  enum class Kind : uint8_t { None, Insert, Remove, Init, Data, Walk };
  Kind kind = Kind::None;
  std::vector<std::string> arguments;  // as they are written
  std::vector<ListLink> links;         // among them; Data: the one that is asked for
  std::string name;
  uint32_t line = 0;
  unsigned at = 0;  // offset in the file

  bool isOf(const ListLink& link) const;
  /// The head of the list, or of the one that is walked: the argument that is the address of a variable.
  bool hasArgument(const std::string& text) const;
};

/// Of a call, or of the macro that the statement comes from.
ListEvent listEventOf(const clang::Stmt& statement, const clang::ASTContext& context);

}  // namespace heddle
