// Encoder: the execution formula Ψ over a forest, kept up to date as the forest grows.
//
// A model of Ψ is a feasible execution (in general a partial one: every thread may stop anywhere): which
// nodes happen (`on`), an order of their events, and values of inputs and reads. The constraint groups are
// those of MPC (section 3.2: path conditions, synchronization, data consistency) over all observed paths of
// each thread at once:
//   path     a node needs its parent; a side of a branch needs its condition
//   order    program order; create before start; end before join
//   lock     two critical sections of one mutex do not overlap
//   reads    a read takes its value from one write that happens before it, with no write in between
//   wake     a waiting thread is woken by a signal of its own, or by a broadcast, since it waits
//   section  the events of an atomic section have one place in the order; after a section that does not end
//            comes nothing that depends on it
//
// Growth: the sets that can grow with the forest (writes a read may take its value from, releases of a lock,
// creates of a thread, ends a join waits for) end in a guard literal: "something not seen yet". A question
// about what is known assumes the negation of all guards; an unsatisfiable answer names the groups of guards
// that it needed, and holds until one of them grows.
//
// Threading: belongs to one exploration.
#pragma once

#include <cassert>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/explore/forest/forest.h"
#include "analysis/explore/forest/precedence.h"
#include "analysis/explore/forest/reaching_writes.h"
#include "analysis/explore/formula/value_range.h"
#include "analysis/model/names.h"
#include "analysis/solver/solver.h"

namespace heddle {

class Encoder {
 public:
  Encoder(const Forest& forest, const std::vector<Term>& initialValues, TermTable& terms, Solver& solver)
      : forest_(forest),
        initial_(initialValues),
        terms_(terms),
        solver_(solver),
        precedence_(forest),
        reaching_(forest) {}

  /// Encodes what the forest has gained since the last call. False if the budget ended on the way: the
  /// formula is then incomplete, and nothing may be asked any more.
  bool update(const Budget& budget);

  /// How many nodes of the forest the formula, and so a model, knows: those that it had at the last update. A
  /// run since then, as one that confirms a race, may have added more.
  NodeId size() const { return static_cast<NodeId>(encoded_.size()); }
  /// The node happens (for a branch, choice or input: the thread gets to it).
  Lit on(NodeId node) const {
    assert(node < encoded_.size());
    return encoded_[node].on;
  }
  /// The thread goes on from `node` through `slot`.
  Lit side(NodeId node, uint64_t slot);
  /// The thread gets to where the continuation of (parent, slot) begins.
  Lit reach(NodeId parent, uint64_t slot);
  OrderNode order(NodeId event) const { return encoded_[event].order; }
  /// A choice takes none of the values that have been seen.
  Lit otherValue(NodeId choice) const { return encoded_[choice].other; }

  /// The read takes its value from `write` (kNone: the initial value). False for ever where that cannot be.
  Lit readsFrom(NodeId read, LocationId location, NodeId write) const;

  /// A set of guards that are assumed together. `version` changes when the set behind it grows.
  struct Group {
    Lit guard = 0;
    uint32_t version = 0;
    bool grown = false;
    bool ofReads = false;  // the sets are writes that reads of one location may read from
    std::vector<uint32_t> members;
  };
  const std::vector<Group>& groups() const { return groups_; }

  const Precedence& precedence() const { return precedence_; }

  /// What can be asked about the final state of an execution; all of it speaks about what is known now.
  struct Stuck {
    Lit all = 0;  // every thread has ended or waits for ever, at least one waits, the process has not ended
    std::vector<std::pair<NodeId, Lit>> waiting;  // event → its thread stands before it for ever
  };
  Stuck stuck();

  /// Data race: both accesses come next in their threads and neither has happened.
  std::vector<Lit> bothNext(NodeId a, NodeId b);
  /// The same where it counts what becomes of `last`, in an atomic section or a compare-exchange: it happens
  /// and writes, it or its section comes last, its thread leaves the section, and the other event could have
  /// come right before it.
  std::vector<Lit> nextBesideLast(NodeId last, NodeId other);
  /// The same of an event in an atomic section and one outside that happens right before it, as the section
  /// may need.
  std::vector<Lit> rightBefore(NodeId inside, NodeId other);
  /// The same of an event in an atomic section and a compare-exchange outside: it comes right after the
  /// section.
  std::vector<Lit> rightAfter(NodeId inside, NodeId exchange);
  /// All three happen, in this order; `between` is another thread's, and writes.
  std::vector<Lit> inOrder(NodeId first, NodeId between, NodeId last);

 private:
  /// `id`, or the section that it lies in, comes after all that happens in other threads, but for `except`.
  Lit comesLast(NodeId id, NodeId except);
  /// The thread leaves the atomic section of the event, or ends the process in it.
  Lit leftOrEnds(NodeId event);
  /// A compare-exchange finds what it expects.
  Lit writes(NodeId update);
  struct Encoded {
    Lit on = 0;
    OrderNode order = 0;
    Lit other = 0;
    std::vector<std::pair<uint64_t, Lit>> sides;
  };
  struct Source {
    NodeId write = kNone;  // kNone: the initial value, or a sum of all writes
    Lit lit = 0;           // the read has that value
    Term value = kNoTerm;
  };
  /// One read of one cell.
  struct Reader {
    NodeId node = kNone;
    Term symbol = kNoTerm;
    std::vector<NodeId> own;  // the thread's own writes that may be the last ones before it
    Lit fromInitial = 0;      // 0 while an own write always comes before
    std::vector<std::pair<NodeId, Lit>> from;
    // See encode_counting.cpp: it finds what the writes before it have added, unless one of `uncertain`
    // happens.
    Lit counted = 0;
    std::vector<Lit> uncertain;
    std::vector<Source> sums;
    uint32_t guard = 0;
  };
  /// A write that is the first of its segment: its predecessors in its thread depend on the way into the
  /// segment.
  struct FirstWrite {
    NodeId node = kNone;
    std::vector<NodeId> previous;
    bool maybeFirst = false;
  };
  struct Addend {
    Term term = kNoTerm;
    bool minus = false;
  };
  /// A write of what the location held and the addends, from the first.
  struct Addition {
    NodeId write = kNone;
    std::vector<Addend> added;
  };
  /// See encode_counting.cpp.
  struct Counting {
    bool possible = true;
    bool allAtomic = true;
    bool sameConstant = false;  // each write adds `by`
    uint64_t by = 0;
    std::vector<LocationId> mutexes;  // one of which each write is under
    std::vector<Addition> writes;
    size_t encoded = 0;    // readers that have been looked at since the last write came
    uint32_t version = 0;  // of the group of reads, when it was said
  };
  struct LocationState {
    Counting counting;
    std::vector<FirstWrite> firstWrites;  // below merges only
    std::vector<NodeId> writes;
    std::vector<Reader> readers;
    uint32_t group = kNone;
    ValueRange range;
    size_t bounded = 0;  // readers that have the bounds of the current range
  };
  struct Acquisition {
    NodeId node = kNone;
    OrderNode release = 0;  // virtual event: the end of the critical section
    Lit released = 0;
    uint32_t guard = 0;
    std::vector<NodeId> unlocks;
  };
  struct BusyTry {
    NodeId node = kNone;
    uint32_t guard = 0;
    std::vector<std::pair<NodeId, Lit>> holders;  // Lock node that holds the mutex meanwhile
  };
  struct MutexState {
    std::vector<Acquisition> acquisitions;
    std::vector<BusyTry> busy;
    uint32_t group = kNone;
  };
  struct Waker {
    NodeId node = kNone;  // Wake
    uint32_t guard = 0;
    std::vector<std::pair<NodeId, Lit>> chosen;  // Signal or Broadcast → it wakes this one
  };
  struct ConditionState {
    std::vector<NodeId> signals;  // and broadcasts
    std::vector<Waker> wakers;
    uint32_t group = kNone;
  };
  struct Section {
    Lit done = 0;  // the thread has left it
    uint32_t guard = 0;
  };
  struct ThreadState {
    std::vector<NodeId> creates, ends;
    std::vector<std::pair<NodeId, uint32_t>> joins;  // Join node and its guard
    uint32_t startGuard = kNone;
    uint32_t createGroup = kNone, endGroup = kNone, mergeGroup = kNone;
    uint32_t sectionGroup = kNone;
    Lit inSection = 0;  // stopped in the middle of an atomic section
  };

  /// Asked in every loop whose length the forest decides.
  bool stopped();
  void encode(NodeId id);
  void encodeBranch(NodeId id);
  void encodeChoiceSides(NodeId id);
  void encodeEvent(NodeId id);
  void encodeStart(NodeId id);
  void encodeCreate(NodeId id);
  void encodeJoin(NodeId id);
  void encodeMerge(NodeId id);
  void encodeMergeEdge(const Forest::MergeEdge& edge);
  void encodeEnd(NodeId id);
  void encodeReads(NodeId id);
  void encodeWrites(NodeId id);
  void encodeLock(NodeId id);
  void encodeUnlock(NodeId id);
  void encodeBusy(NodeId id);
  void encodeSignal(NodeId id);
  void encodeWake(NodeId id);
  void addWake(Waker& waker, NodeId signal);
  void encodeSection(NodeId first);
  void encodeSectionEnd(NodeId id);
  /// True unless the event lies in a section that its thread does not leave.
  Lit sectionDone(NodeId event);

  bool mayReadFrom(const Reader& reader, NodeId write) const;
  void addInitial(Reader& reader, LocationId location);
  /// `write` is one of the thread's own that may come last before the reader.
  void addOwn(Reader& reader, NodeId write, LocationId location);
  /// Whether `write` may be the next write to the location of its thread after `previous` (kNone: the first
  /// at all).
  bool mayFollow(NodeId write, NodeId previous, LocationId location);
  /// Takes in what new ways into merges mean for reads and writes below them.
  void updateOwnWrites();
  Lit addReadFrom(Reader& reader, NodeId write, LocationId location);
  void addFromRead(const Reader& reader, Lit lit, NodeId from, NodeId other, LocationId location);
  void addJoinEnd(NodeId join, uint32_t guard, NodeId end);
  void addHolder(BusyTry& busy, const Acquisition& acquisition);
  void excludeOverlap(const Acquisition& a, const Acquisition& b);
  struct FinalState;
  Lit waitsForEver(NodeId id, FinalState& state);
  /// The thread goes round in a loop for ever: nothing that it reads there changes any more.
  void spinsForEver(Lit spins, const Forest::Await& await, const FinalState& state);
  void lockIsHeld(Lit waits, NodeId id, const FinalState& state);
  void stateForbids(Lit waits, NodeId id, FinalState& state);
  void noSignalIsLeft(Lit waits, NodeId id, FinalState& state);
  Lit usedUp(NodeId signal, FinalState& state);
  Term finalValue(LocationId location, FinalState& state, Lit& known);

  /// The literal for "a before b", events of different threads.
  Lit before(NodeId a, NodeId b);

  uint32_t newGroup(bool ofReads = false);
  /// A guard of `group`, relevant where `owner` is true: the last alternative of a growing disjunction.
  uint32_t newGuard(uint32_t group, Lit owner);
  Lit guardLit(uint32_t guard) const { return guards_[guard].lit; }
  /// Adds an alternative to the disjunction that ends in `guard`; takes effect at the end of update().
  void grow(uint32_t guard, Lit alternative);
  void closeGrowth();
  void boundReaders();
  /// The increment-chain lemma: see encode_ranges.cpp.
  void boundByIncrements(const LocationState& state, const ValueRange& range, size_t first, bool up);
  /// "At least k", for each k up to the sum of the weights, of the literals that are true.
  std::vector<Lit> countWeights(const std::vector<std::pair<Lit, int64_t>>& weights);
  void noteRange(LocationState& state, NodeId write, const NodeCell& cell);
  void noteCounting(LocationState& state, NodeId write, const NodeCell& cell);
  void countWrites();
  /// Whether `value` is a read of the location and something added; the last addend comes first.
  bool addsTo(LocationId location, Term value, std::vector<Addend>& added, NodeId& read) const;
  void count(const Counting& counting, Reader& reader, Term initial);
  /// `before`: the writes that may have added to what the reader finds.
  void addCount(uint64_t by, Reader& reader, const std::vector<const Addition*>& before, Term initial);
  void addSum(Reader& reader, std::vector<const Addition*> before, Term initial);

  /// Equal reads: see encode_equal_reads.cpp.
  struct EqualPair {
    Term a = kNoTerm, b = kNoTerm;  // at least one of them a symbol of a read
    size_t leftSeen = 0, rightSeen = 0;
  };
  /// Whether the terms are the same up to symbols of reads; appends the pairs that differ.
  bool differOnlyInReads(Term a, Term b, std::vector<std::pair<Term, Term>>& reads, unsigned& steps);
  void noteCompared(Term condition);
  void wantEqual(const std::vector<std::pair<Term, Term>>& reads);
  /// What is no read has itself as source.
  std::vector<Source> sourcesOf(Term symbol) const;
  bool isSum(Term term) const;
  bool writtenTogether(NodeId a, NodeId b) const;
  bool isLike(const std::pair<Term, Term>& reads, const EqualPair& pair) const;
  void relateEqualReads();

  LocationState& location(LocationId id);
  MutexState& mutex(LocationId id);
  ThreadState& thread(ThreadId id);

  struct Guard {
    Lit lit = 0;
    uint32_t group = kNone;
    Lit owner = 0;
    std::vector<Lit> pending;
  };

  const Forest& forest_;
  const std::vector<Term>& initial_;
  TermTable& terms_;
  Solver& solver_;
  Precedence precedence_;
  ReachingWrites reaching_;
  std::vector<Encoded> encoded_;
  std::vector<LocationState> locations_;
  struct ReadCell {
    LocationId location = kNone;
    NodeId node = kNone;
    size_t reader = 0;  // of the location's
  };
  std::unordered_map<Term, ReadCell> symbolRead_;  // by a read's symbol
  std::vector<EqualPair> equalPairs_;
  std::set<std::pair<Term, Term>> equalPairsKnown_;
  std::set<std::pair<Lit, Lit>> equalSourcesDone_;  // of both reads
  size_t ownWritesAt_ = 0;                          // merge edges that updateOwnWrites has seen
  std::map<LocationId, MutexState> mutexes_;
  std::map<LocationId, ConditionState> conditions_;
  std::unordered_map<NodeId, Section> sections_;  // by first event
  std::set<std::pair<NodeId, NodeId>> sectionOrders_;
  std::vector<ThreadState> threads_;
  std::vector<Group> groups_;
  std::vector<Guard> guards_;
  std::vector<NodeId> choices_;
  std::unordered_map<NodeId, uint32_t> mergeGuards_;
  size_t mergeEdges_ = 0;           // of the forest that are encoded
  const Budget* budget_ = nullptr;  // of the update under way
  uint64_t work_ = 0;
  bool stopped_ = false;
};

}  // namespace heddle
