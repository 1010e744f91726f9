#include "analysis/survey/passed_bounds.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "analysis/survey/block_states.h"
#include "analysis/survey/index_bounds.h"
#include "analysis/survey/source_line.h"
#include "analysis/survey/tested_call.h"
#include "clang/Analysis/CFG.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace heddle {
namespace {

struct BoundedArray {
  uint64_t size = 0;  // 0: none, or not known
  const clang::ValueDecl* named = nullptr;
};

const clang::ValueDecl* arrayName(const clang::Expr& array) {
  const clang::Expr* stripped = array.IgnoreParenCasts();
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(stripped)) return reference->getDecl();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(stripped)) return member->getMemberDecl();
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(stripped))
    return arrayName(*element->getBase());
  return nullptr;
}

/// The array that a pointer is the beginning of.
BoundedArray decayedArray(const clang::Expr& pointer, const clang::ASTContext& context) {
  const auto* cast = llvm::dyn_cast<clang::CastExpr>(pointer.IgnoreParens());
  if (!cast || cast->getCastKind() != clang::CK_ArrayToPointerDecay) return {};
  const clang::Expr& array = *cast->getSubExpr();
  const clang::ConstantArrayType* type = context.getAsConstantArrayType(array.getType());
  const clang::ValueDecl* named = arrayName(array);
  // One element stands for as many as were allocated.
  if (!type || !named || type->getZExtSize() < 2) return {};
  return {type->getZExtSize(), named};
}

const clang::VarDecl* pointerVariable(const clang::Expr& expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenImpCasts());
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  const bool isPointer = variable && variable->hasLocalStorage() && variable->getType()->isPointerType();
  return isPointer ? variable : nullptr;
}

void addSize(PassedBounds::Sizes& sizes, const clang::VarDecl& pointer, uint64_t size) {
  const auto [known, isNew] = sizes.try_emplace(&pointer, size);
  if (!isNew && known->second != size) known->second = 0;
}

/// Of what the function's pointers are set to.
void addPointers(const clang::Stmt& part, const clang::ASTContext& context, PassedBounds::Sizes& sizes) {
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&part)) {
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one); variable && variable->getInit())
        addSize(sizes, *variable, decayedArray(*variable->getInit(), context).size);
  } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&part);
             binary && binary->isAssignmentOp()) {
    const bool isPlain = binary->getOpcode() == clang::BO_Assign;
    if (const clang::VarDecl* variable = pointerVariable(*binary->getLHS()))
      addSize(sizes, *variable, isPlain ? decayedArray(*binary->getRHS(), context).size : 0);
  } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&part);
             unary && (unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf)) {
    if (const clang::VarDecl* variable = pointerVariable(*unary->getSubExpr())) addSize(sizes, *variable, 0);
  }
  for (const clang::Stmt* child : part.children())
    if (child) addPointers(*child, context, sizes);
}

/// What runs along the ways of one function.
class BoundedUses {
 public:
  BoundedUses(clang::ASTContext& context, const clang::FunctionDecl& function, PassedBounds::Sizes pointers,
              std::vector<ValueSlip>& slips)
      : context_(context),
        function_(function),
        pointers_(std::move(pointers)),
        slips_(slips),
        uses_(*function.getBody(), context) {}

  void follow(const clang::CFG& graph) {
    auto before = followBlocks(
        graph, IndexBounds(uses_), [&](const auto& block, IndexBounds& bounds) { run(block, bounds, false); },
        [](const auto& block, bool isFirst, IndexBounds& bounds) {
          if (const clang::Expr* condition = branchCondition(block)) bounds.assume(*condition, isFirst);
          return true;
        },
        [](IndexBounds& into, const IndexBounds& from) { return into.meet(from); });
    for (auto& [block, bounds] : LastFirst(before)) run(*block, bounds, true);
  }

 private:
  void run(const clang::CFGBlock& block, IndexBounds& bounds, bool isTold) {
    for (const clang::CFGElement& element : block) {
      const auto part = element.getAs<clang::CFGStmt>();
      if (!part) continue;
      const clang::Stmt& statement = *part->getStmt();
      if (isTold) look(statement, bounds);
      bounds.run(statement);
    }
  }

  /// What the statement itself reads or writes, or gives on.
  void look(const clang::Stmt& statement, const IndexBounds& bounds) {
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&statement)) {
      if (cast->getCastKind() == clang::CK_LValueToRValue) lookAt(*cast->getSubExpr(), bounds);
    } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&statement)) {
      if (binary->isAssignmentOp()) lookAt(*binary->getLHS(), bounds);
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&statement)) {
      if (unary->isIncrementDecrementOp()) lookAt(*unary->getSubExpr(), bounds);
      if (unary->getOpcode() == clang::UO_AddrOf) lookAtMask(*unary->getSubExpr(), bounds);
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement)) {
      lookAtArguments(*call, bounds);
    }
  }

  /// The address of an element that a mask chooses is no end.
  void lookAtMask(const clang::Expr& place, const IndexBounds& bounds) {
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place.IgnoreParens());
    if (element && isMask(*element->getIdx())) lookAt(place, bounds);
  }

  void lookAtArguments(const clang::CallExpr& call, const IndexBounds& bounds) {
    for (const clang::Expr* argument : call.arguments()) {
      const clang::Expr* given = argument->IgnoreParenCasts();
      const auto* address = llvm::dyn_cast<clang::UnaryOperator>(given);
      const bool isAddress = address && address->getOpcode() == clang::UO_AddrOf;
      if (isAddress) given = address->getSubExpr()->IgnoreParens();
      if ((isAddress || given->getType()->isArrayType()) && !isRange(call, *argument, arrayName(*given)))
        lookAt(*given, bounds);
    }
  }

  /// Beside the array itself the argument may be an end, beside a number the beginning of nothing.
  bool isRange(const clang::CallExpr& call, const clang::Expr& argument,
               const clang::ValueDecl* array) const {
    return std::any_of(call.arg_begin(), call.arg_end(), [&](const clang::Expr* other) {
      if (other == &argument) return false;
      const bool isNumber = other->getType()->isIntegerType() && !other->isEvaluatable(context_);
      return isNumber || (array && mentions(*other, *array));
    });
  }

  static bool mentions(const clang::Stmt& part, const clang::ValueDecl& array) {
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&part))
      if (reference->getDecl() == &array) return true;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&part))
      if (member->getMemberDecl() == &array) return true;
    for (const clang::Stmt* child : part.children())
      if (child && mentions(*child, array)) return true;
    return false;
  }

  void lookAt(const clang::Expr& expression, const IndexBounds& bounds) {
    const clang::Expr* place = expression.IgnoreParens();
    while (true) {
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
        if (member->isArrow()) return;
        place = member->getBase()->IgnoreParens();
        continue;
      }
      const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place);
      if (!element) return;
      lookAtElement(*element, bounds);
      const auto* base = llvm::dyn_cast<clang::CastExpr>(element->getBase()->IgnoreParens());
      if (!base || base->getCastKind() != clang::CK_ArrayToPointerDecay) return;
      place = base->getSubExpr()->IgnoreParens();
    }
  }

  BoundedArray arrayOf(const clang::Expr& base) const {
    const BoundedArray array = decayedArray(base, context_);
    const clang::VarDecl* pointer = array.named ? nullptr : pointerVariable(base);
    const auto known = pointer ? pointers_.find(pointer) : pointers_.end();
    return known == pointers_.end() ? array : BoundedArray{known->second, pointer};
  }

  bool isMask(const clang::Expr& index) const {
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&withoutCasts(index, context_));
    return binary && (binary->getOpcode() == clang::BO_And || binary->getOpcode() == clang::BO_Rem);
  }

  /// Much larger, and no number of bytes: the check is one of something else.
  bool isPassed(int64_t most, const clang::ArraySubscriptExpr& element, uint64_t elements) const {
    const auto size = static_cast<int64_t>(elements);
    const int64_t bytes = size * context_.getTypeSizeInChars(element.getType()).getQuantity();
    if (most < size) return false;
    return most <= size + 1 || most == bytes || most == bytes - 1 || isMask(*element.getIdx());
  }

  void lookAtElement(const clang::ArraySubscriptExpr& element, const IndexBounds& bounds) {
    const BoundedArray array = arrayOf(*element.getBase());
    const clang::Expr& index = *element.getIdx();
    const auto bound = array.size != 0 ? bounds.of(index) : std::nullopt;
    if (!bound || bound->line == 0 || !isPassed(bound->most, element, array.size)) return;
    const clang::SourceManager& sources = context_.getSourceManager();
    if (sources.isMacroBodyExpansion(element.getExprLoc())) return;
    if (!told_.insert({array.named, bound->line}).second) return;
    const auto range = clang::Lexer::makeFileCharRange(
        clang::CharSourceRange::getTokenRange(index.getSourceRange()), sources, context_.getLangOpts());
    const auto text = clang::Lexer::getSourceText(range, sources, context_.getLangOpts());
    slips_.push_back({ValueSlip::Kind::BoundPassed, text.empty() ? "the index" : text.str(),
                      function_.getName().str(), lineOf(element.getBeginLoc(), sources), bound->line,
                      array.named->getName().str()});
  }

  clang::ASTContext& context_;
  const clang::FunctionDecl& function_;
  const PassedBounds::Sizes pointers_;
  std::vector<ValueSlip>& slips_;
  const IndexUses uses_;
  std::set<std::pair<const clang::ValueDecl*, uint32_t>> told_;
};

}  // namespace

void PassedBounds::addCall(const clang::CallExpr& call, const Sizes& locals) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  const clang::FunctionDecl* body = callee ? callee->getDefinition() : nullptr;
  if (!body || body->isExternallyVisible()) return;
  for (unsigned i = 0; i < std::min(call.getNumArgs(), body->getNumParams()); ++i) {
    const clang::VarDecl* pointer = pointerVariable(*call.getArg(i));
    const auto local = pointer ? locals.find(pointer) : locals.end();
    addSize(given_, *body->getParamDecl(i),
            local != locals.end() ? local->second : decayedArray(*call.getArg(i), context_).size);
  }
}

void PassedBounds::addCalls(const clang::Stmt& part, const Sizes& locals) {
  const clang::Expr* named = nullptr;  // the callee, which is no other use of its name
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&part)) {
    addCall(*call, locals);
    named = call->getDirectCallee() ? call->getCallee() : nullptr;
  }
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&part);
  const auto* function = reference ? llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()) : nullptr;
  // Whoever knows its address may give it anything.
  if (const clang::FunctionDecl* body = function ? function->getDefinition() : nullptr)
    for (const clang::ParmVarDecl* parameter : body->parameters()) given_[parameter] = 0;
  for (const clang::Stmt* child : part.children())
    if (child && child != named) addCalls(*child, locals);
}

void PassedBounds::addCalls() {
  for (const clang::Decl* declared : context_.getTranslationUnitDecl()->decls()) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared); variable && variable->getInit())
      addCalls(*variable->getInit(), {});
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declared);
    if (!function || !function->doesThisDeclarationHaveABody() || !function->getBody()) continue;
    Sizes locals;
    addPointers(*function->getBody(), context_, locals);
    addCalls(*function->getBody(), locals);
  }
}

void PassedBounds::add(const clang::FunctionDecl& function, Survey& survey) {
  if (!function.getIdentifier() || function.isDependentContext() || !function.getBody()) return;
  if (!knowsCalls_) addCalls();
  knowsCalls_ = true;
  Sizes pointers;
  for (const clang::ParmVarDecl* parameter : function.parameters())
    if (const auto given = given_.find(parameter); parameter->getType()->isPointerType())
      pointers[parameter] = given == given_.end() ? 0 : given->second;
  addPointers(*function.getBody(), context_, pointers);
  if (const clang::CFG* graph = flows_.graphOf(function))
    BoundedUses(context_, function, std::move(pointers), survey.valueSlips).follow(*graph);
}

}  // namespace heddle
