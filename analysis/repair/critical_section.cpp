#include "analysis/repair/critical_section.h"

#include <algorithm>

#include "analysis/repair/lock_calls.h"
#include "analysis/repair/second_look.h"
#include "analysis/repair/statement_writer.h"

namespace heddle {
namespace {

using clang::Stmt;
using llvm::dyn_cast;
using llvm::isa;

bool isLoop(const Stmt* s) {
  return isa<clang::WhileStmt, clang::DoStmt, clang::ForStmt>(s);
}

/// What a break or continue leaves.
const Stmt* targetOf(const FunctionShape& shape, const Stmt* jump) {
  const bool isContinue = isa<clang::ContinueStmt>(jump);
  for (const Stmt* s = shape.parent(jump); s != nullptr; s = shape.parent(s))
    if (isLoop(s) || (!isContinue && isa<clang::SwitchStmt>(s))) return s;
  return nullptr;
}

/// The statements below `root` by which control leaves the region.
class Exits {
 public:
  Exits(const FunctionShape& shape, const Region& region) : shape_(shape), region_(region) {}

  /// `problem` is set when control leaves by something that cannot be edited.
  std::vector<const Stmt*> find(std::string& problem) const {
    std::vector<const Stmt*> found;
    for (const Stmt* part : shape_.statements(region_))
      for (const Stmt* s : FunctionShape::below(part)) {
        if (isa<clang::IndirectGotoStmt, clang::GCCAsmStmt>(s))
          problem = "a computed goto or assembly might leave the critical section";
        if (leaves(s, problem)) found.push_back(s);
      }
    return found;
  }

 private:
  bool leaves(const Stmt* s, std::string& problem) const {
    if (isa<clang::ReturnStmt>(s)) return true;
    if (isa<clang::BreakStmt, clang::ContinueStmt>(s)) {
      const Stmt* target = targetOf(shape_, s);
      return target == nullptr || !shape_.contains(region_, target);
    }
    if (const auto* jump = dyn_cast<clang::GotoStmt>(s)) {
      const Stmt* label = jump->getLabel()->getStmt();
      return !isInside(label);
    }
    const auto* call = dyn_cast<clang::CallExpr>(s);
    if (call == nullptr) return false;
    const std::string name = calleeName(*call);
    if (name == "longjmp" || name == "siglongjmp" || name == "_longjmp") {
      problem = "longjmp leaves the critical section";
      return false;
    }
    if (name != "pthread_exit") return false;
    // A statement of its own, or a part of an expression?
    const Stmt* up = shape_.parent(s);
    if (isa_and_nonnull<clang::Expr>(up)) problem = "pthread_exit stands inside an expression";
    return true;
  }

  /// A label in front of the region's first statement is outside: who jumps there takes the lock again.
  bool isInside(const Stmt* label) const {
    for (const Stmt* part : shape_.statements(region_))
      for (const Stmt* s = label; s != nullptr; s = shape_.parent(s))
        if (s == part) return true;
    return false;
  }

  const FunctionShape& shape_;
  const Region& region_;
};

const Stmt* siblingBefore(const FunctionShape& shape, const Stmt* s) {
  const auto* block = dyn_cast_or_null<clang::CompoundStmt>(shape.parent(s));
  const Stmt* previous = nullptr;
  if (block != nullptr)
    for (const Stmt* child : block->body()) {
      if (child == s) return previous;
      previous = child;
    }
  return nullptr;
}

}  // namespace

bool completes(const Stmt* statement) {
  const Stmt* s = withoutLabels(statement);
  if (isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt>(s)) return false;
  if (const auto* block = dyn_cast<clang::CompoundStmt>(s))
    return block->body_empty() || completes(block->body_back());
  if (const auto* branch = dyn_cast<clang::IfStmt>(s))
    return branch->getElse() == nullptr || completes(branch->getThen()) || completes(branch->getElse());
  return true;
}

std::string writeCriticalSection(const FunctionShape& shape, const Region& region, const std::string& mutex,
                                 TextEdits& edits, const LockFunctions& functions) {
  StatementWriter writer(shape, edits);
  const LockCalls calls(shape, mutex, functions);
  const std::string lock = functions.lock + "(" + mutex + ");";
  const std::string unlock = functions.unlock + "(" + mutex + ");";
  const std::vector<const Stmt*> parts = shape.statements(region);

  std::string problem;
  const std::vector<const Stmt*> exits = Exits(shape, region).find(problem);
  if (!problem.empty()) return problem;

  // What stays as it is: a lock that begins the region, an unlock that ends it or comes right before an exit.
  std::vector<const Stmt*> kept;
  const bool beginsLocked = calls.isLock(parts.front());
  if (beginsLocked) kept.push_back(withoutLabels(parts.front()));
  const bool endsUnlocked = calls.isUnlock(parts.back());
  if (endsUnlocked) kept.push_back(withoutLabels(parts.back()));
  std::vector<const Stmt*> toWrite;
  for (const Stmt* exit : exits) {
    const Stmt* previous = siblingBefore(shape, exit);
    const auto* returned = dyn_cast<clang::ReturnStmt>(exit);
    const bool readsOnlyLocals = returned == nullptr || usesOnlyLocals(returned);
    if (previous != nullptr && calls.isUnlock(previous) && readsOnlyLocals)
      kept.push_back(withoutLabels(previous));
    else
      toWrite.push_back(exit);
  }

  for (const Stmt* part : parts)
    for (const Stmt* s : FunctionShape::below(part)) {
      if (!calls.isLock(s) && !calls.isUnlock(s)) continue;
      if (withoutLabels(s) != s) continue;  // met again below its label
      if (isa_and_nonnull<clang::Expr>(shape.parent(s)) && callOf(shape.parent(s)) != nullptr) continue;
      if (std::find(kept.begin(), kept.end(), s) != kept.end()) continue;
      const Stmt* above = shape.parent(s);
      if (isa_and_nonnull<clang::Expr>(above))
        return "the result of a call that locks or unlocks " + mutex + " is used";
      writer.remove(s);
      if (calls.isLock(s)) dropSecondLook(shape, s, writer);
    }

  const bool needsUnlock = completes(parts.back()) && !endsUnlocked;
  const bool isOneExit = toWrite.size() == 1 && parts.size() == 1 && toWrite.front() == parts.front();
  if (isOneExit) {
    writer.leaveAfter(parts.front(), unlock, lock);
    return writer.problem();
  }
  if (region.block == nullptr) {
    if (!beginsLocked || !endsUnlocked) writer.braced(parts.front(), lock, needsUnlock ? unlock : "");
  } else if (!beginsLocked) {
    writer.before(parts.front(), lock);
  }
  for (const Stmt* exit : toWrite) writer.leaveAfter(exit, unlock);
  if (region.block != nullptr && needsUnlock) writer.after(parts.back(), unlock);
  return writer.problem();
}

std::string writeLoopHead(const FunctionShape& shape, const Stmt* loop, const std::string& mutex,
                          TextEdits& edits) {
  StatementWriter writer(shape, edits);
  const std::string lock = "pthread_mutex_lock(" + mutex + ");";
  const std::string unlock = "pthread_mutex_unlock(" + mutex + ");";
  const Stmt* body = nullptr;
  bool testsFirst = true;
  if (const auto* loopWhile = dyn_cast<clang::WhileStmt>(loop)) body = loopWhile->getBody();
  if (const auto* loopFor = dyn_cast<clang::ForStmt>(loop)) body = loopFor->getBody();
  if (const auto* loopDo = dyn_cast<clang::DoStmt>(loop)) body = loopDo->getBody(), testsFirst = false;
  if (body == nullptr) return "not a loop";
  if (!writer.isInBlock(loop)) return "the loop is no statement of a block";
  // Both ways back to the head, and a break to behind the loop, arrive with the mutex held.
  for (const Stmt* s : FunctionShape::below(body)) {
    if (isa<clang::LabelStmt>(s)) return "a label inside the loop";
    if (isa<clang::GotoStmt>(s)) return "a goto inside the loop";
    if (isa<clang::BreakStmt, clang::ContinueStmt>(s) && targetOf(shape, s) == loop)
      writer.leaveAfter(s, lock);
  }
  const bool empty = isa<clang::NullStmt>(body) ||
                     (isa<clang::CompoundStmt>(body) && llvm::cast<clang::CompoundStmt>(body)->body_empty());
  if (testsFirst) writer.before(loop, lock);
  if (isa<clang::NullStmt>(body)) {
    const auto where = writer.span(body);
    if (!where) return writer.problem();
    edits.replace(writer.path(*where), where->begin, where->end, "{ " + unlock + " " + lock + " }");
  } else if (empty) {
    writer.first(body, unlock + "\n" + lock);
  } else {
    if (testsFirst) writer.first(body, unlock);
    const auto* block = dyn_cast<clang::CompoundStmt>(body);
    if (block == nullptr) return "the loop's body is no block";
    if (completes(body)) writer.last(body, lock);
  }
  writer.after(loop, unlock);
  return writer.problem();
}

std::string writeIfHead(const FunctionShape& shape, const clang::IfStmt* branch, const std::string& mutex,
                        TextEdits& edits) {
  StatementWriter writer(shape, edits);
  const std::string lock = "pthread_mutex_lock(" + mutex + ");";
  const std::string unlock = "pthread_mutex_unlock(" + mutex + ");";
  if (!writer.isInBlock(branch)) return "the if is no statement of a block";
  const auto* thenBlock = dyn_cast<clang::CompoundStmt>(branch->getThen());
  const auto* elseBlock = dyn_cast_or_null<clang::CompoundStmt>(branch->getElse());
  writer.before(branch, lock);
  if (thenBlock == nullptr &&
      isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt>(branch->getThen()))
    writer.braced(branch->getThen(), unlock, "");
  else
    writer.first(branch->getThen(), unlock);
  if (branch->getElse() == nullptr) {
    if (completes(branch->getThen())) {
      const auto where = writer.span(branch);
      if (!where) return writer.problem();
      writer.after(branch, "else {\n" + writer.unit() + unlock + "\n}");
    } else {
      writer.after(branch, unlock);  // only who did not take the branch comes here
    }
  } else if (elseBlock != nullptr || !isa<clang::IfStmt>(branch->getElse())) {
    writer.first(branch->getElse(), unlock);
  } else {
    return "an else-if follows";
  }
  return writer.problem();
}

}  // namespace heddle
