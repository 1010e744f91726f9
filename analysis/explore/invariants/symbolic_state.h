// SymbolicState: where all threads stand and what memory holds, as terms over the variables of a joint
// location (transition_system.h) and over inputs.
//
// Addresses are numbers: the object's number stands above kObjectBits bits of offset.
//
// Threading: values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "analysis/model/ids.h"
#include "analysis/model/state_key.h"
#include "analysis/model/term.h"

namespace heddle {

inline constexpr unsigned kObjectBits = 40;

/// Of an object. 0 is none; then come the variables of the program; functions; threads, for their handles;
/// blocks of the heap, and variables of functions.
using ObjectNumber = uint32_t;
inline constexpr ObjectNumber kFunctionObjects = 0x4000, kThreadObjects = 0x7000, kBlockObjects = 0x8000;

struct SymbolicFrame {
  FunctionId function = kNone;
  uint32_t pc = 0;          // of the next instruction; below the top: of the call
  std::vector<Term> slots;  // kNoTerm: not written, or nobody reads it any more
};

/// Where a thread waits for its next step.
enum class StandsAt : uint8_t {
  Head,     // at the head of a loop, which is a step of its own
  Step,     // before a step that other threads can observe
  Join,     // before the join of `waitsFor`
  Wait,     // asleep on the condition variable `waitsAt`; it may wake spuriously when `retakes` is free
  Woken,    // woken by a signal, before it takes the mutex `retakes` again
  Barrier,  // it has arrived at the barrier `waitsAt`
  Over,     // it has ended
  Cut,      // it never goes on, and no thread counts as stuck because of it
};

struct SymbolicThread {
  StandsAt at = StandsAt::Head;
  ThreadId parent = kNone;
  ThreadId waitsFor = kNone;
  uint64_t waitsAt = 0, retakes = 0;  // addresses; 0: none
  bool wasJoined = false;
  uint32_t joined = 0;         // bits of threads that have ended before, as it knows
  uint32_t children = 0;       // bits of threads that it has created
  std::vector<uint64_t> held;  // addresses of mutexes, sorted
  std::vector<SymbolicFrame> frames;
  Term result = kNoTerm;
  bool isAlive() const { return at != StandsAt::Over && at != StandsAt::Cut; }
  /// Names everything but the terms' values.
  void addTo(StateKey& key) const;
};

struct SymbolicCell {
  unsigned bytes = 0;
  Term value = kNoTerm;
};

struct SymbolicState {
  std::vector<SymbolicThread> threads;
  std::map<uint64_t, SymbolicCell> cells;  // by address
  std::map<ObjectNumber, Term> sizes;      // in bytes, of blocks of the heap and of stack variables
  std::map<uint64_t, uint64_t> barriers;   // by address: how many threads each waits for
  bool isProcessOver = false;              // main has ended, or some thread never goes on: nobody is stuck

  std::optional<ThreadId> holder(uint64_t mutex) const;
  /// Who has arrived at the barrier, and has not passed it.
  std::vector<ThreadId> arrived(uint64_t barrier) const;
  /// Names everything but the terms' values.
  StateKey key() const;
  /// The terms, in an order that follows from the key.
  std::vector<Term*> entries();
};

}  // namespace heddle
