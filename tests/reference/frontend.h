// C text to LLVM IR for the reference interpreter: Clang at -O0 and no pass behind it. The standard headers
// are few declarations of our own, so that neither glibc nor the product's compile step takes part.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace heddle::reference {

struct Compiled {
  std::unique_ptr<llvm::LLVMContext> context;  // declared first: it outlives the module
  std::unique_ptr<llvm::Module> module;        // null: `error` says why
  std::string error;
};

/// `bits`: 64 or 32, the size of an address.
Compiled compile(const std::string& text, unsigned bits = 64);

/// A standard header that programs may include.
struct Header {
  const char* name;
  const char* text;
};
const std::vector<Header>& headers();

}  // namespace heddle::reference
