#include "analysis/survey/kept_locks.h"

#include <algorithm>

namespace heddle {
namespace {

bool isTouchedBehind(const LockWays& ways, const clang::CFGBlock& block, const std::string& text) {
  std::set<const clang::CFGBlock*> seen = {&block};
  std::vector<const clang::CFGBlock*> open = {&block};
  while (!open.empty()) {
    const clang::CFGBlock* next = open.back();
    open.pop_back();
    if (const auto found = ways.operated.find(next);
        found != ways.operated.end() && found->second.contains(text))
      return true;
    for (const clang::CFGBlock* successor : next->succs())
      if (successor && seen.insert(successor).second) open.push_back(successor);
  }
  return false;
}

/// A lock that is taken on some ways only, released on some at the function's end, and never on those that
/// leave before: they have it where it was taken.
void addKeptIfTaken(const LockWays& ways, const std::string& text, SurveyFunction& out) {
  const auto at = [&](const LockWays::Exit& exit) {
    const auto found = exit.states.find(text);
    return found == exit.states.end() ? LockState{} : found->second;
  };
  // Whether it was taken is not followed: where it is released, it may not have been.
  if ((at(ways.exits.back()).bits & ~kReleasedFirst) != (kUntouched | kHeld | kReleased)) return;
  for (const LockWays::Exit& exit : ways.exits)
    if (at(exit).bits == (kUntouched | kHeld))
      out.slips.push_back({LockSlip::Kind::Kept, text, exit.line, at(exit).line, ""});
}

/// A function whose last way out has the lock hands it to its caller.
void addKept(const LockWays& ways, SurveyFunction& out) {
  for (const auto& [text, place] : ways.places) {
    const auto at = [&text = text](const LockWays::Exit& exit) {
      const auto found = exit.states.find(text);
      return found == exit.states.end() ? LockState{} : found->second;
    };
    if (ways.exits.empty()) continue;
    const auto isReleased = [&](const LockWays::Exit& exit) {
      // Released before, on all ways that took it, or the call that destroys it fails.
      const uint8_t bits = at(exit).bits;
      return (bits & (kReleased | kDestroyed)) != 0 && (bits & ~(kUntouched | kReleased | kDestroyed)) == 0;
    };
    const auto isHeld = [&](const LockWays::Exit& exit) { return at(exit).bits == kHeld; };
    if (std::all_of(ways.exits.begin(), ways.exits.end(), isHeld)) {
      if (!place.name.empty()) out.kept[place.name] = at(ways.exits.front()).line;
      continue;
    }
    if (std::any_of(ways.exits.begin(), ways.exits.end(),
                    [&](const LockWays::Exit& exit) { return (at(exit).bits & kReleasedFirst) != 0; }) &&
        !place.name.empty())
      out.releasesFirst.insert(place.name);
    addKeptIfTaken(ways, text, out);
    if (!std::any_of(ways.exits.begin(), ways.exits.end(), isReleased) || isHeld(ways.exits.back())) continue;
    for (const LockWays::Exit& exit : ways.exits)
      if (isHeld(exit)) out.slips.push_back({LockSlip::Kind::Kept, text, exit.line, at(exit).line, ""});
  }
}

/// Ways that meet in front of a block: with the lock, and without it any more.
struct Meeting {
  const clang::CFGBlock* holder = nullptr;
  uint32_t taken = 0;     // line, on a way that has it
  uint32_t released = 0;  // line, on a way that has not
};

Meeting meetingOf(const LockWays& ways, const clang::CFGBlock& block, const std::string& text) {
  Meeting meeting;
  for (const clang::CFGBlock* from : block.preds()) {
    const auto found = from ? ways.out.find(from) : ways.out.end();
    if (found == ways.out.end()) continue;
    const auto known = found->second.find(text);
    if (known == found->second.end()) continue;
    if (known->second.bits == kHeld) {
      meeting.holder = from;
      meeting.taken = known->second.line;
    }
    if (known->second.bits == kReleased) meeting.released = known->second.line;
  }
  return meeting;
}

/// A jump with the lock to where others come without it, and nobody releases it behind; or all release it
/// there, those that have it no more as well.
void addAtJoins(const LockWays& ways, SurveyFunction& out) {
  for (const auto& [block, states] : LastFirst(ways.in)) {
    if (block->pred_size() < 2 || block->succ_empty()) continue;
    for (const auto& [text, state] : states) {
      if ((state.bits & kHeld) == 0 || (state.bits & kReleased) == 0) continue;
      const Meeting meeting = meetingOf(ways, *block, text);
      if (!meeting.holder || meeting.released == 0) continue;
      const auto found = ways.released.find(block);
      const bool isReleased = found != ways.released.end() && found->second.contains(text);
      if (isReleased && state.bits == (kHeld | kReleased))
        out.slips.push_back(
            {LockSlip::Kind::ReleasedTwice, text, found->second.at(text), meeting.released, ""});
      else if (!isTouchedBehind(ways, *block, text))
        out.slips.push_back(
            {LockSlip::Kind::Kept, text, ways.lastLine.at(meeting.holder), meeting.taken, ""});
    }
  }
}

}  // namespace

void addKeptLocks(const LockWays& ways, SurveyFunction& out) {
  addKept(ways, out);
  addAtJoins(ways, out);
}

}  // namespace heddle
