// What can be chosen about the strategy `con2colic`.
#pragma once

#include <cstdint>

namespace heddle {

struct Con2colicOptions {
  // The optimizations of section 5.4, each to be switched off as in Table 2 of the paper.
  bool coreGuidance = true;       // U: unsatisfiable cores say which reads to interfere, and what to give up
  bool prioritized = true;        // P: what would cover something new comes first
  bool duplicateFree = true;      // D: no scenario is looked at twice
  uint32_t maxInterferences = 0;  // kmax; 0: none
};

}  // namespace heddle
