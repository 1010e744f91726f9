// Sites: the numbered places of a program at which a thread may do something that others can tell.
//
// An event of a native run must be the event of the interpreted one. So the numbers are given in the module
// that the interpreter lowers, before anything is optimized: a call of `heddle.passed(number)` in front of
// each site. The interpreter tells its sink of them (EventSink::passed); for a native program they become
// calls of its run-time, or vanish (instrument.h). The number of a thread's pass of a site is then the same
// in both.
//
// Threading: one module at a time, which the caller owns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/source_place.h"

namespace llvm {
class Instruction;
class Module;
}  // namespace llvm

namespace heddle {

enum class SiteKind : uint8_t { Load, Store, Atomic, Call, Return };

struct Site {
  SiteKind kind = SiteKind::Load;
  SourcePlace place;
  std::string callee;          // of a call
  bool returns = true;         // false: nothing of the thread comes behind it
  bool isScalarInput = false;  // a call whose result is a number

  /// "write", "call of pthread_join"
  std::string text() const;
};

/// A call of pthread_cond_wait or its kin.
bool isConditionWait(const Site& site);

/// Marks all sites, save in bodies that the program gives to functions whose meaning is fixed
/// (modelled_names.h): they are not what the interpreter runs. With `dropModelled` those bodies go.
std::vector<Site> markSites(llvm::Module& module, bool dropModelled);

/// The number of the site that the instruction marks, if it is a mark; what it marks comes right behind.
bool isMark(const llvm::Instruction& instruction, uint32_t& number);

}  // namespace heddle
