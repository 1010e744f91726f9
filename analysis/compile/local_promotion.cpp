#include "analysis/compile/local_promotion.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/Dominators.h"
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

}  // namespace

void promoteLocals(llvm::Module& module) {
  // Called directly, without a pass manager: setting one up costs more than the work for a typical file.
  for (llvm::Function& function : module) {
    // After a longjmp, locals have what they were last given, not what they held at the setjmp.
    if (function.isDeclaration() || function.callsFunctionThatReturnsTwice()) continue;
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
