#include "tests/unit/interp/compile_text.h"

#include <gtest/gtest.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "analysis/compile/compiler.h"
#include "analysis/program/array_bounds.h"

namespace heddle::test {

std::unique_ptr<Program> compileProgram(const std::string& text, const std::vector<std::string>& flags,
                                        const Environment& environment) {
  static Compiler compiler;
  const std::string path = "/program/test.c";
  CompileResult result =
      compiler.compile(path, text, commandFromFlags(path, flags), {}, {environment.undefinedIsInput, false});
  if (!result.module) {
    for (const CompileMessage& message : result.messages) ADD_FAILURE() << message.text;
    return nullptr;
  }
  keepInnerBounds(*result.module);
  std::unique_ptr<Program> program = lower(*result.module);
  program->environment = environment;
  for (const DeclaredFunction& declared : result.declared) program->declared.emplace(declared.name, declared);
  return program;
}

}  // namespace heddle::test
