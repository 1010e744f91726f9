#include "analysis/repair/realize_units.h"

#include <algorithm>
#include <memory>

#include "analysis/repair/lock_declaration.h"

namespace heddle {
namespace {

/// What a file has, as far as plans ask.
struct Survey {
  std::set<std::string> functions;  // defined here
  std::set<std::string> variables;  // of file scope, declared here
  std::set<std::string> defined;    // of these, defined here
  std::set<std::string> names;      // every identifier
  std::string existingLock;

  void take(clang::ASTContext& context, const RepairPlan& plan) {
    for (const clang::FunctionDecl* function : definedFunctions(context))
      functions.insert(function->getName().str());
    for (const clang::Decl* declared : context.getTranslationUnitDecl()->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared)) {
        variables.insert(variable->getName().str());
        if (variable->isThisDeclarationADefinition() != clang::VarDecl::DeclarationOnly)
          defined.insert(variable->getName().str());
      }
    for (const auto& entry : context.Idents) names.insert(entry.getKey().str());
    if (!plan.existingLockAt || !functions.contains(plan.existingLockAt->place.function)) return;
    const RealizeStyle style;
    PlanScene scene(context, plan, style);
    existingLock = globalLock(scene);
  }
};

std::vector<SourceAccess> accessesOf(const RepairPlan& plan) {
  std::vector<SourceAccess> all;
  for (const std::vector<SourceAccess>& region : plan.regions)
    all.insert(all.end(), region.begin(), region.end());
  for (const PlannedOrder& order : plan.orders) {
    all.push_back(order.before);
    all.push_back(order.after);
  }
  if (plan.create) all.push_back(*plan.create);
  return all;
}

class AcrossUnits {
 public:
  AcrossUnits(const std::vector<Snapshot>& units, const RepairPlan& plan, const RealizeStyle& style)
      : units_(units), plan_(plan), style_(style) {}

  Realization run() {
    if (!survey()) return result_;
    std::set<size_t> homes;
    for (const SourceAccess& access : accessesOf(plan_)) homes.insert(homeOf(access));
    if (plan_.kind == RepairPlan::Kind::AtomicAccess) return atomicInAll(homes);
    if (homes.count(units_.size()) != 0)
      return fail("a function of the plan is defined in no file of the program");
    if (homes.size() == 1 && lockIsIn(*homes.begin()))
      return realizeIn(units_[*homes.begin()], plan_, style_, std::nullopt);
    chooseBase();
    for (const size_t unit : homes) write(unit, definer(homes));
    if (result_.texts.empty() && result_.problem.empty()) return fail("nothing would change");
    return std::move(result_);
  }

 private:
  Realization fail(const std::string& problem) {
    result_ = {};
    result_.problem = problem;
    return result_;
  }

  bool survey() {
    for (const Snapshot& unit : units_) {
      const auto found = std::make_shared<Survey>();
      const auto plan = std::make_shared<RepairPlan>(plan_);
      const std::string problem =
          withSyntaxTree(unit, [found, plan](clang::ASTContext& context) { found->take(context, *plan); });
      if (!problem.empty()) return fail(problem), false;
      surveys_.push_back(*found);
    }
    return true;
  }

  /// The file that defines the access's function, else units_.size(). A static function of that name may be
  /// in several: then the place says which.
  size_t homeOf(const SourceAccess& access) const {
    size_t home = units_.size();
    for (size_t i = 0; i < units_.size(); ++i) {
      if (!surveys_[i].functions.contains(access.place.function)) continue;
      if (units_[i].path == access.place.file) return i;
      home = std::min(home, i);
    }
    return home;
  }

  bool lockIsIn(size_t unit) const {
    return style_.newLock || !plan_.existingLockAt || homeOf(*plan_.existingLockAt) == unit;
  }

  std::string variable() const {
    return plan_.objects.empty() ? std::string() : identifierOf(plan_.objects.front());
  }

  void chooseBase() {
    const std::string wanted = variable().empty() ? "shared" : variable();
    const auto isTaken = [&](const std::string& base) {
      return std::any_of(surveys_.begin(), surveys_.end(), [&](const Survey& survey) {
        return std::any_of(survey.names.begin(), survey.names.end(), [&](const std::string& name) {
          return name == base + "_mutex" || name == base + "_changed" || name.starts_with(base + "_done");
        });
      });
    };
    base_ = wanted;
    for (int number = 2; isTaken(base_); ++number) base_ = wanted + std::to_string(number);
  }

  /// Where new globals are defined: beside the variable if its file changes anyway.
  size_t definer(const std::set<size_t>& homes) const {
    for (const size_t unit : homes)
      if (surveys_[unit].defined.contains(variable())) return unit;
    return *homes.begin();
  }

  void write(size_t unit, size_t definingUnit) {
    if (!result_.problem.empty()) return;
    UnitPart part;
    part.base = base_;
    part.linkage = unit == definingUnit ? Linkage::Defined : Linkage::Declared;
    RepairPlan plan = plan_;
    plan.regions.clear();
    for (const std::vector<SourceAccess>& region : plan_.regions) {
      const size_t here = static_cast<size_t>(std::count_if(
          region.begin(), region.end(), [&](const SourceAccess& access) { return homeOf(access) == unit; }));
      if (here == 0) continue;
      if (here != region.size()) {
        fail("one critical section would begin in one file and end in another");
        return;
      }
      plan.regions.push_back(region);
    }
    for (const SourceAccess& access : accessesOf(plan_))
      if (homeOf(access) == unit) part.functions.insert(access.place.function);
    for (const Survey& survey : surveys_)
      if (part.existingLock.empty()) part.existingLock = survey.existingLock;
    if (!style_.newLock && plan.existingLockAt && part.existingLock.empty()) {
      fail("the mutex '" + plan.existingLock + "' has no name that all files know");
      return;
    }
    take(realizeIn(units_[unit], plan, style_, part));
  }

  /// The variable's type, wherever it is declared.
  Realization atomicInAll(const std::set<size_t>& homes) {
    const std::string name = variable();
    for (size_t unit = 0; unit < units_.size() && result_.problem.empty(); ++unit)
      if (surveys_[unit].variables.contains(name) || (homes.size() == 1 && homes.count(unit) != 0))
        take(realizeIn(units_[unit], plan_, style_, std::nullopt));
    if (result_.texts.empty() && result_.problem.empty()) return fail("no file declares '" + name + "'");
    return std::move(result_);
  }

  void take(const Realization& part) {
    if (!part.problem.empty()) {
      // Threads of this file may have the right order already.
      if (plan_.kind != RepairPlan::Kind::LockOrder) fail(part.problem);
      return;
    }
    result_.title = part.title;
    result_.newLock = result_.newLock || part.newLock;
    for (const auto& [path, text] : part.texts) {
      const auto [known, isNew] = result_.texts.try_emplace(path, text);
      if (!isNew && known->second != text) {
        fail("two files of the program want to change '" + path + "' in different ways");
        return;
      }
    }
  }

  const std::vector<Snapshot>& units_;
  const RepairPlan& plan_;
  const RealizeStyle& style_;
  std::vector<Survey> surveys_;
  std::string base_;
  Realization result_;
};

}  // namespace

std::vector<Snapshot> unitsOf(const Snapshot& snapshot) {
  std::vector<Snapshot> units = {snapshot};
  units.front().units.clear();
  for (const Unit& unit : snapshot.units) {
    Snapshot one = units.front();
    one.path = unit.path;
    one.text = textIn(snapshot, unit.path);
    one.command = unit.command;
    // To this file the first one is what any other file is.
    one.overlays[snapshot.path] = snapshot.text;
    units.push_back(std::move(one));
  }
  return units;
}

Realization realizeInUnits(const std::vector<Snapshot>& units, const RepairPlan& plan,
                           const RealizeStyle& style) {
  return AcrossUnits(units, plan, style).run();
}

}  // namespace heddle
