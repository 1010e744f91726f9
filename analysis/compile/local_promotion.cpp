#include "analysis/compile/local_promotion.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace heddle {
namespace {

llvm::SmallVector<llvm::AllocaInst*, 16> promotableLocals(llvm::Function& function) {
  llvm::SmallVector<llvm::AllocaInst*, 16> result;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (llvm::isAllocaPromotable(local)) result.push_back(local);
  return result;
}

/// Clang takes atomic pointers for integers, and the locals beside them with them; those could not be
/// promoted.
void unifyPointerLocals(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  for (llvm::Instruction& instruction : function.getEntryBlock()) {
    auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (!local || !local->getAllocatedType()->isPointerTy()) continue;
    llvm::Type* const pointer = local->getAllocatedType();
    llvm::Type* const integer = layout.getIntPtrType(pointer);
    llvm::SmallVector<llvm::Instruction*, 8> uses;
    const bool isPlain = llvm::all_of(local->users(), [&](llvm::User* user) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(user);
      auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (store && store->getValueOperand() == local) return false;
      if ((!load || !load->isSimple()) && (!store || !store->isSimple())) return false;
      llvm::Type* const type = load ? load->getType() : store->getValueOperand()->getType();
      if (type == integer) uses.push_back(llvm::cast<llvm::Instruction>(user));
      return type == integer || type == pointer;
    });
    if (!isPlain) continue;
    for (llvm::Instruction* use : uses) {
      llvm::IRBuilder<> builder(use);
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(use)) {
        store->setOperand(0, builder.CreateIntToPtr(store->getValueOperand(), pointer));
        continue;
      }
      llvm::Value* loaded = builder.CreateLoad(pointer, local);
      use->replaceAllUsesWith(builder.CreatePtrToInt(loaded, integer));
      use->eraseFromParent();
    }
  }
}

}  // namespace

void promoteLocals(llvm::Module& module) {
  // Called directly, without a pass manager: setting one up costs more than the work for a typical file.
  for (llvm::Function& function : module) {
    // After a longjmp, locals have what they were last given, not what they held at the setjmp.
    if (function.isDeclaration() || function.callsFunctionThatReturnsTwice()) continue;
    unifyPointerLocals(function);
    llvm::SmallVector<llvm::AllocaInst*, 16> locals = promotableLocals(function);
    if (locals.empty()) continue;
    llvm::DominatorTree dominators(function);
    llvm::AssumptionCache assumptions(function);
    // A promoted pointer may have held the only copy of another local's address: again until nothing changes.
    for (; !locals.empty(); locals = promotableLocals(function))
      llvm::PromoteMemToReg(locals, dominators, &assumptions);
  }
}

}  // namespace heddle
