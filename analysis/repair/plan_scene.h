// PlanScene: a syntax tree with everything that realizing a plan in it needs: its functions, the statements
// at the plan's places, and the edits so far.
//
// Threading: as the syntax tree.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "analysis/repair/function_shape.h"
#include "analysis/repair/lock_declaration.h"
#include "analysis/repair/realize.h"
#include "analysis/repair/statement_writer.h"
#include "analysis/repair/text_edits.h"

namespace heddle {

/// Statements of one function that must lie in one region.
struct PlacedRegion {
  const FunctionShape* shape = nullptr;
  std::vector<const clang::Stmt*> statements;
};

/// For a program of several files: the part of a plan that concerns the present file.
struct UnitPart {
  std::set<std::string> functions;  // the plan's functions that are defined here
  std::string base;                 // new names begin with it, in all files alike
  Linkage linkage = Linkage::Internal;
  std::string existingLock;  // the plan's mutex as an expression that all files understand
};

class PlanScene {
 public:
  PlanScene(clang::ASTContext& treeContext, const RepairPlan& realizedPlan, const RealizeStyle& wantedStyle,
            const UnitPart* unitPart = nullptr)
      : context(treeContext), plan(realizedPlan), style(wantedStyle), part(unitPart) {}

  clang::ASTContext& context;
  const RepairPlan& plan;
  const RealizeStyle& style;
  const UnitPart* part;  // null: the program has only this file
  TextEdits edits;
  std::string title;
  std::string problem;
  bool newLock = false;

  void fail(const std::string& text) {
    if (problem.empty()) problem = text;
  }

  bool isHere(const SourceAccess& access) const {
    return part == nullptr || part->functions.contains(access.place.function);
  }
  /// A name that is new in the program: `base` followed by `suffix`.
  std::string newName(const std::string& base, const std::string& suffix) const {
    return part == nullptr ? freshName(base + suffix, context) : part->base + suffix;
  }
  Linkage linkage() const { return part == nullptr ? Linkage::Internal : part->linkage; }

  /// Null if the function is not defined here; then `problem` is set.
  const FunctionShape* shapeOf(const std::string& function);
  /// Null if no statement stands there; then `problem` is set.
  const clang::Stmt* statementAt(const SourceAccess& access, const FunctionShape*& shape);
  /// The statements of a region's accesses in the one function that reaches all of them. For accesses in
  /// other functions, these are the statements with the calls that lead there.
  PlacedRegion place(const std::vector<SourceAccess>& region);
  /// True if the access stands in the text of the statement.
  bool contains(const clang::Stmt* statement, const SourceAccess& access) const;
  /// True if the statement calls `function` or a function that reaches it.
  bool calls(const clang::Stmt* statement, const std::string& function);

 private:
  /// The functions that `function` calls, directly or through others, and the function itself.
  const std::vector<std::string>& reachedFrom(const std::string& function);

  std::map<std::string, std::unique_ptr<FunctionShape>> shapes_;
  std::map<std::string, std::vector<std::string>> reached_;
};

void realizeCriticalSections(PlanScene& scene);
/// The plan's existing mutex as an expression that other files understand as well; empty if there is none.
std::string globalLock(PlanScene& scene);
/// For a plan whose accesses all hold this member of some object as a lock. A function that acquires the
/// lock of an object other than the one it works on gets the lock of its own object. False: no function
/// does so, and nothing is written.
bool realizeOwnInstance(PlanScene& scene, const clang::FieldDecl& field,
                        const std::vector<const FunctionShape*>& shapes);
void realizeAtomicAccess(PlanScene& scene);
void realizeLockOrder(PlanScene& scene);
void realizeSignalWait(PlanScene& scene);
void realizeMoveBeforeCreate(PlanScene& scene);
void realizeMoveJoin(PlanScene& scene);
void realizeLoopAroundWait(PlanScene& scene);
void realizeReleaseLock(PlanScene& scene);
void realizeAnnounceChange(PlanScene& scene);
void realizeStrongerCall(PlanScene& scene);
void realizeInitialCount(PlanScene& scene);
void realizeAtomicUpdate(PlanScene& scene);
void realizeLockByAddress(PlanScene& scene);
void realizeReleaseFirst(PlanScene& scene);
void realizeRetainEarlier(PlanScene& scene);
void realizeMoveIntoSection(PlanScene& scene);
void realizeUseBeforeCall(PlanScene& scene);
void realizeWaitForMore(PlanScene& scene);
void realizeUnlockLater(PlanScene& scene);
void realizeWaitOutside(PlanScene& scene);
void realizePublishLast(PlanScene& scene);
void realizeBarrierBetween(PlanScene& scene);
void realizeThreadLocal(PlanScene& scene);
void realizeFences(PlanScene& scene);

/// "'x'", "'x' and 'y'", "'x', 'y' and 'z'".
std::string quotedList(const std::vector<std::string>& names);
/// The identifier an object's name begins with: "queue" of "queue.items[2]"; empty for objects without a
/// name.
std::string identifierOf(const std::string& object);

}  // namespace heddle
