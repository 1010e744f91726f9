// What runs before main and after it: constructors, exit handlers, destructors. The two functions made here
// have no source; the interpreter enters them like others.
#include <llvm/IR/GlobalVariable.h>

#include <algorithm>

#include "analysis/program/module_lowering.h"

namespace heddle::lowering {

namespace {

/// The functions of llvm.global_ctors or llvm.global_dtors, in the order of their priorities.
std::vector<const llvm::Function*> listedFunctions(const llvm::Module& module, llvm::StringRef name) {
  const llvm::GlobalVariable* list = module.getNamedGlobal(name);
  if (!list || !list->hasInitializer()) return {};
  auto* entries = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer());
  if (!entries) return {};
  std::vector<std::pair<uint64_t, const llvm::Function*>> found;
  for (const llvm::Use& entry : entries->operands()) {
    auto* fields = llvm::dyn_cast<llvm::ConstantStruct>(entry);
    if (!fields) continue;
    auto* priority = llvm::dyn_cast<llvm::ConstantInt>(fields->getOperand(0));
    auto* function = llvm::dyn_cast<llvm::Function>(fields->getOperand(1)->stripPointerCastsAndAliases());
    if (priority && function) found.emplace_back(priority->getZExtValue(), function);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const llvm::Function*> functions;
  for (const auto& [priority, function] : found) functions.push_back(function);
  return functions;
}

/// Appends a function of our own, without parameters; `constants` take its first slots.
FunctionId addFunction(Program& program, const char* name, std::vector<uint64_t> constants, uint32_t locals,
                       const std::vector<Instruction>& body) {
  Function made;
  made.name = name;
  made.defined = true;
  made.entry = static_cast<uint32_t>(program.code.size());
  made.slots = static_cast<uint32_t>(constants.size()) + locals;
  made.undefined.resize(constants.size());
  made.constants = std::move(constants);
  program.code.insert(program.code.end(), body.begin(), body.end());
  made.end = static_cast<uint32_t>(program.code.size());
  program.functions.push_back(std::move(made));
  return static_cast<FunctionId>(program.functions.size() - 1);
}

}  // namespace

void ModuleLowering::lowerProcess() {
  const auto resolve = [&](llvm::StringRef name) {
    std::vector<FunctionId> out;
    for (const llvm::Function* function : listedFunctions(module, name))
      if (program.functions[functionIndex(*function)].defined) out.push_back(functionIndex(*function));
    return out;
  };
  program.constructors = resolve("llvm.global_ctors");
  program.destructors = resolve("llvm.global_dtors");
  std::reverse(program.destructors.begin(), program.destructors.end());

  std::vector<Instruction> body;
  if (!program.constructors.empty()) {
    for (const FunctionId constructor : program.constructors)
      body.push_back(instructionOf(Opcode::Call, 0, constructor));
    body.push_back(instructionOf(Opcode::Return));
    program.startup = addFunction(program, "(startup)", {}, 0, body);
  }

  // loop: address = next exit handler; if none, end the process; call it with its arguments.
  enum : uint32_t { Zero, Address, First, Second, Some };
  const auto start = static_cast<uint32_t>(program.code.size());
  const auto pool = static_cast<uint32_t>(program.arguments.size());
  for (const uint32_t argument : {First, Second})
    program.arguments.push_back({argument, static_cast<uint8_t>(program.pointerWidth)});
  Instruction next = instructionOf(Opcode::CallExternal, Address, external("heddle.next_exit_handler"));
  next.width = static_cast<uint8_t>(program.pointerWidth);
  next.aux = 1;
  Instruction arguments = next;
  arguments.dst = First;
  arguments.a = external("heddle.exit_handler_arguments");
  arguments.aux = 2;
  Instruction any = instructionOf(Opcode::Ne, Some, Address, Zero);
  any.width = static_cast<uint8_t>(program.pointerWidth);
  body = {next,
          any,
          instructionOf(Opcode::Branch, 0, Some, start + 3, start + 6),
          arguments,
          instructionOf(Opcode::CallIndirect, 0, Address, pool, 2),
          instructionOf(Opcode::Jump, 0, start),
          instructionOf(Opcode::CallExternal, 0, external("heddle.end_process")),
          instructionOf(Opcode::Unreachable)};
  program.shutdown = addFunction(program, "(shutdown)", {0}, 4, body);
}

}  // namespace heddle::lowering
