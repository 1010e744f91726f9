#include <llvm/ADT/MapVector.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "analysis/program/function_lowering.h"

namespace heddle::lowering {

namespace {

MemoryOrder orderOf(llvm::AtomicOrdering ordering) {
  switch (ordering) {
    case llvm::AtomicOrdering::Acquire:
      return MemoryOrder::Acquire;
    case llvm::AtomicOrdering::Release:
      return MemoryOrder::Release;
    case llvm::AtomicOrdering::AcquireRelease:
      return MemoryOrder::AcquireRelease;
    case llvm::AtomicOrdering::SequentiallyConsistent:
      return MemoryOrder::SeqCst;
    default:
      return MemoryOrder::Relaxed;
  }
}

bool isImmediate(int64_t value) {
  return value >= INT32_MIN && value <= INT32_MAX;
}

/// A vector whose elements are no whole bytes.
bool isPacked(llvm::Type* type) {
  return type->isVectorTy() && type->getScalarSizeInBits() % 8 != 0 && !type->getScalarType()->isPointerTy();
}

const llvm::DILocalVariable* variableOf(const llvm::AllocaInst& instruction) {
  for (const llvm::DbgVariableRecord* record :
       llvm::findDVRDeclares(const_cast<llvm::AllocaInst*>(&instruction)))
    return record->getVariable();
  return nullptr;
}

}  // namespace

bool staysPrivate(const llvm::AllocaInst& variable) {
  std::vector<const llvm::Value*> pending{&variable};
  while (!pending.empty()) {
    const llvm::Value* pointer = pending.back();
    pending.pop_back();
    for (const llvm::Use& use : pointer->uses()) {
      const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      if (llvm::isa<llvm::LoadInst>(user)) continue;
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getValueOperand() == pointer) return false;
        continue;
      }
      if (llvm::isa<llvm::GetElementPtrInst>(user)) {
        pending.push_back(user);
        continue;
      }
      if (llvm::isa<llvm::MemIntrinsic>(user) || user->isLifetimeStartOrEnd()) continue;
      return false;
    }
  }
  return true;
}

bool FunctionLowering::lowerMemory(const llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return lowerLoad(*load), true;
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return lowerStore(*store), true;
  if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return lowerAddress(*address), true;
  if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) return lowerAlloca(*variable), true;
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    return lowerAtomic(instruction), true;
  if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) return lowerFence(*fence), true;
  return false;
}

void FunctionLowering::lowerAddress(const llvm::GetElementPtrInst& instruction) {
  if (instruction.getType()->isVectorTy()) return unsupported("a vector of addresses");
  const unsigned width = module_.layout.getIndexTypeSizeInBits(instruction.getType());
  llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variable;
  llvm::APInt constant(width, 0);
  const uint32_t dst = define(instruction);
  uint32_t current = slot(*instruction.getPointerOperand());
  if (!llvm::cast<llvm::GEPOperator>(instruction).collectOffset(module_.layout, width, variable, constant))
    return unsupported("an address computation of this kind");
  const auto pointerWidth = static_cast<uint8_t>(program_.pointerWidth);
  for (const auto& [index, scale] : variable) {
    const unsigned indexWidth = module_.scalarWidth(index->getType());
    if (indexWidth == 0 || !isImmediate(scale.getSExtValue())) return unsupported("an index of this kind");
    const uint32_t indexSlot = slot(*index);
    Instruction& in =
        emit(Opcode::ScaleAdd, dst, current, indexSlot, static_cast<uint32_t>(scale.getSExtValue()));
    in.width = pointerWidth;
    in.aux = static_cast<uint8_t>(indexWidth);
    current = dst;
  }
  const int64_t offset = constant.getSExtValue();
  if (!isImmediate(offset)) {
    const uint32_t far = number(static_cast<uint64_t>(offset) & widthMask(program_.pointerWidth));
    emit(Opcode::Add, dst, current, far).width = pointerWidth;
  } else if (offset != 0 || current != dst) {
    emit(offset ? Opcode::AddImm : Opcode::Move, dst, current, 0, static_cast<uint32_t>(offset)).width =
        pointerWidth;
  }
}

uint32_t FunctionLowering::rootSlot(const llvm::Value& address) {
  const llvm::Value* root = &address;
  while (true) {
    if (auto* element = llvm::dyn_cast<llvm::GEPOperator>(root))
      root = element->getPointerOperand();
    else
      break;
  }
  return slot(*root);
}

uint32_t FunctionLowering::offsetAddress(uint32_t address, uint64_t offset) {
  if (offset == 0) return address;
  const uint32_t result = local();
  emit(Opcode::AddImm, result, address, 0, static_cast<uint32_t>(offset)).width =
      static_cast<uint8_t>(program_.pointerWidth);
  return result;
}

void FunctionLowering::lowerLoad(const llvm::LoadInst& load) {
  const auto parts = module_.flatten(load.getType());
  if (!parts || isPacked(load.getType())) return unsupported("a load of this type");
  const uint32_t address = slot(*load.getPointerOperand()), root = rootSlot(*load.getPointerOperand());
  const uint32_t dst = define(load);
  for (uint32_t i = 0; i < parts->size(); ++i) {
    const uint32_t from = offsetAddress(address, (*parts)[i].offset);
    Instruction& in = emit(Opcode::Load, dst + i, from, 0, root);
    in.width = static_cast<uint8_t>((*parts)[i].width);
    in.aux = static_cast<uint8_t>(((*parts)[i].width + 7) / 8);
    if (load.isAtomic()) in.flags |= kAtomic;
    if (load.isVolatile()) in.flags |= kVolatile;
    if (load.isAtomic()) noteOrders(load.getOrdering(), load.getOrdering());
  }
}

void FunctionLowering::lowerStore(const llvm::StoreInst& store) {
  const auto parts = module_.flatten(store.getValueOperand()->getType());
  if (!parts || isPacked(store.getValueOperand()->getType())) return unsupported("a store of this type");
  const uint32_t address = slot(*store.getPointerOperand()), root = rootSlot(*store.getPointerOperand());
  const uint32_t value = slot(*store.getValueOperand());
  for (uint32_t i = 0; i < parts->size(); ++i) {
    const uint32_t to = offsetAddress(address, (*parts)[i].offset);
    Instruction& in = emit(Opcode::Store, 0, to, value + i, root);
    in.width = static_cast<uint8_t>((*parts)[i].width);
    in.aux = static_cast<uint8_t>(((*parts)[i].width + 7) / 8);
    if (store.isAtomic()) in.flags |= kAtomic;
    if (store.isVolatile()) in.flags |= kVolatile;
    if (store.isAtomic()) noteOrders(store.getOrdering(), store.getOrdering());
  }
}

void FunctionLowering::noteOrders(llvm::AtomicOrdering success, llvm::AtomicOrdering failure) {
  const AtomicOrders orders{orderOf(success), orderOf(failure)};
  if (orders.isWeaker()) program_.weakAtomics.try_emplace(pc() - 1, orders);
}

void FunctionLowering::lowerFence(const llvm::FenceInst& fence) {
  // A fence for signal handlers orders nothing between threads.
  if (fence.getSyncScopeID() == llvm::SyncScope::SingleThread) return;
  emit(Opcode::Fence).aux = static_cast<uint8_t>(orderOf(fence.getOrdering()));
}

void FunctionLowering::lowerAtomic(const llvm::Instruction& instruction) {
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    const unsigned width = module_.scalarWidth(exchange->getCompareOperand()->getType());
    if (width == 0) return unsupported("an atomic operation of this width");
    const uint32_t address = slot(*exchange->getPointerOperand());
    const uint32_t expected = slot(*exchange->getCompareOperand()),
                   desired = slot(*exchange->getNewValOperand());
    Instruction& in = emit(Opcode::CompareExchange, define(instruction), address, expected, desired);
    in.width = static_cast<uint8_t>(width);
    in.aux = static_cast<uint8_t>((width + 7) / 8);
    if (exchange->isWeak()) {
      in.flags |= kWeak;
      program_.mayStutter = true;
    }
    noteOrders(exchange->getSuccessOrdering(), exchange->getFailureOrdering());
    return;
  }
  auto& update = llvm::cast<llvm::AtomicRMWInst>(instruction);
  RmwOp op = RmwOp::Exchange;
  switch (update.getOperation()) {
    case llvm::AtomicRMWInst::Xchg:
      op = RmwOp::Exchange;
      break;
    case llvm::AtomicRMWInst::Add:
      op = RmwOp::Add;
      break;
    case llvm::AtomicRMWInst::Sub:
      op = RmwOp::Sub;
      break;
    case llvm::AtomicRMWInst::And:
      op = RmwOp::And;
      break;
    case llvm::AtomicRMWInst::Nand:
      op = RmwOp::Nand;
      break;
    case llvm::AtomicRMWInst::Or:
      op = RmwOp::Or;
      break;
    case llvm::AtomicRMWInst::Xor:
      op = RmwOp::Xor;
      break;
    case llvm::AtomicRMWInst::Max:
      op = RmwOp::Max;
      break;
    case llvm::AtomicRMWInst::Min:
      op = RmwOp::Min;
      break;
    case llvm::AtomicRMWInst::UMax:
      op = RmwOp::UMax;
      break;
    case llvm::AtomicRMWInst::UMin:
      op = RmwOp::UMin;
      break;
    default:
      return unsupported("this atomic update");
  }
  const unsigned width = module_.scalarWidth(update.getType());
  if (width == 0) return unsupported("an atomic update of this width");
  const uint32_t address = slot(*update.getPointerOperand()), operand = slot(*update.getValOperand());
  const uint32_t root = rootSlot(*update.getPointerOperand());
  Instruction& in = emit(Opcode::AtomicRmw, define(instruction), address, operand, root);
  in.flags = static_cast<uint8_t>(op);
  noteOrders(update.getOrdering(), update.getOrdering());
  in.width = static_cast<uint8_t>(width);
  in.aux = static_cast<uint8_t>((width + 7) / 8);
}

void FunctionLowering::lowerAlloca(const llvm::AllocaInst& instruction) {
  StackVariable variable;
  variable.size = module_.layout.getTypeAllocSize(instruction.getAllocatedType()).getFixedValue();
  if (const llvm::DILocalVariable* debug = variableOf(instruction)) {
    variable.name = debug->getName().str();
    variable.type = module_.type(debug->getType());
    place_ = module_.place(debug->getFile(), debug->getLine(), 0, function_.getName());
  }
  uint32_t count = kNone;
  if (instruction.isArrayAllocation()) {
    const llvm::Value& size = *instruction.getArraySize();
    count = slot(size);
    if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&size)) {
      variable.size *= constant->getZExtValue();
      count = kNone;
    } else if (module_.scalarWidth(size.getType()) < program_.pointerWidth) {
      const uint32_t wide = local();
      Instruction& in = emit(Opcode::ZExt, wide, count);
      in.aux = static_cast<uint8_t>(module_.scalarWidth(size.getType()));
      in.width = static_cast<uint8_t>(program_.pointerWidth);
      count = wide;
    }
  }
  const auto index = static_cast<uint32_t>(program_.stackVariables.size());
  program_.stackVariables.push_back(std::move(variable));
  Instruction& in = emit(Opcode::Alloca, define(instruction), index, count);
  if (count == kNone && staysPrivate(instruction)) in.flags |= kPrivate;
}

}  // namespace heddle::lowering
