// Where control goes after an instruction, within its function.
//
// Threading: pure functions.
#pragma once

#include <cstdint>

#include "analysis/program/program.h"

namespace heddle {

/// The instruction after it is not reached from it, or not only from it.
inline bool endsBlock(Opcode op) {
  return op == Opcode::Jump || op == Opcode::JumpBack || op == Opcode::Branch || op == Opcode::Switch ||
         op == Opcode::Return || op == Opcode::Unreachable || op == Opcode::Unsupported;
}

/// `visit(target)` for every instruction that may come next; a target may be visited several times. The last
/// instruction of a function leads to the function's end if it does not end a block.
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
