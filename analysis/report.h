// Report: what an analysis says, as plain data. The boundary between analysis/ and everything that shows
// results.
//
// Lines are 1-based, columns are 1-based byte columns, files are paths as given. No LSP, no JSON here.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/model/bound.h"
#include "analysis/model/problem.h"
#include "analysis/property.h"
#include "analysis/reach.h"
#include "analysis/repair_plan.h"
#include "analysis/source_place.h"

namespace heddle {

enum class Verdict : uint8_t {
  Violated,  // a finding with a replayed witness
  Verified,  // complete: all schedules, all inputs, no bound hit, no assumption that could hide a bug
  VerifiedWithinBounds,  // complete up to the named bounds or assumptions
  Incomplete,            // budget spent
  Cancelled,
  Unsupported,  // something cannot be modelled: what and where is in `problem`
  Error,        // does not compile
};

/// "violated", "verified", "verified-within-bounds", …
const char* toString(Verdict verdict);

struct RelatedPlace {
  SourcePlace place;
  std::string message;
};

struct InputValue {
  std::string name;
  SourcePlace place;
  std::string thread;
  int64_t value = 0;
  bool isUnsigned = false;  // then `value` holds the bits of an unsigned number
  uint64_t operation = 0;   // it comes behind the steps of its thread up to this one
};

struct Step {
  std::string thread;  // "T1"
  SourcePlace place;
  std::string event;      // "write x = 2"
  std::string kind = {};  // "read", "write", "update", "lock", "unlock", "create", "join", …; empty: unknown
  /// What is touched: numbers that name the same memory or mutex in all steps of one witness, and nothing
  /// else.
  std::vector<uint32_t> cells = {};
  uint64_t operation = 0;  // of its thread, counted from 1; several of one number are one
};

/// `before` comes before `after` whenever both happen.
struct OrderingFact {
  SourcePlace before;
  std::string beforeThread;
  SourcePlace after;
  std::string afterThread;
  std::string text;  // "T1 reads `x` before T2 writes `x`"
};

struct TextEditAt {
  std::string file;
  uint32_t startLine = 0, startColumn = 0, endLine = 0, endColumn = 0;
  std::string newText;
};

enum class RepairStatus : uint8_t {
  Verified,              // explored in full: all schedules and inputs
  VerifiedWithinBudget,  // no bug found until the budget ended
  Rejected,              // never offered
};

/// "verified", "verified-within-budget", "rejected"
const char* toString(RepairStatus status);

struct Repair {
  std::string title;
  RepairStatus status = RepairStatus::Rejected;
  std::string kind;  // toString(RepairPlan::Kind); "combination" of several
  /// Orderings of two events of different threads that it fixes for good: 0 where it only keeps stretches of
  /// code apart, whichever comes first. The fewer, the more permissive.
  uint32_t fixedOrderings = 0;
  std::vector<TextEditAt> edits;
};

struct ThreadDescription {
  std::string label;     // "T1"
  std::string function;  // what it runs
};

/// A schedule with the same inputs on which the failure does not happen; it was run.
struct PassingExecution {
  std::string schedule;
  std::vector<Step> steps;
  std::vector<OrderingFact> changed;  // orderings of the failing execution that it turns round
  bool fewest = false;                // no passing execution changes fewer
};

/// Why a finding happens.
struct Explanation {
  std::string claim;    // one sentence in the program's terms
  std::string pattern;  // "atomicity violation (read-write-read)", "order violation", …; empty: none fits
  std::string cure;     // where an access lacks the lock that others hold: to hold it there; empty: else
  std::vector<RelatedPlace> facts;  // beside the core: locks held, what is missing
  std::vector<Step> steps;          // of the failing execution, those that matter
  std::optional<PassingExecution> passing;
  /// All cores that were found, the one of the finding's own schedule (Finding::core) first.
  std::vector<std::vector<OrderingFact>> cores;
  uint32_t orderings = 0;    // of dependent events in the failing execution
  bool minimal = false;      // without any one element of the core the property can hold
  bool allFailures = false;  // the cores cover every failing execution
  bool failsAlways = false;  // with these inputs no schedule avoids it
  /// Of how many executions cores and passing execution were found, where a program is too large to look at
  /// all; 0: of all.
  uint64_t amongExecutions = 0;
  uint32_t killers = 0;     // orderings in all kill-sets: each excludes one core
  uint32_t elementary = 0;  // covers: sets of orderings that exclude every core
  bool composite = false;   // two covers, one or the other, make a mutual exclusion
  double diagnoseSeconds = 0, planSeconds = 0;
  std::string problem;  // why there is no core; empty: there is one, or none is needed
};

/// An object that a finding is about, as data: messages may be worded otherwise.
struct FindingObject {
  std::string key;   // one for each declaration or allocation in the text, with its member, indices left out
  std::string name;  // without any line, "total", "struct pool->stop": the same after edits elsewhere
  auto operator<=>(const FindingObject&) const = default;
};

struct Finding {
  std::string id;  // stable across runs: from kind, objects, function and the text of the place, not the line
  Property kind = Property::Assert;  // what it violates
  std::string message;               // claim in one sentence
  SourcePlace place;
  /// Each once, in order: what races, what is waited for, what was freed; empty: a failure that is about
  /// none.
  std::vector<FindingObject> about;
  SourcePlace freedAt;  // a use of what is freed there; line 0: it is none
  std::vector<RelatedPlace> related;
  std::vector<InputValue> inputs;
  std::string schedule;  // replays to this finding, see Schedule
  std::vector<Step> steps;
  std::vector<ThreadDescription> threads;
  std::vector<OrderingFact> core;  // empty as well when every schedule fails, see `explanation`
  std::optional<Explanation> explanation;
  std::vector<RepairPlan> plans;  // by diagnosis, best first; not yet realized in the text
  std::vector<Repair> repairs;
  /// What it takes to happen beside a schedule and inputs: "'f', defined elsewhere, returns any value".
  std::vector<std::string> assumes = {};
  /// It depends on a state of memory that was assumed and may be one that never is.
  bool possible = false;
};

/// What was left out: the verdict holds up to it.
struct NamedBound {
  BoundKind kind = BoundKind::LoopRounds;
  std::string text;  // "loop at a.c:12 cut after 10 iterations"
  SourcePlace place;
};

/// Two accesses that nothing orders.
inline bool isRace(const Finding& finding) {
  return finding.kind == Property::Race || finding.kind == Property::Volatile;
}

/// It may be meant, or is only possible: no verdict depends on it, and nothing is mended.
inline bool isWarning(const Finding& finding) {
  return infoOf(finding.kind).isWarning || finding.possible;
}

struct Assumption {
  std::string text;
  SourcePlace place;
};

/// A lock in the object of memory that an access is to.
struct OwnLock {
  std::string name;             // as messages name it, with indices left out
  int64_t least = 0, most = 0;  // bytes from the data to the lock, over all executions of the access
};

/// An access to shared memory as the explored executions showed it, all executions at one place and by
/// threads that run the same function taken together.
struct SharedAccess {
  SourceAccess access;
  std::string data;  // the object with indices left out, "slots[]": what one lock would guard
  bool atomic = false;
  bool concurrent = false;  // create and join leave it unordered with a conflicting access of another thread
  /// Mutexes that were held at every execution, as messages name them, each with one of its acquisitions.
  std::vector<std::pair<std::string, SourceAccess>> held;
  std::vector<OwnLock> ownLocks;  // that were held at every execution, of whichever object it was to
};

/// Data with the lock that guards it: as the text says it (Clang's `guarded_by`), or as all explored
/// executions keep to it.
struct Guard {
  std::string data;   // as SharedAccess::data; the first, where several objects have the member
  std::string name;   // of the variable or member
  SourcePlace place;  // where it is declared
  std::string lock;   // as the attribute names it: a member of the same object, or a variable
  bool written = false;
  std::vector<SourceAccess> broken;  // written: accesses that threads can make at the same time, without it
};

/// What thread-safety attributes say, and could say.
struct Guards {
  std::vector<Guard> found;        // in order of places
  std::vector<std::string> needs;  // "grow needs 'pool->lock'": functions that are called with a lock held
  std::vector<TextEditAt> edits;   // write down what is not written yet
};

/// A function that the program calls, and that is neither defined nor modelled.
struct UnknownCall {
  std::string name;
  std::vector<SourcePlace> places;  // where it is called, in order
  std::string effect;  // what is assumed: "nothing", "arguments", …; "refused": a run ends there
  std::string stub;    // a definition in C, ready to be changed; empty: its type is not known
};

/// A header that the text includes and that is not found.
struct MissingHeader {
  std::string name;                     // as it is included
  SourcePlace place;                    // of the include
  std::vector<std::string> candidates;  // files of that name in the tree: what -I would have to name for them
};

enum class SavedState : uint8_t {
  Fails,       // as it was saved: there is a finding
  Passes,      // followed to its end, and nothing fails
  Impossible,  // a thread cannot go on as it did then
  Lost,        // cannot be followed: its text is gone, or the file cannot be read
};

/// "fails", "passes", "impossible", "lost"
const char* toString(SavedState state);

/// A finding that was saved, run before anything was explored.
struct SavedRun {
  std::string name;  // of its file, without folder and extension
  Property kind = Property::Assert;
  SavedState state = SavedState::Lost;
  std::string why;       // one line; empty where it fails
  SourcePlace place;     // where it fails, or waits; line 0: not known
  std::string schedule;  // in this text; empty: there is none
};

enum class RaceState : uint8_t {
  Shown,     // a finding has these two lines
  SameData,  // a finding is about other lines that use the same data
  NotFound,
};

/// "shown", "same data", "not found"
const char* toString(RaceState state);

/// A race that another tool has reported, looked for.
struct ConfirmedRace {
  std::string name;  // its two lines
  RaceState state = RaceState::NotFound;
  std::string why;       // one line: what was found, or how far not finding it goes
  std::string schedule;  // of the finding; empty: there is none
};

struct Stats {
  uint64_t paths = 0;  // distinct global paths executed
  uint64_t executions = 0;
  uint64_t events = 0;
  uint64_t queries = 0, sat = 0, unsat = 0, unknown = 0;
  uint64_t openLeaves = 0;  // frontier that is left
  uint64_t states = 0;      // joint states of all threads that were visited beside the questions
  double solverSeconds = 0, interpSeconds = 0, compileSeconds = 0, wallSeconds = 0;
  double firstFindingSeconds = -1;  // negative: none
  uint64_t peakRssMb = 0;
};

/// What an exploration by interferences (con2colic) has covered.
struct Coverage {
  uint64_t branches = 0;                  // sides of branches and switches in the program text
  std::vector<uint64_t> byInterferences;  // [k]: first covered with k interferences
  uint64_t scenarios = 0;                 // that were looked at
  uint64_t unrealizable = 0;              // of these
  std::vector<uint64_t> findingRuns;      // [i]: the execution that first showed the i-th failure
};

/// Where an exploration that ended early has branches left.
struct OpenPlace {
  SourcePlace place;
  std::string what;  // "condition"; "value", of an address or a size; "step", of a thread
  uint64_t branches = 0;
};

struct Report {
  std::string file;
  std::string entry;
  std::string strategy;
  std::string memory;  // the memory model, and what part it played: "c11: sequential consistency suffices"
  Verdict verdict = Verdict::Incomplete;
  std::map<Property, Verdict> properties;
  std::vector<NamedBound> bounds;
  std::vector<Assumption> assumptions;
  std::vector<Finding> findings;
  std::vector<Finding> warnings;        // what may be meant as it is: no verdict depends on them
  std::vector<SavedRun> saved;          // in order of their names
  std::vector<ConfirmedRace> reported;  // in the order of the other tool's report
  std::optional<Coverage> coverage;
  std::vector<SharedAccess> accesses;  // of the explored executions, in order of places
  Guards guards;                       // with `accesses`, of the user's files
  /// The functions that executions may come to, where they are defined; empty: not known. Text in the bodies
  /// of others has no influence on this report, as long as it compiles.
  std::vector<SourcePlace> reached;
  std::optional<Reach> reach;  // of the explored executions; none: nothing was explored
  /// Joint locations of a proof by invariants: loops have no bound, and executions were explored within
  /// one. 0: there is none.
  uint64_t provedLocations = 0;
  std::vector<OpenPlace> open;            // nothing where all was explored; most branches first
  std::vector<UnknownCall> unknownCalls;  // that executions may come to, by name
  std::vector<MissingHeader> missing;     // Error: headers that are not found, all of them
  std::string harness;                    // calls that a generated harness makes; empty: there is none
  std::string problem;                    // for Unsupported, Error, Incomplete: one sentence
  ProblemKind problemKind = ProblemKind::None;
  bool compilerFailed = false;  // Error: Clang crashed or did not end; the text need not be wrong
  SourcePlace problemPlace;
  std::string
      commandSource;  // where the compile command came from: "compile_commands.json (PATH)", "inferred", …
  Stats stats;
};

/// Everything was executed: what was not reached never is.
inline bool isExhaustive(const Report& report) {
  return report.verdict == Verdict::Verified && report.provedLocations == 0;
}

}  // namespace heddle
