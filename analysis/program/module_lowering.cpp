#include "analysis/program/module_lowering.h"

#include <llvm/IR/GlobalVariable.h>

#include "analysis/program/modelled_names.h"
#include "analysis/support/harness_names.h"

namespace heddle::lowering {

ModuleLowering::ModuleLowering(const llvm::Module& m, Program& p, bool statements)
    : module(m), layout(m.getDataLayout()), program(p), withStatements(statements) {
  program.pointerWidth = layout.getPointerSizeInBits();
}

uint32_t ModuleLowering::external(llvm::StringRef name) {
  const auto [it, inserted] = externals_.emplace(name.str(), static_cast<uint32_t>(program.externals.size()));
  if (inserted) program.externals.push_back(name.str());
  return it->second;
}

void ModuleLowering::declareFunctions() {
  for (const llvm::Function& function : module) {
    if (function.isIntrinsic()) continue;
    functions_[&function] = static_cast<uint32_t>(program.functions.size());
    Function lowered;
    llvm::StringRef name = function.getName();
    name.consume_front("\1");  // an asm label, taken as it is
    lowered.name = name.str();
    // Linking renames static functions of the same name.
    if (const llvm::DISubprogram* scope = function.getSubprogram();
        function.hasInternalLinkage() && scope && !scope->getName().empty())
      lowered.name = scope->getName().str();
    lowered.defined = !function.isDeclaration() && !isAlwaysModelled(lowered.name);
    lowered.isVarArg = function.isVarArg();
    lowered.isAtomic = lowered.name.starts_with("__VERIFIER_atomic_");
    if (!lowered.defined) lowered.external = external(name);
    if (const llvm::DISubprogram* scope = function.getSubprogram())
      lowered.place = place(scope->getFile(), scope->getLine(), 0, scope->getName());
    program.functions.push_back(std::move(lowered));
  }
  const auto entry = program.findFunction(kHarnessEntry);
  if (entry) program.harness = program.functions[*entry].place;
  for (const Function& function : program.functions) {
    const bool isOfHarness = program.harness != kNone && function.place != kNone && function.defined &&
                             function.name.starts_with(kHarnessPrefix);
    if (isOfHarness && program.place(function.place).line < program.place(program.harness).line)
      program.harness = function.place;
  }
}

/// Of an array whose size only the unit that defines it knows: who goes beyond is not followed.
static constexpr uint64_t kElementsElsewhere = 64;

void ModuleLowering::lowerGlobals() {
  for (const llvm::GlobalVariable& global : module.globals()) {
    if (global.getName().starts_with("llvm.")) continue;
    globals_[&global] = static_cast<uint32_t>(program.globals.size());
    GlobalVariable lowered;
    lowered.name = global.getName().str();
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> debug;
    global.getDebugInfo(debug);
    if (!debug.empty()) {
      const llvm::DIGlobalVariable* variable = debug.front()->getVariable();
      if (!variable->getName().empty()) lowered.name = variable->getName().str();
      lowered.type = type(variable->getType());
      lowered.place = place(variable->getFile(), variable->getLine(), 0, "");
    }
    if (lowered.name.empty() || global.hasPrivateLinkage()) lowered.name = "string literal";
    lowered.size = layout.getTypeAllocSize(global.getValueType()).getFixedValue();
    lowered.isConstant = global.isConstant();
    lowered.isThreadLocal = global.isThreadLocal();
    lowered.isExternal = !global.hasInitializer();
    if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(global.getValueType());
        array && lowered.isExternal && array->getNumElements() == 0) {
      lowered.isSizeAssumed = true;
      lowered.size = kElementsElsewhere * layout.getTypeAllocSize(array->getElementType()).getFixedValue();
    }
    program.globals.push_back(std::move(lowered));
  }
  for (const llvm::GlobalVariable& global : module.globals()) {
    const auto found = globals_.find(&global);
    if (found == globals_.end() || !global.hasInitializer()) continue;
    GlobalVariable& lowered = program.globals[found->second];
    // An initializer that cannot be expressed makes the object unusable rather than wrong.
    if (!writeInitializer(*global.getInitializer(), 0, lowered)) lowered.isExternal = true;
    while (!lowered.initializer.empty() && lowered.initializer.back() == 0) lowered.initializer.pop_back();
  }
}

}  // namespace heddle::lowering
