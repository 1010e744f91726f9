#include "analysis/survey/split_sections.h"

#include <map>
#include <optional>

#include "analysis/survey/have_common.h"
#include "analysis/survey/integer_constant.h"
#include "analysis/survey/life_names.h"
#include "analysis/survey/lock_calls.h"
#include "analysis/survey/lock_place.h"
#include "analysis/survey/source_line.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace heddle {
namespace {

/// What a function does, in the order of its text.
struct SectionEvent {
  enum class Kind : uint8_t { Lock, Unlock, Read, Write, Clear, Keep, Test, Leave };
  Kind kind = Kind::Read;
  std::string text;                         // of the lock, or of the data
  const clang::ValueDecl* local = nullptr;  // Keep: gets what the data says; Test: is tested
  uint32_t line = 0;
};

/// "x->" of "x->lock": whose lock or member it is; nothing: the text is no such place.
std::optional<std::string> ownerOf(const clang::Expr& expression) {
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression.IgnoreParenCasts());
  if (!member) return "";
  const auto place = lockPlaceOf(*member->getBase());
  if (member->isArrow()) return place ? std::optional(place->text + "->") : std::nullopt;
  const auto owner = ownerOf(*member->getBase());
  return owner ? std::optional(*owner + member->getBase()->getType().getAsString() + ".") : std::nullopt;
}

class SectionVisitor : public clang::RecursiveASTVisitor<SectionVisitor> {
 public:
  explicit SectionVisitor(clang::ASTContext& context)
      : context_(context), sources_(context.getSourceManager()) {}

  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool TraverseIfStmt(clang::IfStmt* branch) {
    const bool isLeft = leaves(branch->getThen());
    noteTests(branch->getCond(), isLeft && !branch->getElse());
    TraverseStmt(branch->getCond());
    traverseAside(branch->getThen(), isLeft);
    if (branch->getElse()) traverseAside(branch->getElse(), leaves(branch->getElse()));
    return true;
  }
  bool TraverseWhileStmt(clang::WhileStmt* loop) {
    noteTests(loop->getCond(), false);
    return Base::TraverseWhileStmt(loop);
  }
  bool TraverseBinaryOperator(clang::BinaryOperator* operation) {
    if (operation->getOpcode() != clang::BO_Assign) return Base::TraverseBinaryOperator(operation);
    noteKept(*operation->getLHS(), operation->getRHS());
    TraverseStmt(operation->getRHS());
    if (const std::string data = dataText(*operation->getLHS()); !data.empty())
      push(isZero(*operation->getRHS()) ? SectionEvent::Kind::Clear : SectionEvent::Kind::Write, data,
           nullptr, *operation);
    else
      TraverseStmt(operation->getLHS());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (variable->getInit() && variable->hasLocalStorage()) keep(*variable, variable->getInit());
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) {
    if (const std::string data = dataText(*member); !data.empty() && !isAsserted(*member))
      push(SectionEvent::Kind::Read, data, nullptr, *member);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    if (const std::string data = dataText(*reference); !data.empty() && !isAsserted(*reference))
      push(SectionEvent::Kind::Read, data, nullptr, *reference);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier() || call->getNumArgs() == 0) return true;
    const LockCall what = lockCallOf(callee->getName());
    if (what == LockCall::None || !hasLockArgument(*call) || (aside_ > 0 && what == LockCall::Unlock))
      return true;
    const auto place = lockPlaceOf(*lockArgument(*call));
    if (!place) return true;
    const clang::Expr* lock = lockArgument(*call)->IgnoreParenCasts();
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(lock);
        address && address->getOpcode() == clang::UO_AddrOf)
      if (const auto owner = ownerOf(*address->getSubExpr())) owners_[place->text] = *owner;
    push(what == LockCall::Lock ? SectionEvent::Kind::Lock : SectionEvent::Kind::Unlock, place->text, nullptr,
         *call);
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

  std::vector<SectionEvent> events;

  /// The lock and the data are of one object.
  bool isGuardedBy(const std::string& data, const std::string& lock) const {
    const auto a = owners_.find(data), b = owners_.find(lock);
    return a != owners_.end() && b != owners_.end() && a->second == b->second;
  }

 private:
  using Base = clang::RecursiveASTVisitor<SectionVisitor>;

  static bool leaves(const clang::Stmt* statement) {
    if (const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(statement))
      return !block->body_empty() && leaves(block->body_back());
    return statement && (llvm::isa<clang::ReturnStmt>(statement) || llvm::isa<clang::GotoStmt>(statement) ||
                         llvm::isa<clang::BreakStmt>(statement) || llvm::isa<clang::ContinueStmt>(statement));
  }

  void traverseAside(clang::Stmt* statement, bool isLeft) {
    aside_ += isLeft ? 1 : 0;
    TraverseStmt(statement);
    aside_ -= isLeft ? 1 : 0;
  }

  /// A member by its whole path, or a variable that is not local.
  std::string dataText(const clang::Expr& expression) {
    const clang::Expr* plain = expression.IgnoreParenCasts();
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(plain);
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(plain);
    const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    if (!member && !(variable && variable->hasGlobalStorage())) return "";
    if (!plain->getType()->isScalarType() || plain->getType()->isAtomicType()) return "";
    const auto owner = ownerOf(*plain);
    if (!owner) return "";
    std::string text =
        *owner + (member ? member->getMemberDecl()->getName().str() : variable->getName().str());
    owners_[text] = *owner;
    return text;
  }

  static void collect(const clang::Stmt* part, std::set<const clang::ValueDecl*>& locals) {
    if (!part) return;
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
          variable && variable->hasLocalStorage())
        locals.insert(variable);
    for (const clang::Stmt* inner : part->children()) collect(inner, locals);
  }

  void noteTests(const clang::Expr* condition, bool isLeft) {
    std::set<const clang::ValueDecl*> locals;
    collect(condition, locals);
    for (const clang::ValueDecl* local : locals) push(SectionEvent::Kind::Test, "", local, *condition);
    std::set<std::string> set;
    if (isLeft) collectTruths(*condition, true, set);
    for (const std::string& text : set) push(SectionEvent::Kind::Leave, text, nullptr, *condition);
  }

  bool isZero(const clang::Expr& value) const {
    return value.isNullPointerConstant(context_, clang::Expr::NPC_ValueDependentIsNotNull) ||
           integerConstant(value, context_) == 0;
  }

  /// Data that is not zero where `value` is true; or any that is compared with zero.
  void collectTruths(const clang::Expr& value, bool isOnlySet, std::set<std::string>& data,
                     bool isTrue = true) {
    const clang::Expr* plain = value.IgnoreParenCasts();
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(plain);
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(plain);
    if (unary && unary->getOpcode() == clang::UO_LNot) {
      collectTruths(*unary->getSubExpr(), isOnlySet, data, !isTrue);
    } else if (binary && binary->isLogicalOp()) {
      collectTruths(*binary->getLHS(), isOnlySet, data, isTrue);
      collectTruths(*binary->getRHS(), isOnlySet, data, isTrue);
    } else if (binary && binary->isEqualityOp() && isZero(*binary->getRHS())) {
      collectTruths(*binary->getLHS(), isOnlySet, data, isTrue == (binary->getOpcode() == clang::BO_NE));
    } else if (isTrue || !isOnlySet) {
      if (const std::string text = dataText(*plain); !text.empty()) data.insert(text);
    }
  }

  /// A truth, or a pointer, which is all that the function knows of the data behind the section.
  void keep(const clang::ValueDecl& local, const clang::Expr* value) {
    const clang::Expr* plain = value->IgnoreParenCasts();
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(plain);
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(plain);
    const bool isTruth = plain->getType()->isBooleanType() || plain->getType()->isPointerType() ||
                         (binary && (binary->isLogicalOp() || binary->isEqualityOp())) ||
                         (unary && unary->getOpcode() == clang::UO_LNot);
    if (!isTruth) return;
    std::set<std::string> data;
    collectTruths(*plain, false, data);
    for (const std::string& text : data) push(SectionEvent::Kind::Keep, text, &local, *value);
  }

  void noteKept(const clang::Expr& target, const clang::Expr* value) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(target.IgnoreParenCasts());
    const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    if (variable && variable->hasLocalStorage()) keep(*variable, value);
  }

  /// An assertion does nothing about what it finds.
  bool isAsserted(const clang::Expr& expression) const {
    clang::SourceLocation at = expression.getExprLoc();
    while (at.isMacroID()) {
      const llvm::StringRef name = clang::Lexer::getImmediateMacroName(at, sources_, context_.getLangOpts());
      if (name.contains_insensitive("assert")) return true;
      at = sources_.getImmediateMacroCallerLoc(at);
    }
    return false;
  }

  void push(SectionEvent::Kind kind, const std::string& text, const clang::ValueDecl* local,
            const clang::Expr& at) {
    events.push_back({kind, text, local, lineOf(at.getExprLoc(), sources_)});
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  std::map<std::string, std::string> owners_;  // of locks and data
  unsigned aside_ = 0;                         // branches around that leave
};

/// What is known of data behind a section.
struct Decision {
  uint32_t line = 0;
  const clang::ValueDecl* local = nullptr;  // which keeps it; null: the function went on
  std::set<std::string> others;             // locks that were held, too
  bool isUsed = false;                      // it has decided a way
};

class SectionReader {
 public:
  SectionReader(const SectionVisitor& visitor, std::string function, Survey& survey)
      : visitor_(visitor), function_(std::move(function)), survey_(survey) {}

  void read() {
    for (const SectionEvent& event : visitor_.events) {
      switch (event.kind) {
        case SectionEvent::Kind::Lock:
          held_.insert(event.text);
          seen_.clear();
          break;
        case SectionEvent::Kind::Unlock:
          end(event.text);
          break;
        case SectionEvent::Kind::Read:
          seen_.insert(event.text);
          break;
        case SectionEvent::Kind::Write:
          write(event);
          break;
        case SectionEvent::Kind::Clear:
          claim();
          std::erase_if(behind_, [&](const auto& one) { return one.first.second == event.text; });
          break;
        case SectionEvent::Kind::Keep:
        case SectionEvent::Kind::Leave:
          decide(event);
          break;
        case SectionEvent::Kind::Test:
          for (auto& [key, decision] : behind_) decision.isUsed |= decision.local == event.local;
          break;
      }
    }
  }

 private:
  using Key = std::pair<std::string, std::string>;  // lock and data

  std::set<std::string> heldBeside(const std::string& lock) const {
    std::set<std::string> others = held_;
    others.erase(lock);
    return others;
  }

  void decide(const SectionEvent& event) {
    for (const std::string& lock : held_)
      if (visitor_.isGuardedBy(event.text, lock))
        inside_[{lock, event.text}] = {event.line, event.local, heldBeside(lock), event.local == nullptr};
  }

  void end(const std::string& lock) {
    held_.erase(lock);
    for (auto& [key, decision] : inside_)
      if (key.first == lock) behind_[key] = decision;
    std::erase_if(inside_, [&](const auto& one) { return one.first.first == lock; });
  }

  void write(const SectionEvent& event) {
    for (const std::string& lock : held_) {
      const Key key{lock, event.text};
      const auto known = behind_.find(key);
      if (known == behind_.end()) continue;
      const Decision decision = known->second;
      behind_.erase(known);
      const bool isKeptOut = haveCommon(heldBeside(lock), decision.others);
      if (!decision.isUsed || isKeptOut || seen_.contains(event.text)) continue;
      const std::string data = event.text.starts_with("*") ? event.text.substr(1) : event.text;
      survey_.orderSlips.push_back(
          {OrderSlip::Kind::SplitSection, data, function_, event.line, decision.line, lock});
    }
    seen_.insert(event.text);
    claim();
  }

  /// Whatever is written in the section may tell others that this one is at it.
  void claim() {
    std::erase_if(inside_, [&](const auto& one) { return held_.contains(one.first.first); });
  }

  const SectionVisitor& visitor_;
  const std::string function_;
  Survey& survey_;
  std::set<std::string> held_;
  std::set<std::string> seen_;  // data that the section has read
  std::map<Key, Decision> inside_, behind_;
};

}  // namespace

void SplitSections::add(const clang::FunctionDecl& function, Survey& survey) const {
  const std::string name = function.getName().str();
  if (isTakeDown(name)) return;
  SectionVisitor visitor(context_);
  visitor.TraverseStmt(function.getBody());
  constexpr size_t kMostEvents = 20'000;
  if (visitor.events.size() < kMostEvents) SectionReader(visitor, name, survey).read();
}

}  // namespace heddle
