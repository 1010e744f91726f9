#include "analysis/program/reachable.h"

#include <algorithm>

namespace heddle {

std::vector<FunctionId> reachableFunctions(const Program& program, FunctionId entry) {
  std::vector<bool> known(program.functions.size());
  std::vector<FunctionId> waiting;
  const auto reach = [&](FunctionId id) {
    if (id >= known.size() || known[id]) return;
    known[id] = true;
    waiting.push_back(id);
  };
  const auto reachAll = [&](const std::vector<Relocation>& relocations) {
    for (const Relocation& relocation : relocations)
      if (relocation.target == RelocationTarget::Function) reach(relocation.index);
  };
  reach(entry);
  reach(program.startup);
  reach(program.shutdown);
  for (const FunctionId id : program.constructors) reach(id);
  for (const FunctionId id : program.destructors) reach(id);
  for (const GlobalVariable& global : program.globals) reachAll(global.relocations);
  while (!waiting.empty()) {
    const Function& function = program.functions[waiting.back()];
    waiting.pop_back();
    if (!function.defined) continue;
    reachAll(function.relocations);
    for (uint32_t pc = function.entry; pc < function.end; pc++)
      if (program.code[pc].op == Opcode::Call) reach(program.code[pc].a);
  }
  std::vector<FunctionId> found;
  for (FunctionId id = 0; id < known.size(); id++)
    if (known[id] && program.functions[id].defined) found.push_back(id);
  return found;
}

bool mayCallLibrary(const Program& program, const std::vector<FunctionId>& functions, std::string_view name) {
  const auto isHeld = [&](const std::vector<Relocation>& relocations) {
    return std::any_of(relocations.begin(), relocations.end(), [&](const Relocation& relocation) {
      return relocation.target == RelocationTarget::Function &&
             program.functions[relocation.index].name == name;
    });
  };
  const auto isCall = [&](const Instruction& in) {
    return in.op == Opcode::CallExternal && program.externals[in.a] == name;
  };
  return std::any_of(functions.begin(), functions.end(),
                     [&](FunctionId id) {
                       const Function& function = program.functions[id];
                       return isHeld(function.relocations) ||
                              std::any_of(program.code.begin() + function.entry,
                                          program.code.begin() + function.end, isCall);
                     }) ||
         std::any_of(program.globals.begin(), program.globals.end(),
                     [&](const GlobalVariable& global) { return isHeld(global.relocations); });
}

bool isThreadCreator(std::string_view name) {
  return name == "pthread_create" || name == "thrd_create" || name == "uv_thread_create" ||
         name == "g_thread_new";
}

}  // namespace heddle
