// Inline assembly as LLVM instructions: atomic operations on x86 (locked operations, plain moves of what is
// whole in memory) become instructions with the same meaning. For all other assembly each output becomes any
// value, by a call of a model (`heddle.assembly`) that names the assumption.
//
// Threading: works on a module that the caller owns.
#pragma once

namespace llvm {
class Module;
}

namespace heddle {

void replaceAssembly(llvm::Module& module);

}  // namespace heddle
