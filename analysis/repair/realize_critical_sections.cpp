// Critical sections: places of accesses → regions → merged regions → locks and unlocks.
#include <algorithm>

#include "analysis/repair/atomic_operation.h"
#include "analysis/repair/critical_section.h"
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/lock_declaration.h"
#include "analysis/repair/locked_getter.h"
#include "analysis/repair/member_name.h"
#include "analysis/repair/plan_scene.h"
#include "analysis/repair/statement_writer.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

using clang::Stmt;

struct Section {
  const FunctionShape* shape = nullptr;
  Region region;
  std::string mutex;           // an expression for its address
  const Stmt* head = nullptr;  // a loop or if whose head alone needs the mutex
};

/// How the plan's mutex is named in each function.
class Mutex {
 public:
  explicit Mutex(PlanScene& scene) : scene_(scene) {}

  /// False: `scene.problem` says why.
  bool choose(const std::vector<PlacedRegion>& regions) {
    if (scene_.part != nullptr && !scene_.part->existingLock.empty() && !scene_.style.newLock)
      return takeFromOtherFile(regions);
    if (!scene_.plan.existingLock.empty() && scene_.plan.existingLockAt && !scene_.style.newLock)
      return takeExisting(regions);
    std::string base;
    for (const std::string& object : scene_.plan.objects)
      if (base.empty()) base = identifierOf(object);
    for (const PlacedRegion& region : regions)
      if (base.empty()) base = memberIn(region);
    name_ = scene_.newName(base.empty() ? "shared" : base, "_mutex");
    text_ = "&" + name_;
    scene_.newLock = true;
    return true;
  }

  void declare(const std::vector<Section>& sections) {
    if (!scene_.newLock) return;
    const clang::VarDecl* beside = nullptr;
    for (const std::string& object : scene_.plan.objects)
      if (beside == nullptr) beside = globalNamed(identifierOf(object), scene_.context);
    std::vector<const clang::FunctionDecl*> users;
    for (const Section& section : sections) users.push_back(&section.shape->function());
    scene_.fail(declareGlobals({{"pthread_mutex_t", name_, "PTHREAD_MUTEX_INITIALIZER"}}, beside, users,
                               scene_.linkage(), scene_.context, scene_.edits));
  }

  /// Empty when it cannot be named there.
  std::string in(const PlacedRegion& region) const {
    if (field_ == nullptr) return text_;
    // The mutex is a member: that of the object that the region accesses.
    const std::string member = memberNamedIn(*field_, *region.shape, region.statements);
    return member.empty() ? "" : "&" + member;
  }

  void failToName(const PlacedRegion& region) {
    scene_.fail("the mutex '" + scene_.plan.existingLock + "' cannot be named in '" +
                region.shape->function().getName().str() + "'");
  }

  /// The mutex as an expression that means the same in every function of every file; empty if it is none.
  std::string everywhere() const { return isExternal_ ? text_ : ""; }

  /// Where it is a member, named through the object that a function works on; null: it is none.
  const clang::FieldDecl* field() const { return field_; }

  std::string description() const {
    return scene_.newLock ? "a new mutex '" + name_ + "'" : "'" + scene_.plan.existingLock + "'";
  }

 private:
  static std::string memberIn(const PlacedRegion& region) {
    for (const Stmt* s : region.statements)
      for (const Stmt* inner : FunctionShape::below(s))
        if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(inner))
          return member->getMemberDecl()->getName().str();
    return {};
  }

  /// It is a variable of another file: it must be declared here before its first use.
  bool takeFromOtherFile(const std::vector<PlacedRegion>& regions) {
    text_ = scene_.part->existingLock;
    const std::string name = identifierOf(text_.substr(1));
    const clang::VarDecl* variable = globalNamed(name, scene_.context);
    const clang::SourceManager& sources = scene_.context.getSourceManager();
    const bool known =
        variable != nullptr && std::all_of(regions.begin(), regions.end(), [&](const PlacedRegion& region) {
          return sources.isBeforeInTranslationUnit(variable->getFirstDecl()->getLocation(),
                                                   region.shape->function().getLocation());
        });
    if (!known)
      scene_.fail("the mutex '" + scene_.plan.existingLock + "' is not declared in all files that need it");
    return known;
  }

  bool takeExisting(const std::vector<PlacedRegion>& regions) {
    const FunctionShape* shape = nullptr;
    const Stmt* at = scene_.statementAt(*scene_.plan.existingLockAt, shape);
    if (at == nullptr) return false;
    const clang::Expr* argument = nullptr;
    for (const Stmt* s : FunctionShape::below(at)) {
      const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
      if (call == nullptr) continue;
      // A wait acquires its mutex anew.
      const std::string callee = calleeName(*call);
      const bool isLock = callee == "pthread_mutex_lock" && call->getNumArgs() == 1;
      const bool isWait = callee.starts_with("pthread_cond_") && call->getNumArgs() >= 2;
      if (!isLock && !isWait) continue;
      argument = call->getArg(isWait ? 1 : 0)->IgnoreParenImpCasts();
      break;
    }
    const auto* address = llvm::dyn_cast_or_null<clang::UnaryOperator>(argument);
    if (address == nullptr || address->getOpcode() != clang::UO_AddrOf) {
      scene_.fail("the mutex '" + scene_.plan.existingLock +
                  "' is acquired through an expression that names no variable");
      return false;
    }
    bool global = true;
    isExternal_ = true;
    const clang::SourceManager& sources = scene_.context.getSourceManager();
    for (const Stmt* s : FunctionShape::below(address)) {
      if (llvm::isa<clang::CallExpr>(s)) global = false;
      const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(s);
      if (name == nullptr) continue;
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      global = global && variable != nullptr && variable->isFileVarDecl();
      if (!global) continue;
      isExternal_ = isExternal_ && variable->hasExternalFormalLinkage();
      for (const PlacedRegion& region : regions)
        if (!sources.isBeforeInTranslationUnit(variable->getFirstDecl()->getLocation(),
                                               region.shape->function().getLocation())) {
          scene_.fail("the mutex '" + scene_.plan.existingLock + "' is declared after '" +
                      region.shape->function().getName().str() + "'");
          return false;
        }
    }
    if (global) {
      text_ = printed(*address, scene_.context);
      return true;
    }
    isExternal_ = false;
    field_ = memberOf(address);
    if (field_ == nullptr)
      scene_.fail("the mutex '" + scene_.plan.existingLock + "' has no name that all functions know");
    return field_ != nullptr;
  }

  PlanScene& scene_;
  std::string name_;  // of a new mutex
  std::string text_;
  bool isExternal_ = false;
  const clang::FieldDecl* field_ = nullptr;
};

/// The loop or if in whose head all of the accesses stand; null if there is none.
const Stmt* headOf(const PlacedRegion& placed) {
  const Stmt* s = placed.statements.front();
  if (!llvm::isa<clang::WhileStmt, clang::ForStmt, clang::DoStmt, clang::IfStmt>(s)) return nullptr;
  // Accesses elsewhere than in the head would have been found as statements further in.
  const bool all = std::all_of(placed.statements.begin(), placed.statements.end(),
                               [&](const Stmt* other) { return other == s; });
  return all ? s : nullptr;
}

bool touches(const Section& a, const Section& b) {
  if (a.shape != b.shape || a.mutex != b.mutex) return false;
  const auto meets = [](const Section& x, const Section& y) {
    for (const Stmt* s : y.shape->statements(y.region))
      if (x.shape->contains(x.region, s)) return true;
    return false;
  };
  if (meets(a, b) || meets(b, a)) return true;
  return a.region.block != nullptr && a.region.block == b.region.block &&
         (a.region.last + 1 == b.region.first || b.region.last + 1 == a.region.first);
}

/// Joins sections that overlap or touch, until none do. False: two that overlap have no common block.
bool joinAll(std::vector<Section>& sections) {
  for (size_t i = 0; i < sections.size(); ++i)
    for (size_t j = i + 1; j < sections.size(); ++j) {
      if (!touches(sections[i], sections[j])) continue;
      const std::optional<Region> both = sections[i].shape->joined(sections[i].region, sections[j].region);
      if (!both) return false;
      sections[i].region = *both;
      sections[i].head = nullptr;
      sections.erase(sections.begin() + static_cast<ptrdiff_t>(j));
      return joinAll(sections);
    }
  return true;
}

}  // namespace

std::string globalLock(PlanScene& scene) {
  Mutex mutex(scene);
  return mutex.choose({}) ? mutex.everywhere() : "";
}

void realizeCriticalSections(PlanScene& scene) {
  std::vector<PlacedRegion> placed;
  for (const std::vector<SourceAccess>& region : scene.plan.regions) {
    if (region.empty()) continue;
    placed.push_back(scene.place(region));
    if (!scene.problem.empty()) return;
  }
  if (placed.empty()) return scene.fail("the plan names no access");
  Mutex mutex(scene);
  if (!mutex.choose(placed)) return;

  // Where an object is made, nothing names the mutex that guards it later; if it has to, exploring will tell.
  const auto isNamed = [&](const PlacedRegion& region) { return !mutex.in(region).empty(); };
  if (std::none_of(placed.begin(), placed.end(), isNamed)) return mutex.failToName(placed.front());
  std::erase_if(placed, [&](const PlacedRegion& region) { return !isNamed(region); });

  std::vector<Section> sections;
  for (size_t i = 0; i < placed.size(); ++i) {
    Section section;
    section.shape = placed[i].shape;
    section.mutex = mutex.in(placed[i]);
    if (scene.style.headsOnly) section.head = headOf(placed[i]);
    const std::optional<Region> region = section.shape->around(placed[i].statements);
    if (!region)
      return scene.fail("control jumps into the middle of every block that holds the accesses in '" +
                        section.shape->function().getName().str() + "'");
    section.region = *region;
    const LockCalls::Merge merge = LockCalls(*section.shape, section.mutex).merged(section.region);
    if (!merge.problem.empty()) return scene.fail(merge.problem);
    if (merge.alreadyHeld) continue;
    if (merge.region.block != section.region.block || merge.region.first != section.region.first ||
        merge.region.last != section.region.last)
      section.head = nullptr;
    section.region = merge.region;
    sections.push_back(section);
  }
  if (sections.empty()) {
    std::vector<const FunctionShape*> shapes;
    for (const PlacedRegion& region : placed) shapes.push_back(region.shape);
    if (mutex.field() != nullptr && realizeOwnInstance(scene, *mutex.field(), shapes)) return;
    return scene.fail("the mutex is held at all these accesses already");
  }
  // A region that another one grew over is written once, and after growing some may overlap.
  for (bool grown = true; grown;) {
    grown = false;
    if (!joinAll(sections)) return scene.fail("two critical sections overlap and have no common block");
    for (Section& section : sections) {
      const LockCalls::Merge merge = LockCalls(*section.shape, section.mutex).merged(section.region);
      if (!merge.problem.empty()) return scene.fail(merge.problem);
      if (section.shape->contains(section.region, merge.region)) continue;
      section.region = merge.region;
      grown = true;
    }
  }
  std::vector<const Stmt*> inside;
  for (const Section& section : sections)
    for (const Stmt* s : section.shape->statements(section.region)) inside.push_back(s);
  if (const std::string other = changesBetween(inside, scene.context); !other.empty())
    return scene.fail("'" + other +
                      "' changes the same object, by an atomic operation that no lock holds back");
  std::set<const clang::CallExpr*> unmade;
  for (const Section& section : sections) {
    const LockCalls calls(*section.shape, section.mutex);
    unmade.merge(readInPlace(scene, calls, section.region));
    const std::string callee = calls.calleeThatLocks(section.region, unmade);
    if (!callee.empty())
      return scene.fail("'" + callee + "' is called there and acquires " + mutex.description() + " itself");
    std::string problem;
    if (const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(section.head))
      problem = writeIfHead(*section.shape, branch, section.mutex, scene.edits);
    else if (section.head != nullptr)
      problem = writeLoopHead(*section.shape, section.head, section.mutex, scene.edits);
    else
      problem = writeCriticalSection(*section.shape, section.region, section.mutex, scene.edits);
    if (!problem.empty()) return scene.fail(problem);
  }
  dropUnused(scene, unmade);
  mutex.declare(sections);
  std::vector<std::string> named;
  for (const std::string& object : scene.plan.objects)
    if (!identifierOf(object).empty()) named.push_back(object);
  constexpr size_t kNamed = 3;
  const size_t more = named.size() > kNamed ? named.size() - kNamed : 0;
  named.resize(named.size() - more);
  // Where the accesses are acquisitions, nothing is guarded but the acquiring itself.
  const bool acquires = std::all_of(
      scene.plan.regions.begin(), scene.plan.regions.end(), [](const std::vector<SourceAccess>& region) {
        return std::all_of(region.begin(), region.end(),
                           [](const SourceAccess& access) { return access.kind == AccessKind::Lock; });
      });
  scene.title = (acquires ? "acquire " : "guard ") + (named.empty() ? "the accesses" : quotedList(named)) +
                (more == 0 ? "" : " and " + std::to_string(more) + " more") +
                (acquires ? " one thread at a time, under " : " with ") + mutex.description();
}

}  // namespace heddle
