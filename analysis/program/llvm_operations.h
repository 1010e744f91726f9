// LLVM's operations of two operands as Heddle's, for scalars, vectors, and values of two slots alike.
// Internal to analysis/program.
#pragma once

#include <llvm/IR/InstrTypes.h>

#include <optional>

#include "analysis/program/instruction.h"

namespace heddle::lowering {

/// Heddle's opcode for one of llvm::Instruction. None: it is no operation on two integers.
std::optional<Opcode> binaryOpcode(unsigned opcode);

/// Heddle's operation for an opcode of llvm::Instruction; conversions and negation count, too. None: it is no
/// operation on floating-point numbers.
std::optional<FloatOp> floatOpcode(unsigned opcode);

/// A comparison of integers: there is no "greater", so the operands may change places.
struct Relation {
  Opcode op;
  bool swapped;
};
Relation relationOf(llvm::CmpInst::Predicate predicate);

}  // namespace heddle::lowering
