#include "analysis/survey/unset_ways.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "analysis/survey/have_common.h"
#include "analysis/survey/source_line.h"
#include "analysis/survey/tested_call.h"
#include "analysis/survey/unset_uses.h"
#include "analysis/survey/way_facts.h"
#include "analysis/survey/way_names.h"
#include "clang/AST/ParentMap.h"
#include "clang/Analysis/Analyses/Dominators.h"
#include "clang/Analysis/CFG.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringRef.h"

namespace heddle {
namespace {

/// By its name it may not return.
bool mayEndWay(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (!callee || !callee->getIdentifier()) return false;
  constexpr llvm::StringRef kEnds[] = {"exit",  "abort", "die",         "fatal", "panic", "throw",
                                       "croak", "jmp",   "unreachable", "usage", "assert"};
  return std::any_of(std::begin(kEnds), std::end(kEnds),
                     [&](const llvm::StringRef end) { return callee->getName().contains_insensitive(end); });
}

/// A branch whose one side leads to all that gives a variable a value.
struct UnsetBranch {
  const clang::CFGBlock* block = nullptr;
  const clang::Expr* condition = nullptr;
  bool isFirstTaken = false;  // on the way without a value
  NameSet plain;              // compared with constants by what decides whether the variable has a value
  NameSet others;             // that have to do with it otherwise
  NameSet changed;            // where it has one
};

/// The ways of one function.
class UnsetWaySearch {
 public:
  UnsetWaySearch(clang::ASTContext& context, const clang::FunctionDecl& function, clang::CFG& graph,
                 std::vector<ValueSlip>& slips)
      : context_(context),
        function_(function),
        graph_(graph),
        slips_(slips),
        parents_(function.getBody()),
        names_(*function.getBody()),
        dominators_(&graph) {}

  /// True: told.
  bool look(const clang::VarDecl& variable, const clang::Expr& user) {
    if (!setVariable(variable) || isOfMacro(user.getBeginLoc())) return false;
    for (const UnsetBranch& branch : about_->branches) {
      if (!isWayTo(branch, user)) continue;
      tell(variable, user, *branch.condition);
      return true;
    }
    return false;
  }

  /// Of a macro that is given the variable, and that leaves itself on one side before it has set it.
  bool lookAtMacro(const UnsetUses::MacroUse& use) {
    const auto* choice = llvm::dyn_cast<clang::IfStmt>(use.terminator);
    if (!choice || choice->getElse() || !setVariable(*use.variable)) return false;
    const auto* body = llvm::dyn_cast<clang::CompoundStmt>(choice->getThen());
    const clang::Stmt* last = body && !body->body_empty() ? body->body_back() : choice->getThen();
    if (!llvm::isa<clang::BreakStmt, clang::GotoStmt>(last) || !last->getBeginLoc().isMacroID()) return false;
    const clang::SourceManager& sources = context_.getSourceManager();
    const auto expansion = [&](const clang::Stmt& part) {
      return sources.getExpansionLoc(part.getBeginLoc());
    };
    const auto& assigned = about_->assigned;
    const bool isSetThere = std::any_of(assigned.begin(), assigned.end(), [&](const clang::Stmt* set) {
      return expansion(*set) == expansion(*choice);
    });
    if (!isSetThere || expansion(*use.user) == expansion(*choice)) return false;
    tell(*use.variable, *use.user, *choice->getCond());
    return true;
  }

 private:
  /// One variable.
  struct About {
    std::set<const clang::Stmt*> assigned;  // where it is given a value
    std::vector<bool> assigns;              // by block
    std::vector<UnsetBranch> branches;
  };
  struct Way {
    const clang::CFGBlock* block = nullptr;
    bool isBehind = false;  // the branch
    WayFacts facts;
    bool operator<(const Way& other) const {
      if (block != other.block) return block->getBlockID() < other.block->getBlockID();
      return isBehind != other.isBehind ? isBehind < other.isBehind : facts < other.facts;
    }
  };

  /// An argument of a macro is no part of it.
  bool isOfMacro(clang::SourceLocation at) const {
    return at.isMacroID() && !context_.getSourceManager().isMacroArgExpansion(at);
  }

  void tell(const clang::VarDecl& variable, const clang::Expr& user, const clang::Expr& condition) {
    const clang::SourceManager& sources = context_.getSourceManager();
    slips_.push_back({ValueSlip::Kind::Unset, variable.getName().str(), function_.getName().str(),
                      lineOf(user.getBeginLoc(), sources), lineOf(condition.getBeginLoc(), sources)});
  }

  /// False: it is none to follow.
  bool setVariable(const clang::VarDecl& variable) {
    const auto [known, isNew] = abouts_.try_emplace(&variable);
    variable_ = &variable;
    about_ = &known->second;
    if (!isNew) return !about_->assigned.empty();
    about_->assigns.assign(graph_.getNumBlockIDs(), false);
    if (variable.getInit() || variable.getType().isVolatileQualified()) return false;
    addAssigned(*function_.getBody());
    std::vector<const clang::CFGBlock*> assigning;
    for (const clang::CFGBlock* block : graph_) {
      if (!block || std::none_of(block->begin(), block->end(), [&](const clang::CFGElement& element) {
            const auto part = element.getAs<clang::CFGStmt>();
            return part && about_->assigned.contains(part->getStmt());
          }))
        continue;
      about_->assigns[block->getBlockID()] = true;
      assigning.push_back(block);
    }
    if (!about_->assigned.empty()) addBranches(assigning);
    return !about_->assigned.empty();
  }

  /// Each way to a value goes through the branch.
  void addBranches(const std::vector<const clang::CFGBlock*>& assigning) {
    constexpr size_t kMostBranches = 60;
    for (const clang::CFGBlock* block : graph_) {
      if (!block || !std::all_of(assigning.begin(), assigning.end(), [&](const clang::CFGBlock* other) {
            return dominators_.dominates(block, other);
          }))
        continue;
      for (const bool isFirstTaken : {true, false})
        if (about_->branches.size() < kMostBranches && isCandidate(*block, isFirstTaken))
          about_->branches.push_back(branchAt(*block, isFirstTaken));
    }
  }

  /// False: the function has taken too many steps, and nothing more is told of it.
  bool goOn(size_t steps = 1) const {
    steps_ -= std::min(steps, steps_);
    return steps_ != 0;
  }

  void addAssigned(const clang::Stmt& part) {
    if (llvm::isa<clang::UnaryExprOrTypeTraitExpr>(part)) return;
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(&part); use && use->getDecl() == variable_)
      if (const clang::Stmt* assigned = assignmentBy(*use)) about_->assigned.insert(assigned);
    for (const clang::Stmt* child : part.children())
      if (child) addAssigned(*child);
  }

  /// Null: it only reads the variable.
  const clang::Stmt* assignmentBy(const clang::DeclRefExpr& use) const {
    const clang::Stmt* parent = parents_.getParentIgnoreParens(&use);
    if (const auto* cast = llvm::dyn_cast_or_null<clang::CastExpr>(parent))
      if (cast->getCastKind() == clang::CK_LValueToRValue || cast->getCastKind() == clang::CK_ToVoid)
        return nullptr;
    if (const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(parent);
        step && step->isIncrementDecrementOp())
      return nullptr;
    if (llvm::isa_and_nonnull<clang::CompoundAssignOperator>(parent)) return nullptr;
    const auto* binary = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent);
    return binary && binary->getOpcode() == clang::BO_Assign ? parent : &use;
  }

  /// All that is reached from the entry if one way of one block is closed.
  llvm::BitVector reachedWithout(const clang::CFGBlock& block, const clang::CFGBlock* closed) const {
    llvm::BitVector reached(graph_.getNumBlockIDs());
    std::vector<const clang::CFGBlock*> open = {&graph_.getEntry()};
    reached.set(graph_.getEntry().getBlockID());
    while (!open.empty()) {
      const clang::CFGBlock* at = open.back();
      open.pop_back();
      for (const clang::CFGBlock* next : at->succs())
        if (next && !(at == &block && next == closed) && !reached.test(next->getBlockID())) {
          reached.set(next->getBlockID());
          open.push_back(next);
        }
    }
    return reached;
  }

  static const clang::CFGBlock* wayOf(const clang::CFGBlock& block, bool isFirst) {
    return *(block.succ_begin() + (isFirst ? 0 : 1));
  }

  bool isCandidate(const clang::CFGBlock& block, bool isFirstTaken) const {
    const clang::Expr* condition = wayCondition(block);
    if (!condition || names_.loopOf(*condition) || !goOn(graph_.size())) return false;
    const clang::Stmt* end = block.getTerminatorStmt();
    if (!llvm::isa<clang::IfStmt, clang::BinaryOperator>(end) || isOfMacro(condition->getExprLoc()))
      return false;
    if (end->getBeginLoc().isMacroID() && isOfMacro(end->getBeginLoc())) return false;
    const clang::CFGBlock *taken = wayOf(block, isFirstTaken), *other = wayOf(block, !isFirstTaken);
    if (!taken || !other || taken == other) return false;
    const llvm::BitVector reached = reachedWithout(block, other);
    for (unsigned id = 0; id < about_->assigns.size(); ++id)
      if (about_->assigns[id] && reached.test(id)) return false;
    return reached.test(block.getBlockID());
  }

  /// Blocks from which an assignment to the variable is reached without those of `outside`.
  llvm::BitVector leadingToValue(const llvm::BitVector& outside) const {
    llvm::BitVector leading(graph_.getNumBlockIDs());
    std::vector<const clang::CFGBlock*> open;
    for (const clang::CFGBlock* block : graph_)
      if (block && about_->assigns[block->getBlockID()]) open.push_back(block);
    while (!open.empty()) {
      const clang::CFGBlock* at = open.back();
      open.pop_back();
      if (leading.test(at->getBlockID()) || outside.test(at->getBlockID())) continue;
      leading.set(at->getBlockID());
      for (const clang::CFGBlock* before : at->preds())
        if (before) open.push_back(before);
    }
    return leading;
  }

  static const clang::Expr* decidingExpr(const clang::CFGBlock& block) {
    const auto* choice = llvm::dyn_cast_or_null<clang::SwitchStmt>(block.getTerminatorStmt());
    return choice ? choice->getCond() : wayCondition(block);
  }

  UnsetBranch branchAt(const clang::CFGBlock& block, bool isFirstTaken) const {
    UnsetBranch branch{&block, wayCondition(block), isFirstTaken, {}, {}, {}};
    const llvm::BitVector reached = reachedWithout(block, wayOf(block, !isFirstTaken));
    const llvm::BitVector leading = leadingToValue(reached);
    addGuard(*branch.condition, branch);
    for (const clang::CFGBlock* behind : graph_) {
      if (!behind || reached.test(behind->getBlockID())) continue;
      const clang::Expr* condition = decidingExpr(*behind);
      if (condition && leading.test(behind->getBlockID())) addGuard(*condition, branch);
      for (const clang::CFGElement& element : *behind)
        if (const auto part = element.getAs<clang::CFGStmt>()) addChangedBy(*part->getStmt(), branch.changed);
    }
    names_.addSources(branch.others);
    return branch;
  }

  void addGuard(const clang::Expr& condition, UnsetBranch& branch) const {
    const auto test = plainTest(condition, context_);
    if (!test || names_.escaped().contains(test->variable)) {
      addRead(condition, true, branch.others);
      return;
    }
    branch.plain.insert(test->variable);
    NameSet sources = {test->variable};
    names_.addSources(sources);
    sources.erase(test->variable);
    branch.others.insert(sources.begin(), sources.end());
  }

  /// It may have to do with the branch: whoever knows one knows the other.
  bool isRelated(const clang::Expr& condition, const UnsetBranch& branch, bool isBehind) const {
    NameSet read;
    addRead(condition, true, read);
    if (isBehind && haveCommon(read, branch.changed)) return true;
    const auto test = plainTest(condition, context_);
    NameSet all = read;
    names_.addSources(all);
    if (haveCommon(all, branch.others)) return true;
    if (test && !names_.escaped().contains(test->variable)) all.erase(test->variable);
    return haveCommon(all, branch.plain) || (isBehind && dependsOnOthers(condition));
  }

  /// On what functions may have changed on the way.
  bool dependsOnOthers(const clang::Expr& condition) const {
    NameSet read;
    addRead(condition, true, read);
    return std::any_of(read.begin(), read.end(), [&](const clang::ValueDecl* name) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name);
      return !variable || !variable->hasLocalStorage() || names_.escaped().contains(variable);
    });
  }

  bool isWayTo(const UnsetBranch& branch, const clang::Expr& user) {
    constexpr size_t kMostWays = 4000;
    std::set<Way> seen;
    std::vector<Way> open = {{&graph_.getEntry(), false, WayFacts(names_.escaped(), context_)}};
    while (!open.empty()) {
      Way way = std::move(open.back());
      open.pop_back();
      if (way.block->getLoopTarget() || !seen.insert(way).second) continue;
      if (seen.size() > kMostWays || !goOn()) return false;
      bool isEnded = false;
      for (const clang::CFGElement& element : *way.block) {
        const auto part = element.getAs<clang::CFGStmt>();
        if (!part) continue;
        const clang::Stmt& statement = *part->getStmt();
        if (&statement == &user && way.isBehind) return true;
        const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement);
        isEnded = about_->assigned.contains(&statement) || (call && mayEndWay(*call));
        if (isEnded) break;
        way.facts.run(statement);
      }
      if (!isEnded) goFrom(way, branch, open);
    }
    return false;
  }

  void goFrom(const Way& way, const UnsetBranch& branch, std::vector<Way>& open) {
    const clang::Expr* condition = wayCondition(*way.block);
    if (way.block == branch.block) {
      const auto decided = way.facts.decide(*condition);
      if (!decided || *decided == branch.isFirstTaken) take(way, *condition, branch.isFirstTaken, true, open);
      return;
    }
    if (!condition) {
      goAllWays(way, branch, open);
      return;
    }
    const auto decided = way.facts.decide(*condition);
    const clang::Stmt* loop = names_.loopOf(*condition);
    if (!decided && isRelated(*condition, branch, way.isBehind)) return;
    if (loop)
      goPastLoop(way, *condition, *loop, open);
    else if (decided != true)
      take(way, *condition, false, way.isBehind, open);
    if (decided != false) take(way, *condition, true, way.isBehind, open);
  }

  static void take(Way way, const clang::Expr& condition, bool isFirst, bool isBehind,
                   std::vector<Way>& open) {
    way.facts.assume(condition, isFirst);
    way.isBehind = isBehind;
    way.block = wayOf(*way.block, isFirst);
    if (way.block) open.push_back(std::move(way));
  }

  /// As if it has run any number of times.
  void goPastLoop(Way way, const clang::Expr& condition, const clang::Stmt& loop, std::vector<Way>& open) {
    const auto [known, isNew] = changed_.try_emplace(&loop);
    NameSet& changed = known->second;
    if (isNew) addChanged(loop, changed);
    if (changed.contains(variable_)) return;
    for (const clang::ValueDecl* name : changed)
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name)) way.facts.forget(*variable);
    const bool isBehind = way.isBehind;
    take(std::move(way), condition, false, isBehind, open);
  }

  /// Whoever writes no `default` thinks that there is always a case.
  void goAllWays(const Way& way, const UnsetBranch& branch, std::vector<Way>& open) const {
    const auto* choice = llvm::dyn_cast_or_null<clang::SwitchStmt>(way.block->getTerminatorStmt());
    if (choice && choice->getCond() && isRelated(*choice->getCond(), branch, way.isBehind)) return;
    for (const clang::CFGBlock* next : way.block->succs()) {
      if (!next) continue;
      if (choice && !llvm::isa_and_nonnull<clang::SwitchCase>(next->getLabel())) continue;
      Way more = way;
      more.block = next;
      open.push_back(std::move(more));
    }
  }

  clang::ASTContext& context_;
  const clang::FunctionDecl& function_;
  const clang::CFG& graph_;
  std::vector<ValueSlip>& slips_;
  const clang::ParentMap parents_;
  const WayNames names_;
  const clang::CFGDomTree dominators_;
  std::map<const clang::VarDecl*, About> abouts_;
  std::map<const clang::Stmt*, NameSet> changed_;  // by loops
  const clang::VarDecl* variable_ = nullptr;
  About* about_ = nullptr;  // `variable_`
  mutable size_t steps_ = 200'000;
};

/// Most functions have no variable to ask for.
bool declaresUnset(const clang::Stmt& part) {
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&part))
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
          variable && variable->hasLocalStorage() && !variable->getInit() &&
          variable->getType()->isScalarType())
        return true;
  return std::any_of(part.child_begin(), part.child_end(),
                     [](const clang::Stmt* child) { return child && declaresUnset(*child); });
}

}  // namespace

void UnsetWays::add(const clang::FunctionDecl& function, Survey& survey) {
  if (!function.getIdentifier() || function.isDependentContext() || !function.getBody()) return;
  if (!declaresUnset(*function.getBody())) return;
  constexpr size_t kMostBlocks = 2000;
  clang::CFG* graph = flows_.graphOf(function);
  if (!graph || graph->size() > kMostBlocks) return;
  const UnsetUses unset(flows_.unsetReadsOf(function));
  if (unset.uses().empty() && unset.macroUses().empty()) return;
  UnsetWaySearch search(context_, function, *graph, survey.valueSlips);
  std::set<const clang::VarDecl*> told;
  for (const UnsetUses::MacroUse& use : unset.macroUses())
    if (!unset.isTold(*use.variable) && !told.contains(use.variable) && search.lookAtMacro(use))
      told.insert(use.variable);
  constexpr size_t kMostUses = 60;
  size_t looks = 0;
  for (const auto& [variable, user] : unset.uses())
    if (++looks <= kMostUses && !unset.isTold(*variable) && !told.contains(variable) &&
        search.look(*variable, *user))
      told.insert(variable);
}

}  // namespace heddle
