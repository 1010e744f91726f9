// Atomic update: what an atomic object is looked at for and what is changed in it become one operation. Where
// a store depends on a load: a compare-exchange loop. Where an addition or subtraction decides: by the value
// that it gives back.
#include <algorithm>
#include <optional>

#include "analysis/repair/atomic_operation.h"
#include "analysis/repair/expression_text.h"
#include "analysis/repair/layout.h"
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/plan_scene.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

using clang::Stmt;

/// The last name in "meter->highest" or "taken[i]", in words of a title.
std::string lastName(const std::string& object) {
  const std::string name = object.substr(0, object.find('['));
  const size_t at = name.find_last_of(".>");
  return at == std::string::npos ? name : name.substr(at + 1);
}

class AtomicUpdate {
 public:
  explicit AtomicUpdate(PlanScene& scene) : scene_(scene), context_(scene.context) {}

  void run() {
    const std::vector<SourceAccess>& pair = scene_.plan.regions.front();
    const FunctionShape* other = nullptr;
    first_ = scene_.statementAt(pair[0], shape_);
    second_ = scene_.statementAt(pair[1], other);
    if (first_ == nullptr || second_ == nullptr) return;
    if (shape_ != other || first_ == second_) return scene_.fail("the two operations are one statement");
    change_ = changeIn(second_);
    if (change_ && change_->kind == AtomicOperation::Kind::Store) return exchangeInLoop();
    if (change_) return decideByChange(first_, second_);
    change_ = changeIn(first_);
    if (change_) return decideByResult(first_, second_);
    scene_.fail("no operation there changes an atomic object");
  }

 private:
  /// A store, addition or subtraction that the statement consists of.
  std::optional<AtomicOperation> changeIn(const Stmt* statement) const {
    const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
    if (expression == nullptr) return std::nullopt;
    const clang::Expr* bare = expression->IgnoreParenCasts();
    for (const AtomicOperation& one : atomicOperations(statement, context_))
      if (one.expression == bare && one.value != nullptr) return one;
    return std::nullopt;
  }
  /// The one load of the object in `root`; nullopt: there is none, or there are several.
  std::optional<AtomicOperation> loadIn(const Stmt* root) const {
    const std::vector<AtomicOperation> all = operationsOn(change_->object, root, context_);
    if (all.size() != 1 || all.front().kind != AtomicOperation::Kind::Load) return std::nullopt;
    return all.front();
  }
  std::string textOf(const clang::Expr& expression, const std::optional<AtomicOperation>& hole = {},
                     const std::string& with = "") const {
    return heddle::textOf(expression, hole ? hole->expression : nullptr, with, context_);
  }
  /// "&meter->highest"
  std::string address() const {
    return change_->object.starts_with("*") ? change_->object.substr(1) : "&" + change_->object;
  }
  std::string exchange(const std::string& expected, const std::string& value) const {
    if (!change_->isCompilers)
      return "atomic_compare_exchange_weak(" + address() + ", &" + expected + ", " + value + ")";
    return "__atomic_compare_exchange_n(" + address() + ", &" + expected + ", " + value +
           ", 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)";
  }
  /// For what was seen of the object.
  std::string newName() const {
    for (const char* name : {"seen", "known", "expected"})
      if (freshName(name, context_) == name) return name;
    return freshName(lastName(change_->object), context_);
  }
  std::string unit() { return StatementWriter(*shape_, scene_.edits).unit(); }

  /// Whole lines where nothing else stands on them; macros may be used in it.
  void replace(const Stmt* from, const Stmt* to, const std::string& lines) {
    const std::optional<FileSpan> a = spanOf(*from, context_), b = spanOf(*to, context_);
    if (!a || !b || a->file != b->file)
      return scene_.fail("a statement begins in one file and ends in another");
    const llvm::StringRef text = heddle::textOf(a->file, context_);
    const std::string_view all(text.data(), text.size());
    const std::string path = pathOf(a->file, context_);
    if (lines.empty()) {
      const TextRange range = wholeLines(all, a->begin, b->end);
      scene_.edits.replace(path, range.begin, range.end, "");
    } else {
      scene_.edits.replace(path, a->begin, b->end, aligned(lines, indentAt(all, a->begin)));
    }
  }
  void replaceExpression(const clang::Expr& expression, const std::string& with) {
    const std::optional<FileSpan> span = exactSpan(expression, context_);
    if (!span) return scene_.fail("an operation begins in one file and ends in another");
    scene_.edits.replace(pathOf(span->file, context_), span->begin, span->end, with);
  }

  void exchangeInLoop() {
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(first_)) return exchangeUnderCondition(*branch);
    const auto* declared = llvm::dyn_cast<clang::DeclStmt>(first_);
    if (declared == nullptr || !declared->isSingleDecl())
      return scene_.fail("what is stored depends on the load in a way that no loop can repeat");
    exchangeAfter(*declared);
  }

  /// if (now > load(p)) store(p, now);
  void exchangeUnderCondition(const clang::IfStmt& branch) {
    const Stmt* only = branch.getThen();
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(only); block != nullptr && block->size() == 1)
      only = block->body_front();
    const std::optional<AtomicOperation> tested = loadIn(branch.getCond());
    if (only != second_ || branch.getElse() != nullptr || !tested || branch.hasVarStorage())
      return scene_.fail("more than the store depends on the load");
    const std::vector<AtomicOperation> inValue =
        operationsOn(change_->object, change_->value->IgnoreParenImpCasts(), context_);
    if (inValue.size() > 1 || !isRepeatable(change_->value))
      return scene_.fail("the stored value cannot be repeated");
    const std::string name = newName();
    std::string condition = textOf(*branch.getCond(), tested, name);
    const auto* compound = llvm::dyn_cast<clang::BinaryOperator>(branch.getCond()->IgnoreImpCasts());
    if (compound != nullptr && compound->getOpcode() == clang::BO_LOr) condition = "(" + condition + ")";
    const std::string value =
        inValue.empty() ? textOf(*change_->value) : textOf(*change_->value, inValue.front(), name);
    const std::string type =
        tested->expression->getType().getAtomicUnqualifiedType().getAsString(context_.getPrintingPolicy());
    replace(&branch, &branch,
            type + " " + name + " = " + textOf(*tested->expression) + ";\nwhile (" + condition + " && !" +
                exchange(name, value) + ")\n" + unit() + ";");
    finish();
  }

  /// x = load(p); …; store(p, f(x));
  void exchangeAfter(const clang::DeclStmt& declared) {
    const auto* seen = llvm::dyn_cast<clang::VarDecl>(declared.getSingleDecl());
    const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(shape_->parent(first_));
    if (seen == nullptr || !seen->hasInit() || block == nullptr || shape_->parent(second_) != block)
      return scene_.fail("load and store stand in different blocks");
    const std::optional<AtomicOperation> load = loadIn(seen->getInit());
    const clang::Expr* bare = seen->getInit()->IgnoreParenImpCasts();
    if (!load || (bare != load->expression && bare != load->expression->IgnoreParenImpCasts()))
      return scene_.fail("what was loaded is kept nowhere");
    std::vector<const Stmt*> between, behind;
    bool isBehindLoad = false, isBehindStore = false;
    for (const Stmt* s : block->body()) {
      if (isBehindStore) behind.push_back(s);
      if (s == second_) isBehindStore = true;
      if (isBehindLoad && !isBehindStore) between.push_back(s);
      if (s == first_) isBehindLoad = true;
    }
    if (!isRepeatable(change_->value) || !std::all_of(between.begin(), between.end(), [](const Stmt* s) {
          return isRepeatable(s) || isLeaving(s);
        }))
      return scene_.fail("what lies between the load and the store cannot be repeated");
    if (std::any_of(between.begin(), between.end(), [&](const Stmt* s) { return assigns(s, seen); }))
      return scene_.fail("'" + seen->getName().str() + "' is changed between the load and the store");
    const std::string name = seen->getName().str();
    const std::string step = unit();
    std::string body;
    std::string lines = typeAndName(*seen) + " = " + textOf(*seen->getInit()) + ";\n";
    for (const Stmt* s : between) body += step + repeated(s, lines, step) + "\n";
    if (!scene_.problem.empty()) return;
    const std::string test = "(!" + exchange(name, textOf(*change_->value)) + ")";
    lines +=
        between.empty() ? "while " + test + "\n" + step + ";" : "do {\n" + body + "} while " + test + ";";
    replace(first_, second_, lines);
    finish();
  }

  /// if (…) { …; return …; }: what it does before it leaves is never done again.
  static bool isLeaving(const Stmt* statement) {
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
    if (branch == nullptr || branch->getElse() != nullptr || !isRepeatable(branch->getCond())) return false;
    const auto* then = llvm::dyn_cast<clang::CompoundStmt>(branch->getThen());
    if (then == nullptr || then->body_empty() || !llvm::isa<clang::ReturnStmt>(then->body_back()))
      return false;
    const std::vector<const Stmt*> all = FunctionShape::below(then);
    return std::none_of(all.begin(), all.end(), [](const Stmt* s) {
      return llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt, clang::LabelStmt>(s);
    });
  }

  static bool assigns(const Stmt* statement, const clang::VarDecl* variable) {
    const std::vector<const Stmt*> all = FunctionShape::below(statement);
    return std::any_of(all.begin(), all.end(), [&](const Stmt* s) {
      const clang::Expr* target = nullptr;
      if (const auto* a = llvm::dyn_cast<clang::BinaryOperator>(s); a != nullptr && a->isAssignmentOp())
        target = a->getLHS();
      if (const auto* u = llvm::dyn_cast<clang::UnaryOperator>(s);
          u != nullptr && (u->isIncrementDecrementOp() || u->getOpcode() == clang::UO_AddrOf))
        target = u->getSubExpr();
      const auto* name =
          target == nullptr ? nullptr : llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParenImpCasts());
      return name != nullptr && name->getDecl() == variable;
    });
  }

  std::string typeAndName(const clang::VarDecl& variable) const {
    std::string name = variable.getName().str();
    variable.getType().getUnqualifiedType().getAsStringInternal(name, context_.getPrintingPolicy());
    return name;
  }

  /// The text of a statement as it stands in the loop; a declaration is taken out to before it.
  std::string repeated(const Stmt* statement, std::string& before, const std::string& step) {
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
      const auto* variable = declaration->isSingleDecl()
                                 ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                                 : nullptr;
      if (variable == nullptr || !variable->hasInit() || !variable->getType()->isScalarType() ||
          variable->isStaticLocal()) {
        scene_.fail("a declaration between the load and the store cannot be repeated");
        return {};
      }
      before += typeAndName(*variable) + ";\n";
      return variable->getName().str() + " = " + textOf(*variable->getInit()) + ";";
    }
    const std::optional<FileSpan> span = spanOf(*statement, context_);
    if (!span) {
      scene_.fail("a statement begins in one file and ends in another");
      return {};
    }
    // Its later lines go in by one step.
    std::string text =
        heddle::textOf(span->file, context_).substr(span->begin, span->end - span->begin).str();
    const llvm::StringRef all = heddle::textOf(span->file, context_);
    const std::string indent = indentAt(std::string_view(all.data(), all.size()), span->begin);
    for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
      if (text.compare(at + 1, indent.size(), indent) == 0) text.replace(at + 1, indent.size(), step);
    return text;
  }

  /// fetch_sub(p, n); … load(p) …: the load becomes the change.
  void decideByResult(const Stmt* change, const Stmt* use) {
    const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(shape_->parent(change));
    if (block == nullptr || nextIn(*block, change) != use)
      return scene_.fail("the change and the look at its result are not next to each other");
    const Stmt* looked = use;
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(use)) looked = branch->getCond();
    const std::optional<AtomicOperation> load = loadIn(looked);
    if (!load) return scene_.fail("the result is not looked at once");
    const std::string call = textOf(*change_->expression);
    if (change_->givesNew) {
      replaceExpression(*load->expression, call);
    } else if (const clang::IntegerLiteral* number = comparedWith(looked, load->expression);
               number != nullptr && constantOf(*change_->value)) {
      // Compared with what it was before.
      const int64_t by = *constantOf(*change_->value);
      const int64_t now = static_cast<int64_t>(number->getValue().getLimitedValue());
      const int64_t before = change_->kind == AtomicOperation::Kind::Subtract ? now + by : now - by;
      replaceExpression(*load->expression, call);
      replaceExpression(*number, std::to_string(before));
    } else {
      const std::string sign = change_->kind == AtomicOperation::Kind::Subtract ? " - " : " + ";
      replaceExpression(*load->expression, "(" + call + sign + textOf(*change_->value) + ")");
    }
    replace(change, change, "");
    finish();
  }

  /// if (load(p) == 1) { …; return; } fetch_sub(p, 1);: the load becomes the change.
  void decideByChange(const Stmt* look, const Stmt* change) {
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(look);
    const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(shape_->parent(look));
    if (branch == nullptr || block == nullptr || branch->getElse() != nullptr ||
        nextIn(*block, look) != change)
      return scene_.fail("the change does not follow the look at the object");
    const std::optional<AtomicOperation> load = loadIn(branch->getCond());
    const Stmt* then = branch->getThen();
    if (const auto* body = llvm::dyn_cast<clang::CompoundStmt>(then)) then = body->body_back();
    if (!load || !llvm::isa_and_nonnull<clang::ReturnStmt>(then) ||
        !operationsOn(change_->object, branch->getThen(), context_).empty())
      return scene_.fail("the branch does not leave, or uses the object again");
    if (change_->givesNew) return scene_.fail("the change gives what the object is after it");
    replaceExpression(*load->expression, textOf(*change_->expression));
    replace(change, change, "");
    finish();
  }

  static const Stmt* nextIn(const clang::CompoundStmt& block, const Stmt* statement) {
    const auto at = std::find(block.body_begin(), block.body_end(), statement);
    return at == block.body_end() || at + 1 == block.body_end() ? nullptr : *(at + 1);
  }

  /// The number that `expression` is compared with in `root`.
  static const clang::IntegerLiteral* comparedWith(const Stmt* root, const clang::Expr* expression) {
    for (const Stmt* s : FunctionShape::below(root)) {
      const auto* compared = llvm::dyn_cast<clang::BinaryOperator>(s);
      if (compared == nullptr || !compared->isComparisonOp()) continue;
      for (const bool isLeft : {true, false}) {
        const clang::Expr* side = (isLeft ? compared->getLHS() : compared->getRHS())->IgnoreParenImpCasts();
        const clang::Expr* other = (isLeft ? compared->getRHS() : compared->getLHS())->IgnoreParenImpCasts();
        if (side == expression->IgnoreParenImpCasts() && !other->getBeginLoc().isMacroID())
          return llvm::dyn_cast<clang::IntegerLiteral>(other);
      }
    }
    return nullptr;
  }
  static std::optional<int64_t> constantOf(const clang::Expr& value) {
    const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(value.IgnoreParenImpCasts());
    if (number == nullptr) return std::nullopt;
    return static_cast<int64_t>(number->getValue().getLimitedValue());
  }

  void finish() {
    const std::string name = "'" + lastName(change_->object) + "'";
    scene_.title = change_->kind == AtomicOperation::Kind::Store
                       ? "change " + name + " by compare-exchange, in a loop"
                       : "decide by what the change of " + name + " gives back";
  }

  PlanScene& scene_;
  clang::ASTContext& context_;
  const FunctionShape* shape_ = nullptr;
  const Stmt* first_ = nullptr;
  const Stmt* second_ = nullptr;
  std::optional<AtomicOperation> change_;
};

}  // namespace

void realizeAtomicUpdate(PlanScene& scene) {
  if (scene.plan.regions.empty() || scene.plan.regions.front().size() != 2)
    return scene.fail("the plan names no pair of operations");
  AtomicUpdate(scene).run();
}

}  // namespace heddle
