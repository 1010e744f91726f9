// Sites: the numbered places of a program at which a thread may do something that other threads can
// observe.
//
// An event of a native run must correspond to the event of the interpreted run. So the numbers are assigned
// in the module that the interpreter lowers, before any optimization, as a call of `heddle.passed(number)`
// in front of each site. The interpreter reports them to its sink (EventSink::passed). For a native program
// they become calls of its run-time or are removed (instrument.h). So a thread's n-th pass of a site is the
// same event in both.
//
// Threading: one module at a time, which the caller owns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/source_place.h"
#include "analysis/support/environment.h"

namespace llvm {
class Instruction;
class Module;
}  // namespace llvm

namespace heddle {

enum class SiteKind : uint8_t { Load, Store, Atomic, Call, Return };

struct Site {
  SiteKind kind = SiteKind::Load;
  SourcePlace place;
  std::string callee;          // name of the called function, for a call
  bool returns = true;         // false: nothing in the thread comes after it
  bool isScalarInput = false;  // a call whose result is a number

  /// "write", "call of pthread_join"
  std::string text() const;
};

/// True for a call of pthread_cond_wait or a similar function.
bool isConditionWait(const Site& site);

/// Marks all sites, except in bodies that the program gives to functions with a fixed meaning
/// (modelled_names.h), because the interpreter does not run them. `dropModelled`: removes those bodies.
std::vector<Site> markSites(llvm::Module& module, bool dropModelled);

/// Why there can be no native program of the module; empty: there can. Signal handlers that run as threads
/// are no threads of a native program.
std::string whyNotNative(const llvm::Module& module, Signals signals);

/// True if the instruction is a mark; then `number` is the number of its site, which comes right after it.
bool isMark(const llvm::Instruction& instruction, uint32_t& number);

}  // namespace heddle
