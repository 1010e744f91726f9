#include "analysis/survey/signal_handlers.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "analysis/survey/source_line.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Analysis/CFG.h"
#include "clang/Basic/SourceManager.h"

namespace heddle {
namespace {

/// The function that an expression names; empty: none.
std::string namedFunction(const clang::Expr* expression) {
  if (!expression) return "";
  expression = expression->IgnoreParenCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(expression);
      address && address->getOpcode() == clang::UO_AddrOf)
    expression = address->getSubExpr()->IgnoreParenCasts();
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  const auto* function = reference ? llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()) : nullptr;
  return function && function->getIdentifier() ? function->getName().str() : "";
}

bool isHandlerMember(const clang::ValueDecl& member) {
  return member.getIdentifier() && (member.getName() == "sa_handler" || member.getName() == "sa_sigaction");
}

/// Local sets of signals: how often each is named, and for what.
class SignalUses : public clang::RecursiveASTVisitor<SignalUses> {
 public:
  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl())) ++sets[variable].named;
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const llvm::StringRef name = callee && callee->getIdentifier() ? callee->getName() : "";
    if (name == "sigemptyset" && call->getNumArgs() == 1) {
      if (const clang::VarDecl* set = setOf(*call->getArg(0))) ++sets[set].emptied;
    } else if ((name == "sigprocmask" || name == "pthread_sigmask") && call->getNumArgs() == 3) {
      const clang::VarDecl *const set = setOf(*call->getArg(1)), *const old = setOf(*call->getArg(2));
      clang::Expr::EvalResult how;
      if (old) ++sets[old].asked;
      if (!set || !call->getArg(0)->EvaluateAsInt(how, callee->getASTContext())) return true;
      constexpr int kBlock = 0, kSetMask = 2;  // SIG_BLOCK, SIG_SETMASK
      if (how.Val.getInt() == kSetMask) ++sets[set].restored;
      if (how.Val.getInt() == kBlock) sets[set].blocked.emplace_back(call, old);
    }
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

  struct Set {
    unsigned named = 0, emptied = 0, asked = 0, restored = 0;
    std::vector<std::pair<const clang::CallExpr*, const clang::VarDecl*>> blocked;  // and what it was before
  };
  std::map<const clang::VarDecl*, Set> sets;

 private:
  static const clang::VarDecl* setOf(const clang::Expr& argument) {
    const auto* address = llvm::dyn_cast<clang::UnaryOperator>(argument.IgnoreParenCasts());
    if (!address || address->getOpcode() != clang::UO_AddrOf) return nullptr;
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(address->getSubExpr()->IgnoreParenCasts());
    const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    return variable && variable->hasLocalStorage() ? variable : nullptr;
  }
};

void add(const std::string& name, std::set<std::string>& handlers) {
  if (!name.empty()) handlers.insert(name);
}

/// A union or structure whose first initialized member is a handler, at any depth.
void addOfList(const clang::InitListExpr& list, std::set<std::string>& handlers) {
  const clang::FieldDecl* of = list.getInitializedFieldInUnion();
  if (of && isHandlerMember(*of) && list.getNumInits() > 0) add(namedFunction(list.getInit(0)), handlers);
}

/// The call does not come back, itself or as what the function does last.
bool endsProcess(const clang::CallExpr& call, unsigned depth) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (!callee || !callee->getIdentifier()) return false;
  const llvm::StringRef name = callee->getName();
  if (callee->isNoReturn() || name == "_exit" || name == "_Exit" || name == "abort" || name == "exit" ||
      name == "raise")
    return true;
  if (name == "kill" && call.getNumArgs() == 2) {
    const auto* process = llvm::dyn_cast<clang::CallExpr>(call.getArg(0)->IgnoreParenCasts());
    const clang::FunctionDecl* of = process ? process->getDirectCallee() : nullptr;
    return of && of->getIdentifier() && of->getName() == "getpid";
  }
  constexpr unsigned kMostDepth = 3;
  const clang::FunctionDecl* definition = callee->getDefinition();
  const auto* body =
      definition ? llvm::dyn_cast_or_null<clang::CompoundStmt>(definition->getBody()) : nullptr;
  if (!body || body->body_empty() || depth == kMostDepth) return false;
  const auto* last = llvm::dyn_cast<clang::CallExpr>(body->body_back());
  return last && endsProcess(*last, depth + 1);
}

bool hasEnd(const clang::Stmt* part) {
  if (!part) return false;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(part); call && endsProcess(*call, 0)) return true;
  return std::any_of(part->child_begin(), part->child_end(), hasEnd);
}

/// Calls of one function, and whether it may come back behind them.
class ReturningCalls {
 public:
  explicit ReturningCalls(const clang::CFG& graph) {
    for (const clang::CFGBlock* block : graph)
      if (block->hasNoReturnElement() || hasEndBehind(*block, 0)) ended_.insert(block);
    std::set<const clang::CFGBlock*> returning;
    std::vector<const clang::CFGBlock*> open = {&graph.getExit()};
    while (!open.empty()) {
      const clang::CFGBlock* block = open.back();
      open.pop_back();
      if (!returning.insert(block).second) continue;
      for (unsigned i = 0; i < block->size(); ++i)
        if (const clang::CallExpr* call = callAt(*block, i)) found.insert(call);
      for (const clang::CFGBlock* before : block->preds())
        if (before && !ended_.contains(before)) open.push_back(before);
    }
  }

  std::set<const clang::CallExpr*> found;

 private:
  static const clang::CallExpr* callAt(const clang::CFGBlock& block, unsigned index) {
    const auto part = block[index].getAs<clang::CFGStmt>();
    return part ? llvm::dyn_cast<clang::CallExpr>(part->getStmt()) : nullptr;
  }
  static bool hasEndBehind(const clang::CFGBlock& block, unsigned index) {
    for (; index < block.size(); ++index)
      if (const clang::CallExpr* call = callAt(block, index); call && endsProcess(*call, 0)) return true;
    return false;
  }

  std::set<const clang::CFGBlock*> ended_;
};

}  // namespace

void addEndedCalls(FunctionFlows& flows, const clang::FunctionDecl& function, SurveyFunction& out) {
  constexpr unsigned kMostBlocks = 2000;
  if (!hasEnd(function.getBody())) return;
  const clang::CFG* graph = flows.graphOf(function);
  if (!graph || graph->size() > kMostBlocks) return;
  std::set<std::pair<std::string, uint32_t>> returning;
  for (const clang::CallExpr* call : ReturningCalls(*graph).found)
    if (const clang::FunctionDecl* callee = call->getDirectCallee())
      returning.emplace(callee->getNameAsString(), lineOf(call->getExprLoc(), flows.context()));
  for (SurveyCall& call : out.calls) call.endsProcess = !returning.contains({call.callee, call.line});
}

void addSignalUses(const clang::FunctionDecl& function, Survey& survey) {
  SignalUses uses;
  uses.TraverseStmt(function.getBody());
  const clang::SourceManager& sources = function.getASTContext().getSourceManager();
  for (const auto& [variable, set] : uses.sets) {
    if (set.blocked.empty() || set.emptied == 0 || set.named != set.emptied + set.blocked.size()) continue;
    const auto& [call, old] = set.blocked.front();
    // Who looks at the mask asks for it, and blocks nothing for that.
    const SignalUses::Set* const before = old ? &uses.sets.at(old) : nullptr;
    if (before && (before->restored == 0 || before->named != before->asked + before->restored)) continue;
    survey.emptyMasks[function.getNameAsString()] = lineOf(call->getBeginLoc(), sources);
  }
}

void addSignalHandlers(const clang::Stmt& text, std::set<std::string>& handlers) {
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&text)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const llvm::StringRef name = callee && callee->getIdentifier() ? callee->getName() : "";
    if ((name == "signal" || name == "bsd_signal" || name == "sysv_signal" || name == "sigset") &&
        call->getNumArgs() == 2)
      add(namedFunction(call->getArg(1)), handlers);
  } else if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(&text)) {
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(assignment->getLHS()->IgnoreParenCasts());
    if (assignment->getOpcode() == clang::BO_Assign && member && isHandlerMember(*member->getMemberDecl()))
      add(namedFunction(assignment->getRHS()), handlers);
  } else if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(&text)) {
    addOfList(*list, handlers);
  }
  for (const clang::Stmt* part : text.children())
    if (part) addSignalHandlers(*part, handlers);
}

}  // namespace heddle
