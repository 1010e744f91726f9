// Outline: the functions a C text defines and which of them it starts as threads, from the text alone, so
// that it is there while the text does not compile. Where macros hide a definition, it is not seen.
//
// Threading: pure functions.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/source_place.h"
#include "server/source/c_tokens.h"

namespace heddle {

struct OutlineFunction {
  std::string name;
  ByteRange nameRange;
  ByteRange body;                       // with its braces
  std::vector<std::string> parameters;  // as written; none for () and (void)
  bool isStatic = false;
};

struct Outline {
  std::vector<OutlineFunction> functions;  // in the order of the text
  std::set<std::string> threadFunctions;   // named as the third argument of a pthread_create

  const OutlineFunction* find(std::string_view name) const;
  /// The function whose name, parameters or body are at the offset.
  const OutlineFunction* at(size_t offset) const;
};

/// `lexed` without what is between the braces of functions that are not in `reached`: the text as far as it
/// matters to a program that comes to these functions only. Everything, when `reached` is empty or a
/// function may be pasted into others by the compiler (always_inline).
CText withoutUnreached(std::string_view text, const CText& lexed, const std::set<std::string>& reached);

Outline outlineOf(std::string_view text, const CText& lexed);

/// The offset lies between #if and #endif.
bool isConditional(std::string_view text, const CText& lexed, size_t offset);

/// What withoutUnreached() takes: the names of the functions of the text that a program comes to, given where
/// the compiler saw them. Empty when the outline does not see one of them there: macros hide something.
std::set<std::string> reachedNames(const PositionMap& map, const Outline& outline, const std::string& path,
                                   const std::vector<SourcePlace>& reached);

}  // namespace heddle
