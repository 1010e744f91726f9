// SignalOrders: steps around signals that a function takes in the wrong order: a timer that is set before
// the jump buffer of its handler, a handler that is put back while the timer still runs, a mask that is
// emptied where a new thread is to get a full one, and a flag of a handler that is tested only behind a
// call that waits without limit. Conditions are not evaluated, so what is told is a guess.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "analysis/survey/function_flows.h"
#include "analysis/survey/signal_steps.h"
#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/StringRef.h"

namespace heddle {

class StepWays;

class SignalOrders {
 public:
  /// The flows must outlive it.
  explicit SignalOrders(FunctionFlows& flows) : flows_(flows), context_(flows.context()) {}

  /// Adds what the function, which has a body, shows alone.
  void add(const clang::FunctionDecl& function, Survey& survey);
  /// Adds what needs the file's handlers. All functions of the file have been added.
  void finish(Survey& survey);

 private:
  /// A slip if a handler of `signal` jumps to `buffer`.
  struct EarlyTimer {
    OrderSlip slip;
    int64_t signal = 0;
    const clang::VarDecl* buffer = nullptr;
  };
  /// A slip if no handler wakes who waits, and, `needsHandler`, if the file has the one that sets the flag.
  struct LongWait {
    OrderSlip slip;
    const clang::VarDecl* flag = nullptr;
    bool needsHandler = false;
  };

  void addEmptiedMasks(const SignalSteps& steps, llvm::StringRef function, Survey& survey) const;
  void addLeftTimers(const SignalSteps& steps, const StepWays& ways, llvm::StringRef function,
                     Survey& survey) const;
  void noteEarlyTimers(const SignalSteps& steps, const StepWays& ways, llvm::StringRef function);
  void noteLongWaits(const SignalSteps& steps, const StepWays& ways, llvm::StringRef function);
  void noteInstalls(const SignalSteps& steps);
  SignalFacts reachedFrom(const clang::FunctionDecl& handler) const;

  FunctionFlows& flows_;
  clang::ASTContext& context_;
  std::map<const clang::FunctionDecl*, SignalFacts> facts_;
  std::map<const clang::FunctionDecl*, std::set<int64_t>> installed_;  // handlers, and for which signals
  std::vector<EarlyTimer> timers_;
  std::vector<LongWait> waits_;
};

}  // namespace heddle
