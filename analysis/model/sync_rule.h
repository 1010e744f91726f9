// SyncRule: what a synchronization object does in one atomic step, as terms over its state.
//
// Semaphores, read-write locks, barriers and once controls are a cell of 32 bits each. An operation waits
// until its guard holds for the cell and then gives it the next state. Machine and formula read the same
// definition: the machine puts constants in, so that the terms fold.
//
// Threading: constants without state.
#pragma once

#include <cstdint>

#include "analysis/model/term.h"

namespace heddle {

inline constexpr unsigned kSyncBits = 32;  // of the cell
// The hidden object that holds the cell also says, in a byte, whether the synchronization object can be used.
// Of threads it says whether they can be joined.
enum class Usable : uint8_t { NotYet, Yes, Destroyed, Detached, Joined };
inline constexpr unsigned kUsableByte = kSyncBits / 8;  // its offset
inline constexpr unsigned kSyncBytes = 8;               // of the hidden object

struct SyncRule {
  /// Whether the operation may happen: a term of width 1. Null: always.
  Term (*guard)(TermTable& terms, Term state, Term operand);
  /// The state after it. Null: it only looks.
  Term (*next)(TermTable& terms, Term state, Term operand);
  const char* verb;    // for people: "wait", "post"
  const char* object;  // "semaphore"
  /// It may change nothing. Its model tells by WaitingLoops::noteEffect whether it did.
  bool tries = false;
};

}  // namespace heddle
