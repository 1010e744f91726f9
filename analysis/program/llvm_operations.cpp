#include "analysis/program/llvm_operations.h"

#include <llvm/IR/Instruction.h>

namespace heddle::lowering {

std::optional<Opcode> binaryOpcode(unsigned opcode) {
  switch (opcode) {
    case llvm::Instruction::Add:
      return Opcode::Add;
    case llvm::Instruction::Sub:
      return Opcode::Sub;
    case llvm::Instruction::Mul:
      return Opcode::Mul;
    case llvm::Instruction::UDiv:
      return Opcode::UDiv;
    case llvm::Instruction::SDiv:
      return Opcode::SDiv;
    case llvm::Instruction::URem:
      return Opcode::URem;
    case llvm::Instruction::SRem:
      return Opcode::SRem;
    case llvm::Instruction::And:
      return Opcode::And;
    case llvm::Instruction::Or:
      return Opcode::Or;
    case llvm::Instruction::Xor:
      return Opcode::Xor;
    case llvm::Instruction::Shl:
      return Opcode::Shl;
    case llvm::Instruction::LShr:
      return Opcode::LShr;
    case llvm::Instruction::AShr:
      return Opcode::AShr;
    default:
      return std::nullopt;
  }
}

std::optional<FloatOp> floatOpcode(unsigned opcode) {
  switch (opcode) {
    case llvm::Instruction::FNeg:
      return FloatOp::Neg;
    case llvm::Instruction::FAdd:
      return FloatOp::Add;
    case llvm::Instruction::FSub:
      return FloatOp::Sub;
    case llvm::Instruction::FMul:
      return FloatOp::Mul;
    case llvm::Instruction::FDiv:
      return FloatOp::Div;
    case llvm::Instruction::FRem:
      return FloatOp::Rem;
    case llvm::Instruction::FPToSI:
      return FloatOp::ToSigned;
    case llvm::Instruction::FPToUI:
      return FloatOp::ToUnsigned;
    case llvm::Instruction::SIToFP:
      return FloatOp::FromSigned;
    case llvm::Instruction::UIToFP:
      return FloatOp::FromUnsigned;
    case llvm::Instruction::FPExt:
      return FloatOp::Extend;
    case llvm::Instruction::FPTrunc:
      return FloatOp::Truncate;
    default:
      return std::nullopt;
  }
}

Relation relationOf(llvm::CmpInst::Predicate predicate) {
  switch (predicate) {
    case llvm::CmpInst::ICMP_NE:
      return {Opcode::Ne, false};
    case llvm::CmpInst::ICMP_ULT:
      return {Opcode::Ult, false};
    case llvm::CmpInst::ICMP_ULE:
      return {Opcode::Ule, false};
    case llvm::CmpInst::ICMP_UGT:
      return {Opcode::Ult, true};
    case llvm::CmpInst::ICMP_UGE:
      return {Opcode::Ule, true};
    case llvm::CmpInst::ICMP_SLT:
      return {Opcode::Slt, false};
    case llvm::CmpInst::ICMP_SLE:
      return {Opcode::Sle, false};
    case llvm::CmpInst::ICMP_SGT:
      return {Opcode::Slt, true};
    case llvm::CmpInst::ICMP_SGE:
      return {Opcode::Sle, true};
    default:
      return {Opcode::Eq, false};
  }
}

}  // namespace heddle::lowering
