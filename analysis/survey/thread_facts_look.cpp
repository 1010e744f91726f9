#include "analysis/survey/thread_facts_look.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "analysis/survey/data_name.h"
#include "analysis/survey/lock_calls.h"
#include "analysis/survey/lock_name.h"
#include "analysis/survey/lock_place.h"
#include "analysis/survey/source_line.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

namespace heddle {
namespace {

/// Of the structure or typedef, as names of members begin.
std::string recordNameOf(clang::QualType type) {
  const clang::RecordDecl* record = type->getAsRecordDecl();
  if (!record) return "";
  const auto* named = record->getTypedefNameForAnonDecl();
  return record->getName().empty() && named ? named->getName().str() : record->getName().str();
}

const clang::VarDecl* globalOf(const clang::Expr* part) {
  while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(part)) {
    if (member->isArrow()) return nullptr;
    part = member->getBase()->IgnoreParenCasts();
  }
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part);
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->hasGlobalStorage() ? variable : nullptr;
}

/// "*S.lock" of a pointer that data names, "*T" of a local one whose typedef speaks of atomic operations.
std::string pointeeName(const clang::Expr& pointer) {
  const clang::Expr* stripped = pointer.IgnoreParenCasts();
  const clang::QualType type = stripped->getType();
  if (!type->isPointerType()) return "";
  if (const std::string data = dataName(*stripped); !data.empty()) return "*" + data;
  const auto* named = type->getPointeeType()->getAs<clang::TypedefType>();
  if (!named || !llvm::isa<clang::DeclRefExpr>(stripped)) return "";
  const llvm::StringRef name = named->getDecl()->getName();
  return hasWord(name, {"atomic", "atomics"}) ? "*" + name.str() : "";
}

class FactsVisitor : public clang::RecursiveASTVisitor<FactsVisitor> {
 public:
  FactsVisitor(clang::ASTContext& context, const clang::FunctionDecl& function, ThreadFacts& facts)
      : context_(context),
        sources_(context.getSourceManager()),
        function_(function.getName().str()),
        facts_(facts) {
    const clang::Stmt* body = function.getBody();
    always_.insert(body->child_begin(), body->child_end());
  }

  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool VisitIfStmt(clang::IfStmt* branch) {
    mark(branch->getCond(), tested_);
    noteHandLock(*branch);
    return true;
  }
  bool VisitWhileStmt(clang::WhileStmt* loop) {
    noteLoop(loop->getCond(), loop->getBody());
    return true;
  }
  bool VisitDoStmt(clang::DoStmt* loop) {
    mark(loop->getCond(), tested_);
    return true;
  }
  bool VisitForStmt(clang::ForStmt* loop) {
    noteLoop(loop->getCond(), loop->getBody());
    return true;
  }
  bool VisitConditionalOperator(clang::ConditionalOperator* choice) {
    mark(choice->getCond(), tested_);
    return true;
  }
  bool TraverseForStmt(clang::ForStmt* loop) {
    return inLoop([&] { return Base::TraverseForStmt(loop); });
  }
  bool TraverseWhileStmt(clang::WhileStmt* loop) {
    return inLoop([&] { return Base::TraverseWhileStmt(loop); });
  }
  bool TraverseDoStmt(clang::DoStmt* loop) {
    return inLoop([&] { return Base::TraverseDoStmt(loop); });
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) {
    if (!operation->isAssignmentOp()) return true;
    const clang::Expr* target = operation->getLHS()->IgnoreParenCasts();
    Written& written = written_[target];
    written.isStep = operation->isCompoundAssignmentOp();
    if (const auto value = constantOf(operation->getRHS()))
      (*value == 0 ? written.isZero : written.isOther) = true;
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) {
    if (operation->isIncrementDecrementOp())
      written_[operation->getSubExpr()->IgnoreParenCasts()].isStep = true;
    if (operation->getOpcode() == clang::UO_AddrOf)
      addressed_.insert(operation->getSubExpr()->IgnoreParenCasts());
    if (operation->getOpcode() == clang::UO_Deref)
      note(*operation, pointeeName(*operation->getSubExpr()), operation->getType());
    return true;
  }
  bool VisitAtomicExpr(clang::AtomicExpr* operation) {
    using Op = clang::AtomicExpr::AtomicOp;
    const Op kind = operation->getOp();
    const bool isLoad = kind == Op::AO__c11_atomic_load || kind == Op::AO__atomic_load ||
                        kind == Op::AO__atomic_load_n || kind == Op::AO__c11_atomic_init;
    const bool isStore =
        kind == Op::AO__c11_atomic_store || kind == Op::AO__atomic_store || kind == Op::AO__atomic_store_n;
    atomically(operation->getPtr(), isLoad    ? DataUse::Kind::Load
                                    : isStore ? DataUse::Kind::Store
                                              : DataUse::Kind::Change);
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field && !field->isBitField()) note(*member, memberName(*member), field->getType());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    if (const auto* constant = llvm::dyn_cast<clang::EnumConstantDecl>(reference->getDecl());
        constant && constant->getName().contains("_RECURSIVE"))
      facts_.hasRecursive = true;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable && variable->hasGlobalStorage() && variable->getTLSKind() == clang::VarDecl::TLS_None &&
        !variable->getType().isConstQualified())
      note(*reference, variableName(*variable), variable->getType());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee) return noteHookCall(*call);
    if (!callee->getIdentifier()) return true;
    const llvm::StringRef name = callee->getName();
    if (isThreadStart(name) || name.contains("pthread_create")) noteStart(*call);
    if (isAssertionOfLock(name) && call->getNumArgs() != 0 && always_.contains(call))
      if (std::string lock = dataName(*withoutAddress(lockArgument(*call))); !lock.empty())
        facts_.assertions.push_back({std::move(lock), function_, lineOf(call->getExprLoc(), sources_)});
    if (call->getNumArgs() != 0) noteAtomicCall(*call, name);
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  using Base = clang::RecursiveASTVisitor<FactsVisitor>;
  struct Written {
    bool isStep = false, isZero = false, isOther = false;
  };

  template <typename Work>
  bool inLoop(Work work) {
    ++loops_;
    work();
    --loops_;
    return true;
  }

  std::optional<int64_t> constantOf(const clang::Expr* value) const {
    clang::Expr::EvalResult result;
    if (value->isValueDependent() || !value->getType()->isIntegralOrEnumerationType() ||
        !value->EvaluateAsInt(result, context_))
      return std::nullopt;
    const llvm::APSInt& number = result.Val.getInt();
    return number.isRepresentableByInt64() ? std::optional(number.getExtValue()) : std::nullopt;
  }

  /// All data that the condition reads.
  void mark(const clang::Stmt* condition, std::set<const clang::Expr*>& marked) const {
    if (!condition) return;
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(condition)) marked.insert(expression);
    for (const clang::Stmt* part : condition->children()) mark(part, marked);
  }

  /// The loop ends when one of these is 0.
  void markNeeded(const clang::Expr* condition) {
    const clang::Expr* plain = condition->IgnoreParenImpCasts();
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(plain);
    if (binary && binary->getOpcode() == clang::BO_LAnd) {
      markNeeded(binary->getLHS());
      markNeeded(binary->getRHS());
    } else if (binary && binary->isEqualityOp()) {
      const auto value = constantOf(binary->getRHS());
      if (value && (*value != 0) == (binary->getOpcode() == clang::BO_EQ))
        needed_.insert(binary->getLHS()->IgnoreParenCasts());
    } else if (!binary) {
      needed_.insert(plain->IgnoreParenCasts());
    }
  }

  void noteLoop(const clang::Expr* condition, const clang::Stmt* body) {
    if (!condition) return;
    mark(condition, tested_);
    markNeeded(condition);
    const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(body);
    const bool isIdle = !body || llvm::isa<clang::NullStmt>(body) || llvm::isa<clang::CallExpr>(body) ||
                        (block && (block->body_empty() ||
                                   (block->size() == 1 && llvm::isa<clang::CallExpr>(block->body_front()))));
    if (!isIdle) return;
    std::set<const clang::Expr*> parts;
    mark(condition, parts);
    for (const clang::Expr* part : parts)
      if (const std::string data = dataName(*part); !data.empty()) facts_.spun.insert(data);
  }

  /// `if (!x) { x = 1; …`: the first that the branch does.
  void noteHandLock(const clang::IfStmt& branch) {
    const clang::Expr* tested = branch.getCond()->IgnoreParenImpCasts();
    const clang::Expr* place = nullptr;
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(tested);
        unary && unary->getOpcode() == clang::UO_LNot)
      place = unary->getSubExpr()->IgnoreParenCasts();
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(tested);
        binary && binary->getOpcode() == clang::BO_EQ)
      if (const auto value = constantOf(binary->getRHS()); value && *value == 0)
        place = binary->getLHS()->IgnoreParenCasts();
    const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(branch.getThen());
    if (!place || !block || block->body_empty()) return;
    const auto* set = llvm::dyn_cast<clang::BinaryOperator>(block->body_front());
    const std::string data = dataName(*place);
    if (data.empty() || !set || set->getOpcode() != clang::BO_Assign || dataName(*set->getLHS()) != data)
      return;
    const auto value = constantOf(set->getRHS());
    if (value && *value != 0 && !place->getType()->isAtomicType())
      facts_.handLocks.push_back(
          {data, function_, lineOf(place->getExprLoc(), sources_), lineOf(set->getExprLoc(), sources_)});
  }

  bool noteHookCall(const clang::CallExpr& call) {
    const clang::Expr* callee = call.getCallee()->IgnoreParenCasts();
    if (const auto* deref = llvm::dyn_cast<clang::UnaryOperator>(callee);
        deref && deref->getOpcode() == clang::UO_Deref)
      callee = deref->getSubExpr()->IgnoreParenCasts();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(callee))
      facts_.hookCalls.push_back({memberName(*member), function_, lineOf(member->getExprLoc(), sources_)});
    return true;
  }

  /// The argument of the thread stands behind its function.
  void noteStart(const clang::CallExpr& call) {
    for (unsigned i = 0; i < call.getNumArgs(); ++i) {
      const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(withoutAddress(call.getArg(i)));
      const auto* thread = reference ? llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()) : nullptr;
      if (!thread || !thread->getIdentifier()) continue;
      ThreadStart start{function_, thread->getName().str(), lineOf(call.getExprLoc(), sources_), "", false,
                        loops_ > 0};
      if (i + 1 < call.getNumArgs()) {
        const clang::Expr* argument = call.getArg(i + 1)->IgnoreParenCasts();
        if (argument->getType()->isPointerType())
          start.record = recordNameOf(argument->getType()->getPointeeType());
        const auto place = lockPlaceOf(*argument);
        // Each of many has its own.
        if (place && place->text.find('[') != std::string::npos) start.record.clear();
        start.isInLoop =
            loops_ > 0 && place && place->text.find('[') == std::string::npos &&
            std::all_of(place->variables.begin(), place->variables.end(),
                        [](const clang::ValueDecl* one) { return llvm::isa<clang::ParmVarDecl>(one); });
      }
      facts_.starts.push_back(std::move(start));
    }
  }

  void atomically(const clang::Expr* pointer, DataUse::Kind kind) {
    const clang::Expr* stripped = pointer->IgnoreParenCasts();
    const auto* address = llvm::dyn_cast<clang::UnaryOperator>(stripped);
    if (address && address->getOpcode() == clang::UO_AddrOf) {
      atomic_[address->getSubExpr()->IgnoreParenCasts()] = kind;
    } else if (std::string data = pointeeName(*stripped); !data.empty()) {
      push(*stripped, std::move(data), stripped->getType()->getPointeeType(), kind);
    }
  }

  void noteAtomicCall(const clang::CallExpr& call, llvm::StringRef name) {
    const bool isBuiltin = name.starts_with("__sync_") || name.starts_with("__atomic_");
    if (!isBuiltin && !hasWord(name, {"atomic", "atomics"})) return;
    if (hasWord(name, {"init"})) return;
    const bool isLoad = hasWord(name, {"load", "read", "get"}) && !hasWord(name, {"set", "add", "swap"});
    const bool isStore = hasWord(name, {"store", "write", "release"}) ||
                         (hasWord(name, {"set"}) && !hasWord(name, {"cmp", "compare", "test", "and", "bit"}));
    for (const clang::Expr* argument : call.arguments())
      if (argument->getType()->isPointerType())
        atomically(argument, isLoad    ? DataUse::Kind::Load
                             : isStore ? DataUse::Kind::Store
                                       : DataUse::Kind::Change);
  }

  void note(const clang::Expr& expression, std::string data, clang::QualType type) {
    if (data.empty()) return;
    if (const auto known = atomic_.find(&expression); known != atomic_.end()) {
      push(expression, std::move(data), type, known->second);
      return;
    }
    if (addressed_.contains(&expression) || type->isAtomicType() || type->isArrayType() ||
        type->isRecordType())
      return;
    const auto written = written_.find(&expression);
    const DataUse::Kind kind = written == written_.end() ? DataUse::Kind::Read
                               : written->second.isStep  ? DataUse::Kind::Step
                                                         : DataUse::Kind::Write;
    DataUse& use = push(expression, std::move(data), type, kind);
    if (written == written_.end()) return;
    use.isZero = kind == DataUse::Kind::Write && written->second.isZero;
    use.isOther = kind == DataUse::Kind::Write && written->second.isOther;
  }

  DataUse& push(const clang::Expr& expression, std::string data, clang::QualType type, DataUse::Kind kind) {
    DataUse& use = facts_.uses.emplace_back();
    use.data = std::move(data);
    use.function = function_;
    use.line = lineOf(expression.getExprLoc(), sources_);
    use.kind = kind;
    use.isTested = tested_.contains(&expression);
    use.isNeeded = needed_.contains(&expression);
    use.isOfMacro = sources_.isMacroBodyExpansion(expression.getExprLoc());
    use.isFlag =
        type->isIntegralOrEnumerationType() && type.getAsString().find("sig_atomic_t") == std::string::npos;
    if (const clang::VarDecl* variable = globalOf(&expression)) use.variable = variable->getName().str();
    return use;
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  const std::string function_;
  ThreadFacts& facts_;
  std::set<const clang::Expr*> tested_, needed_, addressed_;
  std::map<const clang::Expr*, Written> written_;
  std::map<const clang::Expr*, DataUse::Kind> atomic_;
  std::set<const clang::Stmt*> always_;  // statements of no branch
  unsigned loops_ = 0;
};

}  // namespace

void ThreadFactsLook::add(const clang::FunctionDecl& function, ThreadFacts& facts) const {
  FactsVisitor(context_, function, facts).TraverseStmt(function.getBody());
}

void ThreadFactsLook::finish(ThreadFacts& facts) {
  if (!facts.starts.empty()) return;
  std::set<std::string> wanted, variables;
  for (const TestedAndSet& lock : facts.handLocks) wanted.insert(lock.data);
  for (const DataUse& use : facts.uses) {
    if (!use.isAtomic()) continue;
    wanted.insert(use.data);
    if (!use.variable.empty()) variables.insert(use.variable);
  }
  std::erase_if(facts.uses, [&](const DataUse& use) {
    const bool isSibling = use.kind == DataUse::Kind::Step && variables.contains(use.variable);
    return !wanted.contains(use.data) && !isSibling;
  });
}

}  // namespace heddle
