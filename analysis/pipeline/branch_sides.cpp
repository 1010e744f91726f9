#include "analysis/pipeline/branch_sides.h"

#include <map>

#include "analysis/program/modelled_names.h"
#include "analysis/program/reachable.h"

namespace heddle {

namespace {

void addCases(const SwitchTable& table, const BranchSide& base, std::vector<BranchSide>& sides) {
  std::map<uint32_t, std::string> targets;
  for (const auto& [value, target] : table.cases) {
    std::string& text = targets[target];
    text += (text.empty() ? "case " : ", ") + std::to_string(value);
  }
  std::string& others = targets[table.defaultTarget];
  others += others.empty() ? "default" : ", default";
  for (auto& [target, text] : targets) {
    BranchSide side = base;
    side.marked = target;
    side.mark = ReachLog::kEntered;
    side.text = std::move(text);
    sides.push_back(std::move(side));
  }
}

/// The check of an index, which is no branch of the text.
bool isIndexCheck(const Program& program, const Instruction& branch) {
  uint32_t at = branch.c;
  while (program.code[at].op == Opcode::Statement || program.code[at].op == Opcode::MergePoint ||
         program.code[at].op == Opcode::Jump)
    at = program.code[at].op == Opcode::Jump ? program.code[at].a : at + 1;
  const Instruction& first = program.code[at];
  return first.op == Opcode::CallExternal && program.externals[first.a] == kBeyondArrayCall;
}

}  // namespace

std::vector<BranchSide> branchSidesIn(const Program& program, FunctionId id) {
  std::vector<BranchSide> sides;
  const Function& function = program.functions[id];
  for (uint32_t pc = function.entry; pc < function.end; ++pc) {
    const Instruction& in = program.code[pc];
    BranchSide side{id, pc, in.place, pc, 0, "", false, false};
    if (in.op == Opcode::Branch) {
      if (isIndexCheck(program, in)) continue;
      side.isAssertion = in.aux != 0;
      const int failure = static_cast<int>(in.aux) - 1;
      for (const int taken : {1, 0}) {
        side.mark = taken ? ReachLog::kTrue : ReachLog::kFalse;
        side.text = taken ? "true" : "false";
        side.isFailure = side.isAssertion && taken == failure;
        sides.push_back(side);
      }
    } else if (in.op == Opcode::Switch) {
      addCases(program.switches[in.b], side, sides);
    }
  }
  return sides;
}

std::vector<BranchSide> branchSides(const Program& program, FunctionId entry) {
  std::vector<BranchSide> sides;
  for (const FunctionId id : reachableFunctions(program, entry)) {
    if (program.functions[id].place == kNone) continue;
    for (BranchSide& side : branchSidesIn(program, id)) sides.push_back(std::move(side));
  }
  return sides;
}

}  // namespace heddle
