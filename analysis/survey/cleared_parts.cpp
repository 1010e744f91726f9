#include "analysis/survey/cleared_parts.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/survey/counted_steps.h"
#include "analysis/survey/free_place.h"
#include "analysis/survey/integer_constant.h"
#include "analysis/survey/linear_flow.h"
#include "analysis/survey/source_line.h"
#include "clang/Basic/SourceManager.h"

namespace heddle {
namespace {

struct ClearedUses {
  std::vector<const clang::CallExpr*> cleared;                // memset of one
  std::map<const clang::Type*, const clang::Stmt*> products;  // n * sizeof(type), n no constant
  std::set<std::string> assigned;                             // places
  std::set<std::string> made;                                 // places that get all of the elements
  bool hasWhole = false;                                      // memset of n elements
  std::set<std::string> indexed;                              // places of which elements are set
  std::set<std::string> walked;                               // places from which other pointers are set
};

const clang::Type* elementType(clang::QualType type) {
  return type.getCanonicalType().getTypePtr();
}

const clang::UnaryExprOrTypeTraitExpr* sizeIn(const clang::Expr& expression) {
  const auto* trait = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(expression.IgnoreParenCasts());
  return trait && trait->getKind() == clang::UETT_SizeOf ? trait : nullptr;
}

class ClearedWalk {
 public:
  ClearedWalk(clang::ASTContext& context, ClearedUses& uses) : context_(context), uses_(uses) {}

  void walk(const clang::Stmt& part) {
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&part)) {
      if (binary->getOpcode() == clang::BO_Mul) product(*binary->getLHS(), *binary->getRHS(), part);
      if (binary->getOpcode() == clang::BO_Mul) product(*binary->getRHS(), *binary->getLHS(), part);
      if (binary->isAssignmentOp()) assign(*binary->getLHS());
      if (binary->getOpcode() == clang::BO_Assign) {
        make(freePlaceOf(*binary->getLHS()).text, *binary->getRHS());
        if (countedPointer(*binary->getLHS())) lead(*binary->getRHS());
      }
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&part)) {
      const llvm::StringRef name = linearCallee(*call);
      if (name == "memset" && call->getNumArgs() == 3) {
        if (sizeIn(*call->getArg(2))) uses_.cleared.push_back(call);
        const auto* size = llvm::dyn_cast<clang::BinaryOperator>(call->getArg(2)->IgnoreParenCasts());
        uses_.hasWhole |= size && size->getOpcode() == clang::BO_Mul;
      }
      if (name.contains("calloc") && call->getNumArgs() >= 2)
        product(*call->getArg(call->getNumArgs() - 1), *call->getArg(call->getNumArgs() - 2), part);
    } else if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&part)) {
      for (const clang::Decl* one : declared->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one); variable && variable->getInit()) {
          if (variable->getIdentifier()) make(variable->getName().str(), *variable->getInit());
          if (variable->getType()->isPointerType()) lead(*variable->getInit());
        }
    }
    for (const clang::Stmt* child : part.children())
      if (child) walk(*child);
  }

 private:
  void product(const clang::Expr& size, const clang::Expr& count, const clang::Stmt& where) {
    const auto* trait = sizeIn(size);
    if (!trait || count.isValueDependent() || !count.getType()->isIntegerType() ||
        integerConstant(count, context_))
      return;
    uses_.products.try_emplace(elementType(trait->getTypeOfArgument()), &where);
  }

  void make(const std::string& place, const clang::Expr& value) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(value.IgnoreParenCasts());
    if (!call || !linearCallee(*call).contains("alloc") || linearCallee(*call).contains("realloc")) return;
    ClearedUses own;
    ClearedWalk inner(context_, own);
    inner.walk(*call);
    if (!own.products.empty()) uses_.made.insert(place);
  }

  /// Another pointer goes to the elements: the first one may only be their begin.
  void lead(const clang::Expr& value) {
    const clang::Expr* part = value.IgnoreParenCasts();
    if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(part); sum && sum->isAdditiveOp()) {
      part = (sum->getLHS()->getType()->isPointerType() ? sum->getLHS() : sum->getRHS())->IgnoreParenCasts();
    } else if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(part);
               address && address->getOpcode() == clang::UO_AddrOf) {
      const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(address->getSubExpr()->IgnoreParens());
      if (!element) return;
      part = element->getBase()->IgnoreParenCasts();
    }
    const FreePlace place = freePlaceOf(*part);
    if (!place.text.empty()) uses_.walked.insert(place.text);
  }

  void assign(const clang::Expr& place) {
    const clang::Expr* part = place.IgnoreParens();
    const FreePlace whole = freePlaceOf(*part);
    if (!whole.text.empty()) uses_.assigned.insert(whole.text);
    while (true) {
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(part)) {
        part = member->getBase()->IgnoreParenCasts();
      } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(part)) {
        part = element->getBase()->IgnoreParenCasts();
        uses_.indexed.insert(freePlaceOf(*part).text);
      } else {
        return;
      }
    }
  }

  clang::ASTContext& context_;
  ClearedUses& uses_;
};

}  // namespace

void ClearedParts::add(const clang::FunctionDecl& function, Survey& survey) {
  if (!function.getIdentifier()) return;
  ClearedUses uses;
  ClearedWalk(context_, uses).walk(*function.getBody());
  const clang::SourceManager& sources = context_.getSourceManager();
  for (const clang::CallExpr* call : uses.cleared) {
    const clang::Expr* pointer = call->getArg(0)->IgnoreParenCasts();
    const FreePlace place = freePlaceOf(*pointer);
    if (place.text.empty() || !pointer->getType()->isPointerType()) continue;
    const clang::Type* type = elementType(sizeIn(*call->getArg(2))->getTypeOfArgument());
    const auto product = uses.products.find(type);
    if (product == uses.products.end() || type != elementType(pointer->getType()->getPointeeType())) continue;
    const bool isPart =
        uses.hasWhole && llvm::isa<clang::MemberExpr>(pointer) && uses.assigned.contains(place.text);
    if (!uses.made.contains(place.text) && !isPart) continue;
    if (uses.indexed.contains(place.text) || uses.walked.contains(place.text)) continue;
    survey.valueSlips.push_back({ValueSlip::Kind::OneCleared, place.text, function.getName().str(),
                                 lineOf(call->getBeginLoc(), sources),
                                 lineOf(product->second->getBeginLoc(), sources), ""});
  }
}

}  // namespace heddle
