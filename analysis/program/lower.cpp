#include "analysis/program/function_lowering.h"

namespace heddle {

std::unique_ptr<Program> lower(const llvm::Module& module) {
  auto program = std::make_unique<Program>();
  lowering::ModuleLowering shared(module, *program);
  shared.declareFunctions();
  shared.lowerGlobals();
  for (const llvm::Function& function : module) {
    if (function.isIntrinsic() || function.isDeclaration()) continue;
    Function& out = program->functions[shared.functionIndex(function)];
    if (out.defined) lowering::FunctionLowering(shared, function, out).run();
  }
  shared.lowerProcess();
  return program;
}

}  // namespace heddle
