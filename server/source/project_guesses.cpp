#include "server/source/project_guesses.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "server/source/shared_guesses.h"
#include "server/source/signal_guesses.h"

namespace heddle {
namespace {

/// One function of one plan.
struct PlacedFunction {
  size_t plan = 0;
  const SurveyFunction* function = nullptr;
  auto operator<=>(const PlacedFunction&) const = default;
};

/// How a function comes to take a lock.
struct TakenBy {
  size_t plan = 0;           // whose file it is taken in
  std::string function;      // that takes it
  bool isOtherFile = false;  // some function on the way there is of another file than the first
};

class ProjectCalls {
 public:
  explicit ProjectCalls(const std::vector<const HarnessPlan*>& plans) : plans_(plans) {
    for (size_t i = 0; i < plans.size(); ++i) {
      std::set<std::string>& used = used_.emplace_back();
      for (const std::string& variable : plans[i]->variables) definers_[variable].insert(i);
      for (const SurveyFunction& function : plans[i]->functions) {
        own_[{i, function.name}] = &function;
        used.insert(function.uses.begin(), function.uses.end());
        if (function.isStatic) continue;
        const auto [known, isNew] = public_.try_emplace(function.name, PlacedFunction{i, &function});
        // Two files define it: which of them is linked is not known.
        if (!isNew) known->second.function = nullptr;
      }
    }
  }

  /// Nothing where no file, or more than one, defines it.
  std::optional<PlacedFunction> find(size_t plan, const std::string& name) const {
    if (const auto own = own_.find({plan, name}); own != own_.end()) return PlacedFunction{plan, own->second};
    const auto known = public_.find(name);
    if (known == public_.end() || !known->second.function) return std::nullopt;
    return known->second;
  }

  /// What all files call the lock; empty: it is no variable, or one that a function has.
  std::string lockName(size_t plan, const std::string& lock) const {
    if (lock.empty() || lock.find_first_of(".:[ (") != std::string::npos) return "";
    const std::string own = lock + " of " + std::to_string(plan);
    const auto definers = definers_.find(lock);
    if (definers == definers_.end()) return own;
    if (definers->second.contains(plan)) return definers->second.size() == 1 ? lock : own;
    // Of several, files have their own of one name: which one this is, is not known.
    if (used_[plan].contains(lock)) return definers->second.size() == 1 ? lock : "";
    return own;
  }

  const std::vector<const HarnessPlan*>& plans() const { return plans_; }

 private:
  const std::vector<const HarnessPlan*>& plans_;
  std::map<std::string, std::set<size_t>> definers_;  // by variable that other files know: plans
  std::vector<std::set<std::string>> used_;           // by plan: what other files may define
  std::map<std::pair<size_t, std::string>, const SurveyFunction*> own_;
  std::map<std::string, PlacedFunction> public_;
};

/// The locks that functions take, with what they call.
class TakenLocks {
 public:
  explicit TakenLocks(const ProjectCalls& calls) : calls_(calls) {}

  /// By the lock's name.
  const std::map<std::string, TakenBy>& of(const PlacedFunction& at) {
    constexpr unsigned kDepth = 8;
    const auto [known, isNew] = taken_.try_emplace(at);
    if (!isNew) return known->second;
    if (depth_ > kDepth) {
      // What was cut off here, a shorter way may ask for again.
      taken_.erase(known);
      return none_;
    }
    ++depth_;
    std::map<std::string, TakenBy> found;
    std::set<std::string> released;
    for (const std::string& lock : at.function->releasesFirst)
      released.insert(calls_.lockName(at.plan, lock));
    for (const std::string& lock : at.function->taken)
      if (const std::string name = calls_.lockName(at.plan, lock); !name.empty() && !released.contains(name))
        found.try_emplace(name, TakenBy{at.plan, at.function->name, false});
    for (const std::string& callee : at.function->callees) {
      const auto next = calls_.find(at.plan, callee);
      if (!next || next->function == at.function) continue;
      for (const auto& [lock, by] : of(*next))
        if (!released.contains(lock))
          found.try_emplace(lock, TakenBy{by.plan, by.function, by.isOtherFile || next->plan != at.plan});
    }
    --depth_;
    return taken_[at] = std::move(found);
  }

 private:
  const ProjectCalls& calls_;
  std::map<PlacedFunction, std::map<std::string, TakenBy>> taken_;
  const std::map<std::string, TakenBy> none_;
  unsigned depth_ = 0;
};

std::string fileName(const HarnessPlan& plan) {
  const std::string& path = plan.functions.front().place.file;
  return path.substr(path.rfind('/') + 1);
}

class ProjectLook {
 public:
  explicit ProjectLook(const std::vector<const HarnessPlan*>& plans) : calls_(plans), locks_(calls_) {}

  std::vector<ProjectGuess> guesses() {
    for (size_t i = 0; i < calls_.plans().size(); ++i)
      for (const SurveyFunction& function : calls_.plans()[i]->functions) addLocks(i, function);
    addOrders();
    for (size_t i = 0; i < calls_.plans().size(); ++i)
      for (const std::string& handler : calls_.plans()[i]->signalHandlers) addHandler(i, handler);
    for (size_t i = 0; i < calls_.plans().size(); ++i) addHooks(i);
    return std::move(found_);
  }

 private:
  struct OrderPlace {
    size_t plan = 0;
    std::string function;
    uint32_t line = 0;
    std::string lock;  // the second one, as the file writes it
    bool isOtherFile = false;
  };

  void add(size_t plan, const std::string& what, const std::string& function, uint32_t line,
           std::string why) {
    found_.push_back({plan, {what, function, {line}, line, std::move(why)}});
  }

  void addLocks(size_t plan, const SurveyFunction& function) {
    for (const SurveyCall& call : function.calls) {
      if (call.held.empty()) continue;
      const auto callee = calls_.find(plan, call.callee);
      if (!callee) continue;
      const auto& taken = locks_.of(*callee);
      for (const std::string& lock : call.held) {
        const std::string held = calls_.lockName(plan, lock);
        if (held.empty()) continue;
        for (const auto& [name, by] : taken) {
          const bool isOtherFile = by.isOtherFile || callee->plan != plan;
          if (name != held)
            orders_.try_emplace({held, name}, OrderPlace{plan, function.name, call.line,
                                                         name.substr(0, name.find(' ')), isOtherFile});
          else if (isOtherFile && !calls_.plans()[by.plan]->namesRecursive &&
                   !calls_.plans()[plan]->namesRecursive)
            add(plan, lock, function.name, call.line,
                "is locked again in '" + function.name + "' by '" + call.callee + "', as '" + by.function +
                    "' locks it (" + fileName(*calls_.plans()[by.plan]) + ")");
        }
      }
    }
    for (const auto& [locks, line] : function.order) {
      const std::string first = calls_.lockName(plan, locks.first);
      const std::string second = calls_.lockName(plan, locks.second);
      if (!first.empty() && !second.empty() && first != second)
        orders_.try_emplace({first, second}, OrderPlace{plan, function.name, line, locks.second, false});
    }
  }

  void addOrders() {
    for (const auto& [locks, place] : orders_) {
      const auto other = orders_.find({locks.second, locks.first});
      if (other == orders_.end() || locks.second < locks.first) continue;
      const OrderPlace& there = other->second;
      if (!place.isOtherFile && !there.isOtherFile && place.plan == there.plan) continue;
      add(place.plan, place.lock, place.function, place.line,
          orderText(there.lock, fileName(*calls_.plans()[there.plan]) + ':' + std::to_string(there.line) +
                                    " ('" + there.function + "')"));
    }
  }

  /// Functions of the user that are called under a lock which a public function of another file takes.
  void addHooks(size_t plan) {
    for (const HeldHook& hook : calls_.plans()[plan]->heldHooks) {
      const bool isMember = hook.lock.find('.') != std::string::npos;
      const std::string lock = isMember ? hook.lock : calls_.lockName(plan, hook.lock);
      if (lock.empty()) continue;
      for (size_t i = 0; i < calls_.plans().size(); ++i) {
        const HarnessPlan& other = *calls_.plans()[i];
        if (i == plan || other.namesRecursive || other.hasEntry) continue;
        const auto taker =
            std::find_if(other.functions.begin(), other.functions.end(), [&](const SurveyFunction& one) {
              return !one.isStatic && one.taken.contains(hook.lock) &&
                     (isMember || calls_.lockName(i, hook.lock) == lock);
            });
        if (taker == other.functions.end()) continue;
        add(plan, hook.lock, hook.function, hook.line,
            toText(hook, taker->name) + " (" + fileName(other) + ")");
        break;
      }
    }
  }

  /// Calls that the handler comes back from, the nearest first.
  void addHandler(size_t plan, const std::string& name) {
    constexpr unsigned kDepth = 5;
    const auto handler = calls_.find(plan, name);
    if (!handler || handler->plan != plan) return;
    std::set<PlacedFunction> seen = {*handler};
    std::set<std::string> told;
    std::deque<std::pair<PlacedFunction, unsigned>> open = {{*handler, 0}};
    while (!open.empty()) {
      const auto [at, depth] = open.front();
      open.pop_front();
      for (const SurveyCall& call : at.function->calls) {
        if (call.endsProcess) continue;
        const auto callee = calls_.find(at.plan, call.callee);
        if (callee && depth < kDepth && seen.insert(*callee).second) open.emplace_back(*callee, depth + 1);
        if (callee || at.plan == plan || !isUnsafeInHandler(call.callee)) continue;
        if (told.insert(call.callee).second)
          add(at.plan, call.callee, at.function->name, call.line,
              "is called in '" + at.function->name + "' while '" + name + "' (" +
                  fileName(*calls_.plans()[plan]) +
                  ") handles a signal: it is not async-signal-safe, and may wait for itself");
      }
    }
  }

  ProjectCalls calls_;
  TakenLocks locks_;
  std::map<std::pair<std::string, std::string>, OrderPlace> orders_;  // by locks: the first one found
  std::vector<ProjectGuess> found_;
};

}  // namespace

std::vector<ProjectGuess> projectGuesses(const std::vector<const HarnessPlan*>& plans) {
  return ProjectLook(plans).guesses();
}

}  // namespace heddle
