// Which loops end, whatever others do: each round may be the last, as an input says, or the rounds are
// counted up to a number that stays. A thread in any other loop may wait there for ever.
//
// Threading: pure function.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "analysis/program/program.h"

namespace heddle {

/// A variable's bytes.
struct GlobalCell {
  uint32_t global = 0;  // number in Program::globals
  uint64_t offset = 0;
};

struct LoopKind {
  enum class Ends : uint8_t {
    NotKnown,
    ByInput,     // each round may be the last
    ByCounting,  // if nobody writes `cells` meanwhile
  };
  Ends ends = Ends::NotKnown;
  std::vector<GlobalCell> cells;
  std::set<uint32_t> inside;  // program counters, its head among them
};

/// `jumpBack`: the program counter of a JumpBack.
LoopKind kindOfLoop(const Program& program, uint32_t jumpBack);

}  // namespace heddle
