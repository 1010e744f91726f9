#include "analysis/compile/computed_goto.h"

#include <algorithm>
#include <map>
#include <vector>

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace heddle {
namespace {

using Labels = std::vector<std::pair<llvm::BasicBlock*, uint64_t>>;

/// Puts a number in place of each label address of the function.
Labels numberLabels(llvm::Function& function) {
  Labels labels;
  for (llvm::BasicBlock& block : function) {
    llvm::BlockAddress* address = llvm::BlockAddress::lookup(&block);
    if (!address) continue;
    const uint64_t number = labels.size() + 1;
    llvm::Type* integer = llvm::Type::getInt64Ty(function.getContext());
    llvm::Constant* value =
        llvm::ConstantExpr::getIntToPtr(llvm::ConstantInt::get(integer, number), address->getType());
    labels.emplace_back(&block, number);
    address->replaceAllUsesWith(value);
    address->destroyConstant();
  }
  return labels;
}

void replaceJump(llvm::IndirectBrInst& jump, const Labels& labels) {
  llvm::Type* integer = llvm::Type::getInt64Ty(jump.getContext());
  llvm::BasicBlock* source = jump.getParent();
  llvm::Function& function = *source->getParent();
  llvm::Value* number = new llvm::PtrToIntInst(jump.getAddress(), integer, "label", jump.getIterator());
  // Any other value is no label of this function.
  auto* nowhere = llvm::BasicBlock::Create(jump.getContext(), "nowhere", &function);
  new llvm::UnreachableInst(jump.getContext(), nowhere);
  auto* choice =
      llvm::SwitchInst::Create(number, nowhere, static_cast<unsigned>(labels.size()), jump.getIterator());
  choice->setDebugLoc(jump.getDebugLoc());
  // A label listed twice as a destination is one edge now; its phi nodes lose what is too much.
  std::map<llvm::BasicBlock*, unsigned> edges;
  for (llvm::BasicBlock* target : jump.successors()) ++edges[target];
  for (const auto& [target, label] : labels)
    if (edges.count(target))
      choice->addCase(llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(integer), label), target);
  for (const auto& [target, count] : edges) {
    const bool isLabel =
        std::any_of(labels.begin(), labels.end(), [&](const auto& l) { return l.first == target; });
    for (unsigned i = isLabel ? 1 : 0; i < count; ++i) target->removePredecessor(source, true);
  }
  jump.eraseFromParent();
}

}  // namespace

void replaceComputedGotos(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    std::vector<llvm::IndirectBrInst*> jumps;
    for (llvm::BasicBlock& block : function)
      if (auto* jump = llvm::dyn_cast<llvm::IndirectBrInst>(block.getTerminator())) jumps.push_back(jump);
    const Labels labels = numberLabels(function);
    for (llvm::IndirectBrInst* jump : jumps) replaceJump(*jump, labels);
  }
}

}  // namespace heddle
