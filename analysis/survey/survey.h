// Survey: what the functions of one file offer and do, from its text alone and without running anything:
// types of parameters, records with their fields, calls, threads that are started, and which data is
// accessed under which locks. It serves to rank and to build harnesses, not to decide anything: locks are
// followed in the order of the text, so what it says about them is a guess.
//
// Threading: any thread may call `surveyOf`; everything else is plain data.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"
#include "analysis/survey/thread_facts.h"

namespace heddle {

inline constexpr uint32_t kNoRecord = ~0u;

/// What a pointer to a function points to, as far as it shows what the function is for.
struct SurveySignature {
  enum class Part : uint8_t { Nothing, Untyped, Size, Number, Other };  // Untyped: `void *`, Size: `size_t`
  /// C, with '@' for its name: "int @(const struct item *a0)"; empty: no function. It changes no record, so
  /// all pointers to such are const.
  std::string declared;
  Part result = Part::Other;
  std::vector<Part> parameters;
};

/// At the end of a text, which may go on behind it. No text that is noted has such a character.
inline constexpr char kAndMore = '*';

/// What a function compares a parameter with.
struct ComparedValues {
  std::set<int64_t> values;  // of a bound, both sides
  uint64_t mask = 0;         // bits that it asks for
  /// Where it may compare any text that the parameter leads to. Those that are compared up to some length
  /// only end with kAndMore.
  std::set<std::string> texts;
  /// Of a text, or of what a size belongs to: how large arrays of characters are that the function names, and
  /// how far it asks one pointer to lie before another, the smallest and the largest. Of a number: elements
  /// of such arrays of any type.
  std::set<uint64_t> rooms;
};

struct SurveyType {
  enum class Kind : uint8_t { Void, Number, Pointer, Record, Other };
  Kind kind = Kind::Other;
  std::string spelled;    // C, with '@' where a name goes: "struct queue *@"
  std::string input;      // Number, or of an array's elements: what follows "__VERIFIER_nondet_"
  uint32_t elements = 0;  // of an array of numbers that are no characters: how many; else 0
  bool isBool = false;
  bool isPair = false;       // Other: a named array of two untyped pointers, as heads of lists are
  bool isThread = false;     // Number: it names a thread
  bool isArguments = false;  // Other: a va_list
  ComparedValues compared;   // of a parameter
  // Only for pointers:
  Kind target = Kind::Other;
  std::string targetSpelled;    // as `spelled`
  uint32_t record = kNoRecord;  // the record that it points to, or that it is
  bool isTargetConst = false;
  bool isTargetText = false;  // it points to characters
  bool isTwice = false;       // a pointer to a pointer to `record`
  bool isGuessed = false;     // it is declared as something less; the function takes it for this
  std::string member;         // isGuessed: the pointer is to this member of the record; empty: to all of it
  std::string callback;  // for a pointer to a function: a definition that does nothing, with '@' for its name
  SurveySignature signature;
};

struct SurveyField {
  std::string name;
  SurveyType type;
  std::string lock;  // "mutex", "cond", "rwlock", "sem", "spin", "other": of the thread library; empty: none
  std::string data;  // its name, as accesses have it
};

struct SurveyRecord {
  std::string spelled;  // "struct queue", "queue_t"
  bool isComplete = false;
  bool isOpaque = false;            // it is only declared
  std::vector<SurveyField> fields;  // without bit fields and unions
  std::set<uint32_t> bitBytes;      // offsets of the bytes that have bit fields
};

/// A member that points to a function, and what the file shows of it.
struct SurveyHook {
  std::string function;   // which the file most often puts there, and which it defines; empty: none
  bool isTested = false;  // whether it is null, somewhere
};

/// Entry among the locks of an access that is an atomic operation.
inline constexpr const char* kAtomically = "(atomically)";

struct SurveyAccess {
  std::string data;   // "struct queue.count", or a global variable's name
  std::string whole;  // of a structure in a structure: "struct pool.stats.count"; else empty
  std::set<uint32_t> lines;
  bool isWrite = false;
  bool isPointer = false;
  bool isGlobal = false;     // the data is (in) a global or static variable
  bool isElsewhere = false;  // the data is in a variable that another file defines
  bool isStatic = false;     // the data is (in) a static variable, which no other file names
  bool isOwn = false;  // the data is in a local variable, or in an object that the function has just made
  std::set<std::string> held;  // locks, named like data, and kAtomically

  bool isGlobalPointer() const { return isPointer && isGlobal; }
};

/// What one way through a function does to a lock, or with one, that looks wrong.
struct LockSlip {
  enum class Kind : uint8_t {
    Kept,            // it goes on without the release that other ways have
    ReleasedTwice,   // without having taken it again
    TakenTwice,      // without having released it
    WaitedOnce,      // for a condition (`lock`), outside of any loop
    Destroyed,       // while it is held
    DestroyedTwice,  // without having been initialized again
    EndedUnbegun,    // destroyed before it is initialized, in an object that the function has made
    BegunLate,       // initialized behind its first use
    UsedDestroyed,   // taken or released, having been destroyed and not initialized since
    Copied           // a parameter that is no pointer: what callers lock is another one
  };
  Kind kind = Kind::Kept;
  std::string lock;     // as the function writes it: "q->lock"
  uint32_t line = 0;    // Kept: where it returns or jumps
  uint32_t before = 0;  // where the lock was taken or released before; 0: nowhere
  std::string callee;   // TakenTwice: the function called there which takes it; empty: itself
};

/// A change of data that a wait in another function tests. Which signal counts that comes behind it, depends
/// on whether a lock is held at the change.
struct UnsignalledChange {
  enum class Signal : uint8_t {
    None,         // up to the function's end
    BehindALock,  // not before the next lock or wait
    First         // before these, on some way
  };
  std::string data;       // named as accesses are
  std::string condition;  // that the other function waits for, named like data
  uint32_t line = 0;
  std::string waiter;  // the other function
  uint32_t waitLine = 0;
  Signal signal = Signal::None;
};

/// A write behind the start of a thread, on the same way, with no lock held and no thread joined meanwhile.
struct WriteBehindStart {
  std::string data;  // named as accesses are
  uint32_t line = 0;
  std::string thread;  // the function that was started
  uint32_t startLine = 0;
};

/// A call of a named function, or of one that may fail to take a lock.
struct SurveyCall {
  std::string callee;
  uint32_t line = 0;
  std::set<std::string> held;   // locks, named like data
  bool isFallibleLock = false;  // it takes a lock, and its result says whether it could
  bool isDropped = false;       // nobody looks at the result
  bool endsProcess = false;     // all ways behind it end the process
};

/// A pointer in a global variable.
struct SurveyGlobal {
  std::string data;  // named as accesses are
  SurveyType type;
};

struct SurveyFunction {
  std::string name;
  SourcePlace place;
  bool isStatic = false;
  bool isVariadic = false;
  bool isDeclared = false;  // its body is in another file: nothing is known of what it does
  std::vector<std::pair<std::string, SurveyType>> parameters;
  SurveyType result;
  std::set<std::string> callees;                        // by name
  std::map<std::string, std::set<std::string>> heldAt;  // by callee: locks that are held at each call of it
  std::set<std::string> addressed;                      // functions that it names without calling them
  std::map<std::string, std::set<std::string>> passed;  // by callee: functions, and pointers that are global
                                                        // data, that calls of it are given
  std::set<std::string> starts;                         // functions that it starts as threads
  std::vector<WriteBehindStart> behindStarts;           // in the order of the text
  std::map<std::string, uint32_t> sharedResults;        // C library functions with a result in memory of the
                                                        // process, called without a lock: the first line
  std::set<std::string> uses;  // functions and variables that it names and that other files may define
  std::vector<SurveyAccess> accesses;
  /// Numbers and pointers that pointers and arrays lead to, which `data` names: "struct queue.items", say.
  std::vector<SurveyAccess> pointed;
  std::vector<SurveyCall> calls;
  /// Pointers in variables of the file and of others, as C: "server.clients"; without those that have an
  /// initial value.
  std::map<std::string, SurveyGlobal> globalPointers;
  std::set<std::string> given;     // data whose address it takes
  std::set<std::string> taken;     // locks that it takes, named like data
  std::set<std::string> released;  // locks that it releases
  std::vector<LockSlip> slips;     // in the order of the text
  std::map<std::pair<std::string, std::string>, uint32_t>
      order;  // line where the second is taken under the first
  std::map<std::string, uint32_t>
      kept;                           // locks that it takes and no way releases, by name: where it takes them
  std::set<std::string> initializes;  // locks and conditions, by name
  std::map<std::string, uint32_t>
      initializesGiven;  // those of objects that its callers have, which it has not destroyed: the line
  std::set<std::string> releasesFirst;  // locks that some way releases without having taken them, by name
  std::vector<UnsignalledChange> unsignalled;  // in the order of the text
  std::set<std::string> signals;               // conditions, named like data; "": some condition
  bool locks = false;                          // takes a lock
  bool waits = false;                          // for a condition, a semaphore, a barrier or a thread
  bool isAtomic = false;                       // updates memory atomically
  bool givesReference = false;           // frees or destroys where a count that it has just lowered is 0
  std::set<std::string> lowers, raises;  // counts, named like data, "" is some count: of one that gives a
                                         // reference, those that it lowers; and those that it raises
  bool setsUpGlobals = false;            // initializes a lock or the like that is a global variable
  bool resetsKey = false;                // sets what a thread keeps by a key to null
  /// Parameters that point to objects of which it destroys a lock or the like, and sets none up again.
  std::set<unsigned> ends;
  /// Parameters that point to objects which it has freed on every way to its end.
  std::set<unsigned> frees;
};

/// Where the text of a function contradicts itself about a value (value_slips.h).
struct ValueSlip {
  enum class Kind : uint8_t {
    TestedLate,      // a pointer is compared with null, and was used before on every way
    UsedNull,        // a pointer is used on a way on which it is null
    BoundedLate,     // an index is compared with a bound, and was used before in the same condition
    Unset,           // a local variable is read, and has no value on one side of a branch
    UnsetGiven,      // a local variable without a value is given to `callee`, which reads it
    UnsetFailed,     // what `callee` sets is read where it may have failed
    BoundPassed,     // an index may be as large as its array is long, by the test of it
    UsedFreed,       // used after `callee` has freed it, on all ways
    FreedAgain,      // freed by `callee`, having been freed on all ways
    LeftFreed,       // freed by `callee`, and left in an object that others free it from
    NullResult,      // what `callee` returns, and may be null, is used, or given to a function that uses it
    NullGiven,       // null is given to `callee`, which uses it
    NullUntested,    // a parameter is used, and `callee` other functions compare theirs with null
    GlobalUntested,  // a global variable is used, and `callee` other functions compare it with null
    RoomShort,       // written to up to `callee` bytes behind its end
    GuardShort,      // the same, although `other` is to limit it
    ReadWide,        // read up to `callee` bytes behind the end that it is compared with
    TextAppended,    // `callee` may fill it up to its end, and something is appended
    Unended,         // filled by `callee` up to its whole size, and nothing writes an end
    BoundWhole,      // appended to by up to its whole size, behind what `callee` has put there
    WishTaken,       // written to behind what snprintf would have written, which `callee` is
    ShiftLong,       // moved with an element behind the last one by `callee`
    OneCleared,      // cleared as one element although there are many
    UsedGiven,       // used after its reference was given back under lock `callee`
    FreedLinked,     // freed while its link `callee` is in a list
    LeftLocal,  // taken out of a list of the function, with its pointers kept; `callee` takes it out again
    UsedMoved,  // used after what it points into may have been moved: `callee`, and by whom
    MovedCallback,  // the same behind a call of nobody knows whom
    Wrapped,      // a difference that may lie below 0; `callee` tests it first, "": it was lowered in `other`
    LowIndex,     // an index that begins at a difference, and is compared with its upper bound alone
    WrappedSum,   // a sum of 32 bits, of what was read in `other`, given to `callee` as a size
    WrappedSize,  // the difference of two lengths of which nothing compares one, given to `callee` as a size
  };
  Kind kind = Kind::TestedLate;
  std::string value;     // the variable, or the text of the place
  std::string function;  // where
  uint32_t line = 0;     // of the use
  uint32_t other = 0;    // of the test, of the branch, of what was done before; 0: nothing of the kind
  std::string callee = {};
  auto operator<=>(const ValueSlip&) const = default;
};

/// Steps of one function that come in the wrong order (order_slips.h).
struct OrderSlip {
  enum class Kind : uint8_t {
    JumpUnset,    // a timer or handler is set, the handler jumps to `name`, which no way has set before
    TimerLeft,    // the handler of `name` is put back while the timer that the function has set may still run
    EmptiedMask,  // SIG_SETMASK of a set that was only emptied, around the start of a thread
    FlagMissed,   // a flag that a handler sets is tested only behind a call that waits without limit
    RaisedLate,   // an object is found under lock `other`, and its count is raised behind the unlock
    OnceReset,    // what pthread_once is given is assigned
    SplitSection,  // data is set under lock `other`, which was released since the test of it
    EmptyFence,    // data is loaded behind fence `other`, which does nothing, and a store before it
  };
  Kind kind = Kind::JumpUnset;
  std::string name;
  std::string function;  // where
  uint32_t line = 0;
  uint32_t before = 0;  // the line of what comes too early or too late; 0: none
  std::string other = {};
  auto operator<=>(const OrderSlip&) const = default;
};

/// Memory whose address a function puts into a member or a global variable.
struct SurveyAllocation {
  std::string data;  // named as accesses are
  std::string allocator;
  std::string function;  // where
  uint32_t line = 0;
};

/// Where a function waits.
struct SurveyWait {
  std::string function;
  uint32_t line = 0;
};

/// The braces of a function's body: offsets in the file's text.
struct SurveyBody {
  uint32_t begin = 0, end = 0;
};

struct Survey {
  std::string problem;               // not empty: the survey failed, and all other members are empty
  bool isPartial = false;            // functions that do not compile are left out (CompileCommand::isPartial)
  std::vector<SourcePlace> leftOut;  // functions of the file that do not compile
  std::set<std::string> unknownTypes;  // isPartial: names of types that nothing declares
  /// Of those the ones whose ways through can be told all the same: name, place, callees and what is told of
  /// ways (slips, order, kept, releasesFirst). They are no functions to call: none is in `functions`.
  std::vector<SurveyFunction> onlyRead;
  std::vector<SurveyFunction> functions;  // functions with a body in the file, in the order of the text
  /// Functions with a body in a header that is not a system header; by name.
  std::vector<SurveyFunction> inlined;
  /// Functions of other files that set up or take down objects of this one, by their declarations in headers
  /// that are no system headers.
  std::vector<SurveyFunction> declared;
  /// Objects that no function of the file sets up are made up, whatever `inlined` and `declared` offer. For a
  /// call alone all are.
  bool makesUpObjects = false;
  /// Null pointers in global variables lead to new objects, whatever the calls need.
  bool makesUpGlobals = false;
  bool leavesOutSetUp = false;  // what sets the file up as a whole is not called
  std::vector<SurveyRecord> records;
  /// By name: bodies of functions of the file that would be declarations without them.
  std::map<std::string, SurveyBody> bodies;
  std::set<std::string>
      unsetLocals;  // functions with a local variable that some way may leave without a value
  std::vector<ValueSlip> valueSlips;  // of `functions`, each once, in any order
  std::vector<OrderSlip> orderSlips;  // of `functions`, each once, in any order
  ThreadFacts threadFacts;
  std::vector<SurveyAllocation> allocated;  // by functions of the file
  bool namesRecursive = false;              // the file names PTHREAD_MUTEX_RECURSIVE
  std::set<std::string> errnoSetters;       // functions that write to errno
  std::set<std::string> signalHandlers;     // functions that the file installs for signals
  std::set<std::string> destructors;        // functions of the file that the end of the process runs
  /// By function: the line where it blocks the signals of a set that it has only emptied.
  std::map<std::string, uint32_t> emptyMasks;
  /// By function that the file keeps to itself, and its parameter: elements of the smallest array that the
  /// file gives it, where all calls give arrays of numbers.
  std::map<std::string, std::map<unsigned, uint64_t>> arraysPassed;
  /// By untyped pointer in a structure, named like data, "[]" behind it for its elements, and by function:
  /// what that one takes it for.
  std::map<std::string, std::map<std::string, SurveyType>> takenAs;
  std::map<std::string, SurveyHook> hooks;  // by SurveyField::data
  std::set<std::string> tested;             // pointers that the file compares with null, named like data
  std::set<std::string> nullable;           // these, and others that the file sets to null
  /// By function: indices of pointers that it is given and that may be null, as the file shows.
  std::map<std::string, std::set<unsigned>> nullArguments;
  std::set<std::string>
      singleThreads;  // functions of which the file starts one thread, and that nothing else names
  std::set<std::string> startedInLoops;  // functions of which a loop of the file starts threads
  std::set<std::string> variables;       // variables that the file defines and other files can use
  std::set<std::string> addressed;       // functions that are named without being called: callbacks, tables
  std::map<std::string, uint32_t> bareLocks;  // locks and conditions, static or of a structure of the file,
                                              // that nobody initializes: the line
  /// Conditions of the file alone that it waits for and never signals, named like data.
  std::map<std::string, SurveyWait> silentConditions;
  /// Variables that functions of the file name and other files define: pointers to functions, and records
  /// that have such.
  std::vector<SurveyField> hooksElsewhere;

  /// The function of this name in `functions`; null: there is none.
  const SurveyFunction* find(const std::string& name) const;
  /// As `find`, also in `inlined`.
  const SurveyFunction* findAny(const std::string& name) const;
};

/// What a type or a function is `spelled`, with the name in the place of '@'.
std::string withName(std::string spelled, const std::string& name);

/// Surveys the file of the snapshot, without its units. Takes little longer than `budget`.
Survey surveyOf(const Snapshot& snapshot, const Budget& budget = {});

/// What the function does together with the functions of the file and its headers that it calls: accesses,
/// and whether it locks or waits. Locks that are held at a call count as held in the called function.
SurveyFunction withCallees(const Survey& survey, const SurveyFunction& function);

/// The functions that it calls, at any depth, also those of other files; `withThreads`: and what the threads
/// do that it starts.
std::set<std::string> reachedFrom(const Survey& survey, const std::string& name, bool withThreads = false);

}  // namespace heddle
