#include "analysis/survey/wrapped_sums.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/support/name_words.h"
#include "analysis/survey/free_place.h"
#include "analysis/survey/integer_constant.h"
#include "analysis/survey/source_line.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace heddle {
namespace {

class SumVisitor : public clang::RecursiveASTVisitor<SumVisitor> {
 public:
  explicit SumVisitor(const clang::ASTContext& context) : context_(context) {}

  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool VisitBinaryOperator(clang::BinaryOperator* binary) {
    if (binary->isComparisonOp()) {
      const clang::Expr &left = *binary->getLHS(), &right = *binary->getRHS();
      // Whether there is any says nothing of how many there are.
      const bool isWithZero = integerConstant(right, context_) == 0 || integerConstant(left, context_) == 0;
      if (isWithZero && left.IgnoreParenImpCasts()->getType()->isUnsignedIntegerType()) return true;
      for (const clang::Expr* side : {&left, &right}) addCompared(*side, lineOf(*binary, context_));
    } else if (binary->getOpcode() == clang::BO_Assign) {
      const std::string to = keyOf(*binary->getLHS());
      if (isReadBy(*binary->getRHS())) noteRead(to, *binary);
    }
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (variable->getInit() && isReadBy(*variable->getInit()))
      noteRead(variableKey(*variable), *variable->getInit());
    return true;
  }
  bool VisitSwitchStmt(clang::SwitchStmt* choice) {
    addCompared(*choice->getCond(), lineOf(*choice, context_));
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier()) return true;
    const bool isRead = isReader(callee->getName());
    for (const clang::Expr* argument : call->arguments()) {
      const auto* address = llvm::dyn_cast<clang::UnaryOperator>(argument->IgnoreParenCasts());
      if (!address || address->getOpcode() != clang::UO_AddrOf) continue;
      const std::string place = keyOf(*address->getSubExpr());
      // Another function that is given it may limit it.
      if (isRead)
        noteRead(place, *call);
      else
        compared_.try_emplace(place, lineOf(*call, context_));
    }
    if (hasWord(callee->getName(), {"malloc", "alloc", "realloc", "xmalloc", "zmalloc"}))
      for (const clang::Expr* argument : call->arguments()) noteSum(*call, *argument);
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

  void tell(const clang::FunctionDecl& function, Survey& survey) const {
    for (const Sum& sum : sums_) {
      const uint32_t read = lineOfRead(sum.place);
      if (read == 0 || read > sum.line || isCompared(sum)) continue;
      survey.valueSlips.push_back(
          {ValueSlip::Kind::WrappedSum, sum.text, function.getName().str(), sum.line, read, sum.allocator});
    }
  }

 private:
  struct Sum {
    FreePlace place;
    std::string text, allocator;
    uint32_t line = 0;
  };

  static bool isReader(llvm::StringRef name) {
    return hasWord(name, {"read", "fread", "recv", "recvfrom", "pread"});
  }
  /// A byte order is changed of what comes from outside.
  static bool isReadBy(const clang::Expr& value) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(value.IgnoreParenCasts());
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    return callee && callee->getIdentifier() &&
           (callee->getName().contains("bswap") ||
            hasWord(callee->getName(), {"ntohl", "be32toh", "le32toh", "read32", "readle32", "readbe32"}));
  }
  static std::string keyOf(const clang::Expr& expression) {
    return freePlaceOf(*expression.IgnoreParenCasts()).key;
  }

  void noteRead(const std::string& place, const clang::Expr& where) {
    if (!place.empty()) read_.try_emplace(place, lineOf(where, context_));
  }

  void addCompared(const clang::Expr& side, uint32_t line) {
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(side.IgnoreParenCasts())) {
      addCompared(*binary->getLHS(), line);
      addCompared(*binary->getRHS(), line);
    }
    compared_.try_emplace(keyOf(side), line);
  }

  /// `n + 1` in 32 bits, which is then made a size.
  void noteSum(const clang::CallExpr& call, const clang::Expr& argument) {
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(argument.IgnoreParenCasts());
    if (!sum || sum->getOpcode() != clang::BO_Add) return;
    if (context_.getTypeSize(sum->getType()) != 32) return;
    const auto more = integerConstant(*sum->getRHS(), context_);
    const clang::Expr& part = *sum->getLHS()->IgnoreParenImpCasts();
    if (!more || *more < 1 || context_.getTypeSize(part.getType()) != 32) return;
    FreePlace place = freePlaceOf(part);
    if (place.key.empty()) return;
    std::string text = place.text + " + " + std::to_string(*more);
    sums_.push_back(
        {std::move(place), std::move(text), call.getDirectCallee()->getName().str(), lineOf(call, context_)});
  }

  /// Of the place, or of what it is a part of.
  uint32_t lineOfRead(const FreePlace& place) const {
    for (const auto& [key, line] : read_)
      if (place.key == key || place.key.starts_with(key + ".")) return line;
    return 0;
  }
  /// Whether what is then read is as long as it says comes too late.
  bool isCompared(const Sum& sum) const {
    return std::any_of(compared_.begin(), compared_.end(), [&](const auto& compared) {
      const std::string& key = compared.first;
      const bool isIt = key == sum.place.key || (!key.empty() && sum.place.key.starts_with(key + "."));
      return isIt && compared.second < sum.line;
    });
  }

  const clang::ASTContext& context_;
  std::vector<Sum> sums_;
  std::map<std::string, uint32_t> read_;  // keys of places that something outside fills, and the line
  std::map<std::string, uint32_t>
      compared_;  // that a condition reads, or another function is given; first line
};

}  // namespace

void addWrappedSums(const clang::ASTContext& context, const clang::FunctionDecl& function, Survey& survey) {
  SumVisitor visitor(context);
  visitor.TraverseStmt(function.getBody());
  visitor.tell(function, survey);
}

}  // namespace heddle
