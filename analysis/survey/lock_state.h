// LockState: what the ways to a place in a function have done to each lock.
//
// Threading: plain data.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "analysis/survey/lock_calls.h"

namespace heddle {

/// What a way through a function has done to a lock so far; sets of them, for ways that meet.
enum Bits : uint8_t {
  kUntouched = 1,
  kHeld = 2,           // taken
  kReleased = 4,       // taken, then released
  kReleasedFirst = 8,  // released without having been taken: a caller had it
  kTakenAgain = 16,    // the same, then taken
  kUnknown = 32,
  kDestroyed = 64,
  kBegun = 128,  // initialized, and not touched since
};

struct LockState {
  uint8_t bits = kUntouched;
  uint32_t line = 0;  // of what was done last, on one of the ways

  bool isHeld() const { return bits != 0 && (bits & ~(kHeld | kTakenAgain)) == 0; }
  bool isFree() const { return bits != 0 && (bits & ~(kReleased | kReleasedFirst)) == 0; }
};

using States = std::map<std::string, LockState>;  // by the lock's text; what is absent is untouched

/// `bits` behind the call.
uint8_t bitsAfter(uint8_t bits, LockCall call);

/// Adds the ways of `from`. False: `into` has them all.
bool join(States& into, const States& from);

}  // namespace heddle
