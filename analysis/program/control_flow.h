// Where control goes after an instruction, within its function.
//
// Threading: pure functions.
#pragma once

#include <cstdint>

#include "analysis/program/program.h"

namespace heddle {

/// The instruction behind it is not reached from it, or not from it alone.
inline bool endsBlock(Opcode op) {
  return op == Opcode::Jump || op == Opcode::JumpBack || op == Opcode::Branch || op == Opcode::Switch ||
         op == Opcode::Return || op == Opcode::Unreachable || op == Opcode::Unsupported;
}

/// `visit(target)` for every instruction that may come next; one may come up several times. The last one of
/// a function leads to its end where it ends no block.
template <class Visit>
void forSuccessors(const Program& program, uint32_t pc, Visit visit) {
  const Instruction& in = program.code[pc];
  switch (in.op) {
    case Opcode::Jump:
    case Opcode::JumpBack:
      visit(in.a);
      break;
    case Opcode::Branch:
      visit(in.b);
      visit(in.c);
      break;
    case Opcode::Switch:
      visit(program.switches[in.b].defaultTarget);
      for (const auto& [value, target] : program.switches[in.b].cases) visit(target);
      break;
    default:
      if (!endsBlock(in.op)) visit(pc + 1);
  }
}

}  // namespace heddle
