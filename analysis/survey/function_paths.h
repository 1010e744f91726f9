// FunctionPaths: the ways through one function, and what each does to locks: where one way keeps a lock that
// others release, releases or takes one twice, or waits once for a condition; and which locks are taken while
// which others are held. Conditions are not evaluated, so what is told is a guess; it is told only where all
// ways to a place agree.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <optional>

#include "analysis/survey/file_locks.h"
#include "analysis/survey/kept_locks.h"
#include "analysis/survey/null_parameters.h"
#include "analysis/survey/survey.h"
#include "clang/Analysis/CFG.h"

namespace heddle {

class FunctionPaths {
 public:
  /// Both must outlive it.
  FunctionPaths(FileLocks& file, const clang::FunctionDecl& function);

  /// False: the function is too complicated. The other functions need it.
  bool follow();
  /// Sets `slips`, `order`, `kept`, `releasesFirst`, `initializes` and `initializesGiven`.
  void addTo(SurveyFunction& out) const;
  LockSummary summary() const;

 private:
  /// What a call does to one lock.
  struct Operation {
    LockPlace place;
    LockCall call = LockCall::None;
    bool maybe = false;  // it may have failed
  };

  /// Where a lock is initialized or destroyed.
  struct Begun {
    LockPlace place;
    uint32_t line = 0;
    const clang::CFGBlock* block = nullptr;
  };

  /// `isTold`: what looks wrong is noted.
  void run(const clang::CFGBlock& block, States& states, bool isTold);
  void runCall(const clang::CallExpr& call, States& states, bool isTold, bool isTested);
  void apply(const Operation& operation, const clang::CallExpr& call, States& states, bool isTold);
  /// `released`: locks that are given up before.
  void noteOrder(const std::string& name, uint32_t line, const States& states,
                 const std::set<std::string>& released = {});
  void noteWait(const clang::CallExpr& call, const clang::CFGBlock& block);
  void runLife(const clang::CallExpr& call, LifeCall what, States& states, bool isTold);
  void begin(const LockPlace& place, uint32_t line, States& states, bool isTold);
  void end(const LockPlace& place, uint32_t line, States& states, bool isTold);
  /// `withNulls`: also of ways on which there is no object.
  uint8_t bitsAtExits(const std::string& text, bool withNulls = true) const;
  void addBegun(SurveyFunction& out) const;
  void addEndedUnbegun(SurveyFunction& out) const;
  void followCallee(const clang::CallExpr& call, const clang::FunctionDecl& callee, States& states,
                    bool isTold);
  void noteEnd(const clang::CFGBlock& block, const States& before, const States& behind);
  /// A function that is not known gets the lock: it may do anything to it.
  void forgetGiven(const clang::CallExpr& call, States& states) const;
  /// By its name the call releases a lock of what it is given, and nothing that is read of it does.
  void forgetReleased(const clang::CallExpr& call, bool isKnown, const States& before, States& states) const;
  void forgetLed(const clang::CallExpr& call, bool isKnown, States& states) const;
  void forget(const clang::Expr& changed, States& states) const;
  void forget(const clang::DeclStmt& declared, States& states) const;
  bool onEdge(const clang::CFGBlock& block, bool isFirst, States& states);
  std::optional<Operation> operationOf(const clang::CallExpr& call) const;

  FileLocks& file_;
  const clang::FunctionDecl& function_;
  const FunctionCalls& calls_;
  const clang::CFG* graph_;  // null: there is none
  std::optional<NullParameters> nulls_;
  const clang::CFGBlock* block_ = nullptr;  // which is run
  const bool forks_;                        // it makes a process, whose locks are in the hands of nobody
  LockWays ways_;
  std::vector<LockSlip> slips_;
  std::map<std::pair<std::string, std::string>, uint32_t> order_;
  std::vector<LockPlace> takes_;
  std::vector<Begun> begun_, endedUnbegun_;  // the latter were not initialized on any way there
  std::set<std::string> ended_;              // texts of locks that some way destroys
  std::vector<const clang::Expr*> assigned_;
  std::set<std::string> names_;
  std::set<std::string> gives_;  // locks that it releases without having taken them, by name
};

}  // namespace heddle
