#include "analysis/repair/realize.h"

#include <fstream>
#include <memory>
#include <sstream>

#include "analysis/repair/changed_lines.h"
#include "analysis/repair/plan_scene.h"
#include "analysis/repair/realize_units.h"

namespace heddle {
namespace {

struct Realizer {
  RepairPlan::Kind kind;
  void (*write)(PlanScene&);
};

constexpr Realizer kRealizers[] = {
    {RepairPlan::Kind::CriticalSections, realizeCriticalSections},
    {RepairPlan::Kind::AtomicAccess, realizeAtomicAccess},
    {RepairPlan::Kind::LockOrder, realizeLockOrder},
    {RepairPlan::Kind::SignalWait, realizeSignalWait},
    {RepairPlan::Kind::MoveBeforeCreate, realizeMoveBeforeCreate},
    {RepairPlan::Kind::MoveJoin, realizeMoveJoin},
    {RepairPlan::Kind::LoopAroundWait, realizeLoopAroundWait},
    {RepairPlan::Kind::ReleaseLock, realizeReleaseLock},
    {RepairPlan::Kind::AnnounceChange, realizeAnnounceChange},
    {RepairPlan::Kind::StrongerCall, realizeStrongerCall},
    {RepairPlan::Kind::InitialCount, realizeInitialCount},
    {RepairPlan::Kind::AtomicUpdate, realizeAtomicUpdate},
    {RepairPlan::Kind::LockByAddress, realizeLockByAddress},
    {RepairPlan::Kind::ReleaseFirst, realizeReleaseFirst},
    {RepairPlan::Kind::MoveIntoSection, realizeMoveIntoSection},
    {RepairPlan::Kind::UseBeforeCall, realizeUseBeforeCall},
    {RepairPlan::Kind::WaitForMore, realizeWaitForMore},
    {RepairPlan::Kind::RetainEarlier, realizeRetainEarlier},
    {RepairPlan::Kind::UnlockLater, realizeUnlockLater},
    {RepairPlan::Kind::WaitOutside, realizeWaitOutside},
    {RepairPlan::Kind::PublishLast, realizePublishLast},
    {RepairPlan::Kind::BarrierBetween, realizeBarrierBetween},
    {RepairPlan::Kind::ThreadLocal, realizeThreadLocal},
    {RepairPlan::Kind::Fences, realizeFences},
};

/// What the callback on the syntax tree fills; shared with it, because a crash may abandon it.
struct Work {
  RepairPlan plan;
  RealizeStyle style;
  std::optional<UnitPart> part;
  Realization result;
  std::map<std::string, std::vector<ByteEdit>> edits;

  void run(clang::ASTContext& context) {
    PlanScene scene(context, plan, style, part ? &*part : nullptr);
    for (const Realizer& realizer : kRealizers)
      if (realizer.kind == plan.kind) realizer.write(scene);
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

namespace {

/// Each plan in the one tree of the unit; `part`: of all of them.
std::vector<Realization> realizeEach(const Snapshot& unit, const std::vector<WrittenPlan>& plans,
                                     const std::optional<UnitPart>& part) {
  std::vector<std::shared_ptr<Work>> works;
  for (const WrittenPlan& written : plans) {
    works.push_back(std::make_shared<Work>());
    works.back()->plan = written.plan;
    works.back()->style = written.style;
    works.back()->part = part;
  }
  const std::string problem = withSyntaxTree(unit, [works](clang::ASTContext& context) {
    for (const std::shared_ptr<Work>& work : works) work->run(context);
  });
  std::vector<Realization> results(plans.size());
  for (size_t i = 0; i < plans.size(); ++i) {
    if (!problem.empty()) {
      // One that Clang does not survive takes none of the others with it.
      results[i].problem = problem;
      if (plans.size() > 1) results[i] = realizeEach(unit, {plans[i]}, part).front();
      continue;
    }
    results[i] = std::move(works[i]->result);
    if (!results[i].problem.empty()) continue;
    for (const auto& [path, edits] : works[i]->edits)
      results[i].texts[path] = formattedChange(unit, path, textIn(unit, path), edits);
  }
  return results;
}

}  // namespace

Realization realizeIn(const Snapshot& unit, const RepairPlan& plan, const RealizeStyle& style,
                      const std::optional<UnitPart>& part) {
  return realizeEach(unit, {{plan, style}}, part).front();
}

std::vector<Realization> realizeAll(const Snapshot& snapshot, const std::vector<WrittenPlan>& plans) {
  const std::vector<Snapshot> units = unitsOf(snapshot);
  if (units.size() == 1) return realizeEach(units.front(), plans, std::nullopt);
  std::vector<Realization> results;
  for (const WrittenPlan& written : plans)
    results.push_back(realizeInUnits(units, written.plan, written.style));
  return results;
}

Realization realize(const Snapshot& snapshot, const RepairPlan& plan, const RealizeStyle& style) {
  return realizeAll(snapshot, {{plan, style}}).front();
}

}  // namespace heddle
