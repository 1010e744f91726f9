// SignalSteps: what the text of one function does with signals: handlers that it installs, timers and masks
// that it sets, jump buffers, flags that it tests, and calls that wait without limit.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringRef.h"

namespace heddle {

/// What a function does that matters if a signal comes to it.
struct SignalFacts {
  std::set<const clang::VarDecl*> jumps;  // buffers that it jumps to
  std::set<const clang::VarDecl*> sets;   // flags
  std::set<const clang::FunctionDecl*> callees;
  bool isGuarded = false;  // it looks at data of the process before it does something
  bool wakes = false;      // it writes to a descriptor, or wakes somebody otherwise
};

/// All declarations are canonical ones.
class SignalSteps {
 public:
  SignalSteps(clang::ASTContext& context, const clang::Stmt& body) : context_(context) { walk(&body, false); }

  struct Install {
    const clang::CallExpr* call = nullptr;
    int64_t signal = 0;
    const clang::VarDecl* from = nullptr;  // a structure, or a variable with a function's address
    const clang::FunctionDecl* handler = nullptr;
    bool isDefault = false;  // SIG_DFL
  };
  struct Timer {
    const clang::CallExpr* call = nullptr;
    int64_t signal = 0;  // 0: any
    bool stops = false;
  };
  struct Test {
    const clang::Stmt* read = nullptr;
    const clang::VarDecl* flag = nullptr;
    bool isBehindErrno = false;  // it comes behind a test of errno
  };
  struct Wait {
    const clang::CallExpr* call = nullptr;
    bool isOfOne = false;  // of one descriptor
  };
  struct Mask {
    const clang::CallExpr* call = nullptr;
    const clang::VarDecl *set = nullptr, *old = nullptr;
  };
  std::vector<Install> installs;
  std::vector<Timer> timers;
  std::vector<std::pair<const clang::CallExpr*, const clang::VarDecl*>> buffers;  // that setjmp sets
  std::vector<Test> tests;                                                        // of flags
  std::vector<Wait> waits;                                                        // without limit
  std::vector<Mask> masks;                                                        // SIG_SETMASK
  std::vector<const clang::CallExpr*> threads;                                    // that are started
  std::vector<const clang::CallExpr*> expiries;  // calls that return when a signal has come
  std::map<const clang::VarDecl*, std::set<const clang::FunctionDecl*>> handlersIn;  // structures
  std::set<const clang::VarDecl*> filled;  // structures whose handler the function sets
  std::set<const clang::VarDecl*> saved;   // variables that get what was installed, or are copied as a whole
  std::map<const clang::VarDecl*, unsigned> named, emptied;  // how often
  bool masksSignals = false;
  SignalFacts facts;

 private:
  void walk(const clang::Stmt* part, bool isBehindErrno);
  void note(const clang::Stmt& part, bool isBehindErrno);
  void noteCondition(const clang::Stmt* condition);
  void noteInitial(const clang::VarDecl& variable, const clang::Stmt* part);
  void noteAssignment(const clang::BinaryOperator& assignment);
  void noteCall(const clang::CallExpr& call);
  bool noteJump(const clang::CallExpr& call, llvm::StringRef name);
  bool noteMask(const clang::CallExpr& call, llvm::StringRef name);
  bool noteWait(const clang::CallExpr& call, llvm::StringRef name);
  bool noteTimer(const clang::CallExpr& call, llvm::StringRef name);
  void noteInstall(const clang::CallExpr& call, llvm::StringRef name);
  std::optional<int64_t> constantOf(const clang::Expr& expression) const;
  bool isNull(const clang::Expr& expression) const;

  clang::ASTContext& context_;
};

}  // namespace heddle
