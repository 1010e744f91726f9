#include "analysis/survey/lock_state.h"

namespace heddle {

uint8_t bitsAfter(uint8_t bits, LockCall call) {
  uint8_t out = 0;
  for (uint8_t bit = 1; bit != 0; bit = static_cast<uint8_t>(bit << 1)) {
    if ((bits & bit) == 0) continue;
    if (call == LockCall::Lock)
      out |= bit == kReleasedFirst || bit == kTakenAgain ? kTakenAgain : kHeld;
    else
      out |= bit == kUntouched || bit == kBegun || bit == kReleasedFirst || bit == kTakenAgain
                 ? kReleasedFirst
                 : kReleased;
  }
  return out;
}

bool join(States& into, const States& from) {
  bool isChanged = false;
  const auto add = [&](const std::string& text, const LockState& state) {
    const auto [found, isNew] = into.try_emplace(text);
    const uint8_t bits = found->second.bits | state.bits;
    isChanged |= isNew || bits != found->second.bits;
    found->second.bits = bits;
    if (found->second.line == 0) found->second.line = state.line;
  };
  for (const auto& [text, state] : from) add(text, state);
  for (auto& [text, state] : into)
    if (!from.contains(text) && (state.bits & kUntouched) == 0) add(text, {});
  return isChanged;
}

}  // namespace heddle
