#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/Operator.h>

#include <cstring>
#include <limits>

#include "analysis/program/module_lowering.h"

namespace heddle::lowering {

unsigned ModuleLowering::scalarWidth(llvm::Type* type) const {
  if (type->isIntegerTy()) return type->getIntegerBitWidth() <= 64 ? type->getIntegerBitWidth() : 0;
  if (type->isPointerTy()) return program.pointerWidth;
  if (type->isFloatTy()) return 32;
  if (type->isDoubleTy()) return 64;
  return 0;
}

unsigned ModuleLowering::wideWidth(llvm::Type* type) {
  const unsigned width = type->isIntegerTy() ? type->getIntegerBitWidth() : 0;
  return width > 64 && width <= 128 ? width : 0;
}

bool ModuleLowering::isLongDouble(llvm::Type* type) {
  return type->isX86_FP80Ty() && std::numeric_limits<long double>::digits == 64;
}

std::optional<std::vector<Scalar>> ModuleLowering::flatten(llvm::Type* type) const {
  std::vector<Scalar> out;
  if (const unsigned width = scalarWidth(type)) {
    out.push_back({type, 0, width});
    return out;
  }
  llvm::LLVMContext& context = type->getContext();
  if (const unsigned width = wideWidth(type)) {
    out.push_back({llvm::Type::getInt64Ty(context), 0, 64});
    out.push_back({llvm::Type::getIntNTy(context, width - 64), 8, width - 64});
    return out;
  }
  if (isLongDouble(type)) {
    out.push_back({llvm::Type::getInt64Ty(context), 0, 64});
    out.push_back({llvm::Type::getInt16Ty(context), 8, 16});
    return out;
  }
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const unsigned width = scalarWidth(vector->getElementType());
    if (width == 0 || vector->getNumElements() > 64) return std::nullopt;
    // Elements narrower than a byte are packed in memory; loads and stores ask for that.
    for (uint64_t i = 0; i < vector->getNumElements(); ++i)
      out.push_back({vector->getElementType(), i * ((width + 7) / 8), width});
    return out;
  }
  const auto append = [&](llvm::Type* part, uint64_t offset) {
    auto inner = flatten(part);
    if (!inner || out.size() + inner->size() > 64) return false;
    for (Scalar& s : *inner) out.push_back({s.type, s.offset + offset, s.width});
    return true;
  };
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    if (record->isOpaque()) return std::nullopt;
    const llvm::StructLayout* positions = layout.getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      if (!append(record->getElementType(i), positions->getElementOffset(i))) return std::nullopt;
    return out;
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    if (array->getNumElements() > 64) return std::nullopt;
    const uint64_t stride = layout.getTypeAllocSize(array->getElementType()).getFixedValue();
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      if (!append(array->getElementType(), i * stride)) return std::nullopt;
    return out;
  }
  return std::nullopt;
}

std::optional<ScalarConstant> ModuleLowering::scalarConstant(const llvm::Constant& constant) const {
  const unsigned width = scalarWidth(constant.getType());
  if (width == 0) return std::nullopt;
  const uint64_t mask = widthMask(width);
  if (auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant))
    return ScalarConstant{integer->getValue().getZExtValue() & mask};
  if (auto* real = llvm::dyn_cast<llvm::ConstantFP>(&constant))
    return ScalarConstant{real->getValueAPF().bitcastToAPInt().getZExtValue()};
  if (llvm::isa<llvm::ConstantPointerNull>(constant)) return ScalarConstant{};
  if (constant.isNullValue()) return ScalarConstant{};
  if (llvm::isa<llvm::UndefValue>(constant)) {
    ScalarConstant undefined;
    undefined.undefined = true;
    return undefined;
  }
  if (auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(&constant)) return scalarConstant(*alias->getAliasee());
  if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&constant)) {
    if (!globals_.count(global)) return std::nullopt;
    return ScalarConstant{0, RelocationTarget::Global, globalIndex(*global)};
  }
  if (auto* function = llvm::dyn_cast<llvm::Function>(&constant)) {
    if (!functions_.count(function)) return std::nullopt;
    // A weak function that nobody defines is null; those of the thread library are there.
    if (function->hasExternalWeakLinkage() && !function->getName().starts_with("pthread_"))
      return ScalarConstant{};
    return ScalarConstant{0, RelocationTarget::Function, functionIndex(*function)};
  }
  auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
  if (!expression) return std::nullopt;
  const auto first = scalarConstant(*expression->getOperand(0));
  if (!first) return std::nullopt;
  ScalarConstant out = *first;
  switch (expression->getOpcode()) {
    case llvm::Instruction::GetElementPtr: {
      llvm::APInt offset(layout.getIndexTypeSizeInBits(expression->getType()), 0);
      if (!llvm::cast<llvm::GEPOperator>(expression)->accumulateConstantOffset(layout, offset))
        return std::nullopt;
      out.bits = (out.bits + static_cast<uint64_t>(offset.getSExtValue())) & mask;
      return out;
    }
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::AddrSpaceCast:
      if (out.target != RelocationTarget::None && width < program.pointerWidth) return std::nullopt;
      out.bits &= mask;
      return out;
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub: {
      const auto second = scalarConstant(*expression->getOperand(1));
      if (!second) return std::nullopt;
      const bool subtract = expression->getOpcode() == llvm::Instruction::Sub;
      if (second->target != RelocationTarget::None) {
        if (subtract) {
          // The difference of two addresses in the same object does not depend on where it lies.
          if (second->target != out.target || second->index != out.index) return std::nullopt;
          return ScalarConstant{(out.bits - second->bits) & mask};
        }
        if (out.target != RelocationTarget::None) return std::nullopt;
        out.target = second->target;
        out.index = second->index;
      }
      out.bits = (subtract ? out.bits - second->bits : out.bits + second->bits) & mask;
      return out;
    }
    default:
      return std::nullopt;
  }
}

bool ModuleLowering::writeInitializer(const llvm::Constant& constant, uint64_t offset,
                                      GlobalVariable& out) const {
  if (constant.isNullValue() || llvm::isa<llvm::UndefValue>(constant)) return true;
  const auto room = [&](uint64_t size) {
    if (out.initializer.size() < offset + size) out.initializer.resize(offset + size);
    return out.initializer.data() + offset;
  };
  if (auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&constant)) {
    const llvm::StringRef raw = data->getRawDataValues();
    std::memcpy(room(raw.size()), raw.data(), raw.size());
    return true;
  }
  llvm::Type* type = constant.getType();
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* positions = layout.getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      if (!writeInitializer(*constant.getAggregateElement(i), offset + positions->getElementOffset(i), out))
        return false;
    return true;
  }
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const unsigned width = scalarWidth(vector->getElementType());
    if (width == 0 || width % 8 != 0) return false;
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      if (!writeInitializer(*constant.getAggregateElement(i), offset + i * (width / 8), out)) return false;
    return true;
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const uint64_t stride = layout.getTypeAllocSize(array->getElementType()).getFixedValue();
    for (unsigned i = 0; i < array->getNumElements(); ++i)
      if (!writeInitializer(*constant.getAggregateElement(i), offset + i * stride, out)) return false;
    return true;
  }
  if (type->isIntegerTy() || type->isX86_FP80Ty() || type->isFP128Ty()) {
    llvm::APInt bits;
    if (auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant))
      bits = integer->getValue();
    else if (auto* real = llvm::dyn_cast<llvm::ConstantFP>(&constant))
      bits = real->getValueAPF().bitcastToAPInt();
    if (bits.getBitWidth() > 64) {
      const uint64_t size = (bits.getBitWidth() + 7) / 8;
      std::memcpy(room(size), bits.getRawData(), size);
      return true;
    }
  }
  const auto scalar = scalarConstant(constant);
  if (!scalar) return false;
  const unsigned size = (scalarWidth(type) + 7) / 8;
  std::memcpy(room(size), &scalar->bits, size);
  if (scalar->target != RelocationTarget::None)
    out.relocations.push_back({offset, scalar->target, scalar->index, static_cast<uint8_t>(size)});
  return true;
}

}  // namespace heddle::lowering
