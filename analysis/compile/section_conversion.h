// Section conversion: straightens branches that only choose between values inside of atomic sections
// (if-conversion; Allen, Kennedy, Porterfield, Warren, POPL 1983), so that `x = used && mine ? buffer : x`
// is one path with one term instead of a path for each way through it. Models of weak memory consist of
// little else.
//
// A branch is straightened only where no other thread can tell: all of it lies in an atomic section, computes
// and loads, and loads nothing but variables that nobody writes outside of atomic sections and whose address
// is not taken. Then an additional load meets no conflicting access and can take part in no race.
//
// Threading: one module at a time, which the caller owns. To be called on the linked program.
#pragma once

namespace llvm {
class Module;
}

namespace heddle {

void convertSections(llvm::Module& module);

}  // namespace heddle
