// StuckQuestion: one question about executions after which no thread can go on, although some have not ended.
//
// The literals describe the final state: which locks are held, what state a semaphore, read-write lock or
// barrier is left in (the value of the last write), and which signals a waiting thread may still take. They
// are made anew for each question, because a larger forest knows more releases, writes and signals.
//
// Threading: as the encoder that owns what it refers to.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "analysis/explore/forest/input_rounds.h"
#include "analysis/explore/formula/condition_encoder.h"
#include "analysis/explore/formula/lock_encoder.h"
#include "analysis/explore/formula/read_encoder.h"
#include "analysis/explore/formula/section_encoder.h"
#include "analysis/explore/formula/thread_encoder.h"

namespace heddle {

/// Literals for questions about the final state of an execution. They cover only what is known now.
struct StuckLiterals {
  Lit all = 0;  // every thread has ended or waits for ever, at least one waits, the process has not ended
  std::vector<std::pair<NodeId, Lit>> waiting;                 // event → its thread waits for it for ever
  std::vector<std::pair<const Forest::Await*, Lit>> spinning;  // await → its thread stays in it for ever
  /// In rounds that take inputs, ways are left out that the inputs may not be able to take. Where it holds, a
  /// thread may stay in a loop that some inputs would lead out of.
  Lit onlySureWays = 0;
  bool hasUnsureWays = false;
  std::vector<Lit> takingInputs;  // a thread stays for ever in a loop whose rounds take inputs
  /// The first Lock of a round → the thread goes round for ever and releases that mutex in each round.
  std::vector<std::pair<NodeId, Lit>> lettingGo;
};

class StuckQuestion : public EncoderPart {
 public:
  StuckQuestion(FormulaBase& base, SectionEncoder& sections, const ThreadEncoder& threads, LockEncoder& locks,
                const ConditionEncoder& conditions, const ReadEncoder& reads)
      : EncoderPart(base),
        sections_(sections),
        threads_(threads),
        locks_(locks),
        conditions_(conditions),
        reads_(reads) {}

  /// To be called once.
  StuckLiterals ask();

 private:
  struct Spin {
    const Forest::Await* await = nullptr;
    Lit spins = 0;
  };
  struct JoinInVain {
    NodeId node = kNone;
    Lit waits = 0, inVain = 0;  // inVain: also the joined thread waits for ever
  };
  void addAwaits();
  /// Other threads may hold the mutexes that the thread releases in each round, and wait with them in the
  /// same way.
  void addLettingGo(const Spin& spin);
  void addEvent(NodeId id);
  void addSpins();
  /// A thread may stay in a loop whose rounds take inputs, if no input leads out of it.
  void addInputRounds();
  /// stays ⇒ whatever the inputs of another round, the thread does not come out of the loop.
  void addRound(const InputRounds& rounds, Lit stays);
  /// The Lock that the thread must get on this way; kNone: none.
  NodeId lockOf(const InputRounds::Way& way) const;
  void addJoinsInVain();
  void addOutcomes();
  Lit waitsForEver(NodeId id);
  /// The thread goes round in a loop for ever: nothing that it reads there changes any more.
  void spinsForEver(const Spin& spin);
  void lockIsHeld(Lit waits, NodeId id);
  void stateForbids(Lit waits, NodeId id);
  void noSignalIsLeft(Lit waits, NodeId id);
  /// The signal woke a thread that no other signal and no broadcast could have woken, except signals that
  /// are used up in the same way. Then no other assignment of signals to threads leaves this signal free.
  Lit usedUp(NodeId signal);
  /// The last value of the location; `known` is set to the literal under which it is the last value.
  Term finalValue(LocationId location, unsigned width, Lit& known);

  SectionEncoder& sections_;
  const ThreadEncoder& threads_;
  LockEncoder& locks_;
  const ConditionEncoder& conditions_;
  const ReadEncoder& reads_;

  StuckLiterals result_;
  std::map<ThreadId, std::vector<Lit>> outcomes_;  // the states that the thread may be in at the end
  std::vector<Lit> someWaits_;
  std::vector<Spin> spins_;
  std::vector<std::pair<ThreadId, Lit>> working_;  // stays in a loop, and waits for nobody
  std::vector<JoinInVain> joins_;
  /// The last value, and the literal under which it is the last.
  std::map<LocationId, std::pair<Term, Lit>> values_;
  std::map<NodeId, Lit> usedUp_;                 // by Signal
  std::map<NodeId, std::vector<Lit>> released_;  // by Lock: awaits in whose rounds others get the mutex
};

}  // namespace heddle
