#include "analysis/survey/function_survey.h"

#include <algorithm>

#include "analysis/survey/type_survey.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

namespace heddle {

namespace {

/// What a call by that name does to the lock that its first argument points to.
enum class LockCall : uint8_t { None, Lock, Unlock };

/// Wrappers of a project are called like what they wrap; whole words only, for clocks and blocks are no
/// locks.
bool hasWord(llvm::StringRef name, std::initializer_list<llvm::StringRef> wanted) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  name.split(words, '_', -1, false);
  return std::any_of(words.begin(), words.end(), [&](llvm::StringRef word) {
    return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
  });
}

LockCall lockCallOf(llvm::StringRef name) {
  const auto has = [&](std::initializer_list<llvm::StringRef> wanted) { return hasWord(name, wanted); };
  if (has({"destroy", "init"})) return LockCall::None;
  if (has({"unlock", "release"})) return LockCall::Unlock;
  if (has({"lock", "trylock", "timedlock", "clocklock", "rdlock", "wrlock", "tryrdlock", "trywrlock",
           "acquire", "possess"}))
    return LockCall::Lock;
  return LockCall::None;
}

bool isWait(llvm::StringRef name) {
  return name.contains("cond_wait") || name.contains("cond_timedwait") || name.starts_with("sem_wait") ||
         name.starts_with("sem_timedwait") || name.contains("barrier_wait") || name.contains("cnd_wait") ||
         name == "pthread_join" || name == "thrd_join";
}

bool isCreate(llvm::StringRef name) {
  return name == "pthread_create" || name == "thrd_create" || name.ends_with("thread_create") ||
         hasWord(name, {"thread", "launch", "spawn"});
}

class BodyVisitor : public clang::RecursiveASTVisitor<BodyVisitor> {
 public:
  BodyVisitor(clang::ASTContext& context, TypeSurvey& types, SurveyFunction& out)
      : sources_(context.getSourceManager()), types_(types), out_(out) {}

  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool VisitBinaryOperator(clang::BinaryOperator* operation) {
    if (operation->isAssignmentOp()) written_.insert(operation->getLHS()->IgnoreParenCasts());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) {
    if (operation->isIncrementDecrementOp()) written_.insert(operation->getSubExpr()->IgnoreParenCasts());
    if (operation->getOpcode() == clang::UO_AddrOf)
      addressed_.insert(operation->getSubExpr()->IgnoreParenCasts());
    return true;
  }
  bool VisitCastExpr(clang::CastExpr* cast) {
    const clang::QualType target = cast->getType();
    if (!target->isPointerType() || !target->getPointeeType()->isRecordType()) return true;
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParenCasts());
    const auto* parameter = reference ? llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl()) : nullptr;
    if (!parameter || !parameter->getType()->isVoidPointerType()) return true;
    const unsigned index = parameter->getFunctionScopeIndex();
    if (index >= out_.parameters.size()) return true;
    SurveyType& type = out_.parameters[index].second;
    if (type.isGuessed) return true;
    type = types_.of(target);
    type.isGuessed = true;
    return true;
  }
  bool VisitAtomicExpr(clang::AtomicExpr*) {
    out_.isAtomic = true;
    return true;
  }
  /// Barriers, and atomic operations that are written so.
  bool VisitGCCAsmStmt(clang::GCCAsmStmt* assembly) {
    for (unsigned i = 0; i < assembly->getNumClobbers(); ++i)
      if (assembly->getClobber(i) == "memory") out_.isAtomic = true;
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field) access(*member, dataOf(*member), field->getType(), variableOf(*member));
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    const auto* named = llvm::dyn_cast<clang::NamedDecl>(reference->getDecl());
    if (named && named->getIdentifier() && named->hasExternalFormalLinkage())
      out_.uses.insert(named->getName().str());
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable && variable->hasGlobalStorage() && variable->getTLSKind() == clang::VarDecl::TLS_None &&
        !variable->getType()->isRecordType() && !variable->getType().isConstQualified())
      access(*reference, variable->getName().str(), variable->getType(), variable);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier()) return true;
    const llvm::StringRef name = callee->getName();
    out_.callees.insert(name.str());
    if (name.starts_with("__sync_") || name.starts_with("__atomic_")) out_.isAtomic = true;
    if (isWait(name)) out_.waits = true;
    if (isCreate(name)) {
      for (const clang::Expr* argument : call->arguments()) {
        const auto* started = llvm::dyn_cast<clang::DeclRefExpr>(withoutAddress(argument));
        if (!started) continue;
        if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(started->getDecl()))
          out_.starts.insert(function->getName().str());
      }
    }
    const LockCall what = lockCallOf(name);
    if (what == LockCall::None || call->getNumArgs() == 0) return true;
    const std::string lock = nameOf(*withoutAddress(call->getArg(0)));
    if (what == LockCall::Lock) {
      out_.locks = true;
      out_.taken.insert(lock);
      held_.insert(lock);
    } else {
      out_.released.insert(lock);
      held_.erase(lock);
    }
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  static const clang::Expr* withoutAddress(const clang::Expr* expression) {
    expression = expression->IgnoreParenCasts();
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(expression);
        address && address->getOpcode() == clang::UO_AddrOf)
      return address->getSubExpr()->IgnoreParenCasts();
    return expression;
  }

  static std::string dataOf(const clang::MemberExpr& member) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member.getMemberDecl());
    if (!field) return "";
    return field->getParent()->getName().str() + "." + field->getName().str();
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

  static std::string nameOf(const clang::Expr& expression) {
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&expression)) return dataOf(*member);
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&expression))
      return reference->getDecl()->getName().str();
    return "?";
  }

  /// `variable`: the global one that it is or is a part of; null: none.
  void access(const clang::Expr& expression, const std::string& data, clang::QualType type,
              const clang::VarDecl* variable) {
    if (data.empty() || type->isAtomicType() || type->isArrayType() || !lockKind(type).empty()) return;
    if (addressed_.contains(&expression)) out_.given.insert(data);
    // Its address is taken: whoever gets it accesses it.
    if (addressed_.contains(&expression) && type->isRecordType()) return;
    SurveyAccess found;
    found.data = data;
    found.lines.insert(sources_.getSpellingLineNumber(sources_.getExpansionLoc(expression.getExprLoc())));
    found.isWrite = written_.contains(&expression);
    found.isGlobalPointer = variable && type->isPointerType();
    found.isElsewhere = variable && variable->hasDefinition() == clang::VarDecl::DeclarationOnly;
    found.held = held_;
    out_.accesses.push_back(std::move(found));
  }

  const clang::SourceManager& sources_;
  TypeSurvey& types_;
  SurveyFunction& out_;
  std::set<std::string> held_;
  std::set<const clang::Expr*> written_, addressed_;
};

}  // namespace

void surveyBody(clang::ASTContext& context, const clang::FunctionDecl& function, TypeSurvey& types,
                SurveyFunction& out) {
  BodyVisitor(context, types, out).TraverseStmt(function.getBody());
}

}  // namespace heddle
