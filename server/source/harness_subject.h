// HarnessSubject: which calls of a file belong together, and how promising it is to run two of them side by
// side.
//
// Threading: pure functions.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analysis/survey/survey.h"

namespace heddle {

/// Data that two calls touch under different locks, or none: a look at the text cannot tell whether they are
/// ever side by side.
struct Suspect {
  std::string data;          // "struct queue.count", or a global variable's name
  std::set<uint32_t> lines;  // of the accesses
};

/// Calls that belong together: they work on objects of one record, or on the file's own variables.
struct Subject {
  uint32_t record = kNoRecord;
  std::vector<SurveyFunction> operations;  // with what they call
};

/// The record that the function works on, by its first pointer to one.
uint32_t subjectOf(const SurveyFunction& function);

/// Others get it as a pointer and call it; threads of the file do not begin in it.
bool isCallback(const Survey& survey, const SurveyFunction& function);

bool hasThreads(const Survey& survey);

/// The threads' functions of a file in which nothing locks or updates atomically: what they share with the
/// rest is theirs alone to keep in order.
std::set<std::string> unlockedThreads(const Survey& survey);

/// Functions of the file that others call, and `threads`; the most promising of each kind of object.
std::vector<Subject> subjectsOf(const Survey& survey, const std::set<std::string>& threads);

/// Sorts calls: those first that have most to do with what the threads, functions of the file, do.
void sortByThreads(const Survey& survey, const std::set<std::string>& threads,
                   std::vector<const SurveyFunction*>& calls);

/// Calls on no object that lock, of a file whose own set-up starts threads: the two that have most to do with
/// them. `maker`: that set-up; null: none.
std::vector<SurveyFunction> besideThreads(const Survey& survey, const SurveyFunction* maker);

/// It takes a lock and writes to what others may see.
bool changesUnderLock(const SurveyFunction& function);

/// How promising it is to run the two side by side: data that both access and one writes, most of all under
/// different locks. 0: they have nothing in common.
int conflictOf(const SurveyFunction& a, const SurveyFunction& b, std::vector<Suspect>* suspects = nullptr);

/// The same as `conflictOf` for data that one of the two accesses under a lock or atomically, and the other
/// with neither.
int mixedConflictOf(const std::vector<SurveyAccess>& a, const std::vector<SurveyAccess>& b);

/// The same for static variables that both access without a lock.
int staticConflictOf(const SurveyFunction& a, const SurveyFunction& b);

/// Two calls on objects of different kinds, which share a global variable that one of them alone accesses
/// under a lock or atomically.
struct MixedPair {
  const SurveyFunction *a = nullptr, *b = nullptr;  // operations of the subjects
  int conflict = 0;
};

/// The most promising ones first; when the budget ends, those that were found until then.
std::vector<MixedPair> mixedPairs(const std::vector<Subject>& subjects, const Budget& budget);

}  // namespace heddle
