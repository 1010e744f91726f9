#include "analysis/survey/function_survey.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "analysis/survey/data_name.h"
#include "analysis/survey/lock_calls.h"
#include "analysis/survey/lock_name.h"
#include "analysis/survey/pointed_data.h"
#include "analysis/survey/reference_count.h"
#include "analysis/survey/source_line.h"
#include "analysis/survey/taken_types.h"
#include "analysis/survey/type_survey.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

namespace heddle {

namespace {

class BodyVisitor : public clang::RecursiveASTVisitor<BodyVisitor> {
 public:
  BodyVisitor(clang::ASTContext& context, TypeSurvey& types, SurveyFunction& out)
      : context_(context),
        sources_(context.getSourceManager()),
        types_(types),
        out_(out),
        taken_(types, out),
        pointed_(context, out) {}

  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool VisitBinaryOperator(clang::BinaryOperator* operation) {
    if (!operation->isAssignmentOp()) return true;
    const clang::Expr* target = operation->getLHS()->IgnoreParenCasts();
    written_.insert(target);
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(target);
        reference && isMade(operation->getRHS()))
      fresh_.insert(llvm::dyn_cast<clang::VarDecl>(reference->getDecl()));
    return true;
  }
  bool VisitCompoundStmt(clang::CompoundStmt* block) {
    for (const clang::Stmt* statement : block->body()) dropped_.insert(statement);
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* branch) {
    dropped_.insert(branch->getThen());
    dropped_.insert(branch->getElse());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) {
    if (operation->isIncrementDecrementOp()) written_.insert(operation->getSubExpr()->IgnoreParenCasts());
    if (operation->getOpcode() == clang::UO_AddrOf)
      addressed_.insert(operation->getSubExpr()->IgnoreParenCasts());
    if (operation->getOpcode() == clang::UO_Deref)
      pointed_.add(*operation->getSubExpr(), written_.contains(operation), held_,
                   lineOf(operation->getExprLoc(), context_));
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) {
    pointed_.add(*element->getBase(), written_.contains(element), held_,
                 lineOf(element->getExprLoc(), context_));
    return true;
  }
  bool VisitCastExpr(clang::CastExpr* cast) {
    taken_.add(*cast);
    return true;
  }
  bool VisitAtomicExpr(clang::AtomicExpr* operation) {
    out_.isAtomic = true;
    const auto kind = operation->getOp();
    const bool isLoad = kind == clang::AtomicExpr::AO__c11_atomic_load ||
                        kind == clang::AtomicExpr::AO__atomic_load ||
                        kind == clang::AtomicExpr::AO__atomic_load_n;
    atomically(operation->getPtr(), !isLoad);
    return true;
  }
  /// Barriers, and atomic operations that are written so.
  bool VisitGCCAsmStmt(clang::GCCAsmStmt* assembly) {
    if (isOrdering(*assembly)) out_.isAtomic = true;
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field) access(*member, memberName(*member), field->getType(), variableOf(*member), isOwn(*member));
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl());
        function && function->getIdentifier() && !called_.contains(reference))
      out_.addressed.insert(function->getName().str());
    const auto* named = llvm::dyn_cast<clang::NamedDecl>(reference->getDecl());
    if (named && named->getIdentifier() && named->hasExternalFormalLinkage())
      out_.uses.insert(named->getName().str());
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable && variable->hasGlobalStorage() && variable->getTLSKind() == clang::VarDecl::TLS_None &&
        !variable->getType()->isRecordType() && !variable->getType().isConstQualified())
      access(*reference, variableName(*variable), variable->getType(), variable, false);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (isMade(variable->getInit())) fresh_.insert(variable);
    if (const auto* cleanup = variable->getAttr<clang::CleanupAttr>())
      out_.addressed.insert(cleanup->getFunctionDecl()->getName().str());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier()) return true;
    called_.insert(call->getCallee()->IgnoreParenCasts());
    const llvm::StringRef name = callee->getName();
    noteCall(name.str());
    notePassed(name.str(), *call);
    pointed_.addPassed(*call, held_, lineOf(call->getExprLoc(), context_));
    out_.calls.push_back({name.str(), lineOf(call->getExprLoc(), context_), held_, isFallibleLock(*callee),
                          dropped_.contains(call)});
    if (name.starts_with("__sync_") || name.starts_with("__atomic_")) {
      out_.isAtomic = true;
      if (call->getNumArgs() != 0) atomically(call->getArg(0), true);
    } else if (isAtomicByAssembly(*callee)) {
      for (const clang::Expr* argument : call->arguments()) atomically(argument, true);
    }
    if (isWait(name)) out_.waits = true;
    if (hasSharedResult(name) && held_.empty())
      out_.sharedResults.try_emplace(name.str(), lineOf(call->getExprLoc(), context_));
    if (name.ends_with("_init") && hasLockArgument(*call)) {
      const std::string data = dataName(*withoutAddress(lockArgument(*call)));
      out_.setsUpGlobals |= !data.empty() && data.find('.') == std::string::npos;
    }
    if (name.ends_with("join")) started_.clear();
    if (isThreadStart(name)) noteStart(*call);
    if (isAssertionOfLock(name) && call->getNumArgs() != 0) held_.insert(lockNameOf(*call));
    const LockCall what = lockCallOf(name);
    if (what == LockCall::None) return true;
    const std::string lock = lockNameOf(*call);
    if (what == LockCall::Lock) {
      out_.locks = true;
      out_.taken.insert(lock);
      header_.taken.insert(lock);
      held_.insert(lock);
    } else {
      out_.released.insert(lock);
      header_.released.insert(lock);
      held_.erase(lock);
    }
    return true;
  }
  /// A way that leaves by a jump says nothing of what is held behind it; one of two ways that goes on does.
  bool TraverseIfStmt(clang::IfStmt* branch) {
    TraverseStmt(branch->getInit());
    TraverseStmt(branch->getConditionVariableDeclStmt());
    TraverseStmt(branch->getCond());
    const std::set<std::string> before = held_;
    ++depth_;
    TraverseStmt(branch->getThen());
    std::set<std::string> behind = endsInJump(branch->getThen()) ? std::set<std::string>() : held_;
    held_ = before;
    TraverseStmt(branch->getElse());
    --depth_;
    if (!branch->getElse() || !endsInJump(branch->getElse())) behind.insert(held_.begin(), held_.end());
    held_ = std::move(behind);
    return true;
  }
  bool TraverseSwitchStmt(clang::SwitchStmt* choice) {
    TraverseStmt(choice->getInit());
    TraverseStmt(choice->getConditionVariableDeclStmt());
    TraverseStmt(choice->getCond());
    choices_.push_back(held_);
    TraverseStmt(choice->getBody());
    held_ = std::move(choices_.back());
    choices_.pop_back();
    return true;
  }
  bool VisitSwitchCase(clang::SwitchCase*) {
    if (!choices_.empty()) held_ = choices_.back();
    return true;
  }
  /// Blocks that are written as a loop take a lock in its head and release it there.
  bool TraverseForStmt(clang::ForStmt* loop) {
    const HeaderLocks outer = std::exchange(header_, {});
    TraverseStmt(loop->getInit());
    TraverseStmt(loop->getConditionVariableDeclStmt());
    TraverseStmt(loop->getCond());
    TraverseStmt(loop->getInc());
    const HeaderLocks own = std::exchange(header_, outer);
    TraverseStmt(loop->getBody());
    for (const std::string& lock : own.taken)
      if (own.released.contains(lock)) held_.erase(lock);
    return true;
  }
  bool VisitGotoStmt(clang::GotoStmt* jump) {
    atLabel_[jump->getLabel()].insert(held_.begin(), held_.end());
    return true;
  }
  bool VisitLabelStmt(clang::LabelStmt* label) {
    const std::set<std::string>& known = atLabel_[label->getDecl()];
    held_.insert(known.begin(), known.end());
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  struct HeaderLocks {
    std::set<std::string> taken, released;
  };

  static bool endsInJump(const clang::Stmt* statement) {
    if (const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(statement))
      return !block->body_empty() && endsInJump(block->body_back());
    if (const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(statement))
      return branch->getElse() && endsInJump(branch->getThen()) && endsInJump(branch->getElse());
    if (const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(statement)) {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      return callee && callee->isNoReturn();
    }
    return statement && (llvm::isa<clang::ReturnStmt>(statement) || llvm::isa<clang::GotoStmt>(statement) ||
                         llvm::isa<clang::BreakStmt>(statement) || llvm::isa<clang::ContinueStmt>(statement));
  }

  /// Functions that the call is given, and that its thread begins in.
  void noteStart(const clang::CallExpr& call) {
    for (const clang::Expr* argument : call.arguments()) {
      const auto* started = llvm::dyn_cast<clang::DeclRefExpr>(withoutAddress(argument));
      const auto* function = started ? llvm::dyn_cast<clang::FunctionDecl>(started->getDecl()) : nullptr;
      if (!function) continue;
      out_.starts.insert(function->getName().str());
      started_.push_back({function->getName().str(), lineOf(call.getExprLoc(), context_), depth_});
    }
  }

  /// In a branch behind the start, or around it, the thread may not have been started.
  void noteBehindStarts(const SurveyAccess& access) {
    if (!access.isWrite || access.isOwn || !access.held.empty()) return;
    for (const Started& start : started_)
      if (start.depth == depth_ && *access.lines.begin() > start.line)
        out_.behindStarts.push_back({access.data, *access.lines.begin(), start.function, start.line});
  }

  /// Locks that are held at every call of it.
  void noteCall(const std::string& name) {
    out_.callees.insert(name);
    const auto [held, isFirst] = out_.heldAt.try_emplace(name, held_);
    if (!isFirst) std::erase_if(held->second, [&](const auto& lock) { return !held_.contains(lock); });
  }

  void notePassed(const std::string& name, const clang::CallExpr& call) {
    for (const clang::Expr* argument : call.arguments()) {
      const clang::Expr* given = withoutAddress(argument);
      const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(given);
      if (const auto* function =
              reference ? llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()) : nullptr;
          function && function->getIdentifier())
        out_.passed[name].insert(function->getName().str());
      const auto* member = llvm::dyn_cast<clang::MemberExpr>(given);
      const bool isPointer = given == argument->IgnoreParenCasts() && given->getType()->isPointerType();
      if (std::string data = dataName(*given); isPointer && !data.empty() && (!member || variableOf(*member)))
        out_.passed[name].insert(std::move(data));
    }
    if ((name == "pthread_setspecific" || name == "tss_set") && call.getNumArgs() == 2)
      out_.resetsKey |=
          call.getArg(1)->isNullPointerConstant(context_, clang::Expr::NPC_ValueDependentIsNull);
  }

  /// `place`: the address of what an atomic operation works on.
  void atomically(const clang::Expr* place, bool isWrite) {
    const clang::Expr* stripped = place->IgnoreParenCasts();
    const auto* address = llvm::dyn_cast<clang::UnaryOperator>(stripped);
    if (!address || address->getOpcode() != clang::UO_AddrOf) return;
    const clang::Expr* data = address->getSubExpr()->IgnoreParenCasts();
    atomic_.insert(data);
    if (isWrite) written_.insert(data);
  }

  /// A function of the project that takes a lock, and returns whether it could. What the file has of it must
  /// show that it can fail: a wrapper may return an int by habit.
  static bool isFallibleLock(const clang::FunctionDecl& callee) {
    const llvm::StringRef name = callee.getName();
    constexpr std::array<llvm::StringLiteral, 6> kLibraries = {"pthread_", "mtx_", "sem_",
                                                               "uv_",      "SDL_", "__"};
    const bool isOfLibrary = std::any_of(kLibraries.begin(), kLibraries.end(),
                                         [&](llvm::StringRef prefix) { return name.starts_with(prefix); });
    if (isOfLibrary || lockCallOf(name) != LockCall::Lock || isTry(name) || !hasLockWord(name)) return false;
    if (!callee.getReturnType()->isSignedIntegerType()) return false;
    const clang::FunctionDecl* definition = callee.getDefinition();
    if (!definition || !definition->hasBody()) return true;
    std::set<std::string> results;
    collectResults(*definition->getBody(), results);
    return results.size() > 1;
  }

  static bool hasLockWord(llvm::StringRef name) {
    return hasWord(name, {"lock", "rdlock", "wrlock", "rlock", "wlock"});
  }

  static void collectResults(const clang::Stmt& body, std::set<std::string>& results) {
    if (const auto* end = llvm::dyn_cast<clang::ReturnStmt>(&body); end && end->getRetValue()) {
      const clang::Expr* value = end->getRetValue()->IgnoreParenCasts();
      const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(value);
      if (llvm::isa<clang::ConditionalOperator>(value)) results.insert("other");
      results.insert(number ? std::to_string(number->getValue().getSExtValue()) : "?");
    }
    for (const clang::Stmt* part : body.children())
      if (part) collectResults(*part, results);
  }

  static bool isOrdering(const clang::GCCAsmStmt& assembly) {
    for (unsigned i = 0; i < assembly.getNumClobbers(); ++i)
      if (assembly.getClobber(i) == "memory") return true;
    return false;
  }

  /// An atomic operation that is written in assembly is a statement of its function; nothing deeper is looked
  /// at, for every call asks.
  static bool isAtomicByAssembly(const clang::FunctionDecl& callee) {
    const clang::FunctionDecl* definition = callee.getDefinition();
    const clang::Stmt* body = definition ? definition->getBody() : nullptr;
    return body && std::any_of(body->child_begin(), body->child_end(), [](const clang::Stmt* statement) {
             const auto* assembly = llvm::dyn_cast_or_null<clang::GCCAsmStmt>(statement);
             return assembly && isOrdering(*assembly);
           });
  }

  /// A call that makes an object which nobody else knows yet, by its name.
  static bool isMade(const clang::Expr* value) {
    const auto* call = value ? llvm::dyn_cast<clang::CallExpr>(value->IgnoreParenCasts()) : nullptr;
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    if (!callee || !callee->getIdentifier()) return false;
    const llvm::StringRef name = callee->getName();
    return name.contains_insensitive("alloc") || hasWord(name, {"new", "create", "make", "dup"});
  }

  /// Part of a variable of the function's own, or of an object that the function has just made.
  bool isOwn(const clang::MemberExpr& member) const {
    const clang::Expr* part = &member;
    bool isPointed = false;
    while (const auto* inner = llvm::dyn_cast<clang::MemberExpr>(part)) {
      if (isPointed) return false;
      isPointed = inner->isArrow();
      part = inner->getBase()->IgnoreParenCasts();
    }
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part);
    const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    return variable && variable->hasLocalStorage() && (!isPointed || fresh_.contains(variable));
  }

  /// The global variable that the member is a part of; null: none.
  static const clang::VarDecl* variableOf(const clang::MemberExpr& member) {
    const clang::Expr* part = &member;
    while (const auto* inner = llvm::dyn_cast<clang::MemberExpr>(part)) {
      if (inner->isArrow()) return nullptr;
      part = inner->getBase()->IgnoreParenCasts();
    }
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part);
    const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    return variable && variable->hasGlobalStorage() ? variable : nullptr;
  }

  /// A constant, a variable that only its function can name, or one that has an initial value.
  static bool isSetOtherwise(const clang::VarDecl& variable) {
    return !variable.isFileVarDecl() || variable.getType().isConstQualified() ||
           variable.getAnyInitializer() != nullptr || variable.getTLSKind() != clang::VarDecl::TLS_None;
  }

  /// "server.clients": a variable, or a part of one that no pointer leads to.
  static std::string pathOf(const clang::Expr& expression) {
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&expression)) {
      if (member->isArrow() || member->getMemberDecl()->getName().empty()) return "";
      const std::string whole = pathOf(*member->getBase()->IgnoreParenCasts());
      return whole.empty() ? "" : whole + "." + member->getMemberDecl()->getName().str();
    }
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&expression);
    return reference ? reference->getDecl()->getName().str() : "";
  }

  /// `variable`: the global one that it is or is a part of; null: none.
  void access(const clang::Expr& expression, const std::string& data, clang::QualType type,
              const clang::VarDecl* variable, bool isOwn) {
    if (data.empty() || type->isAtomicType() || type->isArrayType() || !lockKind(type).empty()) return;
    if (addressed_.contains(&expression)) out_.given.insert(data);
    // Its address is taken: whoever gets it accesses it.
    if (addressed_.contains(&expression) && type->isRecordType()) return;
    SurveyAccess found;
    found.data = data;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&expression)) found.whole = wholeName(*member);
    found.lines.insert(lineOf(expression.getExprLoc(), context_));
    found.isWrite = written_.contains(&expression);
    found.isPointer = type->isPointerType();
    found.isGlobal = variable != nullptr;
    found.isElsewhere = variable && variable->hasDefinition() == clang::VarDecl::DeclarationOnly;
    found.isStatic = variable && !variable->hasExternalFormalLinkage() && !type.isVolatileQualified();
    found.isOwn = isOwn;
    found.held = held_;
    if (atomic_.contains(&expression)) found.held.insert(kAtomically);
    if (found.isGlobalPointer() && !isSetOtherwise(*variable))
      if (std::string path = pathOf(expression); !path.empty())
        out_.globalPointers.try_emplace(std::move(path), SurveyGlobal{data, types_.of(type)});
    noteBehindStarts(found);
    out_.accesses.push_back(std::move(found));
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  TypeSurvey& types_;
  SurveyFunction& out_;
  TakenTypes taken_;
  PointedData pointed_;
  std::set<std::string> held_;
  HeaderLocks header_;                          // of the loop whose head is visited
  std::vector<std::set<std::string>> choices_;  // held where the switches around begin
  std::map<const clang::LabelDecl*, std::set<std::string>> atLabel_;
  std::set<const clang::Stmt*> dropped_;  // whose values nobody looks at
  std::set<const clang::Expr*> written_, addressed_, atomic_, called_;
  struct Started {
    std::string function;
    uint32_t line;
    unsigned depth;
  };
  std::vector<Started> started_;           // threads that no call has joined
  unsigned depth_ = 0;                     // of branches around
  std::set<const clang::VarDecl*> fresh_;  // they hold what the function has just made
};

}  // namespace

void surveyBody(clang::ASTContext& context, const clang::FunctionDecl& function, TypeSurvey& types,
                SurveyFunction& out) {
  BodyVisitor(context, types, out).TraverseStmt(function.getBody());
  surveyCounts(function, out);
}

}  // namespace heddle
