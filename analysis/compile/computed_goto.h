// Computed goto (GNU's `goto *p`) as a switch: each label whose address is taken gets a number, from 1 within
// its function, that stands for the address. So nothing after this knows of label addresses.
//
// Threading: works on a module that the caller owns.
#pragma once

namespace llvm {
class Module;
}

namespace heddle {

/// Label addresses may afterwards only be compared, copied and jumped to, as C allows no more with them.
void replaceComputedGotos(llvm::Module& module);

}  // namespace heddle
