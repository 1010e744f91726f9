#include "analysis/program/function_lowering.h"
#include "analysis/program/pointer_names.h"

namespace heddle {

std::unique_ptr<Program> lower(const llvm::Module& module, bool withStatements) {
  auto program = std::make_unique<Program>();
  lowering::ModuleLowering shared(module, *program, withStatements);
  shared.declareFunctions();
  shared.lowerGlobals();
  for (const llvm::Function& function : module) {
    if (function.isIntrinsic() || function.isDeclaration()) continue;
    Function& out = program->functions[shared.functionIndex(function)];
    if (!out.defined) continue;
    lowering::FunctionLowering(shared, function, out).run();
    lowering::PointerNames(shared).collect(function);
  }
  shared.lowerProcess();
  for (const std::string& name : program->externals) {
    program->mayStutter |= name.starts_with("pthread_cond_") || name.starts_with("cnd_");
    program->cancels |= name == "pthread_cancel";
  }
  return program;
}

}  // namespace heddle
