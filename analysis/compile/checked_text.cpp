#include "analysis/compile/checked_text.h"

#include <algorithm>

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

#include "analysis/compile/compiler.h"

namespace heddle {

std::optional<uint64_t> compileCheck(const std::string& text) {
  const CompileCommand command{"/", {"-std=gnu17"}, "check", {}};
  const CompileResult result = Compiler().compile("/heddle-check.c", text, command);
  const bool isUndeclared = std::any_of(
      result.messages.begin(), result.messages.end(),
      [](const CompileMessage& message) { return message.text.find("undeclared") != std::string::npos; });
  if (!result.module || isUndeclared) return std::nullopt;
  const llvm::GlobalVariable* const sized = result.module->getGlobalVariable("heddle_size");
  if (!sized) return 0;
  const auto* const type = llvm::dyn_cast<llvm::ArrayType>(sized->getValueType());
  return type ? type->getNumElements() : 0;
}

}  // namespace heddle
