// SourcePlace: a place in the user's text. It is part of every result (report.h, repair_plan.h).
//
// Lines are 1-based, columns are 1-based byte columns, files are paths as given.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

struct SourcePlace {
  std::string file;
  uint32_t line = 0;  // 0: no place known
  uint32_t column = 0;
  std::string function;
  bool operator==(const SourcePlace&) const = default;
};

}  // namespace heddle
