#include "tests/unit/interp/compile_text.h"

#include <gtest/gtest.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "analysis/compile/compiler.h"

namespace heddle::test {

std::unique_ptr<Program> compileProgram(const std::string& text, const std::vector<std::string>& flags) {
  static Compiler compiler;
  const std::string path = "/program/test.c";
  CompileResult result = compiler.compile(path, text, commandFromFlags(path, flags));
  if (!result.module) {
    for (const CompileMessage& message : result.messages) ADD_FAILURE() << message.text;
    return nullptr;
  }
  return lower(*result.module);
}

}  // namespace heddle::test
