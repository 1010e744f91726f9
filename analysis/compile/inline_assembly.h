// Inline assembly that programs write for atomic operations on x86, as the LLVM instructions that mean the
// same. What is not recognized is left alone, and unsupported where it is reached.
//
// Threading: works on a module that the caller owns.
#pragma once

namespace llvm {
class Module;
}

namespace heddle {

void replaceAtomicAssembly(llvm::Module& module);

}  // namespace heddle
