#include "analysis/survey/append_bounds.h"

#include <map>
#include <string>
#include <utility>

#include "analysis/survey/free_place.h"
#include "analysis/survey/integer_constant.h"
#include "analysis/survey/source_line.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/StringSwitch.h"

namespace heddle {
namespace {

/// A text stands in the buffer behind it.
bool fillsFirst(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"snprintf", "vsnprintf", "sprintf", "vsprintf", "strcpy", "strncpy", "strcat", "strncat"}, true)
      .Cases({"strlcpy", "strlcat", "getcwd", "fgets", "realpath", "stpcpy"}, true)
      .Default(false);
}

class AppendVisitor : public clang::RecursiveASTVisitor<AppendVisitor> {
 public:
  AppendVisitor(const clang::ASTContext& context, std::string function, Survey& survey)
      : context_(context), function_(std::move(function)), survey_(survey) {}

  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool VisitBinaryOperator(clang::BinaryOperator* assignment) {
    if (assignment->getOpcode() != clang::BO_Assign || integerConstant(*assignment->getRHS(), context_) != 0)
      return true;
    const clang::Expr* place = assignment->getLHS()->IgnoreParens();
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
      if (integerConstant(*element->getIdx(), context_) == 0) texts_.erase(keyOf(*element->getBase()));
    } else if (const auto* target = llvm::dyn_cast<clang::UnaryOperator>(place);
               target && target->getOpcode() == clang::UO_Deref) {
      texts_.erase(keyOf(*target->getSubExpr()));
    }
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier() || call->getNumArgs() == 0) return true;
    const llvm::StringRef name = callee->getName();
    const std::string key = keyOf(*call->getArg(0));
    if (key.empty()) return true;
    if (name == "strncat" && call->getNumArgs() == 3) compare(*call, key);
    if (fillsFirst(name))
      texts_[key] = {lineOf(*call, context_), name.str()};
    else
      texts_.erase(key);  // memset, or whatever it does
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  /// Of an array whose size is known; empty: it is none.
  std::string keyOf(const clang::Expr& buffer) const {
    return sizeOf(buffer) == 0 ? "" : freePlaceOf(*buffer.IgnoreParenImpCasts()).key;
  }

  uint64_t sizeOf(const clang::Expr& buffer) const {
    const auto* array = context_.getAsConstantArrayType(buffer.IgnoreParenImpCasts()->getType());
    return array && array->getElementType()->isAnyCharacterType() ? array->getSize().getZExtValue() : 0;
  }

  void compare(const clang::CallExpr& call, const std::string& key) {
    const auto text = texts_.find(key);
    const auto bound = integerConstant(*call.getArg(2), context_);
    const auto size = static_cast<int64_t>(sizeOf(*call.getArg(0)));
    // A literal is as long as it is.
    const bool isLiteral = llvm::isa<clang::StringLiteral>(call.getArg(1)->IgnoreParenImpCasts());
    if (text == texts_.end() || isLiteral || !bound || *bound < size - 1) return;
    survey_.valueSlips.push_back({ValueSlip::Kind::BoundWhole,
                                  freePlaceOf(*call.getArg(0)->IgnoreParenImpCasts()).text, function_,
                                  lineOf(call, context_), text->second.first, text->second.second});
  }

  const clang::ASTContext& context_;
  std::string function_;
  Survey& survey_;
  std::map<std::string, std::pair<uint32_t, std::string>> texts_;  // by place: the line and who wrote it
};

}  // namespace

void addAppendBounds(const clang::ASTContext& context, const clang::FunctionDecl& function, Survey& survey) {
  AppendVisitor(context, function.getName().str(), survey).TraverseStmt(function.getBody());
}

}  // namespace heddle
