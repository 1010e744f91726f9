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
  bool isUnsigned = false;  // `value` holds the bits of an unsigned number
  uint64_t operation = 0;   // the input comes after the steps of its thread up to this number
  bool isRefused = false;   // an allocation, or the creation of a thread, failed
};

struct Step {
  std::string thread;  // "T1"
  SourcePlace place;
  std::string event;      // "write x = 2"
  std::string kind = {};  // "read", "write", "update", "lock", "unlock", "create", "join", …; empty: unknown
  /// The cells and mutexes that the step touches. A number names the same memory or mutex in all steps of
  /// one witness; it has no other meaning.
  std::vector<uint32_t> cells = {};
  /// Operation of its thread, counted from 1; steps with one number belong to one operation.
  uint64_t operation = 0;
  /// An atomic access, or an operation of a synchronization object. Not part of what is written out.
  bool isSync = false;
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
  /// Orderings of two events of different threads that the repair fixes: 0 where it only keeps stretches of
  /// code apart, whichever comes first. The fewer, the more permissive.
  uint32_t fixedOrderings = 0;
  std::vector<TextEditAt> edits;
};

struct ThreadDescription {
  std::string label;      // "T1"
  std::string function;   // what it runs
  bool ofSignal = false;  // it stands for a signal, whose handler is `function`
};

/// What a thread runs, for readers: "worker", "signal handler on_term".
inline std::string titleOf(const ThreadDescription& thread) {
  return thread.ofSignal ? "signal handler " + thread.function : thread.function;
}

/// A schedule with the same inputs that was run and on which the failure does not happen.
struct PassingExecution {
  std::string schedule;
  std::vector<Step> steps;
  std::vector<OrderingFact> changed;  // orderings of the failing execution that it reverses
  bool fewest = false;                // no passing execution changes fewer
};

/// Why a finding happens.
struct Explanation {
  std::string claim;    // one sentence in the program's terms
  std::string pattern;  // "atomicity violation (read-write-read)", "order violation", …; empty: none fits
  std::string cure;  // for an access that lacks the lock which others hold: to hold it there; otherwise empty
  std::vector<RelatedPlace> facts;  // beside the core: locks held, what is missing
  std::vector<Step> steps;          // of the failing execution, those that matter
  std::optional<PassingExecution> passing;
  /// All cores that were found, the one of the finding's own schedule (Finding::core) first.
  std::vector<std::vector<OrderingFact>> cores;
  uint32_t orderings = 0;    // of dependent events in the failing execution
  bool minimal = false;      // the property can hold if any one element of the core is dropped
  bool allFailures = false;  // the cores cover every failing execution
  bool failsAlways = false;  // with these inputs no schedule avoids it
  /// The number of executions among which the cores and the passing execution were found, for a program
  /// that is too large to explore; 0: among all executions.
  uint64_t amongExecutions = 0;
  uint32_t killers = 0;     // orderings in all kill-sets: each excludes one core
  uint32_t elementary = 0;  // number of covers: sets of orderings that exclude every core
  bool composite = false;   // two covers together, one or the other, amount to mutual exclusion
  double diagnoseSeconds = 0, planSeconds = 0;
  std::string problem;  // why there is no core; empty: there is one, or none is needed
};

/// An object that a finding is about, as data, so that it does not depend on the wording of messages.
struct FindingObject {
  std::string key;   // one for each declaration or allocation in the text, with its member, indices left out
  std::string name;  // without any line, "total", "struct pool->stop": the same after edits elsewhere
  auto operator<=>(const FindingObject&) const = default;
};

/// Begins what a related place says that is a call of the function that fails in another file.
inline constexpr const char* kCalledHere = "called here, in '";

struct Finding {
  std::string id;  // stable across runs: from kind, objects, function and the text of the place, not the line
  Property kind = Property::Assert;  // what it violates
  std::string message;               // claim in one sentence
  SourcePlace place;
  /// The objects that race, that threads wait for, or that were freed, each once and in order; empty: the
  /// failure is not about an object.
  std::vector<FindingObject> about;
  SourcePlace freedAt;  // the finding is a use of memory that is freed here; line 0: it is not such a use
  std::vector<RelatedPlace> related;
  std::vector<InputValue> inputs;
  std::string schedule;  // replays to this finding, see Schedule
  std::vector<Step> steps;
  std::vector<ThreadDescription> threads;
  std::vector<OrderingFact> core;  // also empty when every schedule fails, see `explanation`
  std::optional<Explanation> explanation;
  std::vector<RepairPlan> plans;  // by diagnosis, best first; not yet realized in the text
  std::vector<Repair> repairs;
  /// What the finding needs in order to happen, beside its schedule and inputs: "'f', defined elsewhere,
  /// returns any value".
  std::vector<std::string> assumes = {};
  /// The finding depends on an assumed state of memory that may never occur.
  bool possible = false;
};

/// Something that was left out: the verdict holds up to this bound.
struct NamedBound {
  BoundKind kind = BoundKind::LoopRounds;
  std::string text;  // "loop at a.c:12 cut after 10 iterations"
  SourcePlace place;
};

/// Two accesses that nothing orders.
inline bool isRace(const Finding& finding) {
  return finding.kind == Property::Race || finding.kind == Property::Volatile;
}

/// The finding may be intended, or it is only possible: no verdict depends on it, and it is not repaired.
inline bool isWarning(const Finding& finding) {
  return infoOf(finding.kind).isWarning || finding.possible;
}

struct Assumption {
  std::string text;
  SourcePlace place;
};

/// A lock that lies in the same memory object as the data of an access.
struct OwnLock {
  std::string name;             // as messages name it, with indices left out
  int64_t least = 0, most = 0;  // bytes from the data to the lock, over all executions of the access
};

/// An access to shared memory as the explored executions showed it. It stands for all its executions at one
/// place by threads that run the same function.
struct SharedAccess {
  SourceAccess access;
  std::string data;  // the object with indices left out, "slots[]": what one lock would guard
  bool atomic = false;
  bool concurrent = false;  // create and join do not order it with a conflicting access of another thread
  /// Mutexes that were held at every execution, as messages name them, each with one of its acquisitions.
  std::vector<std::pair<std::string, SourceAccess>> held;
  std::vector<OwnLock> ownLocks;  // held at every execution, whichever object was accessed
};

/// Data with the lock that guards it. Either the text says so (Clang's `guarded_by`), or all explored
/// executions hold the lock there.
struct Guard {
  std::string data;   // as SharedAccess::data; the first one if several objects have the member
  std::string name;   // of the variable or member
  SourcePlace place;  // where it is declared
  std::string lock;   // as the attribute names it: a member of the same object, or a variable
  bool written = false;
  /// If `written`: accesses that threads can make at the same time without the lock.
  std::vector<SourceAccess> broken;
};

/// The thread-safety attributes that the text has, and those that it could have.
struct Guards {
  std::vector<Guard> found;        // in order of places
  std::vector<std::string> needs;  // "grow needs 'pool->lock'": functions that are called with a lock held
  std::vector<TextEditAt> edits;   // add the attributes that are missing
};

/// A function that the program calls but that is neither defined nor modelled.
struct UnknownCall {
  std::string name;
  std::vector<SourcePlace> places;  // where it is called, in order
  std::string effect;  // the assumed effect: "nothing", "arguments", …; "refused": a run ends there
  std::string stub;    // a definition in C for the user to change; empty: its type is not known
};

/// A header that the text includes and that is not found.
struct MissingHeader {
  std::string name;                     // as it is included
  SourcePlace place;                    // of the include
  std::vector<std::string> candidates;  // files of that name in the tree; -I would have to name their folders
};

enum class SavedState : uint8_t {
  Fails,       // it shows a finding as when it was saved
  Passes,      // it was followed to its end, and nothing fails
  Impossible,  // some thread cannot go on as it did when the finding was saved
  Lost,        // it cannot be followed: its text is gone, or the file cannot be read
};

/// "fails", "passes", "impossible", "lost"
const char* toString(SavedState state);

/// The result of running a saved finding. Saved findings run before anything is explored.
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

/// The result of looking for a race that another tool has reported.
struct ConfirmedRace {
  std::string name;  // its two lines
  RaceState state = RaceState::NotFound;
  std::string why;       // one line: what was found, or how much its absence proves
  std::string schedule;  // of the finding; empty: there is none
};

struct Stats {
  uint64_t paths = 0;  // distinct global paths executed
  uint64_t executions = 0;
  uint64_t events = 0;
  uint64_t queries = 0, sat = 0, unsat = 0, unknown = 0;
  uint64_t openLeaves = 0;  // leaves that are still open
  /// Joint states of all threads that a search visited, beside the questions to the solver.
  uint64_t states = 0;
  double solverSeconds = 0, interpSeconds = 0, compileSeconds = 0, wallSeconds = 0;
  double firstFindingSeconds = -1;  // negative: none
  uint64_t peakRssMb = 0;
};

/// What an exploration by interferences (con2colic) has covered.
struct Coverage {
  uint64_t branches = 0;                  // sides of branches and switches in the program text
  std::vector<uint64_t> byInterferences;  // [k]: first covered with k interferences
  uint64_t scenarios = 0;                 // scenarios that were examined
  uint64_t unrealizable = 0;              // of these scenarios
  std::vector<uint64_t> findingRuns;      // [i]: the execution that first showed the i-th failure
};

/// Where an exploration that ended early has branches left.
struct OpenPlace {
  SourcePlace place;
  std::string what;  // "condition"; "value", of an address or a size; "step", of a thread
  uint64_t branches = 0;
};

/// A constant of the text that says how much of something there is, and what it was for one exploration.
struct ChosenSize {
  std::string name;
  int64_t written = 0;  // in the text
  int64_t value = 0;    // less
  SourcePlace place;    // of its definition

  friend bool operator==(const ChosenSize& a, const ChosenSize& b) {
    return a.name == b.name && a.value == b.value;
  }
};

/// The same program with smaller sizes. What it says holds for these sizes and no others.
struct SizedRun {
  std::vector<ChosenSize> sizes;  // at least one, by name
  Verdict verdict = Verdict::Incomplete;
  std::vector<NamedBound> bounds;
  std::vector<Finding> findings;  // only possible: a smaller size need not make sense
  double wallSeconds = 0;
};

struct Report {
  std::string file;
  std::string entry;
  std::string strategy;
  std::string memory;  // the memory model and its effect: "c11: sequential consistency suffices"
  Verdict verdict = Verdict::Incomplete;
  std::map<Property, Verdict> properties;
  std::vector<NamedBound> bounds;
  std::vector<Assumption> assumptions;
  std::vector<Finding> findings;
  std::vector<Finding> warnings;        // findings that may be intended: no verdict depends on them
  std::vector<SavedRun> saved;          // in order of their names
  std::vector<ConfirmedRace> reported;  // in the order of the other tool's report
  std::optional<Coverage> coverage;
  std::vector<SharedAccess> accesses;  // by the explored executions, in order of places
  Guards guards;                       // with `accesses`, of the user's files
  /// The definitions of the functions that executions may reach; empty: not known. The bodies of other
  /// functions have no influence on this report, as long as they compile.
  std::vector<SourcePlace> reached;
  std::optional<Reach> reach;  // of the explored executions; none: nothing was explored
  /// Number of joint locations of a proof by invariants. Such a proof has no bound on loops, although
  /// executions were explored within one. 0: there is no such proof.
  uint64_t provedLocations = 0;
  std::vector<OpenPlace> open;            // empty if everything was explored; places with most branches first
  std::vector<UnknownCall> unknownCalls;  // calls that executions may reach, by name
  std::vector<SizedRun> sized;            // in their order, of a program that is too large; else empty
  std::vector<MissingHeader> missing;     // for Error: all headers that were not found
  std::string harness;  // calls that a generated harness makes; empty: no harness was generated
  std::string problem;  // for Unsupported, Error, Incomplete: one sentence
  ProblemKind problemKind = ProblemKind::None;
  bool compilerFailed = false;  // for Error: Clang crashed or did not end, so the text need not be wrong
  SourcePlace problemPlace;
  std::string
      commandSource;  // where the compile command came from: "compile_commands.json (PATH)", "inferred", …
  Stats stats;
};

/// Everything that can be reached was executed, so what was not reached never is.
inline bool isExhaustive(const Report& report) {
  return report.verdict == Verdict::Verified && report.provedLocations == 0;
}

}  // namespace heddle
