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
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base);
  return global && global->getValueType() == element.getSourceElementType();
}

/// The element is read or written as soon as its address is known.
bool isAccessed(const llvm::GetElementPtrInst& element) {
  for (const llvm::Instruction* next = element.getNextNode(); next; next = next->getNextNode()) {
    if (llvm::isa<llvm::CallBase>(next)) return false;
    if (llvm::getLoadStorePointerOperand(next) == &element) return true;
    const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(next);
    if (update && update->getPointerOperand() == &element) return true;
  }
  return false;
}

/// Clang lets the address behind the last element pass in `++a[n]`, too.
void tighten(llvm::BranchInst& branch, const llvm::GetElementPtrInst& element) {
  auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(branch.getCondition());
  if (comparison && comparison->getPredicate() == llvm::ICmpInst::ICMP_ULE && isAccessed(element))
    comparison->setPredicate(llvm::ICmpInst::ICMP_ULT);
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
      const llvm::GetElementPtrInst* element = checkedElement(block.front());
      const auto* known = llvm::dyn_cast<llvm::ConstantInt>(branch->getCondition());
      if (!element || isWholeVariable(*element) || (known && known->isOne()))
        needless.push_back(branch);
      else
        tighten(*branch, *element);
    }
    for (llvm::BranchInst* branch : needless) takeOut(*branch);
  }
  // What the checks would have told with.
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals()))
    if (variable.hasPrivateLinkage() && variable.isConstant() && variable.use_empty())
      variable.eraseFromParent();
}

}  // namespace heddle
