// Instrument: turns the marks of a module into calls of the run-time at the sites that a plan names. All
// other marks are removed and leave no code. Creates of threads and, in a reproduction, waits on condition
// variables and inputs go through the run-time, too.
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

/// Zeroed: a new block has zeros, because the interpreter treats memory that was never written as zeros.
/// Guarded: the same, and blocks are placed so that an access right beside a block, or to a block that was
/// freed, ends the program.
enum class HeapKind : uint8_t { AsItIs, Zeroed, Guarded };

struct Instrumentation {
  std::set<uint32_t> sites;  // sites that get code
  /// The program follows a prefix: the run-time gets only the rank of each site among `sites`.
  bool isEnforcement = false;
  std::set<uint32_t> tells;  // sites among these after which the run-time is called too; only for a prefix
  /// Sites among these that are calls whose result the run-time gets; only for a prefix.
  std::set<uint32_t> sees;
  std::set<uint32_t> inputs;  // sites among these that are calls whose result comes from the plan
  bool shaken = false;        // a thread sleeps now and then at every site; for tests
  bool plannedWaits = false;  // the plan may wake threads that wait on a condition variable
  HeapKind heap = HeapKind::AsItIs;
};

/// `module`: a module after markSites.
void instrument(llvm::Module& module, const std::vector<Site>& sites, const Instrumentation& what);

/// The module in a form that a Clang of the same version can read.
std::string bitcodeOf(const llvm::Module& module);

}  // namespace heddle
