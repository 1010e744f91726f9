// Statements, for a debugger: where a line begins, and where its variables are then.
//
// Locals that Clang keeps in memory are promoted to values (analysis/compile), so a variable is now in one
// slot and now in another. The debug records say from where on; where control comes together, a variable that
// the ways have in different places has a phi node, or is no longer known.
#include <algorithm>
#include <utility>

#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IntrinsicInst.h>

#include "analysis/program/function_lowering.h"

namespace heddle::lowering {

namespace {

bool isDereference(const llvm::DIExpression& expression) {
  return expression.getNumElements() == 1 && expression.getElement(0) == llvm::dwarf::DW_OP_deref;
}

/// The variable's scope is one of those that the place lies in.
bool isInScope(const llvm::DILocalVariable& variable, const llvm::DILocation& place) {
  for (const llvm::DIScope* scope = place.getScope(); scope; scope = scope->getScope())
    if (scope == variable.getScope()) return variable.isParameter() || variable.getLine() <= place.getLine();
  return false;
}

/// Of a record that says what a variable is from there on.
const llvm::Value* valueOf(const llvm::DbgVariableRecord& record) {
  const llvm::DIExpression& expression = *record.getExpression();
  const bool isPlain = expression.getNumElements() == 0 || isDereference(expression);
  return isPlain && !record.hasArgList() && !record.isKillLocation() ? record.getVariableLocationOp(0)
                                                                     : nullptr;
}

}  // namespace

void FunctionLowering::findVariables() {
  firstStatement_ = program_.statements.size();
  const auto apply = [&](const llvm::Instruction& instruction, Holders& holders) {
    for (const llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
      if (record.isDbgValue())
        holders[record.getVariable()] = {valueOf(record), isDereference(*record.getExpression())};
  };
  Holders unset;
  for (const llvm::BasicBlock* block : order_)
    for (const llvm::Instruction& instruction : *block)
      for (const llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
        if (record.isDbgDeclare())
          declared_[record.getVariable()] = {valueOf(record), true};
        else if (record.isDbgValue())
          unset[record.getVariable()] = {};

  llvm::DenseMap<const llvm::BasicBlock*, Holders> ends;
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock* block : order_) {
      Holders begin = block == order_.front() ? unset : Holders();
      bool isFirst = true;
      for (const llvm::BasicBlock* before : llvm::predecessors(block)) {
        const auto end = ends.find(before);
        if (end == ends.end()) continue;  // not visited yet: it may agree
        if (std::exchange(isFirst, false)) {
          begin = end->second;
          continue;
        }
        for (auto& [variable, holder] : begin)
          if (const auto other = end->second.find(variable);
              other == end->second.end() || other->second != holder)
            holder = {};
        for (const auto& [variable, holder] : end->second) begin.try_emplace(variable, Holder{});
      }
      holdersAt_[block] = begin;
      for (const llvm::Instruction& instruction : *block) apply(instruction, begin);
      const auto [end, isNew] = ends.try_emplace(block, begin);
      const auto isSame = [](const Holders& a, const Holders& b) {
        return a.size() == b.size() && llvm::all_of(a, [&](const auto& entry) {
                 const auto other = b.find(entry.first);
                 return other != b.end() && other->second == entry.second;
               });
      };
      changed |= isNew || !isSame(end->second, begin);
      end->second = std::move(begin);
    }
  }
}

uint32_t FunctionLowering::variableIndex(const llvm::DILocalVariable& variable) {
  const auto [known, isNew] =
      variableIndex_.try_emplace(&variable, static_cast<uint32_t>(program_.localVariables.size()));
  if (isNew)
    program_.localVariables.push_back(
        {variable.getName().str(), module_.type(variable.getType()), variable.isParameter()});
  return known->second;
}

VariablePlace FunctionLowering::placeOf(const llvm::DILocalVariable& variable, const llvm::Value* value,
                                        bool isAddress) {
  VariablePlace found{variableIndex(variable), kNone, isAddress};
  if (!value) return found;
  const bool isScalarConstant = llvm::isa<llvm::Constant>(value) &&
                                module_.scalarWidth(value->getType()) != 0 &&
                                module_.scalarConstant(*llvm::cast<llvm::Constant>(value)).has_value();
  if (slots_.count(value) || isScalarConstant) found.slot = slot(*value);
  return found;
}

void FunctionLowering::lowerStatement(const llvm::Instruction& instruction) {
  const llvm::BasicBlock* const block = instruction.getParent();
  if (block != statementBlock_) {
    holders_ = holdersAt_[block];
    statementBlock_ = block;
    statementLine_ = 0;
  }
  for (const llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
    if (record.isDbgValue())
      holders_[record.getVariable()] = {valueOf(record), isDereference(*record.getExpression())};
  const llvm::DILocation* const place = instruction.getDebugLoc().get();
  // What is allocated at the start of the function has the line of the declaration, and is not executed
  // there.
  if (!place || place->getLine() == 0 || place->getLine() == statementLine_ ||
      llvm::isa<llvm::AllocaInst>(instruction))
    return;
  statementLine_ = place->getLine();
  Statement statement;
  statement.place = module_.place(place);
  for (const Holders* holders : {&declared_, &holders_})
    for (const auto& [variable, holder] : *holders)
      if (isInScope(*variable, *place))
        statement.variables.push_back(placeOf(*variable, holder.value, holder.isAddress));
  // Inner scopes are declared later; parameters come first, in their order.
  std::stable_sort(statement.variables.begin(), statement.variables.end(),
                   [](const VariablePlace& a, const VariablePlace& b) { return a.variable < b.variable; });
  emit(Opcode::Statement, 0, static_cast<uint32_t>(program_.statements.size()));
  program_.statements.push_back(std::move(statement));
}

}  // namespace heddle::lowering
