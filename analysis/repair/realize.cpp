#include "analysis/repair/realize.h"

#include <fstream>
#include <memory>
#include <sstream>

#include "analysis/repair/changed_lines.h"
#include "analysis/repair/plan_scene.h"
#include "analysis/repair/realize_units.h"

namespace heddle {
namespace {

/// What the callback on the syntax tree fills; shared with it, because a crash may abandon it.
struct Work {
  RepairPlan plan;
  RealizeStyle style;
  std::optional<UnitPart> part;
  Realization result;
  std::map<std::string, std::vector<ByteEdit>> edits;

  void run(clang::ASTContext& context) {
    PlanScene scene(context, plan, style, part ? &*part : nullptr);
    switch (plan.kind) {
      case RepairPlan::Kind::CriticalSections:
        realizeCriticalSections(scene);
        break;
      case RepairPlan::Kind::AtomicAccess:
        realizeAtomicAccess(scene);
        break;
      case RepairPlan::Kind::LockOrder:
        realizeLockOrder(scene);
        break;
      case RepairPlan::Kind::SignalWait:
        realizeSignalWait(scene);
        break;
      case RepairPlan::Kind::MoveBeforeCreate:
        realizeMoveBeforeCreate(scene);
        break;
      case RepairPlan::Kind::MoveJoin:
        realizeMoveJoin(scene);
        break;
      case RepairPlan::Kind::LoopAroundWait:
        realizeLoopAroundWait(scene);
        break;
      case RepairPlan::Kind::ReleaseLock:
        realizeReleaseLock(scene);
        break;
      case RepairPlan::Kind::AnnounceChange:
        realizeAnnounceChange(scene);
        break;
      case RepairPlan::Kind::StrongerCall:
        realizeStrongerCall(scene);
        break;
      case RepairPlan::Kind::InitialCount:
        realizeInitialCount(scene);
        break;
      case RepairPlan::Kind::AtomicUpdate:
        realizeAtomicUpdate(scene);
        break;
      case RepairPlan::Kind::LockByAddress:
        realizeLockByAddress(scene);
        break;
      case RepairPlan::Kind::ReleaseFirst:
        realizeReleaseFirst(scene);
        break;
      case RepairPlan::Kind::MoveIntoSection:
        realizeMoveIntoSection(scene);
        break;
      case RepairPlan::Kind::UseBeforeCall:
        realizeUseBeforeCall(scene);
        break;
      case RepairPlan::Kind::WaitForMore:
        realizeWaitForMore(scene);
        break;
      case RepairPlan::Kind::RetainEarlier:
        realizeRetainEarlier(scene);
        break;
    }
    bool conflict = false;
    edits = scene.edits.sorted(conflict);
    if (conflict) scene.fail("the edits overlap");
    if (edits.empty()) scene.fail("nothing would change");
    result.title = scene.title;
    result.problem = scene.problem;
    result.newLock = scene.newLock;
  }
};

}  // namespace

std::string textIn(const Snapshot& snapshot, const std::string& path) {
  if (path == snapshot.path) return snapshot.text;
  if (const auto overlay = snapshot.overlays.find(path); overlay != snapshot.overlays.end())
    return overlay->second;
  for (const Unit& unit : snapshot.units)
    if (unit.path == path) return unit.text;
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream && stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  return text.str();
}

Snapshot patched(const Snapshot& snapshot, const std::map<std::string, std::string>& texts) {
  Snapshot result = snapshot;
  for (const auto& [path, text] : texts) (path == snapshot.path ? result.text : result.overlays[path]) = text;
  return result;
}

Realization realizeIn(const Snapshot& unit, const RepairPlan& plan, const RealizeStyle& style,
                      const std::optional<UnitPart>& part) {
  auto work = std::make_shared<Work>();
  work->plan = plan;
  work->style = style;
  work->part = part;
  const std::string problem =
      withSyntaxTree(unit, [work](clang::ASTContext& context) { work->run(context); });
  if (!problem.empty()) {
    Realization failed;
    failed.problem = problem;
    return failed;
  }
  Realization result = std::move(work->result);
  if (!result.problem.empty()) return result;
  for (const auto& [path, edits] : work->edits)
    result.texts[path] = formattedChange(unit, path, textIn(unit, path), edits);
  return result;
}

Realization realize(const Snapshot& snapshot, const RepairPlan& plan, const RealizeStyle& style) {
  const std::vector<Snapshot> units = unitsOf(snapshot);
  return units.size() == 1 ? realizeIn(units.front(), plan, style, std::nullopt)
                           : realizeInUnits(units, plan, style);
}

}  // namespace heddle
