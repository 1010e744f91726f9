#include "analysis/survey/null_flow.h"

#include "analysis/survey/tested_call.h"

namespace heddle {
namespace {

using NullKind = NullEvent::Kind;
using NullStep = NullFlow::Step;

}  // namespace

const clang::VarDecl* NullFlow::variableIn(const clang::Expr* expression) {
  if (!expression) return nullptr;
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenCasts());
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->hasLocalStorage() ? variable : nullptr;
}

NullFlow::NullFlow(FunctionFlows& flows, const clang::FunctionDecl& function, Ends ends)
    : context_(flows.context()) {
  constexpr size_t kMostBlocks = 2000;
  graph_ = flows.graphOf(function);
  if (graph_ && graph_->size() > kMostBlocks) graph_ = nullptr;
  if (!graph_) return;
  parents_ = std::make_unique<clang::ParentMap>(function.getBody());
  collect(*function.getBody());
  for (const clang::DeclRefExpr* reference : references_) {
    std::vector<NullEvent> found;
    climb(*reference, found);
    const auto* variable = llvm::cast<clang::VarDecl>(reference->getDecl());
    for (NullEvent& event : found) {
      event.variable = variable;
      events_[variable].push_back(event);
    }
  }
  addAliases(references_);
  for (const auto& [variable, events] : events_)
    for (size_t i = 0; i < events.size(); ++i) at_[events[i].at].emplace_back(variable, i);
  for (const clang::CFGBlock* block : *graph_)
    for (size_t i = 0; i < block->size(); ++i) {
      const auto part = (*block)[i].getAs<clang::CFGStmt>();
      if (!part) continue;
      if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(part->getStmt()))
        for (const clang::Decl* one : declared->decls()) places_[one] = {block, i + 1};
      places_[part->getStmt()] = {block, i + 1};
      const auto* call = llvm::dyn_cast<clang::CallExpr>(part->getStmt());
      const End end = call ? ends(*call) : End::No;
      if (end != End::No) (end == End::Yes ? ends_ : stops_).try_emplace(block, i);
    }
  reached_ = reachedWithout(nullptr, 0);
}

void NullFlow::collect(const clang::Stmt& part) {
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr>(part)) return;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&part)) {
    const clang::VarDecl* variable = variableIn(reference);
    if (variable && variable->getType()->isPointerType()) references_.push_back(reference);
  } else if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(&part);
             address && address->getOpcode() == clang::UO_AddrOf) {
    if (const clang::VarDecl* variable = variableIn(address->getSubExpr())) escaped_.insert(variable);
  } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&part)) {
    calls_.push_back(call);
  } else if (const auto* back = llvm::dyn_cast<clang::ReturnStmt>(&part)) {
    returns_.push_back(back);
  } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&part)) {
    members_.push_back(member);
  } else if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&part)) {
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
          variable && variable->hasLocalStorage() && variable->getType()->isPointerType()) {
        NullEvent event;
        event.kind = NullKind::Set;
        event.at = variable;
        event.place = variable->getLocation();
        event.variable = variable;
        events_[variable].push_back(event);
      }
  }
  for (const clang::Stmt* child : part.children())
    if (child) collect(*child);
}

bool NullFlow::isNull(const clang::Expr& expression) const {
  return expression.isNullPointerConstant(context_, clang::Expr::NPC_ValueDependentIsNotNull) !=
         clang::Expr::NPCK_NotNull;
}

std::optional<NullTest> NullFlow::testOf(const clang::CFGBlock& block) const {
  const auto* condition = branchCondition(block);
  if (!condition) return std::nullopt;
  bool holdsIfNull = false;
  condition = withoutHint(condition);
  while (const auto* negation = llvm::dyn_cast<clang::UnaryOperator>(condition)) {
    if (negation->getOpcode() != clang::UO_LNot) return std::nullopt;
    holdsIfNull = !holdsIfNull;
    condition = withoutHint(negation->getSubExpr());
  }
  if (const auto* comparison = llvm::dyn_cast<clang::BinaryOperator>(condition);
      comparison && comparison->isEqualityOp()) {
    const bool isRight = isNull(*comparison->getRHS());
    if (!isRight && !isNull(*comparison->getLHS())) return std::nullopt;
    if (comparison->getOpcode() == clang::BO_EQ) holdsIfNull = !holdsIfNull;
    condition = (isRight ? comparison->getLHS() : comparison->getRHS())->IgnoreParenCasts();
  }
  if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(condition);
      assignment && assignment->getOpcode() == clang::BO_Assign)
    condition = assignment->getLHS()->IgnoreParenCasts();
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(condition);
  const clang::VarDecl* variable = variableIn(reference);
  if (!variable || !variable->getType()->isPointerType()) return std::nullopt;
  return NullTest{reference, variable, holdsIfNull};
}

NullFlow::Place NullFlow::behind(const void* at) const {
  const auto found = places_.find(at);
  return found == places_.end() ? Place{} : found->second;
}

std::vector<NullEvent> NullFlow::eventsOf(const clang::Expr& value) const {
  std::vector<NullEvent> events;
  climb(value, events);
  return events;
}

const std::vector<NullEvent>& NullFlow::eventsOf(const clang::VarDecl& variable) const {
  static const std::vector<NullEvent> kNoFacts;
  const auto found = events_.find(&variable);
  return found == events_.end() ? kNoFacts : found->second;
}

bool NullFlow::walkElements(Place from, const clang::VarDecl& variable, const clang::DeclRefExpr* tested,
                            Ask ask, Walk& walk) const {
  const auto end = ends_.find(from.block), stop = stops_.find(from.block);
  const auto isGoing = [&](const void* at) {
    const auto found = at_.find(at);
    if (found == at_.end()) return true;
    for (const auto& [whose, index] : found->second) {
      if (whose != &variable) continue;
      const NullEvent& event = events_.at(whose)[index];
      if (event.kind == NullKind::Tested && event.of == tested) continue;
      const NullStep step = ask(event);
      if (step == NullStep::GoOn) continue;
      if (step == NullStep::Use) walk.uses.push_back(&event);
      if (step == NullStep::Tested || step == NullStep::NullSide || step == NullStep::SetSide)
        walk.isTested = true;
      if (step == NullStep::Lost) walk.isLost = true;
      return false;
    }
    return true;
  };
  for (size_t i = from.element; i < from.block->size(); ++i) {
    const auto part = (*from.block)[i].getAs<clang::CFGStmt>();
    if (!part) continue;
    if (!isGoing(part->getStmt())) return false;
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(part->getStmt()))
      for (const clang::Decl* one : declared->decls())
        if (!isGoing(one)) return false;
    if (end != ends_.end() && end->second <= i) return false;
    if (stop != stops_.end() && stop->second == i) walk.mayStop = true;
  }
  return !from.block->hasNoReturnElement();
}

NullFlow::Walk NullFlow::walk(Place from, const clang::VarDecl& variable, Ask ask) const {
  Walk walk;
  std::set<const clang::CFGBlock*> seen;
  std::vector<Place> open = {from};
  while (!open.empty()) {
    const Place at = open.back();
    open.pop_back();
    if (at.block == &graph_->getExit()) walk.isLost = true;
    auto test = testOf(*at.block);
    if (test) {
      const auto alias = aliases_.find(test->variable);
      if (alias != aliases_.end()) test->variable = alias->second;
    }
    const bool isOurs = test && test->variable == &variable;
    if (!walkElements(at, variable, isOurs ? test->of : nullptr, ask, walk)) continue;
    walk.passed.insert(at.block);
    NullStep step = NullStep::GoOn;
    if (isOurs) {
      NullEvent event;
      event.kind = NullKind::Tested;
      event.of = test->of;
      event.place = test->of->getBeginLoc();
      const clang::CFGBlock* ifNull = *(at.block->succ_begin() + (test->holdsIfNull ? 0 : 1));
      event.isAsserted = ifNull && (ifNull->hasNoReturnElement() || isEnd(*ifNull));
      step = ask(event);
      if (step == NullStep::Tested) walk.isTested = true;
      if (step == NullStep::Lost) walk.isLost = true;
      if (step == NullStep::Tested || step == NullStep::Lost) continue;
    }
    bool isFirst = true;
    for (const clang::CFGBlock::AdjacentBlock& edge : at.block->succs()) {
      const bool isNullSide = isOurs && test->holdsIfNull == isFirst;
      isFirst = false;
      const clang::CFGBlock* next = edge.getReachableBlock();
      if (!next || (step == NullStep::NullSide && !isNullSide) || (step == NullStep::SetSide && isNullSide))
        continue;
      if (seen.insert(next).second) open.push_back({next, 0});
    }
  }
  return walk;
}

NullFlow::Walk NullFlow::walkFromEntry(const clang::VarDecl& variable, Ask ask) const {
  return walk({&graph_->getEntry(), 0}, variable, ask);
}

std::set<const clang::CFGBlock*> NullFlow::reachedWithout(const clang::CFGBlock* without,
                                                          unsigned side) const {
  std::set<const clang::CFGBlock*> seen = {&graph_->getEntry()};
  std::vector<const clang::CFGBlock*> open = {&graph_->getEntry()};
  while (!open.empty()) {
    const clang::CFGBlock* block = open.back();
    open.pop_back();
    if (block->hasNoReturnElement() || isEnd(*block)) continue;
    unsigned edge = 0;
    for (const clang::CFGBlock::AdjacentBlock& next : block->succs()) {
      const bool isLeft = block == without && edge == side;
      ++edge;
      if (const clang::CFGBlock* to = next.getReachableBlock(); to && !isLeft && seen.insert(to).second)
        open.push_back(to);
    }
  }
  return seen;
}

}  // namespace heddle
