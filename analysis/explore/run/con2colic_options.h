// Options of the strategy `con2colic`.
#pragma once

#include <cstdint>

namespace heddle {

struct Con2colicOptions {
  // The optimizations of section 5.4. Each can be switched off, as in Table 2 of the paper.
  /// U: unsatisfiable cores say which reads should get an interference, and which scenarios to drop.
  bool coreGuidance = true;
  bool prioritized = true;        // P: scenarios that would cover something new come first
  bool duplicateFree = true;      // D: no scenario is tried twice
  uint32_t maxInterferences = 0;  // kmax; 0: no limit
};

}  // namespace heddle
