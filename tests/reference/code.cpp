#include "tests/reference/code.h"

#include <stdexcept>

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace heddle::reference {
namespace {

constexpr uint64_t kGlobalBase = 0x100000, kFunctionBase = 0x10000;
constexpr uint64_t kGap = 64;  // between globals: an address behind one is in none

/// True if the address stays in loads, stores and member offsets of its own function.
bool staysLocal(const llvm::Value& address) {
  for (const llvm::User* user : address.users()) {
    if (llvm::isa<llvm::LoadInst>(user)) continue;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (store->getValueOperand() != &address) continue;
      return false;
    }
    if (llvm::isa<llvm::GetElementPtrInst>(user)) {
      if (staysLocal(*user)) continue;
      return false;
    }
    if (llvm::isa<llvm::MemIntrinsic>(user) || llvm::isa<llvm::AtomicCmpXchgInst>(user) ||
        llvm::isa<llvm::AtomicRMWInst>(user))
      continue;  // of a local variable, the operand is the place, and blocks are copied by value
    return false;
  }
  return true;
}

std::unique_ptr<FunctionCode> prepared(const llvm::Function& function) {
  auto code = std::make_unique<FunctionCode>();
  code->function = &function;
  for (const llvm::Argument& argument : function.args()) code->slots[&argument] = code->slotCount++;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block) {
      const uint32_t slot = code->slots[&instruction] = code->slotCount++;
      code->blocks[&block].push_back(&instruction);
      bool local = true;
      for (const llvm::User* user : instruction.users()) {
        const auto* by = llvm::dyn_cast<llvm::Instruction>(user);
        local &= by && by->getParent() == &block && !llvm::isa<llvm::PHINode>(by);
      }
      if (local) code->temporary[&block].push_back(slot);
      const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (variable && !staysLocal(*variable)) code->reachable.insert(variable);
    }
  return code;
}

}  // namespace

void put(Object& object, uint64_t offset, uint32_t bytes, const Value& value) {
  for (uint32_t i = 0; i < bytes; ++i) {
    object.bytes[offset + i] = value.undefined ? 0 : static_cast<char>(value.bits >> (8 * i));
    object.undefined[offset + i] = value.undefined;
  }
}

Value get(const Object& object, uint64_t offset, uint32_t bytes) {
  Value value;
  for (uint32_t i = 0; i < bytes; ++i) {
    value.bits |= static_cast<uint64_t>(static_cast<unsigned char>(object.bytes[offset + i])) << (8 * i);
    value.undefined |= object.undefined[offset + i] != 0;
  }
  return value;
}

ProgramCode::ProgramCode(const llvm::Module& module) : module_(module) {
  uint64_t address = kFunctionBase;
  for (const llvm::Function& function : module) {
    addresses_[&function] = address;
    if (!function.isDeclaration()) functions_[address] = prepared(function);
    address += 16;
  }
  address = kGlobalBase;
  for (const llvm::GlobalVariable& variable : module.globals()) {
    addresses_[&variable] = address;
    address += (sizeOf(variable.getValueType()) + 2 * kGap - 1) / kGap * kGap;
  }
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (variable.isThreadLocal()) throw std::runtime_error("thread-local variable");
    Object object;
    object.base = addresses_[&variable];
    object.region = variable.isConstant() ? Region::Constant : Region::Global;
    object.bytes.assign(sizeOf(variable.getValueType()), 0);
    object.undefined.assign(object.bytes.size(), 0);
    if (variable.hasInitializer()) initialize(*variable.getInitializer(), object, 0);
    globals_.push_back(object);
  }
}

uint32_t ProgramCode::sizeOf(llvm::Type* type) const {
  return static_cast<uint32_t>(layout().getTypeStoreSize(type).getFixedValue());
}

void ProgramCode::initialize(const llvm::Constant& from, Object& object, uint64_t offset) const {
  if (from.isNullValue() || llvm::isa<llvm::UndefValue>(from)) return;
  llvm::Type* type = from.getType();
  if (type->isIntegerTy() || type->isPointerTy()) return put(object, offset, sizeOf(type), constant(from));
  if (const auto* text = llvm::dyn_cast<llvm::ConstantDataSequential>(&from)) {
    const uint32_t size = static_cast<uint32_t>(text->getElementByteSize());
    for (unsigned i = 0; i < text->getNumElements(); ++i)
      put(object, offset + i * size, size, {text->getElementAsInteger(i)});
    return;
  }
  if (const auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* places = layout().getStructLayout(const_cast<llvm::StructType*>(record));
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      initialize(*from.getAggregateElement(i), object, offset + places->getElementOffset(i));
    return;
  }
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const uint64_t stride = layout().getTypeAllocSize(array->getElementType());
    for (unsigned i = 0; i < array->getNumElements(); ++i)
      initialize(*from.getAggregateElement(i), object, offset + i * stride);
    return;
  }
  throw std::runtime_error("initializer of this kind");
}

Value ProgramCode::constant(const llvm::Constant& constant) const {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
    if (number->getBitWidth() > 64) throw std::runtime_error("integer above 64 bits");
    return {number->getZExtValue()};
  }
  if (constant.isNullValue()) return {};
  if (llvm::isa<llvm::UndefValue>(constant)) return {0, 0, true};
  if (const auto* global = llvm::dyn_cast<llvm::GlobalValue>(&constant)) return {addressOf(*global)};
  if (const auto* member = llvm::dyn_cast<llvm::GEPOperator>(&constant)) {
    llvm::APInt offset(layout().getIndexSizeInBits(0), 0);
    if (member->accumulateConstantOffset(layout(), offset)) {
      const auto* base = llvm::cast<llvm::Constant>(member->getPointerOperand());
      return {this->constant(*base).bits + static_cast<uint64_t>(offset.getSExtValue())};
    }
  }
  if (const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(&constant))
    if (cast->isCast()) return this->constant(*cast->getOperand(0));
  throw std::runtime_error("constant of this kind");
}

const FunctionCode* ProgramCode::function(const std::string& name) const {
  const llvm::Function* found = module_.getFunction(name);
  return found && !found->isDeclaration() ? functionAt(addressOf(*found)) : nullptr;
}

const FunctionCode* ProgramCode::functionAt(uint64_t address) const {
  const auto found = functions_.find(address);
  return found == functions_.end() ? nullptr : found->second.get();
}

}  // namespace heddle::reference
