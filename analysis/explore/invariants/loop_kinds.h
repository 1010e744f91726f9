// Which loops end, whatever others do: each round may be the last, as an input says, or the rounds are
// counted up to a number that stays. A thread in any other loop may wait there for ever.
//
// Threading: pure function.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/program/program.h"

namespace heddle {

/// A variable's bytes.
struct GlobalCell {
  uint32_t global = 0;  // number in Program::globals
  uint64_t offset = 0;
};

/// `jumpBack`: the program counter of a JumpBack. The loop ends if nobody writes these cells meanwhile;
/// nothing where that is not known.
std::optional<std::vector<GlobalCell>> cellsThatEnd(const Program& program, uint32_t jumpBack);

}  // namespace heddle
