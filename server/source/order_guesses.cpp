#include "server/source/order_guesses.h"

#include <string>

namespace heddle {
namespace {

std::string toText(const OrderSlip& slip) {
  const std::string in = " in '" + slip.function + "'";
  switch (slip.kind) {
    case OrderSlip::Kind::JumpUnset:
      return "is not set" + in + " where '" + slip.other + "' may already jump there" +
             lineText("set", slip.before);
    case OrderSlip::Kind::TimerLeft:
      return "gets its handler back" + in + " while the timer of '" + slip.other + "' may still run" +
             lineText("set", slip.before);
    case OrderSlip::Kind::EmptiedMask:
      return "is an empty set" + in + ", so '" + slip.other +
             "' starts a thread that every signal may interrupt" + lineText("started", slip.before);
    case OrderSlip::Kind::FlagMissed:
      return "is tested" + in + " only behind '" + slip.other +
             "', which waits without limit: a signal just before it is missed" +
             lineText("tested", slip.before);
    case OrderSlip::Kind::RaisedLate:
      return "is found under '" + slip.other + "'" + in +
             ", and its count is raised behind the unlock: it may be gone" +
             lineText("unlocked", slip.before);
    case OrderSlip::Kind::OnceReset:
      return "is set anew" + in + " where '" + slip.other +
             "' is lowered: another thread may be in its pthread_once" + lineText("lowered", slip.before);
    case OrderSlip::Kind::SplitSection:
      return "is set" + in + " under '" + slip.other + "', which was released since the test of it" +
             lineText("tested", slip.before);
    case OrderSlip::Kind::EmptyFence:
      return "is loaded" + in + " behind '" + slip.other +
             "', which does nothing on this machine: the load may pass the store" +
             lineText("stored", slip.before);
  }
  return "";
}

}  // namespace

void addOrderGuesses(const Survey& survey, std::vector<LockGuess>& guesses) {
  for (const OrderSlip& slip : survey.orderSlips) {
    guesses.push_back({slip.name, slip.function, {slip.line}, slip.line, toText(slip)});
    if (slip.before != 0) guesses.back().lines.insert(slip.before);
  }
}

}  // namespace heddle
