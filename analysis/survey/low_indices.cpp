#include "analysis/survey/low_indices.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "analysis/survey/source_line.h"
#include "analysis/survey/way_facts.h"
#include "analysis/survey/way_names.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringRef.h"

namespace heddle {
namespace {

const clang::BinaryOperator* lowDifference(const clang::Expr* value) {
  const auto* binary = value ? llvm::dyn_cast<clang::BinaryOperator>(value->IgnoreParenCasts()) : nullptr;
  while (binary && binary->getOpcode() == clang::BO_Add) {
    const auto* left = llvm::dyn_cast<clang::BinaryOperator>(binary->getLHS()->IgnoreParenCasts());
    const auto* right = llvm::dyn_cast<clang::BinaryOperator>(binary->getRHS()->IgnoreParenCasts());
    binary = left ? left : right;
  }
  return binary && binary->getOpcode() == clang::BO_Sub ? binary : nullptr;
}

/// What a function does to its variables anywhere.
class LowIndices {
 public:
  LowIndices(const clang::ASTContext& context, const clang::FunctionDecl& function, Survey& survey)
      : context_(context), function_(function), survey_(survey) {
    add(*function.getBody());
  }

  void tellIndices() {
    for (const auto& [variable, values] : values_) {
      if (values.size() != 1 || !variable->getType()->isSignedIntegerType()) continue;
      const auto element = elements_.find(variable);
      if (element == elements_.end() || !bounded_.contains(variable) || otherwise_.contains(variable))
        continue;
      const clang::BinaryOperator* difference = lowDifference(values.front());
      if (!difference || !isUnlimited(*difference->getRHS(), *variable)) continue;
      tell({ValueSlip::Kind::LowIndex, variable->getName().str(), {}, 0, 0, {}}, *element->second,
           *difference);
    }
  }

  void tellSizes() {
    for (const clang::CallExpr* call : copies_) {
      const clang::Expr* size = call->getArg(2);
      const clang::Expr* value = size;
      if (const clang::VarDecl* variable = localNamed(size)) {
        const auto found = values_.find(variable);
        if (found == values_.end() || found->second.size() != 1 || compared_.contains(variable)) continue;
        value = found->second.front();
      }
      const clang::BinaryOperator* difference = lowDifference(value);
      if (!difference || !difference->getType()->isUnsignedIntegerType()) continue;
      const clang::VarDecl *from = localNamed(difference->getLHS()), *less = localNamed(difference->getRHS());
      if (!from || !less || read_.contains(less) || compared_.contains(from) || !isDecoded(*less, *from))
        continue;
      // The other arguments go on behind what is taken off.
      NameSet places;
      for (const unsigned place : {0u, 1u}) addRead(*call->getArg(place), true, places);
      if (places.contains(less)) continue;
      tell({ValueSlip::Kind::WrappedSize,
            (from->getName() + " - " + less->getName()).str(),
            {},
            0,
            0,
            call->getDirectCallee()->getName().str()},
           *size, *difference);
    }
  }

 private:
  void tell(ValueSlip slip, const clang::Expr& use, const clang::Expr& difference) {
    const clang::SourceManager& sources = context_.getSourceManager();
    slip.function = function_.getName().str();
    slip.line = lineOf(use.getExprLoc(), sources);
    slip.other = lineOf(difference.getBeginLoc(), sources);
    survey_.valueSlips.push_back(std::move(slip));
  }

  /// It is what a function returns that is not given the other.
  bool isDecoded(const clang::VarDecl& variable, const clang::VarDecl& other) const {
    const auto found = values_.find(&variable);
    if (found == values_.end() || found->second.size() != 1) return false;
    const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(
        found->second.front() ? found->second.front()->IgnoreParenCasts() : nullptr);
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    if (!callee || !callee->getIdentifier() || callee->getName() == "strlen") return false;
    NameSet given;
    addRead(*call, true, given);
    return !given.contains(&other);
  }

  /// Parameters or members are in it, and no condition reads one of them.
  bool isUnlimited(const clang::Expr& less, const clang::VarDecl& index) const {
    NameSet names;
    addRead(less, true, names);
    bool isFromOutside = false;
    for (const clang::ValueDecl* name : names) {
      if (name == &index || read_.contains(name)) return false;
      isFromOutside |= llvm::isa<clang::ParmVarDecl, clang::FieldDecl>(name);
    }
    return isFromOutside;
  }

  void addCondition(const clang::Expr* condition) {
    if (!condition) return;
    const clang::Expr* part = condition->IgnoreParenCasts();
    const auto* both = llvm::dyn_cast<clang::BinaryOperator>(part);
    if (both && both->isLogicalOp()) {
      addCondition(both->getLHS());
      addCondition(both->getRHS());
      return;
    }
    addRead(*part, true, read_);
  }

  void addComparison(const clang::BinaryOperator& comparison) {
    const clang::VarDecl *left = localNamed(comparison.getLHS()), *right = localNamed(comparison.getRHS());
    const bool isLess = comparison.getOpcode() == clang::BO_LT || comparison.getOpcode() == clang::BO_LE;
    const bool isMore = comparison.getOpcode() == clang::BO_GT || comparison.getOpcode() == clang::BO_GE;
    if (left) (isLess ? bounded_ : otherwise_).insert(left);
    if (right) (isMore ? bounded_ : otherwise_).insert(right);
    addRead(comparison, true, compared_);
  }

  void addValue(const clang::VarDecl& variable, const clang::Expr* value) {
    values_[&variable].push_back(value);
  }

  void add(const clang::Stmt& part) {
    if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&part)) addCondition(choice->getCond());
    if (const auto* choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(&part))
      addCondition(choice->getCond());
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&part)) addCondition(loop->getCond());
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(&part)) addCondition(loop->getCond());
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&part)) addCondition(loop->getCond());
    if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(&part)) addCondition(choice->getCond());
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&part)) {
      if (binary->isComparisonOp()) addComparison(*binary);
      const clang::VarDecl* variable = binary->isAssignmentOp() ? localNamed(binary->getLHS()) : nullptr;
      if (variable && binary->getOpcode() == clang::BO_Assign)
        addValue(*variable, binary->getRHS());
      else if (variable && binary->getOpcode() != clang::BO_AddAssign)
        addValue(*variable, nullptr);
    } else if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&part)) {
      for (const clang::Decl* one : declared->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one); variable && variable->getInit())
          addValue(*variable, variable->getInit());
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&part)) {
      const clang::VarDecl* variable = localNamed(unary->getSubExpr());
      if (variable && (unary->isDecrementOp() || unary->getOpcode() == clang::UO_AddrOf))
        addValue(*variable, nullptr);
    } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&part)) {
      const clang::VarDecl* index = localNamed(element->getIdx());
      const clang::QualType base = element->getBase()->IgnoreParenImpCasts()->getType();
      if (index && context_.getAsConstantArrayType(base)) elements_.try_emplace(index, element);
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&part)) {
      addCopy(*call);
    }
    for (const clang::Stmt* child : part.children())
      if (child) add(*child);
  }

  void addCopy(const clang::CallExpr& call) {
    const clang::FunctionDecl* callee = call.getDirectCallee();
    if (!callee || !callee->getIdentifier() || call.getNumArgs() != 3) return;
    const llvm::StringRef name = callee->getName();
    if (name.ends_with("memcpy") || name.ends_with("memmove") || name.ends_with("memset") ||
        name.ends_with("memcmp"))
      copies_.push_back(&call);
  }

  const clang::ASTContext& context_;
  const clang::FunctionDecl& function_;
  Survey& survey_;
  std::map<const clang::VarDecl*, std::vector<const clang::Expr*>> values_;  // null: not to be judged
  std::map<const clang::VarDecl*, const clang::Expr*> elements_;  // of arrays of known size, by index
  std::vector<const clang::CallExpr*> copies_;
  std::set<const clang::VarDecl*> bounded_, otherwise_;  // compared
  NameSet read_, compared_;                              // in conditions
};

}  // namespace

void addLowIndices(const clang::ASTContext& context, const clang::FunctionDecl& function, Survey& survey) {
  LowIndices indices(context, function, survey);
  indices.tellIndices();
  indices.tellSizes();
}

}  // namespace heddle
