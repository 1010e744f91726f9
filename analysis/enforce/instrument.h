// Instrument: turns the marks of a module into calls of the run-time, at the sites that a plan names; all
// other marks vanish and leave no code. Creates of threads and, in a reproduction, waits on condition
// variables and inputs go through the run-time as well.
//
// Threading: one module at a time, which the caller owns.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "analysis/enforce/sites.h"

namespace llvm {
class Module;
}

namespace heddle {

/// Zeroed: a block begins as the interpreter goes on with what was never written, as zeros. Guarded: as well,
/// and blocks are put where an access beside or after them ends the program.
enum class HeapKind : uint8_t { AsItIs, Zeroed, Guarded };

struct Instrumentation {
  std::set<uint32_t> sites;    // that carry code
  bool isEnforcement = false;  // of a prefix: the sites are told by their rank among them, nothing else is
  std::set<uint32_t> tells;    // of these, those behind which something is to be told; for a prefix only
  std::set<uint32_t> sees;     // of these, calls whose result is told; for a prefix only
  std::set<uint32_t> inputs;   // of these, calls whose result the plan gives
  bool shaken = false;         // at every site a thread sleeps now and then: for tests
  bool plannedWaits = false;   // the plan may wake who waits on a condition variable
  HeapKind heap = HeapKind::AsItIs;
};

/// `module`: as markSites left it.
void instrument(llvm::Module& module, const std::vector<Site>& sites, const Instrumentation& what);

/// The module in a form that the Clang of the same version reads.
std::string bitcodeOf(const llvm::Module& module);

}  // namespace heddle
