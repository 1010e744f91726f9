#include "server/source/value_guesses.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

namespace heddle {
namespace {

std::string toText(const ValueSlip& slip) {
  const std::string in = " in '" + slip.function + "'";
  switch (slip.kind) {
    case ValueSlip::Kind::TestedLate:
      return "is used" + in + " before it is compared with null" + lineText("compared", slip.other);
    case ValueSlip::Kind::UsedNull:
      return "is used" + in + " on a way on which it is null" + lineText("compared", slip.other);
    case ValueSlip::Kind::BoundedLate:
      return "is an index" + in + " before it is compared with its bound" + lineText("compared", slip.other);
    case ValueSlip::Kind::UnsetGiven:
      return "is given to '" + slip.callee + "'" + in + " without a value, and read there";
    case ValueSlip::Kind::UnsetFailed:
      return "is read" + in + " although '" + slip.callee + "', which sets it, may have failed" +
             lineText("called", slip.other);
    case ValueSlip::Kind::BoundPassed:
      return "may be as large as '" + slip.callee + "' is long" + in + lineText("compared", slip.other);
    case ValueSlip::Kind::UsedFreed:
      return "is used" + in + " after '" + slip.callee + "' has freed it" + lineText("freed", slip.other);
    case ValueSlip::Kind::FreedAgain:
      return "is freed again" + in + " by '" + slip.callee + "'" + lineText("freed", slip.other);
    case ValueSlip::Kind::LeftFreed:
      return "is freed by '" + slip.callee + "'" + in + ", and still points there on a way out" +
             lineText("which ends", slip.other);
    case ValueSlip::Kind::NullResult:
      return "is what '" + slip.callee + "' returned, may be null, and is used" + in + " without a test" +
             lineText("returned", slip.other);
    case ValueSlip::Kind::NullGiven:
      return "is null in the call of '" + slip.callee + "'" + in + ", which uses it";
    case ValueSlip::Kind::NullUntested:
      return "is used" + in + " without a test, and " + slip.callee +
             " other functions of the file compare theirs with null";
    case ValueSlip::Kind::GlobalUntested:
      return "is used" + in + " without a test, and " + slip.callee +
             " other functions of the file compare it with null";
    case ValueSlip::Kind::RoomShort:
      return "is written to or read" + in + " up to " + slip.callee + " bytes behind its end" +
             lineText("allocated", slip.other);
    case ValueSlip::Kind::GuardShort:
      return "may be written to or read" + in + " up to " + slip.callee + " bytes behind its end" +
             lineText("limited", slip.other);
    case ValueSlip::Kind::ReadWide:
      return "may be read" + in + " up to " + slip.callee + " bytes behind the end that it is compared with" +
             lineText("compared", slip.other);
    case ValueSlip::Kind::TextAppended:
      return "may be filled by '" + slip.callee + "' up to its end, and is appended to" + in +
             lineText("filled", slip.other);
    case ValueSlip::Kind::Unended:
      return "is filled" + in + " by '" + slip.callee +
             "' up to its whole size, and nothing ends it: a longer text leaves no end";
    case ValueSlip::Kind::BoundWhole:
      return "is appended to" + in + " by up to its whole size, behind what '" + slip.callee +
             "' has put there" + lineText("put there", slip.other);
    case ValueSlip::Kind::WishTaken:
      return "is written to" + in + " behind what snprintf would have written, and nothing compares '" +
             slip.callee + "' with the size";
    case ValueSlip::Kind::ShiftLong:
      return "is moved" + in + " with an element behind the last one by '" + slip.callee + "'";
    case ValueSlip::Kind::OneCleared:
      return "is cleared" + in + " as one element, and there are many" + lineText("counted", slip.other);
    case ValueSlip::Kind::UsedGiven:
      return "is used" + in + " after its reference was given back under '" + slip.callee +
             "', and others may free it" + lineText("given back", slip.other);
    case ValueSlip::Kind::FreedLinked:
      return "is freed" + in + " while '" + slip.callee + "' is still in a list" +
             lineText("put there", slip.other);
    case ValueSlip::Kind::LeftLocal:
      return "is taken out of a list that ends with '" + slip.function +
             "' and keeps its pointers to it, and '" + slip.callee + "' takes it out again";
    case ValueSlip::Kind::UsedMoved:
      return "is used" + in + " after realloc may have moved what it points into, '" + slip.callee + "'" +
             lineText("moved", slip.other);
    case ValueSlip::Kind::MovedCallback:
      return "is used" + in + " behind a callback that may move what it points into, '" + slip.callee + "'" +
             lineText("called", slip.other);
    case ValueSlip::Kind::Wrapped:
      return "may lie below zero" + in + ", where nothing compares it" + lineText("lowered", slip.other) +
             (slip.callee.empty() ? "" : ", as '" + slip.callee + "' does first");
    case ValueSlip::Kind::LowIndex:
      return "may begin below zero" + in + ", and is compared with its upper bound alone" +
             lineText("computed", slip.other);
    case ValueSlip::Kind::WrappedSum:
      return "is given to '" + slip.callee + "' as a size" + in +
             ", may be 0 or less in 32 bits, and nothing compares what was read" +
             lineText("read", slip.other);
    case ValueSlip::Kind::WrappedSize:
      return "is given to '" + slip.callee + "' as a size" + in +
             ", and nothing compares one with the other" + lineText("computed", slip.other);
    case ValueSlip::Kind::Unset:
      break;
  }
  return "may be read" + in + " without a value" + lineText("which depends on the 'if'", slip.other);
}

/// Of an allocator whose results the file compares with null elsewhere: who does not, forgot it. Where most
/// results are not compared, or by its name ("xmalloc"), the allocator may be one that never returns null.
void addUnchecked(const Survey& survey, std::vector<LockGuess>& guesses) {
  std::map<std::string, size_t> checked, unchecked;  // members and variables, by allocator
  for (const SurveyAllocation& made : survey.allocated)
    ++(survey.tested.contains(made.data) ? checked : unchecked)[made.allocator];
  constexpr std::array<std::string_view, 5> kLibrary = {"malloc", "calloc", "realloc", "strdup", "strndup"};
  for (const SurveyAllocation& made : survey.allocated) {
    if (survey.tested.contains(made.data) || made.allocator.starts_with("x")) continue;
    const bool isLibrary = std::find(kLibrary.begin(), kLibrary.end(), made.allocator) != kLibrary.end();
    const bool isCompared = checked[made.allocator] != 0 || survey.tested.contains(made.allocator + "()");
    // A member is compared with null as well where it is only not set.
    if (!isCompared || (!isLibrary && 2 * unchecked[made.allocator] > checked[made.allocator])) continue;
    guesses.push_back({made.data,
                       made.function,
                       {made.line},
                       made.line,
                       "is what '" + made.allocator + "' returns in '" + made.function +
                           "', and nothing compares it with null, as other results are"});
    guesses.back().isOfFailure = true;
  }
}

/// A thread that was not created is no thread to join.
void addUncheckedThreads(const Survey& survey, std::vector<LockGuess>& guesses) {
  for (const SurveyFunction& function : survey.functions)
    for (const SurveyCall& call : function.calls) {
      if (call.callee != "pthread_create" || !call.isDropped) continue;
      guesses.push_back({call.callee,
                         function.name,
                         {call.line},
                         call.line,
                         "may fail in '" + function.name + "', and nothing looks at its result"});
      guesses.back().isOfFailure = true;
    }
}

}  // namespace

void addValueGuesses(const Survey& survey, std::vector<LockGuess>& guesses) {
  for (const ValueSlip& slip : survey.valueSlips) {
    guesses.push_back({slip.value, slip.function, {slip.line}, slip.line, toText(slip)});
    if (slip.other != 0) guesses.back().lines.insert(slip.other);
  }
  addUnchecked(survey, guesses);
  addUncheckedThreads(survey, guesses);
}

}  // namespace heddle
