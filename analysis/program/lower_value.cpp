#include "analysis/program/function_lowering.h"
#include "analysis/program/llvm_operations.h"

namespace heddle::lowering {

bool FunctionLowering::lowerValue(const llvm::Instruction& instruction) {
  const bool computes = llvm::isa<llvm::BinaryOperator, llvm::ICmpInst, llvm::FCmpInst, llvm::CastInst,
                                  llvm::SelectInst, llvm::FreezeInst, llvm::UnaryOperator>(instruction);
  if (computes) {
    bool fits = module_.flatten(instruction.getType()).has_value();
    for (const llvm::Use& operand : instruction.operands())
      fits &= module_.flatten(operand->getType()).has_value();
    if (!fits) {
      std::string text;
      llvm::raw_string_ostream(text) << *instruction.getOperand(0)->getType();
      unsupported(std::string("'") + instruction.getOpcodeName() + "' on type " + text);
      return true;
    }
  }
  if (lowerWide(instruction) || lowerVector(instruction)) return true;
  if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return lowerBinary(*binary), true;
  if (auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) return lowerCompare(*compare), true;
  if (auto* compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction)) return lowerFloatCompare(*compare), true;
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return lowerCast(*cast), true;
  if (llvm::isa<llvm::ExtractValueInst, llvm::InsertValueInst>(instruction))
    return lowerAggregate(instruction), true;
  if (llvm::isa<llvm::SelectInst>(instruction)) {
    const uint32_t dst = define(instruction), count = slots(instruction);
    const uint32_t a = slot(*instruction.getOperand(0)), b = slot(*instruction.getOperand(1)),
                   c = slot(*instruction.getOperand(2));
    const auto parts = module_.flatten(instruction.getType());
    const uint32_t step = instruction.getOperand(0)->getType()->isVectorTy() ? 1 : 0;
    for (uint32_t i = 0; i < count; ++i)
      emit(Opcode::Select, dst + i, a + i * step, b + i, c + i).width =
          static_cast<uint8_t>((*parts)[i].width);
    return true;
  }
  if (llvm::isa<llvm::FreezeInst>(instruction)) {
    const uint32_t dst = define(instruction), source = slot(*instruction.getOperand(0)),
                   count = slots(instruction);
    for (uint32_t i = 0; i < count; ++i) emit(Opcode::Freeze, dst + i, source + i);
    return true;
  }
  if (instruction.getOpcode() == llvm::Instruction::FNeg) {
    const uint32_t dst = define(instruction), a = slot(*instruction.getOperand(0)),
                   count = slots(instruction);
    for (uint32_t i = 0; i < count; ++i) {
      Instruction& in = emit(Opcode::Float, dst + i, a + i);
      in.aux = static_cast<uint8_t>(FloatOp::Neg);
      in.width = static_cast<uint8_t>(module_.scalarWidth(instruction.getType()->getScalarType()));
    }
    return true;
  }
  return false;
}

void FunctionLowering::lowerBinary(const llvm::BinaryOperator& instruction) {
  const uint32_t a = slot(*instruction.getOperand(0)), b = slot(*instruction.getOperand(1));
  const auto width = static_cast<uint8_t>(module_.scalarWidth(instruction.getType()->getScalarType()));
  const uint32_t dst = define(instruction), count = slots(instruction);
  if (const auto op = binaryOpcode(instruction.getOpcode())) {
    for (uint32_t i = 0; i < count; ++i) emit(*op, dst + i, a + i, b + i).width = width;
    return;
  }
  if (const auto op = floatOpcode(instruction.getOpcode())) {
    for (uint32_t i = 0; i < count; ++i) {
      Instruction& in = emit(Opcode::Float, dst + i, a + i, b + i);
      in.aux = static_cast<uint8_t>(*op);
      in.width = width;
    }
    return;
  }
  unsupported(std::string("instruction '") + instruction.getOpcodeName() + "'");
}

void FunctionLowering::lowerCompare(const llvm::ICmpInst& instruction) {
  uint32_t a = slot(*instruction.getOperand(0)), b = slot(*instruction.getOperand(1));
  const Relation relation = relationOf(instruction.getPredicate());
  if (relation.swapped) std::swap(a, b);
  const uint32_t dst = define(instruction), count = slots(instruction);
  for (uint32_t i = 0; i < count; ++i)
    emit(relation.op, dst + i, a + i, b + i).width =
        static_cast<uint8_t>(module_.scalarWidth(instruction.getOperand(0)->getType()->getScalarType()));
}

void FunctionLowering::lowerFloatCompare(const llvm::FCmpInst& instruction) {
  const uint32_t a = slot(*instruction.getOperand(0)), b = slot(*instruction.getOperand(1));
  const uint32_t dst = define(instruction), count = slots(instruction);
  for (uint32_t i = 0; i < count; ++i) {
    Instruction& in = emit(Opcode::FloatCompare, dst + i, a + i, b + i);
    // LLVM's predicates are these four bits already: equal 1, greater 2, less 4, unordered 8.
    in.aux = static_cast<uint8_t>(instruction.getPredicate());
    in.width =
        static_cast<uint8_t>(module_.scalarWidth(instruction.getOperand(0)->getType()->getScalarType()));
  }
}

void FunctionLowering::lowerCast(const llvm::CastInst& instruction) {
  const uint32_t dst = define(instruction), a = slot(*instruction.getOperand(0)), count = slots(instruction);
  const auto from = static_cast<uint8_t>(module_.scalarWidth(instruction.getSrcTy()->getScalarType()));
  const auto to = static_cast<uint8_t>(module_.scalarWidth(instruction.getDestTy()->getScalarType()));
  if (from == 0 || to == 0) return unsupported("a cast of an aggregate");
  Opcode op = Opcode::Move;
  switch (instruction.getOpcode()) {
    case llvm::Instruction::ZExt:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::AddrSpaceCast:
      op = to > from ? Opcode::ZExt : to < from ? Opcode::Trunc : Opcode::Move;
      break;
    case llvm::Instruction::SExt:
      op = Opcode::SExt;
      break;
    case llvm::Instruction::Trunc:
      op = Opcode::Trunc;
      break;
    case llvm::Instruction::BitCast:
      op = Opcode::Move;
      break;
    default:
      if (const auto real = floatOpcode(instruction.getOpcode())) {
        for (uint32_t i = 0; i < count; ++i) {
          Instruction& in = emit(Opcode::Float, dst + i, a + i);
          in.aux = static_cast<uint8_t>(*real);
          in.width = to;
          in.flags = from;
        }
        return;
      }
      return unsupported(std::string("instruction '") + instruction.getOpcodeName() + "'");
  }
  for (uint32_t i = 0; i < count; ++i) {
    Instruction& in = emit(op, dst + i, a + i);
    in.width = to;
    in.aux = from;
  }
}

void FunctionLowering::lowerAggregate(const llvm::Instruction& instruction) {
  const llvm::Value& aggregate = *instruction.getOperand(0);
  if (!module_.flatten(aggregate.getType())) return unsupported("an aggregate of this type");
  const auto offsetOf = [&](llvm::ArrayRef<unsigned> indices) {
    uint32_t offset = 0;
    llvm::Type* type = aggregate.getType();
    for (const unsigned index : indices) {
      for (unsigned i = 0; i < index; ++i)
        offset += static_cast<uint32_t>(
            module_.flatten(type->isStructTy() ? type->getStructElementType(i) : type->getArrayElementType())
                ->size());
      type = type->isStructTy() ? type->getStructElementType(index) : type->getArrayElementType();
    }
    return offset;
  };
  if (auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    const uint32_t source = slot(aggregate) + offsetOf(extract->getIndices());
    const uint32_t dst = define(instruction), count = slots(instruction);
    for (uint32_t i = 0; i < count; ++i) emit(Opcode::Move, dst + i, source + i);
    return;
  }
  auto& insert = llvm::cast<llvm::InsertValueInst>(instruction);
  const llvm::Value& part = *insert.getInsertedValueOperand();
  const uint32_t dst = define(instruction), source = slot(aggregate), inserted = slot(part);
  const uint32_t from = offsetOf(insert.getIndices()), count = slots(part), total = slots(instruction);
  for (uint32_t i = 0; i < total; ++i)
    emit(Opcode::Move, dst + i, i >= from && i < from + count ? inserted + (i - from) : source + i);
}

}  // namespace heddle::lowering
