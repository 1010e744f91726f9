#include "analysis/program/array_bounds.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

namespace heddle {
namespace {

bool isTrap(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call || call->getIntrinsicID() != llvm::Intrinsic::ubsantrap) return false;
  return llvm::cast<llvm::ConstantInt>(call->getArgOperand(0))->getZExtValue() == kBeyondArray;
}

/// The branch that leads to the trap on its second side; null: another one.
llvm::BranchInst* branchTo(const llvm::Instruction& trap) {
  const llvm::BasicBlock* block = trap.getParent();
  const llvm::BasicBlock* before = block->getSinglePredecessor();
  auto* branch =
      before ? llvm::dyn_cast<llvm::BranchInst>(const_cast<llvm::Instruction*>(before->getTerminator()))
             : nullptr;
  return branch && branch->isConditional() && branch->getSuccessor(1) == block ? branch : nullptr;
}

bool isWholeVariable(const llvm::GetElementPtrInst& element) {
  const llvm::Value* base = element.getPointerOperand();
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(base))
    return local->getAllocatedType() == element.getSourceElementType();
  // Files may declare an array with another number of elements.
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base);
  return global && global->getValueType()->isArrayTy();
}

/// Where another check of an index lets the way go on; null: the block does not end with one.
const llvm::BasicBlock* behindCheck(const llvm::BasicBlock& block) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  const bool isCheck = branch && branch->isConditional() && isTrap(branch->getSuccessor(1)->front());
  return isCheck ? branch->getSuccessor(0) : nullptr;
}

/// The element, or a part of it, is read or written as soon as its address is known. An address alone is no
/// access: prefetches and ends of rows are counted out beyond what there is.
bool isAccessed(const llvm::GetElementPtrInst& element) {
  llvm::SmallPtrSet<const llvm::Value*, 8> parts = {&element};
  const llvm::Instruction* next = element.getNextNode();
  while (next) {
    if (const auto* part = llvm::dyn_cast<llvm::GetElementPtrInst>(next)) {
      if (parts.contains(part->getPointerOperand())) parts.insert(part);
    } else if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(next)) {
      const auto* size = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
      if (size && !size->isZero() && (parts.contains(copy->getDest()) || parts.contains(copy->getSource())))
        return true;
    } else if (llvm::isa<llvm::CallBase>(next) && !llvm::isa<llvm::DbgInfoIntrinsic>(next)) {
      return false;
    } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(next)) {
      if (parts.contains(update->getPointerOperand())) return true;
    } else if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(next)) {
      if (parts.contains(pointer)) return true;
    } else if (next->isTerminator()) {
      const llvm::BasicBlock* behind = behindCheck(*next->getParent());
      next = behind ? &behind->front() : nullptr;
      continue;
    }
    next = next->getNextNode();
  }
  return false;
}

/// Something whose address is a constant is read or written as soon as the way is taken.
bool accessesConstant(const llvm::BasicBlock& block) {
  for (const llvm::Instruction& instruction : block) {
    if (llvm::isa<llvm::CallBase>(instruction)) return false;
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (pointer && llvm::isa<llvm::ConstantExpr>(pointer)) return true;
  }
  return false;
}

/// Clang lets the address behind the last element pass in `++a[n]`, too.
void tighten(llvm::BranchInst& branch) {
  auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(branch.getCondition());
  if (comparison && comparison->getPredicate() == llvm::ICmpInst::ICMP_ULE)
    comparison->setPredicate(llvm::ICmpInst::ICMP_ULT);
}

/// The check asks something that shows in no other way.
bool isNeeded(const llvm::BranchInst& branch, const llvm::GetElementPtrInst* element) {
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(branch.getCondition());
  if (known && known->isOne()) return false;
  // The element's address is a part of its use then.
  if (!element) return known && accessesConstant(*branch.getSuccessor(0));
  return !isWholeVariable(*element) && isAccessed(*element);
}

void takeOut(llvm::BranchInst& branch) {
  llvm::BasicBlock* trap = branch.getSuccessor(1);
  llvm::Value* condition = branch.getCondition();
  llvm::BranchInst* plain = llvm::BranchInst::Create(branch.getSuccessor(0), branch.getIterator());
  plain->setDebugLoc(branch.getDebugLoc());
  branch.eraseFromParent();
  trap->eraseFromParent();
  llvm::RecursivelyDeleteTriviallyDeadInstructions(condition);
}

}  // namespace

const llvm::GetElementPtrInst* checkedElement(const llvm::Instruction& trap) {
  const llvm::BranchInst* branch = branchTo(trap);
  if (!branch) return nullptr;
  for (const llvm::Instruction& instruction : *branch->getSuccessor(0)) {
    if (llvm::isa<llvm::CastInst>(instruction)) continue;
    const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    const auto* array = element ? llvm::dyn_cast<llvm::ArrayType>(element->getSourceElementType()) : nullptr;
    return array && array->getNumElements() > 0 && element->getNumIndices() == 2 ? element : nullptr;
  }
  return nullptr;
}

void keepInnerBounds(llvm::Module& module) {
  for (llvm::Function& function : module) {
    llvm::SmallVector<llvm::BranchInst*, 16> needless;
    for (llvm::BasicBlock& block : function) {
      if (!isTrap(block.front())) continue;
      llvm::BranchInst* branch = branchTo(block.front());
      if (!branch) continue;
      if (isNeeded(*branch, checkedElement(block.front())))
        tighten(*branch);
      else
        needless.push_back(branch);
    }
    for (llvm::BranchInst* branch : needless) takeOut(*branch);
  }
  // What the checks would have told with.
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals()))
    if (variable.hasPrivateLinkage() && variable.isConstant() && variable.use_empty())
      variable.eraseFromParent();
}

}  // namespace heddle
