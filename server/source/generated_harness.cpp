#include "server/source/generated_harness.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "server/source/harness.h"
#include "server/source/harness_object.h"
#include "server/source/harness_state.h"
#include "server/source/harness_text.h"
#include "server/source/lock_sections.h"
#include "server/source/lone_calls.h"
#include "server/source/parallel_calls.h"

namespace heddle {
namespace {

/// Threads share the objects of a record that has a lock.
bool hasOwnLock(const Survey& survey, uint32_t record) {
  if (record == kNoRecord) return false;
  const std::vector<SurveyField>& fields = survey.records[record].fields;
  return std::any_of(fields.begin(), fields.end(), [](const SurveyField& field) {
    return field.lock == "mutex" || field.lock == "rwlock" || field.lock == "spin";
  });
}

class Planner {
 public:
  Planner(const Survey& survey, std::vector<std::pair<std::string, std::string>>* skipped,
          const Budget& budget)
      : survey_(survey),
        state_(survey, globalMaker(survey)),
        skipped_(skipped),
        budget_(budget),
        threads_(unlockedThreads(survey)) {}

  std::vector<GeneratedHarness> plan() {
    const bool isThreaded = hasThreads(survey_);
    const std::vector<Subject> subjects = subjectsOf(survey_, threads_);
    std::vector<Pair> candidates;
    for (const Subject& subject : subjects) {
      // Where there are threads, calls without an object are as a rule those of one of them.
      if (!isThreaded || subject.record != kNoRecord) addApart(subject, !isThreaded);
      if (!isThreaded) continue;
      addLife(subject);
      for (size_t i = 0; i < subject.operations.size(); ++i)
        for (size_t j = i; j < subject.operations.size(); ++j)
          addCandidate(subject, subject.operations[i], subject.operations[j], candidates);
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Pair& x, const Pair& y) { return x.conflict > y.conflict; });
    for (const Pair& pair : candidates)
      if (!isOver()) addPair(pair);
    if (isThreaded) addMixed(subjects);
    addBesideThreads();
    for (const Subject& subject : subjects)
      if (isThreaded && !isOver()) addOfOne(subject);
    if (isThreaded) addLockSections(survey_, state_, budget_, found_);
    if (!isOver()) addTriples();
    if (!isOver()) addLives(isThreaded);
    addLoneCalls(survey_, subjects, state_, budget_, found_);
    std::stable_sort(found_.begin(), found_.end(),
                     [](const GeneratedHarness& a, const GeneratedHarness& b) { return a.rank > b.rank; });
    return std::move(found_);
  }

  /// Beside a program of its own, which says what its threads call: only calls that one thread makes.
  std::vector<GeneratedHarness> besideProgram(const std::string& entry) {
    addLoneCalls(survey_, subjectsOf(survey_, threads_), state_, budget_, found_);
    std::erase_if(found_, [&](const GeneratedHarness& made) { return made.functions.front() == entry; });
    return std::move(found_);
  }

  std::vector<GeneratedHarness> uses(const std::set<std::string>& names) {
    constexpr size_t kMostBeside = 4;
    std::set<std::string> begun = {"main"};
    for (const SurveyFunction& function : survey_.functions)
      begun.insert(function.starts.begin(), function.starts.end());
    const auto isUsable = [&](const SurveyFunction& function) {
      return !begun.contains(function.name) && !function.isVariadic && !isSetUp(function.name) &&
             !takesDown(function);
    };
    for (const SurveyFunction& function : survey_.functions) {
      if (!names.contains(function.name) || !isUsable(function)) continue;
      const SurveyFunction whole = withCallees(survey_, function);
      const Subject subject{subjectOf(function), {}};
      addParallel(subject, {&whole}, 0, 0, {});
      addParallel(subject, {&whole, &whole}, 0, 0, {}, {.isInTurn = true});
      addParallel(subject, {&whole, &whole}, 0, 0, {});
      addPrepared(subject, whole, whole, isUsable);
      size_t beside = 0;
      for (const SurveyFunction& other : survey_.functions) {
        if (beside == kMostBeside || other.name == function.name || !isUsable(other) ||
            subjectOf(other) != subject.record)
          continue;
        const SurveyFunction second = withCallees(survey_, other);
        beside += addParallel(subject, {&whole, &second}, 0, 0, {}) ? 1 : 0;
        addPrepared(subject, whole, second, isUsable);
      }
    }
    std::erase_if(found_, [](const GeneratedHarness& harness) { return harness.isOdd; });
    return std::move(found_);
  }

 private:
  struct Pair {
    const Subject* subject = nullptr;
    const SurveyFunction *a = nullptr, *b = nullptr;
    int conflict = 0;
  };

  void skip(const std::string& function, const std::string& why) {
    if (skipped_ && told_.insert(function).second) skipped_->emplace_back(function, why);
  }

  /// One thread makes, uses and destroys an object that has threads of its own.
  void addLife(const Subject& subject) {
    if (subject.record == kNoRecord) return;
    const ObjectLife life = lifeOf(survey_, subject.record);
    const SurveyFunction* maker = life.create ? life.create : life.init;
    // What only the file itself calls is part of another function.
    if (!maker || !isOffered(*maker)) return;
    const SurveyFunction whole = withCallees(survey_, *maker);
    if (whole.starts.empty()) return;
    std::vector<const SurveyFunction*> used;
    for (const SurveyFunction& operation : subject.operations)
      if (!operation.waits) used.push_back(&operation);
    sortByThreads(survey_, whole.starts, used);
    constexpr size_t kMostUsed = 3;
    lives_.insert(subject.record);
    addSequence(subject, *maker, {}, 1000);
    for (size_t i = 0; i < used.size() && i < kMostUsed; ++i)
      addSequence(subject, *maker, {used[i]}, 900 - static_cast<int>(i));
    // What the first call leaves to a thread runs beside the second.
    std::erase_if(used, [](const SurveyFunction* operation) { return !changesUnderLock(*operation); });
    if (!used.empty()) addSequence(subject, *maker, {used[0], used[0]}, kBesideRank);
    if (used.size() > 1) addSequence(subject, *maker, {used[0], used[1]}, kBesideRank - 1);
  }

  /// Calls without an object, twice in a row, beside threads that the file's own set-up has started: what the
  /// first one leaves to a thread runs beside the second.
  void addBesideThreads() {
    const std::vector<SurveyFunction> used = besideThreads(survey_, globalMaker(survey_));
    for (size_t i = 0; i < used.size() && !isOver(); ++i)
      // What a program sets up before all that, it alone knows.
      if (addParallel(noSubject_, {&used[i], &used[i]}, 0, kBesideRank - static_cast<int>(i), {},
                      {.isInTurn = true}))
        found_.back().isCertain = false;
  }

  /// Makes and destroys an object of each kind that no other harness has.
  void addLives(bool isThreaded) {
    constexpr size_t kMostLives = 4;
    std::set<uint32_t> records;
    for (const SurveyFunction& function : survey_.functions) {
      if (function.isStatic || (!isSetUp(function.name) && !beginsOrEndsStarted(survey_, function))) continue;
      records.insert(function.result.record);
      for (const auto& [name, type] : function.parameters) records.insert(type.record);
    }
    records.erase(kNoRecord);
    size_t added = 0;
    for (const uint32_t record : records) {
      const ObjectLife life = lifeOf(survey_, record);
      const SurveyFunction* maker = life.create ? life.create : life.init;
      if (!maker || !isOffered(*maker) || !life.destroy || life.destroy->isStatic) continue;
      // Threads of its own it ends with.
      const bool hasThreadsOfIts = !withCallees(survey_, *maker).starts.empty();
      const bool isSeen = hasThreadsOfIts ? lives_.contains(record) : setUp_.contains(maker->name);
      if (added == kMostLives || isSeen) continue;
      if (!addSequence({record, {}}, *maker, {}, kLifeRank, true)) continue;
      found_.back().isOptional = !isThreaded && !isOfThreads(*maker);
      // Which number says that it failed, and that there is nothing to destroy, is not known.
      if (!life.create && maker->result.kind == SurveyType::Kind::Number && !maker->result.isBool)
        found_.back().isCertain = false;
      ++added;
    }
  }

  /// It comes to a function of the thread library.
  bool isOfThreads(const SurveyFunction& function) const {
    const std::set<std::string> reached = reachedFrom(survey_, function.name);
    return std::any_of(reached.begin(), reached.end(), [](const std::string& name) {
      return name.starts_with("pthread_") || name.starts_with("sem_") || name.starts_with("mtx_");
    });
  }

  /// A function of the file that others can call: a harness of another one says nothing of this file.
  bool isOffered(const SurveyFunction& function) const {
    return !function.isStatic && survey_.find(function.name) != nullptr;
  }

  bool addSequence(const Subject& subject, const SurveyFunction& maker,
                   const std::vector<const SurveyFunction*>& used, int rank, bool mayBeOdd = false) {
    HarnessWriter writer(survey_);
    if (!writer.object(subject.record) || (writer.isOdd && !mayBeOdd)) return false;
    GeneratedHarness harness;
    std::string body;
    harness.title = maker.name;
    harness.functions = {maker.name};
    harness.place = maker.place;
    for (const SurveyFunction* function : used) {
      const auto call = writer.call(*function);
      if (!call) {
        skip(function->name, writer.problem);
        return false;
      }
      body += "  " + *call + ";\n";
      harness.title += ", " + function->name;
      harness.functions.push_back(function->name);
      harness.place = function->place;
    }
    const ObjectLife life = lifeOf(survey_, subject.record);
    if (life.destroy) harness.title += ", " + life.destroy->name;
    harness.assumed = writer.assumed;
    harness.assumed.push_back("one thread calls " + harness.title + " in this order");
    harness.text = frameText(writer, "", globalSetUp(survey_), body);
    harness.isCertain = !writer.isOdd;
    harness.isOdd = writer.isOdd;
    harness.mixesObjects = writer.mixesObjects;
    state_.note(writer, harness);
    harness.rank = rank;
    setUp_.insert(writer.called.begin(), writer.called.end());
    found_.push_back(std::move(harness));
    return true;
  }

  bool isOver() const { return budget_.check() != StopReason::None; }

  void addCandidate(const Subject& subject, const SurveyFunction& a, const SurveyFunction& b,
                    std::vector<Pair>& candidates) const {
    const bool isThread = threads_.contains(a.name) || threads_.contains(b.name);
    const bool isMeant = a.locks || b.locks || (a.isAtomic && b.isAtomic) || isThread ||
                         (a.isAtomic != b.isAtomic && mixedConflictOf(a.accesses, b.accesses) != 0);
    // What changes an object that has a lock, and takes none, runs beside itself, behind all others.
    const bool isForgotten = !isMeant && &a == &b && hasOwnLock(survey_, subject.record);
    if ((!isMeant && !isForgotten) || isOver()) return;
    // What looks wrong in one call shows itself when it is made again.
    const int again = &a == &b && !a.slips.empty() ? kSlip : 0;
    const int found = conflictOf(a, b) + again, conflict = isForgotten ? std::min(found, 1) : found;
    if (conflict != 0) candidates.push_back({&subject, &a, &b, conflict});
  }

  /// Calls on an object each, of which no caller knows that they share a static variable: the most of them
  /// first.
  void addApart(const Subject& subject, bool isOptional) {
    constexpr size_t kMostApart = 4;
    std::vector<Pair> candidates;
    for (size_t i = 0; i < subject.operations.size() && !isOver(); ++i)
      for (size_t j = i; j < subject.operations.size(); ++j) {
        const SurveyFunction &a = subject.operations[i], &b = subject.operations[j];
        if (const int conflict = staticConflictOf(a, b)) candidates.push_back({&subject, &a, &b, conflict});
      }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Pair& x, const Pair& y) { return x.conflict > y.conflict; });
    size_t added = 0;
    for (const Pair& pair : candidates) {
      if (added == kMostApart) break;
      const Together together{.areApart = subject.record != kNoRecord};
      if (!addParallel(subject, {pair.a, pair.b}, pair.conflict, kApartRank, {}, together)) continue;
      found_.back().isOptional = isOptional;
      found_.back().isCertain = false;
      ++added;
    }
  }

  /// Calls on an object each, of which what sets them up is given the same object of another kind: two
  /// records of one registry.
  void addOfOne(const Subject& subject) {
    constexpr size_t kMostOfOne = 6;
    const uint32_t shared = madeWith(survey_, subject.record);
    if (shared == kNoRecord) return;
    std::vector<Pair> candidates;
    for (size_t i = 0; i < subject.operations.size(); ++i)
      for (size_t j = i; j < subject.operations.size(); ++j) {
        const SurveyFunction &a = subject.operations[i], &b = subject.operations[j];
        const bool isCareful = (a.locks || a.isAtomic) && (b.locks || b.isAtomic);
        const int conflict = isCareful && !isOver() ? conflictOf(a, b) : 0;
        if (conflict != 0) candidates.push_back({&subject, &a, &b, conflict});
      }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Pair& x, const Pair& y) { return x.conflict > y.conflict; });
    size_t added = 0;
    for (const Pair& pair : candidates) {
      if (added == kMostOfOne || isOver()) break;
      if (!addParallel(subject, {pair.a, pair.b}, pair.conflict, kOfOneRank, {},
                       {.areApart = true, .shared = shared}))
        continue;
      found_.back().isCertain = false;
      ++added;
    }
  }

  /// Calls on objects of different kinds that share a global variable.
  void addMixed(const std::vector<Subject>& subjects) {
    constexpr size_t kMostMixed = 6;
    size_t added = 0;
    for (const MixedPair& pair : mixedPairs(subjects, budget_)) {
      if (added == kMostMixed || isOver()) break;
      std::vector<Suspect> suspects;
      conflictOf(*pair.a, *pair.b, &suspects);
      if (addParallel(noSubject_, {pair.a, pair.b}, pair.conflict, kMixedRank, std::move(suspects))) ++added;
    }
  }

  void addPair(const Pair& pair) {
    std::vector<Suspect> suspects;
    conflictOf(*pair.a, *pair.b, &suspects);
    if (addParallel(*pair.subject, {pair.a, pair.b}, pair.conflict, 0, std::move(suspects)))
      pairs_.push_back(pair);
  }

  /// Three calls side by side, where each has to do with each other: the best pairs with one more.
  void addTriples() {
    constexpr size_t kMostTriples = 6;
    std::stable_sort(pairs_.begin(), pairs_.end(),
                     [](const Pair& x, const Pair& y) { return x.conflict > y.conflict; });
    size_t added = 0;
    for (const Pair& pair : pairs_) {
      for (const SurveyFunction& third : pair.subject->operations) {
        // Each set of three once.
        if (added == kMostTriples || &third <= pair.b || pair.a == pair.b) continue;
        const int first = conflictOf(*pair.a, third), second = conflictOf(*pair.b, third);
        if (first == 0 || second == 0 || !third.locks) continue;
        if (addParallel(*pair.subject, {pair.a, pair.b, &third}, pair.conflict + first + second, kTripleRank,
                        {}))
          ++added;
      }
    }
  }

  /// The two side by side on an object in which something is: behind the first call that changes what they
  /// look at.
  void addPrepared(const Subject& subject, const SurveyFunction& a, const SurveyFunction& b,
                   const std::function<bool(const SurveyFunction&)>& isUsable) {
    const auto isOfInterest = [&](const SurveyAccess& access) {
      const auto isSame = [&](const SurveyAccess& other) { return other.data == access.data; };
      return access.isWrite && (std::any_of(a.accesses.begin(), a.accesses.end(), isSame) ||
                                std::any_of(b.accesses.begin(), b.accesses.end(), isSame));
    };
    for (const SurveyFunction& function : survey_.functions) {
      if (!isUsable(function) || subjectOf(function) != subject.record) continue;
      const SurveyFunction first = withCallees(survey_, function);
      if (first.waits || std::none_of(first.accesses.begin(), first.accesses.end(), isOfInterest)) continue;
      if (first.name != a.name || first.name != b.name)
        addParallel(subject, {&a, &b}, 0, 0, {}, {.before = &first});
      return;
    }
  }

  bool addParallel(const Subject& subject, const std::vector<const SurveyFunction*>& functions, int conflict,
                   int rank, std::vector<Suspect> suspects, const Together& together = {}) {
    ParallelCalls calls(survey_, subject, functions, together);
    std::optional<GeneratedHarness> harness = calls.write(state_);
    if (!harness) {
      if (!calls.failed().empty()) skip(calls.failed(), calls.problem());
      return false;
    }
    harness->suspects = std::move(suspects);
    harness->rank = std::min(conflict, 300) + rank + (calls.lock() ? 400 : 0) + (harness->isOdd ? 0 : 200);
    setUp_.insert(calls.setUp().begin(), calls.setUp().end());
    found_.push_back(std::move(*harness));
    return true;
  }

  static constexpr int kSlip = 300;
  static constexpr int kBesideRank = 500;   // one thread calls, as for objects with threads of their own
  static constexpr int kApartRank = 250;    // of the best, some are asked for static variables
  static constexpr int kOfOneRank = 50;     // among the best pairs on one object
  static constexpr int kMixedRank = 150;    // a variable that somebody took care of
  static constexpr int kLifeRank = 50;      // behind all calls that take locks
  static constexpr int kTripleRank = -250;  // behind pairs of the same kind

  const Subject noSubject_;
  const Survey& survey_;
  HarnessState state_;
  std::vector<std::pair<std::string, std::string>>* skipped_;
  const Budget& budget_;
  const std::set<std::string> threads_;
  std::set<std::string> told_;
  std::set<std::string> setUp_;  // functions by which harnesses set up and take down
  std::set<uint32_t> lives_;     // records whose objects a harness makes and destroys
  std::vector<GeneratedHarness> found_;
  std::vector<Pair> pairs_;  // into the subjects of plan()
};

}  // namespace

std::vector<GeneratedHarness> generatedHarnesses(const Survey& survey,
                                                 std::vector<std::pair<std::string, std::string>>* skipped,
                                                 const Budget& budget) {
  return Planner(survey, skipped, budget).plan();
}

std::vector<GeneratedHarness> usesOf(const Survey& survey, const std::set<std::string>& functions) {
  const Budget unlimited;
  return Planner(survey, nullptr, unlimited).uses(functions);
}

std::vector<GeneratedHarness> callsBeside(const Survey& survey, const std::string& entry,
                                          const Budget& budget) {
  return Planner(survey, nullptr, budget).besideProgram(entry);
}

}  // namespace heddle
