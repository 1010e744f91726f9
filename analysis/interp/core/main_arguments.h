// Which objects hold main's arguments, where those are inputs (main_arguments.cpp).
//
// Threading: pure function.
#pragma once

#include "analysis/program/program.h"

namespace heddle {

inline constexpr uint32_t kArgumentSite = 1;  // ObjectName::site; ordinal 0 is the program's name

inline bool isAnyArgument(const Program& program, const ObjectName& name) {
  return !program.environment.arguments && name.kind == ObjectKind::Library && name.owner == kMainThread &&
         name.site == kArgumentSite && name.ordinal > 0;
}

}  // namespace heddle
