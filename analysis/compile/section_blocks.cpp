#include "analysis/compile/section_blocks.h"

#include <algorithm>

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle {
namespace {

constexpr unsigned kUnreached = ~0u;

bool isSectionCall(llvm::StringRef name, llvm::StringRef what) {
  return (name.starts_with("__VERIFIER_atomic_") || name.starts_with("__ESBMC_atomic_") ||
          name.starts_with("__CPROVER_atomic_")) &&
         name.ends_with(what);
}
bool isBegin(llvm::StringRef name) {
  return isSectionCall(name, "_atomic_begin");
}
bool isEnd(llvm::StringRef name) {
  return isSectionCall(name, "_atomic_end");
}

/// Atomic as a whole.
bool isAtomicFunction(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  return name.starts_with("__VERIFIER_atomic_") && !isBegin(name) && !isEnd(name);
}

/// Calls no code of the program and creates no thread.
bool isHarmless(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration()) return false;
  const llvm::StringRef name = callee->getName();
  return callee->isIntrinsic() || isBegin(name) || isEnd(name) || name.starts_with("__VERIFIER_nondet_");
}

}  // namespace

SectionBlocks::SectionBlocks(const llvm::Module& module) {
  any_ = std::any_of(module.begin(), module.end(), [](const llvm::Function& function) {
    return isBegin(function.getName()) || (!function.isDeclaration() && isAtomicFunction(function));
  });
  if (!any_) return;
  findEnders(module);
  for (const llvm::Function& function : module)
    if (!function.isDeclaration()) flow(function);
  for (const llvm::GlobalVariable& variable : module.globals())
    if (variable.hasInitializer() && !variable.isThreadLocal()) guarded_.insert(&variable);
  // Addresses in initializers are taken.
  for (const llvm::GlobalVariable& variable : module.globals())
    for (const llvm::User* user : variable.users())
      if (!llvm::isa<llvm::Instruction>(user)) guarded_.erase(&variable);
  for (const llvm::Function& function : module)
    if (!function.isDeclaration()) findUnguarded(function);
}

void SectionBlocks::findEnders(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    if (isEnd(function.getName())) enders_.insert(&function);
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Function& function : module) {
      if (enders_.contains(&function)) continue;
      for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (!call || call->isInlineAsm()) continue;
        if (call->getCalledFunction() && !enders_.contains(call->getCalledFunction())) continue;
        changed |= enders_.insert(&function).second;
      }
    }
  }
}

unsigned SectionBlocks::after(const llvm::Instruction& instruction, unsigned depth) const {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || call->isInlineAsm()) return depth;
  const llvm::Function* callee = call->getCalledFunction();
  if (callee && isBegin(callee->getName())) return depth + 1;
  if (callee && isEnd(callee->getName())) return depth == 0 ? 0 : depth - 1;
  return !callee || enders_.contains(callee) ? 0 : depth;
}

void SectionBlocks::flow(const llvm::Function& function) {
  constexpr unsigned kDeepest = 8;  // so that a loop of begins comes to an end
  for (const llvm::BasicBlock& block : function) depthAtStart_[&block] = kUnreached;
  depthAtStart_[&function.getEntryBlock()] = isAtomicFunction(function) ? 1 : 0;
  std::vector<const llvm::BasicBlock*> work{&function.getEntryBlock()};
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.back();
    work.pop_back();
    unsigned depth = depthAtStart_[block];
    for (const llvm::Instruction& instruction : *block) depth = std::min(after(instruction, depth), kDeepest);
    depthAtEnd_[block] = depth;
    for (const llvm::BasicBlock* next : llvm::successors(block)) {
      if (depthAtStart_[next] <= depth) continue;
      depthAtStart_[next] = depth;
      work.push_back(next);
    }
  }
}

void SectionBlocks::findUnguarded(const llvm::Function& function) {
  for (const llvm::BasicBlock& block : function) {
    unsigned depth = depthAtStart_[&block];
    if (depth == kUnreached) depth = 0;
    // Nothing runs beside the beginning of main.
    bool alone = function.getName() == "main" && &block == &function.getEntryBlock();
    for (const llvm::Instruction& instruction : block) {
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) alone = alone && isHarmless(*call);
      noteUses(instruction, depth == 0 && !alone);
      depth = after(instruction, depth);
    }
  }
}

void SectionBlocks::noteUses(const llvm::Instruction& instruction, bool mayConflict) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  for (const llvm::Use& use : instruction.operands()) {
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(use.get());
    if (!variable || !guarded_.contains(variable)) continue;
    const bool isPlainLoad = load && !load->isVolatile() && !load->isAtomic();
    const bool isPlainStore = store && !store->isVolatile() && !store->isAtomic() &&
                              use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex();
    if (isPlainLoad || (isPlainStore && !mayConflict)) continue;
    guarded_.erase(variable);
  }
}

}  // namespace heddle
