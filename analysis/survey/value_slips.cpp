#include "analysis/survey/value_slips.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "analysis/survey/block_states.h"
#include "analysis/survey/free_place.h"
#include "analysis/survey/source_line.h"
#include "analysis/survey/tested_call.h"
#include "clang/Analysis/Analyses/UninitializedValues.h"
#include "clang/Analysis/CFG.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace heddle {
namespace {

using Kind = ValueSlip::Kind;

/// The local variable or parameter that an expression reads or writes; null: it is something else.
const clang::VarDecl* localOf(const clang::Expr* expression) {
  if (!expression) return nullptr;
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenCasts());
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->hasLocalStorage() ? variable : nullptr;
}

/// What runs along the ways of one function.
class Pointers {
 public:
  Pointers(clang::ASTContext& context, const clang::FunctionDecl& function, std::vector<ValueSlip>& slips)
      : context_(context), function_(function), slips_(slips) {
    addAddresses(*function.getBody());
  }

  void follow(const clang::CFG& graph) {
    auto before = followBlocks(
        graph, States(), [&](const auto& block, States& states) { run(block, states, false); },
        [&](const auto& block, bool isFirst, States& states) { return onEdge(block, isFirst, states); },
        meet);
    for (auto& [block, states] : before) run(*block, states, true);
  }

 private:
  /// Tested: it may be null, and somebody has thought of that.
  enum class Known : uint8_t { Nothing, Used, Tested, Null, Set };
  struct State {
    Known known = Known::Nothing;
    uint32_t line = 0;  // where it came to be known
    bool operator==(const State&) const = default;
  };
  using States = std::map<const clang::VarDecl*, State>;

  /// A variable whose address is known may change whenever something is written elsewhere.
  void addAddresses(const clang::Stmt& part) {
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(&part);
        address && address->getOpcode() == clang::UO_AddrOf)
      if (const clang::VarDecl* variable = localOf(address->getSubExpr())) escaped_.insert(variable);
    for (const clang::Stmt* child : part.children())
      if (child) addAddresses(*child);
  }

  /// The pointer that leads to a place; null: none, or another expression does.
  static const clang::VarDecl* leadingTo(const clang::Expr& place) {
    const clang::VarDecl* variable = localOf(leadingPointer(place));
    return variable && variable->getType()->isPointerType() ? variable : nullptr;
  }

  /// What a condition compares with null, and whether it holds if it is null.
  std::optional<std::pair<const clang::DeclRefExpr*, bool>> nullTest(const clang::Expr* condition) const {
    bool holdsIfNull = false;
    condition = withoutHint(condition);
    while (const auto* negation = llvm::dyn_cast<clang::UnaryOperator>(condition)) {
      if (negation->getOpcode() != clang::UO_LNot) return std::nullopt;
      holdsIfNull = !holdsIfNull;
      condition = withoutHint(negation->getSubExpr());
    }
    if (const auto* comparison = llvm::dyn_cast<clang::BinaryOperator>(condition)) {
      if (!comparison->isEqualityOp()) return std::nullopt;
      const auto isNull = [&](const clang::Expr* side) {
        return side->isNullPointerConstant(context_, clang::Expr::NPC_ValueDependentIsNotNull) !=
               clang::Expr::NPCK_NotNull;
      };
      const clang::Expr* of = nullptr;
      if (isNull(comparison->getRHS()))
        of = comparison->getLHS();
      else if (isNull(comparison->getLHS()))
        of = comparison->getRHS();
      if (!of) return std::nullopt;
      if (comparison->getOpcode() == clang::BO_EQ) holdsIfNull = !holdsIfNull;
      condition = of->IgnoreParenCasts();
    }
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(condition);
    const clang::VarDecl* variable = localOf(reference);
    if (!variable || !variable->getType()->isPointerType()) return std::nullopt;
    return std::pair(reference, holdsIfNull);
  }

  std::optional<std::pair<const clang::DeclRefExpr*, bool>> testOf(const clang::CFGBlock& block) const {
    const auto* condition = branchCondition(block);
    return condition ? nullTest(condition) : std::nullopt;
  }

  /// A macro tests for all its users, and most of them need no test. What the compiler is told to expect is
  /// a part of the condition.
  bool isOfMacro(const clang::Stmt& statement) const {
    const clang::SourceLocation at = statement.getBeginLoc();
    if (!at.isMacroID()) return false;
    return !clang::Lexer::getImmediateMacroName(at, context_.getSourceManager(), context_.getLangOpts())
                .contains_insensitive("likely");
  }

  void tell(Kind kind, const clang::VarDecl& value, uint32_t line, uint32_t other) {
    slips_.push_back({kind, value.getName().str(), function_.getName().str(), line, other});
  }

  /// Whoever keeps the result of a test has thought of null.
  void noteTest(const clang::Stmt& statement, const clang::DeclRefExpr* condition, States& states) const {
    const auto note = [&](const clang::Expr* kept) {
      const auto test = nullTest(kept);
      if (test && test->first != condition) states[localOf(test->first)] = {Known::Tested, 0};
    };
    if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(&statement); both && both->isLogicalOp()) {
      note(both->getLHS());
      note(both->getRHS());
    } else if (llvm::isa<clang::BinaryOperator, clang::UnaryOperator>(statement)) {
      note(llvm::cast<clang::Expr>(&statement));
    } else if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&statement);
               cast && cast->getCastKind() == clang::CK_PointerToBoolean) {
      note(cast->getSubExpr());
    }
  }

  void forgetEscaped(States& states) const {
    std::erase_if(states, [&](const auto& state) { return escaped_.contains(state.first); });
  }

  /// What the statement reads or writes by a pointer.
  void runTouched(const clang::Stmt& statement, const clang::Expr& place, States& states, bool isTold) {
    const bool isWritten = !llvm::isa<clang::CastExpr>(statement);
    if (const clang::VarDecl* variable = localOf(&place)) {
      if (isWritten) states.erase(variable);
      return;
    }
    if (const clang::VarDecl* pointer = leadingTo(place)) {
      State& state = states[pointer];
      if (state.known == Known::Null && isTold && !isOfMacro(statement))
        tell(Kind::UsedNull, *pointer, lineOf(statement, context_), state.line);
      if (state.known == Known::Nothing) state = {Known::Used, lineOf(statement, context_)};
    }
    if (isWritten) forgetEscaped(states);
  }

  void run(const clang::CFGBlock& block, States& states, bool isTold) {
    const auto test = testOf(block);
    for (const clang::CFGElement& element : block) {
      const auto part = element.getAs<clang::CFGStmt>();
      if (!part) continue;
      const clang::Stmt& statement = *part->getStmt();
      if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
        for (const clang::Decl* one : declared->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one)) states.erase(variable);
      } else if (const clang::Expr* place = touchedPlace(statement)) {
        runTouched(statement, *place, states, isTold);
      } else if (llvm::isa<clang::CallExpr, clang::AtomicExpr, clang::AsmStmt>(statement)) {
        forgetEscaped(states);
      } else {
        noteTest(statement, test ? test->first : nullptr, states);
      }
    }
    if (!test) return;
    State& state = states[localOf(test->first)];
    if (state.known == Known::Used && isTold && !isOfMacro(*test->first))
      tell(Kind::TestedLate, *localOf(test->first), state.line, lineOf(*test->first, context_));
    // Known to lead somewhere, it is tested for nothing.
    const bool isNeedless = state.known == Known::Set || state.known == Known::Used;
    state = {isNeedless ? Known::Set : Known::Tested, lineOf(*test->first, context_)};
  }

  bool onEdge(const clang::CFGBlock& block, bool isFirst, States& out) const {
    const auto test = testOf(block);
    if (!test) return true;
    State& state = out[localOf(test->first)];
    if (test->second != isFirst)
      state.known = Known::Set;
    else
      state.known = state.known == Known::Set ? Known::Tested : Known::Null;
    return true;
  }

  /// False: nothing changes.
  static bool meet(States& into, const States& more) {
    bool isChanged = false;
    const auto at = [](const States& states, const clang::VarDecl* variable) {
      const auto found = states.find(variable);
      return found == states.end() ? State() : found->second;
    };
    std::set<const clang::VarDecl*> all;
    for (const States* states : {&std::as_const(into), &more})
      for (const auto& [variable, state] : *states) all.insert(variable);
    for (const clang::VarDecl* variable : all) {
      const State a = at(into, variable), b = at(more, variable);
      if (a.known == b.known) continue;
      const auto isTested = [](const State& state) {
        return state.known != Known::Nothing && state.known != Known::Used;
      };
      // A test on some way is one that its author thought of.
      const State met = isTested(a) || isTested(b) ? State{Known::Tested, 0} : State();
      if (met.known == a.known) continue;
      into[variable] = met;
      isChanged = true;
    }
    return isChanged;
  }

  clang::ASTContext& context_;
  const clang::FunctionDecl& function_;
  std::vector<ValueSlip>& slips_;
  std::set<const clang::VarDecl*> escaped_;
};

/// A variable that Clang's analysis sees read without a value behind one side of an `if`.
void addUnset(const clang::ASTContext& context, const clang::FunctionDecl& function,
              const clang::VarDecl& variable, const clang::UninitUse& use, Survey& survey) {
  survey.unsetLocals.insert(function.getName().str());
  if (use.getKind() != clang::UninitUse::Sometimes) return;
  for (auto branch = use.branch_begin(); branch != use.branch_end(); ++branch) {
    const clang::Stmt* terminator = branch->Terminator;
    // Loops that are not entered, and switches without a default, are as a rule impossible.
    const bool isIf = llvm::isa<clang::IfStmt, clang::BinaryOperator>(terminator);
    if (!isIf || terminator->getBeginLoc().isMacroID()) continue;
    survey.valueSlips.push_back({Kind::Unset, variable.getName().str(), function.getName().str(),
                                 lineOf(*use.getUser(), context), lineOf(*terminator, context)});
    return;
  }
}

void flatten(const clang::Expr* condition, std::vector<const clang::Expr*>& operands) {
  const auto* both = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
  if (!both || both->getOpcode() != clang::BO_LAnd) {
    operands.push_back(condition);
    return;
  }
  flatten(both->getLHS(), operands);
  flatten(both->getRHS(), operands);
}

/// The variable that a comparison says to be below something; null: it says no such thing.
const clang::VarDecl* bounded(const clang::Expr* operand) {
  const auto* comparison = llvm::dyn_cast<clang::BinaryOperator>(operand->IgnoreParenImpCasts());
  if (!comparison) return nullptr;
  switch (comparison->getOpcode()) {
    case clang::BO_LT:
    case clang::BO_LE:
      return localOf(comparison->getLHS());
    case clang::BO_GT:
    case clang::BO_GE:
      return localOf(comparison->getRHS());
    default:
      return nullptr;
  }
}

/// The line of an element that the variable alone chooses; 0: there is none. Texts end by themselves.
uint32_t indexedBy(const clang::Stmt& part, const clang::VarDecl& variable,
                   const clang::ASTContext& context) {
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(&part);
      address && address->getOpcode() == clang::UO_AddrOf)
    return 0;
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&part);
      element && localOf(element->getIdx()) == &variable && !element->getType()->isAnyCharacterType())
    return lineOf(*element, context);
  for (const clang::Stmt* child : part.children())
    if (child)
      if (const uint32_t line = indexedBy(*child, variable, context)) return line;
  return 0;
}

/// How often the function compares each variable with something that it is to be below.
void countBounds(const clang::Stmt& part, std::map<const clang::VarDecl*, unsigned>& counts) {
  if (const auto* expression = llvm::dyn_cast<clang::BinaryOperator>(&part))
    if (const clang::VarDecl* variable = bounded(expression)) ++counts[variable];
  for (const clang::Stmt* child : part.children())
    if (child) countBounds(*child, counts);
}

/// `counts`: a variable that is compared elsewhere, too, may be known to be small.
void addLateBounds(clang::ASTContext& context, const clang::FunctionDecl& function, const clang::Stmt& part,
                   const std::map<const clang::VarDecl*, unsigned>& counts, std::vector<ValueSlip>& slips) {
  std::vector<const clang::Expr*> operands;
  if (const auto* condition = llvm::dyn_cast<clang::BinaryOperator>(&part);
      condition && condition->getOpcode() == clang::BO_LAnd && !part.getBeginLoc().isMacroID())
    flatten(condition, operands);
  for (size_t i = 0; i < operands.size(); ++i) {
    const clang::VarDecl* index = bounded(operands[i]);
    if (!index || counts.at(index) != 1) continue;
    for (size_t before = 0; before < i; ++before)
      if (const uint32_t line = indexedBy(*operands[before], *index, context)) {
        slips.push_back({Kind::BoundedLate, index->getName().str(), function.getName().str(), line,
                         lineOf(*operands[i], context)});
        break;
      }
  }
  for (const clang::Stmt* child : part.children())
    if (child) addLateBounds(context, function, *child, counts, slips);
}

}  // namespace

void addValueSlips(FunctionFlows& flows, const clang::FunctionDecl& function, Survey& survey) {
  clang::ASTContext& context = flows.context();
  std::vector<ValueSlip>& slips = survey.valueSlips;
  std::map<const clang::VarDecl*, unsigned> counts;
  countBounds(*function.getBody(), counts);
  addLateBounds(context, function, *function.getBody(), counts, slips);
  const clang::CFG* graph = flows.graphOf(function);
  if (!graph) return;
  Pointers(context, function, slips).follow(*graph);
  for (const auto& [variable, use] : flows.unsetReadsOf(function))
    addUnset(context, function, *variable, use, survey);
}

}  // namespace heddle
