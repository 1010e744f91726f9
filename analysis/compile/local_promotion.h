// Local promotion: turns locals whose address is never taken into SSA values, and does nothing else.
//
// Only mem2reg runs, on purpose. It touches only an alloca that is used by nothing but direct, non-volatile
// loads and stores of its whole type; such memory no other thread can reach. SROA is left out: to take a
// struct apart it splits or drops the other side of copies (`struct S s = shared;`), splits integer loads and
// stores of shared memory that pass through a local, and loads ahead of time through `c ? &local : &shared`.
// Each of these would add, remove or reorder an access that other threads can observe. The interpreter treats
// what stays in memory but never escapes as thread-local anyway.
//
// Debug records are kept: a variable that became a value is tied to it by #dbg_value.
//
// Threading: one module at a time.
#pragma once

namespace llvm {
class Module;
}

namespace heddle {

void promoteLocals(llvm::Module& module);

}  // namespace heddle
