#include "analysis/survey/null_arguments.h"

#include "analysis/survey/data_name.h"
#include "analysis/survey/life_names.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace heddle {
namespace {

/// What one function shows.
class NullVisitor : public clang::RecursiveASTVisitor<NullVisitor> {
 public:
  struct Call {
    const clang::FunctionDecl* callee;
    unsigned argument;
    const clang::Expr* value;
  };

  explicit NullVisitor(clang::ASTContext& context) : context_(context) {}

  bool VisitIfStmt(const clang::IfStmt* branch) {
    const auto [variable, holdsIfNull] = testOf(*branch->getCond());
    const clang::Stmt* ifNull = holdsIfNull ? branch->getThen() : branch->getElse();
    if (!variable || !ifNull || !isEnd(*ifNull)) note(branch->getCond());
    return true;
  }
  bool VisitWhileStmt(const clang::WhileStmt* loop) { return note(loop->getCond()); }
  bool VisitDoStmt(const clang::DoStmt* loop) { return note(loop->getCond()); }
  bool VisitForStmt(const clang::ForStmt* loop) { return note(loop->getCond()); }
  bool VisitConditionalOperator(const clang::ConditionalOperator* choice) { return note(choice->getCond()); }
  bool VisitBinaryOperator(const clang::BinaryOperator* operation) {
    if (operation->isLogicalOp()) {
      note(operation->getLHS());
      note(operation->getRHS());
    } else if (operation->getOpcode() == clang::BO_Assign) {
      noteValue(*operation->getLHS(), *operation->getRHS());
    }
    return true;
  }
  bool VisitVarDecl(const clang::VarDecl* variable) {
    if (variable->hasLocalStorage() && variable->getInit())
      if (const clang::ParmVarDecl* parameter = parameterOf(*variable->getInit()))
        copies[variable].insert(parameter);
    return true;
  }
  bool VisitCallExpr(const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier()) return true;
    for (unsigned i = 0; i < call->getNumArgs() && i < callee->getNumParams(); ++i)
      if (callee->getParamDecl(i)->getType()->isPointerType()) calls.push_back({callee, i, call->getArg(i)});
    return true;
  }

  bool isNull(const clang::Expr& value) const {
    return value.isNullPointerConstant(context_, clang::Expr::NPC_ValueDependentIsNotNull) !=
           clang::Expr::NPCK_NotNull;
  }

  static const clang::ParmVarDecl* parameterOf(const clang::Expr& expression) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenCasts());
    const auto* parameter = reference ? llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl()) : nullptr;
    return parameter && parameter->getType()->isPointerType() ? parameter : nullptr;
  }

  std::set<const clang::VarDecl*> tested;  // local variables and parameters
  std::map<const clang::VarDecl*, std::set<const clang::ParmVarDecl*>> copies;
  std::vector<Call> calls;
  std::vector<std::pair<const clang::ParmVarDecl*, std::string>> kept;  // and the data that it is kept in
  std::set<std::string> cleared;

 private:
  /// The local variable or parameter that the condition compares with null, and whether it holds then.
  std::pair<const clang::VarDecl*, bool> testOf(const clang::Expr& condition) const {
    const clang::Expr* part = &condition;
    bool holdsIfNull = false;
    for (;;) {
      part = part->IgnoreParenCasts();
      if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(part);
          unary && unary->getOpcode() == clang::UO_LNot) {
        holdsIfNull = !holdsIfNull;
        part = unary->getSubExpr();
      } else if (const auto* equality = llvm::dyn_cast<clang::BinaryOperator>(part);
                 equality && equality->isEqualityOp()) {
        const bool isLeft = isNull(*equality->getLHS());
        if (!isLeft && !isNull(*equality->getRHS())) return {};
        holdsIfNull = holdsIfNull != (equality->getOpcode() == clang::BO_EQ);
        part = isLeft ? equality->getRHS() : equality->getLHS();
      } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(part)) {
        const clang::FunctionDecl* callee = call->getDirectCallee();
        if (!callee || !callee->getIdentifier() || !callee->getName().starts_with("__builtin_expect"))
          return {};
        part = call->getArg(0);
      } else {
        break;
      }
    }
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part);
    const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    if (!variable || !variable->hasLocalStorage() || !variable->getType()->isPointerType()) return {};
    return {variable, holdsIfNull};
  }

  bool note(const clang::Expr* condition) {
    if (!condition || isOfAssertion(condition->getExprLoc())) return true;
    if (const clang::VarDecl* variable = testOf(*condition).first) tested.insert(variable);
    return true;
  }

  void noteValue(const clang::Expr& place, const clang::Expr& value) {
    const clang::ParmVarDecl* parameter = parameterOf(value);
    const std::string data = dataName(*place.IgnoreParenCasts());
    if (!data.empty()) {
      if (parameter) kept.emplace_back(parameter, data);
      if (place.getType()->isPointerType() && isNull(value)) cleared.insert(data);
      return;
    }
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(place.IgnoreParenCasts());
    const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    if (variable && parameter && variable->hasLocalStorage()) copies[variable].insert(parameter);
  }

  bool isOfAssertion(clang::SourceLocation at) const {
    const clang::SourceManager& sources = context_.getSourceManager();
    for (unsigned depth = 0; at.isMacroID() && depth < 16; ++depth) {
      const llvm::StringRef name = clang::Lexer::getImmediateMacroName(at, sources, context_.getLangOpts());
      for (const char* part : {"assert", "check", "verify", "require", "ensure"})
        if (name.contains_insensitive(part)) return true;
      at = sources.getImmediateMacroCallerLoc(at);
    }
    return false;
  }

  /// The process ends there.
  static bool isEnd(const clang::Stmt& way) {
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&way)) {
      for (const clang::Stmt* part : block->body())
        if (isEnd(*part)) return true;
      return false;
    }
    const auto* value = llvm::dyn_cast<clang::Expr>(&way);
    const auto* call = value ? llvm::dyn_cast<clang::CallExpr>(value->IgnoreParenCasts()) : nullptr;
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    return callee && (callee->isNoReturn() || callee->getNameAsString() == "abort");
  }

  clang::ASTContext& context_;
};

}  // namespace

void NullArguments::add(const clang::FunctionDecl& function) {
  NullVisitor visitor(context_);
  visitor.TraverseStmt(function.getBody());
  const std::string name = function.getNameAsString();
  const auto own = [&](const clang::ParmVarDecl& parameter) {
    return Parameter(name, parameter.getFunctionScopeIndex());
  };
  for (const clang::VarDecl* variable : visitor.tested) {
    if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable)) tested_.insert(own(*parameter));
    if (const auto copied = visitor.copies.find(variable); copied != visitor.copies.end())
      for (const clang::ParmVarDecl* parameter : copied->second) tested_.insert(own(*parameter));
  }
  for (const NullVisitor::Call& call : visitor.calls) {
    const Parameter to(call.callee->getNameAsString(), call.argument);
    if (visitor.isNull(*call.value))
      given_.insert(to);
    else if (const clang::ParmVarDecl* parameter = NullVisitor::parameterOf(*call.value))
      handed_[to].insert(own(*parameter));
    else if (std::string data = dataName(*call.value->IgnoreParenCasts()); !data.empty())
      data_[to].insert(std::move(data));
  }
  for (const auto& [parameter, data] : visitor.kept) kept_[own(*parameter)].insert(data);
  if (!isTakeDown(name)) cleared_.insert(visitor.cleared.begin(), visitor.cleared.end());
}

void NullArguments::finish(Survey& survey) const {
  survey.nullable.insert(survey.tested.begin(), survey.tested.end());
  std::set<Parameter> known = tested_;
  std::vector<Parameter> open(known.begin(), known.end());
  while (!open.empty()) {
    const Parameter one = open.back();
    open.pop_back();
    if (const auto from = handed_.find(one); from != handed_.end())
      for (const Parameter& caller : from->second)
        if (known.insert(caller).second) open.push_back(caller);
    if (const auto given = data_.find(one); given != data_.end())
      survey.nullable.insert(given->second.begin(), given->second.end());
  }
  known.insert(given_.begin(), given_.end());
  for (const auto& [function, index] : known) survey.nullArguments[function].insert(index);
  for (const Parameter& null : given_)
    if (const auto kept = kept_.find(null); kept != kept_.end())
      survey.nullable.insert(kept->second.begin(), kept->second.end());
  survey.nullable.insert(cleared_.begin(), cleared_.end());
}

}  // namespace heddle
