// ThreadFacts: what the functions of one file do to data that threads may share, beyond the accesses of the
// survey: which uses are atomic, tested or of constants, which threads are started with what, which hooks are
// called, and which locks are asserted.
//
// Threading: plain data.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace heddle {

/// A use of data by one function.
struct DataUse {
  enum class Kind : uint8_t {
    Read,
    Write,
    Step,
    Load,
    Store,
    Change
  };                     // Step: `++`, `+=`; the last three
                         // are atomic operations
  std::string data;      // named as accesses are; "*T": what pointers of a typedef T lead to
  std::string function;  // where
  uint32_t line = 0;
  Kind kind = Kind::Read;
  bool isTested = false;   // a condition reads it
  bool isNeeded = false;   // of a loop, which goes on only if it is not zero
  bool isZero = false;     // Write: of the constant 0
  bool isOther = false;    // Write: of another constant
  bool isOfMacro = false;  // the text of a macro has it
  bool isFlag = false;     // it is a number, and none of a type for signals
  std::string variable;    // the global one that it is a part of; empty: none

  bool isAtomic() const { return kind >= Kind::Load; }
  bool isPlainWrite() const { return kind == Kind::Write || kind == Kind::Step; }
};

/// A place where a thread is started.
struct ThreadStart {
  std::string function, thread;  // where, and the function that it runs
  uint32_t line = 0;
  std::string record;       // of the one object that the thread is given; empty: none
  bool isInLoop = false;    // with the same argument in each turn
  bool isRepeated = false;  // in a loop
};

/// A call of a function that a member points to.
struct HookCall {
  std::string data;      // the member
  std::string function;  // where
  uint32_t line = 0;
};

/// A lock that a function says is held.
struct LockAssertion {
  std::string lock;  // named like data
  std::string function;
  uint32_t line = 0;
};

/// Data that is tested to be 0, and set where it is.
struct TestedAndSet {
  std::string data;
  std::string function;
  uint32_t line = 0;  // of the test
  uint32_t set = 0;
};

struct ThreadFacts {
  std::vector<DataUse> uses;
  std::vector<ThreadStart> starts;
  std::vector<HookCall> hookCalls;
  std::vector<LockAssertion> assertions;
  std::vector<TestedAndSet> handLocks;
  std::set<std::string> spun;  // data for which a loop waits that does nothing to it
  bool hasRecursive = false;   // some lock may be taken again by its owner
};

}  // namespace heddle
