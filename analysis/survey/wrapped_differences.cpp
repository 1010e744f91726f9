#include "analysis/survey/wrapped_differences.h"

#include <algorithm>
#include <set>
#include <utility>

#include "analysis/survey/block_states.h"
#include "analysis/survey/free_place.h"
#include "analysis/survey/length_tests.h"
#include "analysis/survey/low_indices.h"
#include "analysis/survey/source_line.h"
#include "analysis/survey/way_facts.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/StringRef.h"

namespace heddle {
namespace {

/// The argument that is a number of bytes; none: it has no such.
unsigned sizeArgument(const clang::CallExpr& call) {
  constexpr unsigned kNone = ~0u;
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (!callee || !callee->getIdentifier() || call.getNumArgs() != 3) return kNone;
  constexpr llvm::StringRef kCalls[] = {"memcpy", "memmove", "memset",  "memcmp",
                                        "memchr", "strncmp", "strncpy", "strncasecmp"};
  const bool isIt = std::any_of(std::begin(kCalls), std::end(kCalls), [&](const llvm::StringRef name) {
    return callee->getName() == name || callee->getName() == ("__builtin_" + name).str();
  });
  return isIt ? 2 : kNone;
}

/// The ways of one function.
class LengthWays {
 public:
  LengthWays(clang::ASTContext& context, const clang::FunctionDecl& function, std::vector<LengthUse>& uses)
      : context_(context), function_(function), uses_(uses) {}

  void follow(const clang::CFG& graph) {
    auto before = followBlocks(
        graph, LengthTests(context_),
        [&](const auto& block, LengthTests& tests) { run(block, tests, false); },
        [](const auto& block, bool isFirst, LengthTests& tests) {
          if (const clang::Expr* condition = wayCondition(block)) tests.assume(*condition, isFirst);
          return true;
        },
        [](LengthTests& into, const LengthTests& from) { return into.meet(from); });
    for (auto& [block, tests] : before) run(*block, tests, true);
  }

 private:
  void run(const clang::CFGBlock& block, LengthTests& tests, bool isTold) {
    for (const clang::CFGElement& element : block) {
      const auto part = element.getAs<clang::CFGStmt>();
      if (!part) continue;
      const clang::Stmt& statement = *part->getStmt();
      if (const auto* expression = llvm::dyn_cast<clang::Expr>(&statement); expression && isTold)
        look(*expression, tests);
      tests.run(statement);
    }
  }

  void look(const clang::Expr& expression, const LengthTests& tests) {
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&expression)) {
      add(*element->getIdx(), *element->getBase(), "[", tests);
    } else if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(&expression);
               sum && sum->getOpcode() == clang::BO_Add && sum->getType()->isPointerType()) {
      const bool isLeft = sum->getLHS()->getType()->isPointerType();
      add(isLeft ? *sum->getRHS() : *sum->getLHS(), isLeft ? *sum->getLHS() : *sum->getRHS(), "[", tests);
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&expression)) {
      const unsigned size = sizeArgument(*call);
      if (size < call->getNumArgs()) add(*call->getArg(size), *call->getArg(0), "(", tests);
    }
  }

  void add(const clang::Expr& value, const clang::Expr& base, const std::string& how,
           const LengthTests& tests) {
    const LessThanLength less = lessThanLength(value, context_);
    if (!less.length || value.getExprLoc().isMacroID()) return;
    if (!value.IgnoreParenCasts()->getType()->isUnsignedIntegerType()) return;
    const LengthTest test = tests.of(*less.length);
    LengthUse use;
    use.value = lengthText(*less.length) + " - " + std::to_string(less.less);
    const std::string to = freePlaceOf(base).text;
    if (!to.empty()) use.access = to + how + use.value + (how == "[" ? "]" : ")");
    use.function = function_.getName().str();
    use.line = lineOf(value.getExprLoc(), context_);
    use.lowered = test.line;
    use.isText = tests.isOfGivenText(*less.length);
    use.isInside = !function_.isExternallyVisible();
    use.isVariable = freePlaceOf(*less.length).isVariable();
    using Known = LengthTest::Known;
    if (test.known == Known::Lowered)
      use.kind = LengthUse::Kind::Lowered;
    else if (test.known == Known::Compared && test.least >= less.less)
      use.kind = LengthUse::Kind::Tested;
    else if (test.known != Known::Nothing)
      return;
    uses_.push_back(std::move(use));
  }

  clang::ASTContext& context_;
  const clang::FunctionDecl& function_;
  std::vector<LengthUse>& uses_;
};

/// Most functions have no such difference.
bool takesOff(const clang::Stmt& part) {
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&part);
      binary && binary->getOpcode() == clang::BO_Sub && !binary->getType()->isPointerType())
    return true;
  return std::any_of(part.child_begin(), part.child_end(),
                     [](const clang::Stmt* child) { return child && takesOff(*child); });
}

}  // namespace

void WrappedDifferences::add(const clang::FunctionDecl& function, Survey& survey) {
  if (!function.getIdentifier() || function.isDependentContext() || !function.getBody()) return;
  if (!takesOff(*function.getBody())) return;
  addLowIndices(context_, function, survey);
  if (const clang::CFG* graph = flows_.graphOf(function))
    LengthWays(context_, function, uses_).follow(*graph);
}

void WrappedDifferences::finish(Survey& survey) {
  std::map<std::string, const LengthUse*> tested;
  for (const LengthUse& use : uses_)
    if (use.kind == LengthUse::Kind::Tested && !use.access.empty()) tested.try_emplace(use.access, &use);
  std::set<std::pair<std::string, uint32_t>> told;
  for (const LengthUse& use : uses_) {
    if (use.kind == LengthUse::Kind::Tested || (!use.isVariable && !use.isText)) continue;
    const auto found = tested.find(use.access);
    const bool isSibling = found != tested.end() && found->second->function != use.function;
    const bool isLowered = use.kind == LengthUse::Kind::Lowered;
    if (!isLowered && (use.isInside || (!isSibling && !use.isText))) continue;
    if (!told.insert({use.value, use.line}).second) continue;
    survey.valueSlips.push_back({ValueSlip::Kind::Wrapped, use.value, use.function, use.line, use.lowered,
                                 isSibling ? found->second->function : ""});
  }
}

}  // namespace heddle
