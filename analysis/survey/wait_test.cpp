#include "analysis/survey/wait_test.h"

#include <algorithm>
#include <utility>

#include "analysis/survey/data_name.h"
#include "analysis/survey/lock_calls.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace heddle {
namespace {

using Relation = clang::BinaryOperatorKind;

std::optional<int64_t> constantOf(const clang::Expr& expression, const clang::ASTContext& context) {
  const clang::Expr* stripped = expression.IgnoreParenCasts();
  if (expression.isValueDependent()) return std::nullopt;
  clang::Expr::EvalResult result;
  if (expression.isNullPointerConstant(const_cast<clang::ASTContext&>(context),
                                       clang::Expr::NPC_ValueDependentIsNotNull))
    return 0;
  if (!stripped->getType()->isIntegralOrEnumerationType() || !stripped->EvaluateAsInt(result, context))
    return std::nullopt;
  return result.Val.getInt().getExtValue();
}

/// `a r b` as a statement about b.
Relation turned(Relation relation) {
  switch (relation) {
    case clang::BO_LT:
      return clang::BO_GT;
    case clang::BO_GT:
      return clang::BO_LT;
    case clang::BO_LE:
      return clang::BO_GE;
    case clang::BO_GE:
      return clang::BO_LE;
    default:
      return relation;
  }
}

bool isTrue(int64_t left, Relation relation, int64_t right) {
  switch (relation) {
    case clang::BO_LT:
      return left < right;
    case clang::BO_GT:
      return left > right;
    case clang::BO_LE:
      return left <= right;
    case clang::BO_GE:
      return left >= right;
    case clang::BO_EQ:
      return left == right;
    default:
      return left != right;
  }
}

const clang::Expr* stripped(const clang::Expr* expression) {
  expression = expression->IgnoreParenCasts();
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression))
    if (const clang::FunctionDecl* callee = call->getDirectCallee();
        callee && callee->getIdentifier() && callee->getName().starts_with("__builtin_expect"))
      return call->getArg(0)->IgnoreParenCasts();
  return expression;
}

bool leavesLoop(const clang::Stmt* statement) {
  if (const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(statement))
    return !block->body_empty() && leavesLoop(block->body_back());
  return statement && (llvm::isa<clang::ReturnStmt>(statement) || llvm::isa<clang::GotoStmt>(statement) ||
                       llvm::isa<clang::BreakStmt>(statement));
}

class WaitVisitor : public clang::RecursiveASTVisitor<WaitVisitor> {
 public:
  WaitVisitor(clang::ASTContext& context, const clang::FunctionDecl& function)
      : context_(context), function_(function) {}

  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool TraverseWhileStmt(clang::WhileStmt* loop) {
    loops_.push_back({loop->getCond(), loop->getBody()});
    const bool goesOn = RecursiveASTVisitor::TraverseWhileStmt(loop);
    loops_.pop_back();
    return goesOn;
  }
  bool TraverseDoStmt(clang::DoStmt* loop) {
    // A block that is written as a loop.
    const bool isLoop = constantOf(*loop->getCond(), context_) != 0;
    if (isLoop) loops_.push_back({loop->getCond(), loop->getBody()});
    const bool goesOn = RecursiveASTVisitor::TraverseDoStmt(loop);
    if (isLoop) loops_.pop_back();
    return goesOn;
  }
  bool TraverseForStmt(clang::ForStmt* loop) {
    loops_.push_back({loop->getCond(), loop->getBody()});
    const bool goesOn = RecursiveASTVisitor::TraverseForStmt(loop);
    loops_.pop_back();
    return goesOn;
  }
  /// `if (empty) { wait; continue; }`
  bool TraverseIfStmt(clang::IfStmt* branch) {
    TraverseStmt(branch->getInit());
    TraverseStmt(branch->getConditionVariableDeclStmt());
    TraverseStmt(branch->getCond());
    for (const bool isThen : {true, false}) {
      if (!loops_.empty()) loops_.back().branches.emplace_back(branch->getCond(), isThen);
      TraverseStmt(isThen ? branch->getThen() : branch->getElse());
      if (!loops_.empty()) loops_.back().branches.pop_back();
    }
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier() || loops_.empty() || call->getNumArgs() < 2) return true;
    const llvm::StringRef name = callee->getName();
    if (isConditionWait(name) && !name.contains("timed")) addLoop(*call);
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

  std::vector<WaitTest> found;

 private:
  struct Loop {
    const clang::Expr* condition;  // null: none
    const clang::Stmt* body;
    std::vector<std::pair<const clang::Expr*, bool>> branches = {};  // around the place, and which of two
  };

  void addLoop(const clang::CallExpr& wait) {
    condition_ = conditionName(*wait.getArg(0));
    at_ = wait.getBeginLoc();
    if (condition_.empty()) return;
    const Loop& loop = loops_.back();
    if (loop.condition) addTest(*loop.condition, true);
    // Of a loop that tests something itself, what is in it decides how it waits.
    const bool isEndless = !loop.condition || constantOf(*loop.condition, context_).value_or(0) != 0;
    if (isEndless && !loop.branches.empty())
      addTest(*loop.branches.back().first, loop.branches.back().second);
    const auto* block = llvm::dyn_cast<clang::CompoundStmt>(loop.body);
    if (!block) return;
    for (const clang::Stmt* statement : block->body())
      if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
          branch && !branch->getElse() && leavesLoop(branch->getThen()))
        addTest(*branch->getCond(), false);
  }

  /// `goesOn`: who waits goes on while the expression is true; otherwise while it is false.
  void addTest(const clang::Expr& expression, bool goesOn) {
    const clang::Expr* test = stripped(&expression);
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(test);
        unary && unary->getOpcode() == clang::UO_LNot)
      return addTest(*unary->getSubExpr(), !goesOn);
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(test)) {
      if (binary->isLogicalOp()) {
        addTest(*binary->getLHS(), goesOn);
        return addTest(*binary->getRHS(), goesOn);
      }
      if (!binary->isComparisonOp()) return;
      const Relation relation =
          goesOn ? binary->getOpcode() : clang::BinaryOperator::negateComparisonOp(binary->getOpcode());
      addSide(*binary->getLHS(), relation, *binary->getRHS());
      return addSide(*binary->getRHS(), turned(relation), *binary->getLHS());
    }
    add(*test, goesOn ? clang::BO_NE : clang::BO_EQ, 0);
  }

  /// What a caller's value is compared with, only the caller knows how to reach.
  void addSide(const clang::Expr& data, Relation relation, const clang::Expr& other) {
    const std::optional<int64_t> value = constantOf(other, context_);
    if (value || !dataName(other).empty()) add(data, relation, value);
  }

  void add(const clang::Expr& data, Relation relation, std::optional<int64_t> value) {
    std::string name = dataName(data);
    if (!name.empty()) found.push_back({condition_, std::move(name), relation, value, &function_, at_});
  }

  static std::string conditionName(const clang::Expr& argument) {
    const clang::Expr* place = argument.IgnoreParenCasts();
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(place)) place = address->getSubExpr();
    return dataName(*place);
  }

  clang::ASTContext& context_;
  const clang::FunctionDecl& function_;
  std::vector<Loop> loops_;
  std::string condition_;  // of the wait at hand
  clang::SourceLocation at_;
};

bool mentions(const clang::Stmt& value, const std::string& data) {
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(&value);
      expression && dataName(*expression) == data)
    return true;
  return std::any_of(value.child_begin(), value.child_end(),
                     [&](const clang::Stmt* part) { return part && mentions(*part, data); });
}

/// A pointer that is taken out of an object may be null or not.
bool isLoaded(const clang::Expr& value) {
  const clang::Expr* inner = value.IgnoreParenCasts();
  return value.getType()->isPointerType() &&
         (llvm::isa<clang::MemberExpr>(inner) || llvm::isa<clang::ArraySubscriptExpr>(inner));
}

}  // namespace

std::vector<WaitTest> waitTestsOf(clang::ASTContext& context, const clang::FunctionDecl& function) {
  WaitVisitor visitor(context, function);
  visitor.TraverseStmt(function.getBody());
  return std::move(visitor.found);
}

std::optional<DataChange> dataChangeOf(const clang::Expr& expression, const clang::ASTContext& context) {
  using Kind = DataChange::Kind;
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expression)) {
    if (!unary->isIncrementDecrementOp()) return std::nullopt;
    std::string data = dataName(*unary->getSubExpr());
    if (data.empty()) return std::nullopt;
    return DataChange{std::move(data), unary->isIncrementOp() ? Kind::Increase : Kind::Decrease, {}, false};
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expression);
  if (!binary || !binary->isAssignmentOp()) return std::nullopt;
  std::string data = dataName(*binary->getLHS());
  if (data.empty()) return std::nullopt;
  switch (binary->getOpcode()) {
    case clang::BO_AddAssign:
      return DataChange{std::move(data), Kind::Increase, {}, false};
    case clang::BO_SubAssign:
      return DataChange{std::move(data), Kind::Decrease, {}, false};
    case clang::BO_Assign: {
      const clang::Expr& value = *binary->getRHS();
      const bool isOfItself = mentions(value, data) || isLoaded(value);
      return DataChange{std::move(data), Kind::Set, constantOf(value, context), isOfItself};
    }
    default:
      return DataChange{std::move(data), Kind::Set, {}, true};
  }
}

bool mayEnd(const WaitTest& test, const DataChange& change) {
  if (test.data != change.data) return false;
  const bool isZero = test.value == 0;
  switch (change.kind) {
    case DataChange::Kind::Set:
      if (change.value && test.value) return !isTrue(*change.value, test.relation, *test.value);
      // Two places of a ring that are compared: which way it goes, the text does not tell.
      if (change.isOfItself) return false;
      return test.value || (test.relation != clang::BO_EQ && test.relation != clang::BO_NE);
    case DataChange::Kind::Increase:
      if (test.relation == clang::BO_GT || test.relation == clang::BO_GE) return false;
      return test.relation != clang::BO_NE || (test.value && !isZero);
    case DataChange::Kind::Decrease:
      if (test.relation == clang::BO_LT || test.relation == clang::BO_LE) return false;
      if (test.relation == clang::BO_EQ) return !isZero;  // the places of a ring only grow
      return test.relation != clang::BO_NE || test.value;
  }
  return false;
}

}  // namespace heddle
