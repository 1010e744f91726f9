// Vectors: one slot an element. Arithmetic runs over the elements in lower_value.cpp; here is what moves
// them.
#include <llvm/IR/Intrinsics.h>

#include "analysis/program/function_lowering.h"

namespace heddle::lowering {

bool FunctionLowering::lowerVector(const llvm::Instruction& instruction) {
  if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction))
    return lowerShuffle(*shuffle), true;
  if (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction)) {
    if (!cast->getSrcTy()->isVectorTy() && !cast->getDestTy()->isVectorTy()) return false;
    return repack(*cast->getOperand(0), instruction), true;
  }
  const bool extracts = llvm::isa<llvm::ExtractElementInst>(instruction);
  if (!extracts && !llvm::isa<llvm::InsertElementInst>(instruction)) return false;
  const llvm::Value& vector = *instruction.getOperand(0);
  const llvm::Value& index = *instruction.getOperand(extracts ? 1 : 2);
  const auto parts = module_.flatten(vector.getType());
  const unsigned indexWidth = module_.scalarWidth(index.getType());
  if (!parts || indexWidth == 0) return unsupported("a vector of this type"), true;
  const auto count = static_cast<uint32_t>(parts->size());
  const auto width = static_cast<uint8_t>(parts->front().width);
  const uint32_t source = slot(vector), dst = define(instruction), at = slot(index);
  const uint32_t part = extracts ? 0 : slot(*instruction.getOperand(1));
  if (extracts) emit(Opcode::Move, dst, source);
  // An index that is not a constant: a choice among all elements.
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t wanted = number(i), matches = local();
    emit(Opcode::Eq, matches, at, wanted).width = static_cast<uint8_t>(indexWidth);
    if (extracts)
      emit(Opcode::Select, dst, matches, source + i, dst).width = width;
    else
      emit(Opcode::Select, dst + i, matches, part, source + i).width = width;
  }
  return true;
}

void FunctionLowering::lowerShuffle(const llvm::ShuffleVectorInst& instruction) {
  const auto parts = module_.flatten(instruction.getOperand(0)->getType());
  if (!parts || !module_.flatten(instruction.getType())) return unsupported("a vector of this type");
  const auto count = static_cast<int>(parts->size());
  const uint32_t a = slot(*instruction.getOperand(0)), b = slot(*instruction.getOperand(1));
  uint32_t dst = define(instruction);
  for (const int lane : instruction.getShuffleMask()) {
    ScalarConstant none;
    none.undefined = true;
    const uint32_t source = lane < 0       ? constantSlot(none)
                            : lane < count ? a + static_cast<uint32_t>(lane)
                                           : b + static_cast<uint32_t>(lane - count);
    emit(Opcode::Move, dst++, source);
  }
}

void FunctionLowering::repack(const llvm::Value& from, const llvm::Instruction& to) {
  const auto have = module_.flatten(from.getType()), want = module_.flatten(to.getType());
  if (!have || !want) return unsupported("a cast between these types");
  const uint32_t source = slot(from), dst = define(to);
  unsigned start = 0;  // of the scalar wanted, in bits
  for (uint32_t i = 0; i < want->size(); ++i) {
    const unsigned width = (*want)[i].width;
    unsigned filled = 0, position = 0;
    for (uint32_t k = 0; k < have->size() && filled < width; position += (*have)[k].width, ++k) {
      const unsigned wide = (*have)[k].width;
      if (position + wide <= start + filled) continue;
      const unsigned low = start + filled - position, take = std::min(wide - low, width - filled);
      uint32_t part = source + k;
      const auto step = [&](Opcode op, uint32_t operand, unsigned before, unsigned after) {
        const uint32_t made = local();
        Instruction& in = emit(op, made, part, operand);
        in.aux = static_cast<uint8_t>(before);
        in.width = static_cast<uint8_t>(after);
        part = made;
      };
      if (low > 0) step(Opcode::LShr, number(low), wide, wide);
      if (take < wide) step(Opcode::Trunc, 0, wide, take);
      if (take < width) step(Opcode::ZExt, 0, take, width);
      if (filled > 0) {
        step(Opcode::Shl, number(filled), width, width);
        emit(Opcode::Or, dst + i, dst + i, part).width = static_cast<uint8_t>(width);
      } else {
        emit(Opcode::Move, dst + i, part);
      }
      filled += take;
    }
    start += width;
  }
}

bool FunctionLowering::lowerReduction(const llvm::CallBase& call, unsigned intrinsic) {
  const llvm::Value& vector = *call.getArgOperand(0);
  const auto parts = module_.flatten(vector.getType());
  if (!parts) return false;
  Opcode op = Opcode::Move;
  IntegerOp choice = IntegerOp::SMax;
  switch (intrinsic) {
    case llvm::Intrinsic::vector_reduce_add:
      op = Opcode::Add;
      break;
    case llvm::Intrinsic::vector_reduce_mul:
      op = Opcode::Mul;
      break;
    case llvm::Intrinsic::vector_reduce_and:
      op = Opcode::And;
      break;
    case llvm::Intrinsic::vector_reduce_or:
      op = Opcode::Or;
      break;
    case llvm::Intrinsic::vector_reduce_xor:
      op = Opcode::Xor;
      break;
    case llvm::Intrinsic::vector_reduce_smax:
      op = Opcode::Integer;
      break;
    case llvm::Intrinsic::vector_reduce_smin:
      op = Opcode::Integer;
      choice = IntegerOp::SMin;
      break;
    case llvm::Intrinsic::vector_reduce_umax:
      op = Opcode::Integer;
      choice = IntegerOp::UMax;
      break;
    case llvm::Intrinsic::vector_reduce_umin:
      op = Opcode::Integer;
      choice = IntegerOp::UMin;
      break;
    default:
      return false;
  }
  const uint32_t source = slot(vector), dst = define(call);
  emit(Opcode::Move, dst, source);
  for (uint32_t i = 1; i < parts->size(); ++i) {
    Instruction& in = emit(op, dst, dst, source + i);
    in.width = static_cast<uint8_t>(parts->front().width);
    if (op == Opcode::Integer) in.aux = static_cast<uint8_t>(choice);
  }
  return true;
}

}  // namespace heddle::lowering
