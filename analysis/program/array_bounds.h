// ArrayBounds: which of Clang's checks of indexes are kept. An access beyond a whole object shows by itself;
// one beyond an array inside of an object (a member, a row) does not: there is memory behind it.
//
// Threading: pure function.
#pragma once

#include <cstdint>

namespace llvm {
class GetElementPtrInst;
class Instruction;
class Module;
}  // namespace llvm

namespace heddle {

/// What `-fsanitize=array-bounds` numbers its traps with.
inline constexpr uint64_t kBeyondArray = 18;

/// The element that the check in front of the trap is for; null: the check is of something else.
const llvm::GetElementPtrInst* checkedElement(const llvm::Instruction& trap);

/// Takes out checks of arrays that are whole variables, and of what is no array of a known size.
void keepInnerBounds(llvm::Module& module);

}  // namespace heddle
