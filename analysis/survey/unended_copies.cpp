#include "analysis/survey/unended_copies.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/support/name_words.h"
#include "analysis/survey/free_place.h"
#include "analysis/survey/integer_constant.h"
#include "analysis/survey/source_line.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

namespace heddle {
namespace {

class CopyVisitor : public clang::RecursiveASTVisitor<CopyVisitor> {
 public:
  explicit CopyVisitor(const clang::ASTContext& context) : context_(context) {}

  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool VisitBinaryOperator(clang::BinaryOperator* assignment) {
    if (assignment->getOpcode() != clang::BO_Assign) return true;
    const clang::Expr* place = assignment->getLHS()->IgnoreParens();
    // Whichever element it is, the one behind the text or the last one; the first one makes an empty text.
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
      if (integerConstant(*element->getIdx(), context_) != 0) ended_.insert(keyOf(*element->getBase()));
    } else if (const auto* target = llvm::dyn_cast<clang::UnaryOperator>(place);
               target && target->getOpcode() == clang::UO_Deref) {
      const clang::Expr* pointer = target->getSubExpr()->IgnoreParenCasts();
      if (baseOf(pointer) != pointer) ended_.insert(keyOf(*baseOf(pointer)));
    }
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier()) return true;
    const llvm::StringRef name = callee->getName();
    const bool isCopy = name == "strncpy" || name == "__builtin_strncpy" || name == "__builtin___strncpy_chk";
    if (isCopy && call->getNumArgs() >= 3) {
      copies_.push_back(call);
      return true;
    }
    for (const clang::Expr* argument : call->arguments()) {
      const std::string key = keyOf(*baseOf(argument));
      if (name.contains("strlen") || name.contains("strnlen")) measured_.insert(key);
      if (name.contains("memset") || name.contains("bzero"))
        ended_.insert(key);
      else
        given_.insert(key);
    }
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

  void tell(const clang::FunctionDecl& function, Survey& survey) const {
    if (function.getName().contains("strncpy")) return;
    for (const clang::CallExpr* call : copies_) {
      const clang::Expr& buffer = *call->getArg(0)->IgnoreParenImpCasts();
      const FreePlace place = freePlaceOf(buffer);
      const bool isLiteral = llvm::isa<clang::StringLiteral>(call->getArg(1)->IgnoreParenCasts());
      if (place.key.empty() || isLiteral || ended_.contains(place.key) || isAsLarge(*call)) continue;
      if (const std::string from = keyOf(*call->getArg(1)); from.empty() || measured_.contains(from))
        continue;
      if (!isWholeArray(*call, place) && !isCallersBuffer(*call, place)) continue;
      survey.valueSlips.push_back({ValueSlip::Kind::Unended, place.text, function.getName().str(),
                                   lineOf(*call, context_), 0, "strncpy"});
    }
  }

 private:
  static const clang::Expr* baseOf(const clang::Expr* pointer) {
    pointer = pointer->IgnoreParenCasts();
    while (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(pointer)) {
      if (!sum->isAdditiveOp()) break;
      pointer = sum->getLHS()->IgnoreParenCasts();
    }
    return pointer;
  }

  static std::string keyOf(const clang::Expr& buffer) { return freePlaceOf(*buffer.IgnoreParenCasts()).key; }

  /// As many characters as the array has, which is used as a text: given to another call.
  bool isWholeArray(const clang::CallExpr& call, const FreePlace& place) const {
    const clang::Expr& buffer = *call.getArg(0)->IgnoreParenImpCasts();
    const auto* array = context_.getAsConstantArrayType(buffer.getType());
    if (!array || !array->getElementType()->isAnyCharacterType()) return false;
    const auto bound = integerConstant(*call.getArg(2), context_);
    if (!bound || *bound < static_cast<int64_t>(array->getSize().getZExtValue())) return false;
    // What the system reads is as long as it is (`ifr_name`).
    const bool isOfSystem =
        place.member && context_.getSourceManager().isInSystemHeader(place.member->getLocation());
    return !isOfSystem && given_.contains(place.key);
  }

  /// The source is an array of at most as many characters, which has an end as a rule.
  bool isAsLarge(const clang::CallExpr& call) const {
    const auto* array = context_.getAsConstantArrayType(call.getArg(1)->IgnoreParenImpCasts()->getType());
    const auto bound = integerConstant(*call.getArg(2), context_);
    return array && bound && static_cast<int64_t>(array->getSize().getZExtValue()) <= *bound;
  }

  /// A buffer that the function is given with its size, and fills for its caller.
  static bool isCallersBuffer(const clang::CallExpr& call, const FreePlace& place) {
    const auto* buffer = llvm::dyn_cast_or_null<clang::ParmVarDecl>(place.root);
    const auto* bound = llvm::dyn_cast<clang::DeclRefExpr>(call.getArg(2)->IgnoreParenCasts());
    const auto* size = bound ? llvm::dyn_cast<clang::ParmVarDecl>(bound->getDecl()) : nullptr;
    return buffer && size && place.isVariable() &&
           size->getFunctionScopeIndex() == buffer->getFunctionScopeIndex() + 1 &&
           hasWord(size->getName(), {"size", "len", "length", "max", "n", "buflen", "bufsize", "sz", "siz"});
  }

  const clang::ASTContext& context_;
  std::vector<const clang::CallExpr*> copies_;
  std::set<std::string> ended_, given_, measured_;  // keys of buffers, and of texts whose length is asked for
};

}  // namespace

void addUnendedCopies(const clang::ASTContext& context, const clang::FunctionDecl& function, Survey& survey) {
  CopyVisitor visitor(context);
  visitor.TraverseStmt(function.getBody());
  visitor.tell(function, survey);
}

}  // namespace heddle
