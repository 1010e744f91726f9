// Test helper: C text in, lowered program out.
#pragma once

#include <gtest/gtest.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

#include "analysis/compile/compiler.h"
#include "analysis/program/program.h"

namespace heddle {

/// Null after a failed expectation.
inline std::unique_ptr<Program> lowered(const std::string& text, const std::vector<std::string>& flags = {}) {
  static Compiler compiler;
  const std::string path = "/program/dir/test.c";
  CompileResult result = compiler.compile(path, text, commandFromFlags(path, flags));
  for (const CompileMessage& message : result.messages)
    if (message.isError) ADD_FAILURE() << message.text;
  return result.module ? lower(*result.module) : nullptr;
}

}  // namespace heddle
