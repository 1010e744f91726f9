// Integers above 64 bits and x86's long double: two slots each, the low 64 bits and the rest.
#include "analysis/program/function_lowering.h"
#include "analysis/program/llvm_operations.h"

namespace heddle::lowering {

bool FunctionLowering::lowerWide(const llvm::Instruction& instruction) {
  if (lowerLongDouble(instruction)) return true;
  if (instruction.getNumOperands() == 0) return false;
  llvm::Type* operand = instruction.getOperand(0)->getType();
  const unsigned from = ModuleLowering::wideWidth(operand),
                 to = ModuleLowering::wideWidth(instruction.getType());
  if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction); binary && to)
    return lowerWideBinary(*binary, to);
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction); cast && (from || to))
    return lowerWideCast(*cast, from, to);
  auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
  if (!compare || !from) return false;
  uint32_t a = slot(*compare->getOperand(0)), b = slot(*compare->getOperand(1));
  const Relation relation = relationOf(compare->getPredicate());
  if (relation.swapped) std::swap(a, b);
  Instruction& in = emit(Opcode::Wide, define(instruction), a, b);
  in.aux = static_cast<uint8_t>(relation.op);
  in.width = static_cast<uint8_t>(from);
  return true;
}

bool FunctionLowering::lowerWideBinary(const llvm::BinaryOperator& instruction, unsigned width) {
  const uint32_t a = slot(*instruction.getOperand(0)), b = slot(*instruction.getOperand(1));
  const uint32_t dst = define(instruction);
  const auto op = binaryOpcode(instruction.getOpcode());
  if (!op) return false;
  if (*op == Opcode::And || *op == Opcode::Or || *op == Opcode::Xor) {
    emit(*op, dst, a, b).width = 64;
    emit(*op, dst + 1, a + 1, b + 1).width = static_cast<uint8_t>(width - 64);
    return true;
  }
  Instruction& in = emit(Opcode::Wide, dst, a, b);
  in.aux = static_cast<uint8_t>(*op);
  in.width = static_cast<uint8_t>(width);
  return true;
}

bool FunctionLowering::lowerWideCast(const llvm::CastInst& instruction, unsigned from, unsigned to) {
  const uint32_t a = slot(*instruction.getOperand(0)), dst = define(instruction);
  const auto convert = [&](Opcode op, uint32_t target, uint32_t source, unsigned source_width,
                           unsigned target_width) {
    Instruction& in = emit(source_width == target_width ? Opcode::Move : op, target, source);
    in.aux = static_cast<uint8_t>(source_width);
    in.width = static_cast<uint8_t>(target_width);
  };
  const unsigned narrowFrom = module_.scalarWidth(instruction.getSrcTy()),
                 narrowTo = module_.scalarWidth(instruction.getDestTy());
  switch (instruction.getOpcode()) {
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
    case llvm::Instruction::PtrToInt: {
      const bool isSigned = instruction.getOpcode() == llvm::Instruction::SExt;
      if (from) {
        emit(Opcode::Move, dst, a);
        convert(isSigned ? Opcode::SExt : Opcode::ZExt, dst + 1, a + 1, from - 64, to - 64);
        return true;
      }
      convert(isSigned ? Opcode::SExt : Opcode::ZExt, dst, a, narrowFrom, 64);
      if (!isSigned) return emit(Opcode::Move, dst + 1, number(0)), true;
      const uint32_t sign = local(), distance = number(63);
      emit(Opcode::AShr, sign, dst, distance).width = 64;
      convert(Opcode::Trunc, dst + 1, sign, 64, to - 64);
      return true;
    }
    case llvm::Instruction::Trunc:
    case llvm::Instruction::IntToPtr:
      convert(Opcode::Trunc, dst, a, 64, to ? 64 : narrowTo);
      if (to) convert(Opcode::Trunc, dst + 1, a + 1, from - 64, to - 64);
      return true;
    case llvm::Instruction::BitCast:
      return repack(*instruction.getOperand(0), instruction), true;
    default:
      return unsupported(std::string("'") + instruction.getOpcodeName() + "' on a 128-bit integer"), true;
  }
}

bool FunctionLowering::lowerLongDouble(const llvm::Instruction& instruction) {
  const auto isLong = [](const llvm::Value& value) { return ModuleLowering::isLongDouble(value.getType()); };
  const bool operand = instruction.getNumOperands() > 0 && isLong(*instruction.getOperand(0));
  if (!operand && !isLong(instruction)) return false;
  if (auto* compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction)) {
    const uint32_t a = slot(*compare->getOperand(0)), b = slot(*compare->getOperand(1));
    emit(Opcode::LongCompare, define(instruction), a, b).aux = static_cast<uint8_t>(compare->getPredicate());
    return true;
  }
  if (instruction.getOpcode() == llvm::Instruction::BitCast)
    return repack(*instruction.getOperand(0), instruction), true;
  const auto op = floatOpcode(instruction.getOpcode());
  if (!op) return false;
  const bool converts = *op >= FloatOp::ToSigned && *op <= FloatOp::Truncate;
  const llvm::Value& input = *instruction.getOperand(0);
  const unsigned other = converts ? module_.scalarWidth((isLong(input) ? instruction : input).getType()) : 0;
  if (converts && other == 0)
    return unsupported(std::string("'") + instruction.getOpcodeName() + "' on a 128-bit integer"), true;
  const uint32_t a = slot(*instruction.getOperand(0)),
                 b = instruction.getNumOperands() > 1 ? slot(*instruction.getOperand(1)) : a;
  Instruction& in = emit(Opcode::LongFloat, define(instruction), a, b);
  in.aux = static_cast<uint8_t>(*op);
  in.flags = static_cast<uint8_t>(other);
  return true;
}

}  // namespace heddle::lowering
