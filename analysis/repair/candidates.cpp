#include "analysis/repair/candidates.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/blocked_step.h"
#include "analysis/plan_scope.h"

namespace heddle {
namespace {

constexpr size_t kBehindLocks = 100;    // more than any patch changes lines
constexpr size_t kForThisCaller = 200;  // behind all that is right for every caller
constexpr size_t kForCheck = 20;        // what the assertion stands for may be used elsewhere
constexpr size_t kAddedJoin = 20;       // a join where there was none takes the threads' concurrency away

bool before(const SourceAccess& a, const SourceAccess& b) {
  return std::tie(a.place.function, a.place.file, a.place.line, a.place.column) <
         std::tie(b.place.function, b.place.file, b.place.line, b.place.column);
}

class Planner {
 public:
  Planner(const Report& report, const Finding& finding) : report_(report), finding_(finding) {}

  /// What is meant as a last resort comes last.
  std::vector<Candidate> plan() {
    collect();
    found_.insert(found_.end(), late_.begin(), late_.end());
    found_.insert(found_.end(), last_.begin(), last_.end());
    return std::move(found_);
  }

 private:
  void collect() {
    const std::set<std::string> failing =
        finding_.kind == Property::Deadlock ? std::set<std::string>() : dataOfFinding();
    // What has no locks stays so, if the order of two statements is all that is wrong.
    addPublications(failing, true);
    for (const RepairPlan& plan : finding_.plans) add(plan);
    if (failing.empty()) return;
    addPublications(failing, false);
    addAtOneAccess(failing);
    // The data of the finding first; then with all that its threads share, which some failures need.
    std::set<std::string> all;
    for (const SharedAccess& a : report_.accesses)
      if (a.concurrent) all.insert(a.data);
    for (const bool wide : {false, true}) {
      const std::set<std::string>& data = wide ? all : failing;
      if (wide && all == failing) break;
      if (data.empty()) continue;
      if (!wide && data.size() == 1) addAtomic(*data.begin());
      addSections(data);
    }
  }

  /// What the joining thread accesses with no lock while the other one may run still.
  std::vector<SourceAccess> unguardedBeside(const SourceAccess& join) const {
    std::vector<SourceAccess> unguarded;
    for (const SharedAccess& a : report_.accesses)
      if (a.concurrent && !a.atomic && a.held.empty() && a.access.threadFunction == join.threadFunction)
        unguarded.push_back(a.access);
    return unguarded;
  }

  void add(RepairPlan plan) {
    if (plan.kind == RepairPlan::Kind::MoveJoin && plan.create && plan.create->kind == AccessKind::Join)
      plan.regions = {unguardedBeside(*plan.create)};
    if (plan.kind == RepairPlan::Kind::AnnounceChange) addOneAnnouncement(plan);
    push({plan, {}, 0});
    if (plan.kind == RepairPlan::Kind::MoveBeforeCreate) push({plan, {false, false, true}, 0});
    if (plan.kind != RepairPlan::Kind::CriticalSections) return;
    push({plan, {false, true, false}, 0});
    if (plan.existingLock.empty()) return;
    push({plan, {true, false, false}, 0});
  }
  /// One change that nobody announces is enough: others may be announced, or may let nobody go on. The first
  /// that the plan names comes first.
  void addOneAnnouncement(const RepairPlan& plan) {
    constexpr size_t kMostAlone = 8;  // as many explorations
    std::vector<SourcePlace> places;
    for (const PlannedOrder& order : plan.orders)
      if (std::find(places.begin(), places.end(), order.before.place) == places.end())
        places.push_back(order.before.place);
    if (places.size() < 2 || places.size() > kMostAlone) return;
    for (const SourcePlace& place : places) {
      RepairPlan alone = plan;
      std::erase_if(alone.orders, [&](const PlannedOrder& order) { return !(order.before.place == place); });
      push({alone, {}, 0});
    }
  }

  /// The data has a guard of another kind already, which only has to be used rightly.
  bool hasOwnGuard() const {
    return std::any_of(finding_.plans.begin(), finding_.plans.end(), [](const RepairPlan& plan) {
      return plan.kind == RepairPlan::Kind::StrongerCall || plan.kind == RepairPlan::Kind::InitialCount;
    });
  }
  void push(Candidate candidate) {
    if (candidate.plan.kind == RepairPlan::Kind::AtomicAccess &&
        (hasOwnGuard() || !isOfCounter(candidate.plan)))
      candidate.penalty = kBehindLocks;
    if (candidate.plan.kind == RepairPlan::Kind::MoveJoin && candidate.plan.create &&
        candidate.plan.create->kind == AccessKind::Create)
      candidate.penalty = kAddedJoin;
    if (candidate.plan.isForCheck) candidate.penalty = kForCheck;
    if (isForOneCaller(candidate.plan)) candidate.penalty = kForThisCaller;
    for (const auto* list : {&found_, &late_, &last_})
      for (const Candidate& known : *list)
        if (known.plan == candidate.plan && known.style == candidate.style) return;
    (candidate.isLastResort() ? last_
     : candidate.penalty == 0 ? found_
                              : late_)
        .push_back(std::move(candidate));
  }

  /// What the finding is about: the accesses at its places and in its steps that more than one thread makes.
  std::set<std::string> dataOfFinding() const {
    std::set<std::string> data;
    const auto standsAt = [&](const SourcePlace& place, bool wholeLine) {
      for (const SharedAccess& a : report_.accesses) {
        const SourcePlace& p = a.access.place;
        if (p == place || (wholeLine && p.file == place.file && p.line == place.line)) data.insert(a.data);
      }
    };
    for (const RelatedPlace& related : finding_.related) standsAt(related.place, false);
    if (isRace(finding_)) return data;
    standsAt(finding_.place, true);
    for (const Step& step : finding_.steps)
      if (step.kind != kBlockedStep) standsAt(step.place, false);
    std::set<std::string> concurrent;
    for (const SharedAccess& a : report_.accesses)
      if (a.concurrent && data.contains(a.data)) concurrent.insert(a.data);
    return concurrent;
  }

  /// What others read is written, in one function and before the data that it stands for, with no lock that
  /// is held for both. `lockFree`: by an atomic operation, else by a plain one.
  void addPublications(const std::set<std::string>& data, bool lockFree) {
    std::set<std::string> read;
    for (const SharedAccess& a : report_.accesses)
      if (a.concurrent && a.access.kind == AccessKind::Read) read.insert(a.data);
    std::set<std::tuple<std::string, uint32_t, uint32_t>> pairs;  // function, lines
    for (const SharedAccess& a : report_.accesses) {
      const SourcePlace& place = a.access.place;
      if (!a.concurrent || a.access.kind == AccessKind::Read || !data.contains(a.data)) continue;
      for (const SharedAccess& first : report_.accesses) {
        const SourcePlace& before = first.access.place;
        if (!first.concurrent || first.access.kind == AccessKind::Read || first.atomic != lockFree ||
            first.data == a.data || !read.contains(first.data) || before.function != place.function ||
            before.file != place.file || before.line >= place.line || haveCommonLock(first, a) ||
            !pairs.emplace(place.function, before.line, place.line).second)
          continue;
        RepairPlan plan;
        plan.kind = RepairPlan::Kind::PublishLast;
        plan.regions = {{first.access, a.access}};
        plan.objects = {a.access.object};
        plan.cost = 2;
        push({plan, {}, 0});
      }
    }
  }

  static bool haveCommonLock(const SharedAccess& a, const SharedAccess& b) {
    return std::any_of(a.held.begin(), a.held.end(), [&](const auto& held) {
      return std::any_of(b.held.begin(), b.held.end(),
                         [&](const auto& other) { return other.first == held.first; });
    });
  }

  /// Plans of which the text says whether there is anything to them: a statement just before a section, the
  /// condition of a wait.
  void addAtOneAccess(const std::set<std::string>& data) {
    constexpr uint32_t kMostConditions = 2;
    // A statement makes several accesses, and moves once.
    std::set<std::pair<std::string, uint32_t>> lines, writes;
    for (const SharedAccess& a : report_.accesses) {
      if (!a.concurrent || a.atomic || !data.contains(a.data)) continue;
      RepairPlan plan;
      plan.regions = {{a.access}};
      plan.objects = {a.access.object};
      plan.cost = 2;
      plan.kind = RepairPlan::Kind::BarrierBetween;
      if (a.held.empty() && a.access.kind != AccessKind::Read &&
          writes.emplace(a.access.place.file, a.access.place.line).second)
        push({plan, {}, 0});
      if (!lines.emplace(a.access.place.file, a.access.place.line).second) continue;
      plan.kind = RepairPlan::Kind::ThreadLocal;
      if (a.held.empty()) push({plan, {}, 0});
      plan.kind = RepairPlan::Kind::UnlockLater;
      push({plan, {}, 0});
      plan.kind = RepairPlan::Kind::MoveIntoSection;
      if (a.held.empty()) push({plan, {}, 0});
      plan.kind = RepairPlan::Kind::UseBeforeCall;
      push({plan, {}, 0});
      plan.kind = RepairPlan::Kind::WaitForMore;
      if (a.held.empty() || a.access.kind != AccessKind::Read) continue;
      for (plan.count = 0; plan.count < kMostConditions; ++plan.count) push({plan, {}, 0});
    }
  }

  void addAtomic(const std::string& data) {
    RepairPlan plan;
    plan.kind = RepairPlan::Kind::AtomicAccess;
    for (const SharedAccess& a : report_.accesses) {
      if (a.data != data) continue;
      plan.regions.push_back({a.access});
      if (plan.objects.empty()) plan.objects = {a.access.object};
    }
    plan.cost = 1;
    atomic_ = {plan, {}, 0};
  }

  /// Atomic is right for a single counter. Where a lock guards the data already, or an access reads what
  /// another one writes back, a checked property may hold by chance: a critical section says what is meant.
  bool isOfCounter(const RepairPlan& plan) const {
    for (const SharedAccess& a : report_.accesses)
      if (!plan.objects.empty() && a.access.object == plan.objects.front()) return isCounter(a.data);
    return true;
  }

  /// Each concurrent access is an operation of its own: no thread reads it in one place to write it in
  /// another.
  bool isCounter(const std::string& data) const {
    std::map<std::string, std::set<std::pair<uint32_t, uint32_t>>> places, writes;
    for (const SharedAccess& a : report_.accesses) {
      if (a.data != data || !a.concurrent) continue;
      if (!a.held.empty()) return false;
      const std::pair<uint32_t, uint32_t> line(a.access.place.line, 0);
      places[a.access.threadFunction].insert(line);
      if (a.access.kind != AccessKind::Read) writes[a.access.threadFunction].insert(line);
    }
    for (const auto& [thread, lines] : writes)
      if (places[thread] != lines) return false;
    return true;
  }

  /// The mutex held at most of the accesses that need one.
  void chooseLock(const std::vector<const SharedAccess*>& accesses, RepairPlan& plan) const {
    std::map<std::string, size_t> count;
    std::map<std::string, SourceAccess> where;
    for (const SharedAccess* a : accesses)
      for (const auto& [mutex, at] : a->held) {
        ++count[mutex];
        where.emplace(mutex, at);
      }
    const auto most = std::max_element(count.begin(), count.end(),
                                       [](const auto& x, const auto& y) { return x.second < y.second; });
    if (most == count.end()) return;
    plan.existingLock = most->first;
    plan.existingLockAt = where.at(most->first);
  }

  /// "next" of "slab->next[2]".
  static std::string memberOf(const std::string& object) {
    const std::string name = object.substr(0, object.find('['));
    const size_t at = name.find_last_of(".>");
    return at == std::string::npos ? name : name.substr(at + 1);
  }

  /// What the mutex guards in some functions and not in others: there it is missing. Other members of the
  /// object may have nothing to do with it.
  void addWhereGuardIsMissing(const std::vector<const SharedAccess*>& accesses, RepairPlan plan) {
    const auto isHeld = [&](const SharedAccess* a) {
      return std::any_of(a->held.begin(), a->held.end(),
                         [&](const auto& held) { return held.first == plan.existingLock; });
    };
    std::set<std::string> guarded;
    for (const SharedAccess* a : accesses)
      if (isHeld(a)) guarded.insert(memberOf(a->access.object));
    std::set<std::string> missing;
    for (const SharedAccess* a : accesses)
      if (!isHeld(a) && guarded.contains(memberOf(a->access.object)))
        missing.insert(memberOf(a->access.object));
    const auto pushFor = [&](const std::set<std::string>& members, RepairPlan one) {
      std::map<std::string, std::vector<SourceAccess>> functions;
      for (const SharedAccess* a : accesses)
        if (!isHeld(a) && members.contains(memberOf(a->access.object)))
          functions[a->access.place.function].push_back(a->access);
      for (auto& [name, list] : functions) {
        std::sort(list.begin(), list.end(), before);
        one.regions.push_back(list);
      }
      one.cost = static_cast<uint32_t>(2 * functions.size());
      if (!one.regions.empty()) push({one, {}, 0});
    };
    // Who looks at one member with the lock held may look at the others without it: what says that they are
    // ready.
    constexpr size_t kSingle = 4;
    if (missing.size() > 1 && missing.size() <= kSingle)
      for (const std::string& member : missing) {
        RepairPlan alone = plan;
        std::erase_if(alone.objects, [&](const std::string& object) { return memberOf(object) != member; });
        pushFor({member}, alone);
      }
    pushFor(missing, plan);
  }

  void addSections(const std::set<std::string>& data) {
    std::vector<const SharedAccess*> accesses;
    for (const SharedAccess& a : report_.accesses)
      if (a.concurrent && data.contains(a.data)) accesses.push_back(&a);
    if (accesses.empty()) return;
    RepairPlan plan;
    plan.kind = RepairPlan::Kind::CriticalSections;
    plan.objects.assign(data.begin(), data.end());
    chooseLock(accesses, plan);

    addWhereGuardIsMissing(accesses, plan);
    // Each access alone; all accesses of a function together; all accesses of a thread together.
    RepairPlan alone = plan, byFunction = plan, byThread = plan;
    std::map<std::string, std::vector<SourceAccess>> functions, threads;
    std::vector<SourceAccess> all;
    for (const SharedAccess* a : accesses) {
      functions[a->access.place.function].push_back(a->access);
      threads[a->access.threadFunction].push_back(a->access);
      all.push_back(a->access);
    }
    std::sort(all.begin(), all.end(), before);
    all.erase(std::unique(all.begin(), all.end(),
                          [](const SourceAccess& x, const SourceAccess& y) { return x.place == y.place; }),
              all.end());
    for (const SourceAccess& access : all) alone.regions.push_back({access});
    for (auto& [name, list] : functions) {
      std::sort(list.begin(), list.end(), before);
      byFunction.regions.push_back(list);
    }
    for (auto& [name, list] : threads) {
      std::sort(list.begin(), list.end(), before);
      byThread.regions.push_back(list);
    }
    byFunction.cost = static_cast<uint32_t>(2 * functions.size());
    byThread.cost = static_cast<uint32_t>(2 * threads.size());
    alone.cost = static_cast<uint32_t>(2 * all.size());
    add(byFunction);
    if (atomic_) push(*std::exchange(atomic_, std::nullopt));
    if (byThread.regions != byFunction.regions) add(byThread);
    add(alone);
  }

  const Report& report_;
  const Finding& finding_;
  std::vector<Candidate> found_, late_, last_;
  std::optional<Candidate> atomic_;
};

}  // namespace

std::vector<Candidate> candidatesFor(const Report& report, const Finding& finding) {
  return Planner(report, finding).plan();
}

}  // namespace heddle
