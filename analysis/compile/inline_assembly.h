// Inline assembly as LLVM instructions: what programs write for atomic operations on x86 (locked operations,
// plain moves of what is whole in memory) becomes what means the same, and of the rest each output becomes
// any value, by a call of a model (`heddle.assembly`) that names the assumption.
//
// Threading: works on a module that the caller owns.
#pragma once

namespace llvm {
class Module;
}

namespace heddle {

void replaceAssembly(llvm::Module& module);

}  // namespace heddle
