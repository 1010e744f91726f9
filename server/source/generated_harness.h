// GeneratedHarness: how to run the functions of a file without an entry point when nobody has said how.
// Objects are set up through their own initializers where the file has some, else with any content; then
// calls that the text shows to be worth it run side by side on the same object, and the object is destroyed.
//
// What a harness takes for granted is part of it: a finding that rests on it must never be shown without it.
//
// Threading: pure functions.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/report.h"
#include "analysis/support/budget.h"
#include "analysis/survey/survey.h"
#include "server/source/harness_subject.h"
#include "server/source/lock_guesses.h"
#include "server/source/lock_habits.h"

namespace heddle {

struct GeneratedHarness {
  std::string title;  // "queue_push || queue_pop"; names it for --harness
  std::string text;   // C, to stand behind the text of the file
  std::string
      inTurn;  // the same where each call ends before the next one begins, in either order; empty: none
  std::vector<std::string> functions;  // that it calls, beside setting up and taking down
  size_t prepared = 0;                 // of these, called before threads call the others
  std::vector<std::string> assumed;    // what it takes for granted, a sentence each
  std::vector<Suspect> suspects;       // what its exploration confirms or refutes
  /// Each state that it makes is one that the functions make themselves, and the calls are ones that take
  /// locks or that one thread makes in turn: what is found is there for every such caller.
  bool isCertain = false;
  bool isOdd = false;             // some object has any content
  bool mayBlock = false;          // one of the calls waits for what another caller has to do
  std::set<std::string> keepers;  // of the functions: those that end with a lock which another one releases
  bool mixesObjects = false;      // the object that the calls work on was given to what sets up another one
  /// Of the functions: those that give a reference back. Where they do so in a function that they call: that
  /// one, and what it calls.
  std::map<std::string, std::set<std::string>> givers;
  std::set<std::string> singleThreads;  // functions of which the file starts one thread
  /// Nobody calls a function first that waits for the threads of the object.
  struct Stop {
    std::string function;           // empty: there is none
    std::set<std::string> endings;  // what takes the object down: a function, and those that it calls
  };
  Stop stop;
  std::string consumer;         // of the functions: one that frees the object, which others use; empty: none
  std::set<std::string> inner;  // of the functions: those that take no lock, and whose callers hold one
  std::set<uint32_t> ownLines;  // accesses of its one function to data that no other function writes
  bool isOptional = false;      // nothing in the file shows that threads run it
  bool isAlone = false;         // one thread makes one call, or a few in a row, with any arguments
  bool isInner = false;         // the one call is of a function that only its file calls
  bool isAtEnd = false;         // the one call is what the end of the process runs, whatever came before
  bool keepsLocals = false;     // its one call may read a local variable without a value: that is to be seen
  bool isParallel = false;      // threads make the calls, between setting up and taking down
  SourcePlace place;            // of the first function
  /// By line: global pointers that are read there and that other functions set, but none of the harness.
  /// And pointers in the harness' own objects that none of its functions sets.
  std::map<uint32_t, std::string> notSetUp;
  /// Lines that use functions of objects which the file compares with null elsewhere.
  std::set<uint32_t> testedHooks;
  std::map<std::string, std::string> notSetUpIn;  // by function: such a global pointer that it is given
  std::set<std::string> setElsewhere;             // of those, pointers that no function of the file sets
  std::set<std::string> leftNull;                 // pointer members of its objects that nothing in it sets
  std::set<std::string> setMembers;               // that functions of the harness may change
  /// By function that is given functions of the file: lines that read what these change.
  std::map<std::string, std::set<uint32_t>> handedOver;
  std::set<std::string> hooks;  // made-up functions of which nothing is known, by their names in reports
  bool resetsKeys = false;      // a function that it does not call sets to null what a thread keeps by a key
  std::map<std::string, std::string> undone;  // functions that threads call: what must be called behind
  std::map<std::string, std::string> undoes;  // functions that threads call: what must be called before
  std::set<std::string> elsewhere;            // functions of other files and headers that set its objects up
  bool repeatsObject = false;                 // one of the calls is given one object twice
  /// Of a lock that the file makes itself: lock_sections.h.
  struct Sections {
    std::vector<std::string> between;  // by thread: "'take' and 'release'"; empty: it is another harness
    bool isZeroLock = false;           // nothing in the file sets the lock up
  };
  Sections sections;
  int rank = 0;  // the higher, the sooner
};

/// What a file offers. One with an entry point is a program: its harnesses are calls that one thread makes,
/// which is for what the program does not come to. Where a comment says what to run, it has none.
struct HarnessPlan {
  std::string problem;                      // not empty: the file could not be read
  bool isPartial = false;                   // some of it does not compile
  std::vector<SourcePlace> leftOut;         // functions that do not compile
  std::set<std::string> unknownTypes;       // isPartial: names of types that nothing declares
  bool hasEntry = false;                    // it is a program
  std::vector<SurveyFunction> functions;    // that it defines; of accesses, those of members
  std::set<std::string> addressed;          // functions that it names without calling them
  std::set<std::string> variables;          // that it defines for others
  std::set<std::string> signalHandlers;     // functions that it installs for signals
  bool namesRecursive = false;              // it names PTHREAD_MUTEX_RECURSIVE
  std::set<std::string> elsewhere;          // functions of other files and headers that harnesses call
  std::vector<GeneratedHarness> harnesses;  // best first
  std::vector<LockHabit> habits;            // that a look at the text sees broken
  std::vector<LockGuess> guesses;           // what it suspects of single ways
  std::vector<HeldHook> heldHooks;          // users' functions under locks that other files may take
  std::vector<std::pair<std::string, std::string>> skipped;  // functions that cannot be called, and why
};

/// When the budget ends, the plan has the most promising ones only.
HarnessPlan planHarnesses(const Survey& survey, const std::string& entry, const Budget& budget = {});

/// Best first; only optional ones where no function of the file locks, waits, updates atomically or starts a
/// thread.
/// `skipped`: functions that could not be called, with the reason.
std::vector<GeneratedHarness> generatedHarnesses(
    const Survey& survey, std::vector<std::pair<std::string, std::string>>* skipped = nullptr,
    const Budget& budget = {});

/// Beside a program that begins in `entry`, which says what its threads call: calls that one thread makes.
std::vector<GeneratedHarness> callsBeside(const Survey& survey, const std::string& entry,
                                          const Budget& budget);

/// What other callers than the program's may do with the functions named: each called alone, twice in turn,
/// by two threads, and beside the other functions on the same kind of object; at most some dozen. Functions
/// that threads begin in, and objects of any content, are left out.
std::vector<GeneratedHarness> usesOf(const Survey& survey, const std::set<std::string>& functions);

/// Says in the finding what the harness takes for granted. False: the finding is only possible.
bool isCertain(const GeneratedHarness& harness, Finding& finding);

/// Whether the null pointer of the finding is one that the harness does not set and others do.
bool restsOnSetUp(const GeneratedHarness& harness, const Finding& finding);
/// Whether it is one in a global variable, which only other files set.
bool restsOnGlobals(const GeneratedHarness& harness, const Finding& finding);

/// Where calls race for data of which neither holds a lock, callers are meant to hold one, so what else fails
/// when these calls are side by side is only possible, too.
void demoteConsequences(std::vector<Finding>& certain, std::vector<Finding>& possible);

/// Whether `inTurn`, found where the calls are made one after another, shows that `finding` has nothing to do
/// with threads.
bool failsInTurn(const Finding& finding, const Finding& inTurn);

/// Whether what fails there may have nothing to do with threads: then calls in turn show it, too.
bool mayFailInTurn(const GeneratedHarness& harness, const Finding& finding);

/// Behind isCertain: false where the calls in turn fail so.
using HarnessJudge = std::function<bool(Finding&)>;

/// The verdicts of a harness that follow from what is left among its findings: what was shown as a violation
/// and is only possible now leaves the property undecided.
void judgeByFindings(Report& report);

/// Says in the report what the harness takes for granted: findings that need it are named so or are possible
/// only, as `judge` has it, and no verdict goes beyond it.
void applyHarness(const GeneratedHarness& harness, const HarnessJudge& judge, Report& report);

/// The harness as a file of its own, with a main, which includes the file `included`.
std::string standAlone(const GeneratedHarness& harness, const std::string& included);

}  // namespace heddle
