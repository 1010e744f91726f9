#include "server/source/harness_subject.h"

#include <algorithm>
#include <map>

#include "server/source/harness_object.h"

namespace heddle {
namespace {

constexpr int kOtherLock = 20;  // of data that one accesses under another lock than the other, or under none
constexpr size_t kMostOperations = 24;  // of one kind of object that are paired

bool isOperation(const Survey& survey, const SurveyFunction& function) {
  return (!function.isStatic || isCallback(survey, function)) && !function.isVariadic &&
         !isSetUp(function.name) && !takesDown(function) && !function.setsUpGlobals &&
         !beginsOrEndsStarted(survey, function);
}

/// How much there is to see when it runs beside others, by what it and its callees do.
int promiseOf(const SurveyFunction& function) {
  return (function.slips.empty() ? 0 : 4) + (function.locks || function.isAtomic ? 2 : 0) +
         (function.waits ? 1 : 0);
}

/// In the order of the text.
void keepMostPromising(std::vector<SurveyFunction>& operations) {
  std::vector<const SurveyFunction*> best;
  for (const SurveyFunction& operation : operations) best.push_back(&operation);
  std::stable_sort(best.begin(), best.end(), [](const SurveyFunction* a, const SurveyFunction* b) {
    return promiseOf(*a) > promiseOf(*b);
  });
  best.resize(std::min(best.size(), kMostOperations));
  std::sort(best.begin(), best.end());
  std::vector<SurveyFunction> kept;
  for (const SurveyFunction* operation : best) kept.push_back(*operation);
  operations = std::move(kept);
}

/// Data that two functions access and one writes.
struct Met {
  int weight = 0;
  std::set<uint32_t> lines;  // of accesses without a lock in common
};

std::map<std::string, Met> metOf(const std::vector<SurveyAccess>& a, const std::vector<SurveyAccess>& b) {
  constexpr int kSameLock = 1, kNoLock = 4;
  std::map<std::string, Met> byData;
  for (const SurveyAccess& x : a) {
    for (const SurveyAccess& y : b) {
      if (x.data != y.data || (!x.isWrite && !y.isWrite)) continue;
      const bool isCommon = std::any_of(x.held.begin(), x.held.end(),
                                        [&](const std::string& lock) { return y.held.contains(lock); });
      const int weight = isCommon ? kSameLock : x.held.empty() && y.held.empty() ? kNoLock : kOtherLock;
      Met& met = byData[x.data];
      met.weight = std::max(met.weight, weight);
      if (isCommon) continue;
      met.lines.insert(x.lines.begin(), x.lines.end());
      met.lines.insert(y.lines.begin(), y.lines.end());
    }
  }
  return byData;
}

}  // namespace

uint32_t subjectOf(const SurveyFunction& function) {
  for (const auto& [name, type] : function.parameters)
    if (type.kind == SurveyType::Kind::Pointer && type.record != kNoRecord && !type.isTwice)
      return type.record;
  return kNoRecord;
}

bool isCallback(const Survey& survey, const SurveyFunction& function) {
  const auto isStartedBy = [&](const SurveyFunction& other) { return other.starts.contains(function.name); };
  return function.isStatic && survey.addressed.contains(function.name) &&
         std::none_of(survey.functions.begin(), survey.functions.end(), isStartedBy);
}

bool hasThreads(const Survey& survey) {
  return std::any_of(survey.functions.begin(), survey.functions.end(), [](const SurveyFunction& function) {
    return function.locks || function.waits || function.isAtomic || !function.starts.empty();
  });
}

std::set<std::string> unlockedThreads(const Survey& survey) {
  std::set<std::string> threads;
  for (const SurveyFunction& function : survey.functions) {
    if (function.locks || function.isAtomic) return {};
    threads.insert(function.starts.begin(), function.starts.end());
  }
  return threads;
}

std::vector<Subject> subjectsOf(const Survey& survey, const std::set<std::string>& threads) {
  std::map<uint32_t, Subject> byRecord;
  for (const SurveyFunction& function : survey.functions) {
    if (!isOperation(survey, function) && !threads.contains(function.name)) continue;
    Subject& subject = byRecord[subjectOf(function)];
    subject.record = subjectOf(function);
    subject.operations.push_back(withCallees(survey, function));
  }
  std::vector<Subject> subjects;
  for (auto& [record, subject] : byRecord) {
    keepMostPromising(subject.operations);
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

void sortByThreads(const Survey& survey, const std::set<std::string>& threads,
                   std::vector<const SurveyFunction*>& calls) {
  std::map<const SurveyFunction*, int> weights;
  for (const std::string& name : threads)
    if (const SurveyFunction* thread = survey.find(name)) {
      const SurveyFunction whole = withCallees(survey, *thread);
      for (const SurveyFunction* call : calls) weights[call] += conflictOf(whole, *call);
    }
  std::stable_sort(calls.begin(), calls.end(),
                   [&](const SurveyFunction* a, const SurveyFunction* b) { return weights[a] > weights[b]; });
}

std::vector<SurveyFunction> besideThreads(const Survey& survey, const SurveyFunction* maker) {
  constexpr size_t kMost = 2;
  const std::set<std::string> threads = maker ? withCallees(survey, *maker).starts : std::set<std::string>();
  if (threads.empty()) return {};
  std::vector<SurveyFunction> operations;
  for (const SurveyFunction& function : survey.functions) {
    const bool isUsable = !function.isStatic && &function != maker && !function.isVariadic &&
                          subjectOf(function) == kNoRecord && !takesDown(function);
    if (!isUsable) continue;
    SurveyFunction whole = withCallees(survey, function);
    if (whole.locks && !whole.waits && whole.starts.empty()) operations.push_back(std::move(whole));
  }
  std::vector<const SurveyFunction*> calls;
  for (const SurveyFunction& operation : operations) calls.push_back(&operation);
  sortByThreads(survey, threads, calls);
  std::vector<SurveyFunction> found;
  for (size_t i = 0; i < calls.size() && i < kMost; ++i) found.push_back(*calls[i]);
  return found;
}

bool changesUnderLock(const SurveyFunction& function) {
  return function.locks &&
         std::any_of(function.accesses.begin(), function.accesses.end(),
                     [](const SurveyAccess& access) { return access.isWrite && !access.isOwn; });
}

int conflictOf(const SurveyFunction& a, const SurveyFunction& b, std::vector<Suspect>* suspects) {
  int sum = 0;
  for (auto& [data, met] : metOf(a.accesses, b.accesses)) {
    sum += met.weight;
    if (suspects && !met.lines.empty()) suspects->push_back({data, std::move(met.lines)});
  }
  // Which objects such pointers lead to, the text does not say: that is no suspicion.
  for (const auto& [data, met] : metOf(a.pointed, b.pointed)) sum += met.weight;
  return sum;
}

int mixedConflictOf(const std::vector<SurveyAccess>& a, const std::vector<SurveyAccess>& b) {
  std::set<std::string> data;
  for (const SurveyAccess& x : a)
    for (const SurveyAccess& y : b) {
      if (x.data != y.data || (!x.isWrite && !y.isWrite) || x.held.empty() == y.held.empty()) continue;
      data.insert(x.data);
    }
  return kOtherLock * static_cast<int>(data.size());
}

int staticConflictOf(const SurveyFunction& a, const SurveyFunction& b) {
  std::set<std::string> data;
  for (const SurveyAccess& x : a.accesses)
    for (const SurveyAccess& y : b.accesses)
      if (x.isStatic && x.data == y.data && (x.isWrite || y.isWrite) && x.held.empty() && y.held.empty())
        data.insert(x.data);
  return static_cast<int>(data.size());
}

std::vector<MixedPair> mixedPairs(const std::vector<Subject>& subjects, const Budget& budget) {
  struct Operation {
    const Subject* subject;
    const SurveyFunction* function;
    std::vector<SurveyAccess> variables;
  };
  std::vector<Operation> operations;
  for (const Subject& subject : subjects) {
    for (const SurveyFunction& function : subject.operations) {
      Operation operation{&subject, &function, {}};
      for (const SurveyAccess& access : function.accesses)
        if (access.isGlobal) operation.variables.push_back(access);
      if (!operation.variables.empty()) operations.push_back(std::move(operation));
    }
  }
  std::vector<MixedPair> pairs;
  for (auto a = operations.begin(); a != operations.end() && budget.check() == StopReason::None; ++a)
    for (auto b = std::next(a); b != operations.end(); ++b)
      if (a->subject != b->subject)
        if (const int conflict = mixedConflictOf(a->variables, b->variables))
          pairs.push_back({a->function, b->function, conflict});
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const MixedPair& x, const MixedPair& y) { return x.conflict > y.conflict; });
  return pairs;
}

}  // namespace heddle
