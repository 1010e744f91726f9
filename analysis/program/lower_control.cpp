#include <llvm/IR/InstIterator.h>

#include <algorithm>

#include "analysis/program/function_lowering.h"
#include "analysis/program/modelled_names.h"

namespace heddle::lowering {

bool leadsToFailure(const llvm::BasicBlock& start) {
  const llvm::BasicBlock* block = &start;
  for (int steps = 0; block && steps < 8; ++steps) {
    for (const llvm::Instruction& instruction : *block) {
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        const llvm::Function* callee = call->getCalledFunction();
        if (callee && isFailure(callee->getName())) return true;
        if (callee && callee->isIntrinsic() && callee->doesNotAccessMemory()) continue;
        return false;
      }
      if (instruction.mayReadOrWriteMemory()) return false;
    }
    block = block->getSingleSuccessor();
  }
  return false;
}

static const llvm::Function* calledBy(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call ? call->getCalledFunction() : nullptr;
}

static bool isAssembly(const llvm::Instruction& instruction) {
  const llvm::Function* callee = calledBy(instruction);
  return callee && callee->getName().starts_with("heddle.assembly");
}

/// Inline assembly stands before it in its block, or in a function that is called there: such code ends the
/// process, or goes elsewhere.
static bool isBehindAssembly(const llvm::Instruction& end) {
  return std::any_of(end.getParent()->begin(), end.getIterator(), [](const llvm::Instruction& before) {
    const llvm::Function* callee = calledBy(before);
    return isAssembly(before) ||
           (callee && std::any_of(llvm::inst_begin(callee), llvm::inst_end(callee), isAssembly));
  });
}

bool FunctionLowering::lowerControl(const llvm::Instruction& instruction) {
  const llvm::BasicBlock& block = *instruction.getParent();
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    if (branch->isUnconditional()) {
      emitEdge(block, *branch->getSuccessor(0));
      return true;
    }
    const llvm::BasicBlock& yes = *branch->getSuccessor(0);
    const llvm::BasicBlock& no = *branch->getSuccessor(1);
    const uint32_t condition = slot(*branch->getCondition());
    const bool yesFails = leadsToFailure(yes), noFails = leadsToFailure(no);
    const uint32_t at = pc();
    emit(Opcode::Branch, 0, condition).aux = static_cast<uint8_t>(yesFails == noFails ? 0 : yesFails ? 2 : 1);
    edges_.push_back({at, 1, &block, &yes});
    edges_.push_back({at, 2, &block, &no});
    return true;
  }
  if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) return lowerSwitch(*choice), true;
  if (auto* result = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
    const llvm::Value* value = result->getReturnValue();
    if (value && !module_.flatten(value->getType()))
      return unsupported("a function result of this type"), true;
    const uint32_t first = value ? slot(*value) : 0;
    emit(Opcode::Return, 0, first, value ? slots(*value) : 0);
    return true;
  }
  if (llvm::isa<llvm::UnreachableInst>(instruction)) {
    emit(Opcode::Unreachable, 0, isBehindAssembly(instruction) ? 1 : 0);
    return true;
  }
  return false;
}

void FunctionLowering::lowerSwitch(const llvm::SwitchInst& instruction) {
  const llvm::BasicBlock& block = *instruction.getParent();
  const uint32_t value = slot(*instruction.getCondition());
  const unsigned width = module_.scalarWidth(instruction.getCondition()->getType());
  if (width == 0) return unsupported("a switch on a wide integer");
  const auto table = static_cast<uint32_t>(program_.switches.size());
  const uint32_t at = pc();
  emit(Opcode::Switch, 0, value, table).width = static_cast<uint8_t>(width);
  edges_.push_back({at, 3, &block, instruction.getDefaultDest(), table, ~0u});
  SwitchTable lowered;
  for (const auto& branch : instruction.cases()) {
    edges_.push_back(
        {at, 3, &block, branch.getCaseSuccessor(), table, static_cast<uint32_t>(lowered.cases.size())});
    lowered.cases.emplace_back(branch.getCaseValue()->getZExtValue(), 0);
  }
  program_.switches.push_back(std::move(lowered));
}

}  // namespace heddle::lowering
