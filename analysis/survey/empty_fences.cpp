#include "analysis/survey/empty_fences.h"

#include <algorithm>
#include <optional>
#include <string>

#include "analysis/support/name_words.h"
#include "analysis/survey/lock_place.h"
#include "analysis/survey/source_line.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace heddle {
namespace {

const clang::FunctionDecl* calleeOf(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  return callee && callee->getIdentifier() ? callee : nullptr;
}

/// Without parentheses, casts and the braces of a macro.
const clang::Stmt& bare(const clang::Stmt& statement) {
  const auto* expression = llvm::dyn_cast<clang::Expr>(&statement);
  if (!expression) return statement;
  const clang::Expr* plain = expression->IgnoreParenCasts();
  const auto* braces = llvm::dyn_cast<clang::StmtExpr>(plain);
  if (braces && !braces->getSubStmt()->body_empty()) return bare(*braces->getSubStmt()->body_back());
  return *plain;
}

/// It does nothing that a processor sees.
bool isEmpty(const clang::Stmt& body, unsigned depth) {
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&body))
    return std::all_of(block->body_begin(), block->body_end(),
                       [&](const clang::Stmt* part) { return isEmpty(*part, depth); });
  if (const auto* assembly = llvm::dyn_cast<clang::GCCAsmStmt>(&body))
    return assembly->getAsmString().empty() && assembly->getNumOutputs() == 0;
  if (const auto* end = llvm::dyn_cast<clang::ReturnStmt>(&body)) return !end->getRetValue();
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&body);
  const clang::FunctionDecl* callee = call ? calleeOf(*call) : nullptr;
  const clang::FunctionDecl* definition = callee ? callee->getDefinition() : nullptr;
  return (definition && depth > 0 && isEmpty(*definition->getBody(), depth - 1)) ||
         llvm::isa<clang::NullStmt>(body);
}

/// By its name it orders stores before loads.
bool isForStores(llvm::StringRef name) {
  const bool isFence = hasWord(name, {"fence", "barrier", "mb"});
  const bool isOfAll = hasWord(name, {"memory", "full", "atomic", "mb", "seq"});
  const bool isOfStore = hasWord(name, {"store"}) && hasWord(name, {"load"}) && name.contains("store_load");
  const bool isOfLess = hasWord(name, {"store", "acquire", "release", "read", "write"}) ||
                        (hasWord(name, {"load"}) && !name.contains("atomic_load"));
  return isFence && (isOfStore || (isOfAll && !isOfLess));
}

/// A fence that is for this order and does nothing; null: the statement is none.
const clang::FunctionDecl* emptyFence(const clang::Stmt& statement) {
  constexpr unsigned kDepth = 3;
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&bare(statement));
  const clang::FunctionDecl* callee = call ? calleeOf(*call) : nullptr;
  const clang::FunctionDecl* definition = callee ? callee->getDefinition() : nullptr;
  if (!definition || !isForStores(callee->getName())) return nullptr;
  return isEmpty(*definition->getBody(), kDepth) ? callee : nullptr;
}

/// A plain store to memory that the function does not have to itself; `depth`: of calls whose texts count.
std::optional<LockPlace> storeOf(const clang::Stmt& written, unsigned depth) {
  const clang::Stmt& statement = bare(written);
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(&statement)) {
    const clang::Expr* target = operation->getLHS()->IgnoreParenCasts();
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(target);
    const auto* pointed = llvm::dyn_cast<clang::UnaryOperator>(target);
    const bool isShared =
        (member && member->isArrow()) || (pointed && pointed->getOpcode() == clang::UO_Deref);
    if (operation->getOpcode() != clang::BO_Assign || !isShared) return std::nullopt;
    LockPlace place;
    place.text = "*";
    return place;
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement);
  const clang::FunctionDecl* callee = call ? calleeOf(*call) : nullptr;
  if (!callee || call->getNumArgs() == 0) return std::nullopt;
  if (hasWord(callee->getName(), {"store"})) return lockPlaceOf(*call->getArg(0)).value_or(LockPlace());
  const clang::FunctionDecl* definition = callee->getDefinition();
  const auto* body =
      definition ? llvm::dyn_cast_or_null<clang::CompoundStmt>(definition->getBody()) : nullptr;
  if (!body || depth == 0) return std::nullopt;
  // Its last step is a store, such as of a hazard pointer.
  for (auto part = body->body_rbegin(); part != body->body_rend(); ++part)
    if (!llvm::isa<clang::ReturnStmt>(*part)) return storeOf(**part, depth - 1);
  return std::nullopt;
}

/// The first call in the statement, in the order of the text, of what loads; null: another call comes first,
/// which may order, or none.
const clang::CallExpr* firstLoad(const clang::Stmt& statement) {
  class Visitor : public clang::RecursiveASTVisitor<Visitor> {
   public:
    // NOLINTNEXTLINE(readability-identifier-naming): a name that Clang calls
    bool VisitCallExpr(const clang::CallExpr* call) {
      first = call;
      return false;
    }
    const clang::CallExpr* first = nullptr;
  };
  Visitor visitor;
  visitor.TraverseStmt(const_cast<clang::Stmt*>(&statement));
  const clang::FunctionDecl* callee = visitor.first ? calleeOf(*visitor.first) : nullptr;
  const bool isLoad = callee && visitor.first->getNumArgs() != 0 && hasWord(callee->getName(), {"load"}) &&
                      !hasWord(callee->getName(), {"fence"});
  return isLoad ? visitor.first : nullptr;
}

bool isPlain(const clang::Stmt& statement) {
  return llvm::isa<clang::DeclStmt>(statement) || llvm::isa<clang::NullStmt>(statement);
}

class FenceVisitor : public clang::RecursiveASTVisitor<FenceVisitor> {
 public:
  FenceVisitor(clang::ASTContext& context, const clang::FunctionDecl& function, Survey& survey)
      : context_(context), function_(function), survey_(survey) {}

  // NOLINTNEXTLINE(readability-identifier-naming): a name that Clang calls
  bool VisitCompoundStmt(const clang::CompoundStmt* block) {
    constexpr unsigned kDepth = 1;
    const clang::Stmt* stored = nullptr;
    const clang::FunctionDecl* fence = nullptr;
    std::string text;  // of what is stored to
    for (const clang::Stmt* statement : block->body()) {
      if (isPlain(*statement)) continue;
      if (const auto to = storeOf(*statement, kDepth)) {
        stored = statement;
        fence = nullptr;
        text = to->text;
      } else if (const clang::FunctionDecl* empty = stored ? emptyFence(*statement) : nullptr) {
        fence = empty;
      } else {
        const clang::CallExpr* load = stored && fence ? firstLoad(*statement) : nullptr;
        const auto from = load ? lockPlaceOf(*load->getArg(0)) : std::nullopt;
        if (from && from->text != text)
          survey_.orderSlips.push_back({OrderSlip::Kind::EmptyFence, from->text, function_.getName().str(),
                                        lineOf(load->getExprLoc(), context_),
                                        lineOf(stored->getBeginLoc(), context_), fence->getName().str()});
        stored = nullptr;
        fence = nullptr;
      }
    }
    return true;
  }

 private:
  clang::ASTContext& context_;
  const clang::FunctionDecl& function_;
  Survey& survey_;
};

}  // namespace

void EmptyFences::add(const clang::FunctionDecl& function, Survey& survey) const {
  FenceVisitor(context_, function, survey).TraverseStmt(function.getBody());
}

}  // namespace heddle
