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
//   wake     a waiting thread is woken by a signal for it alone, or by a broadcast, after it began to wait
//   section  the events of an atomic section have one place in the order; after a section that does not end
//            comes nothing that depends on it
//
// Each group has its own class, and so has each lemma (lemmas only make proofs shorter). This class decides
// in which order they process new nodes. How the formula treats what is not seen yet: growth_guards.h.
//
// Threading: belongs to one exploration.
#pragma once

#include <vector>

#include "analysis/explore/forest/forest.h"
#include "analysis/explore/forest/precedence.h"
#include "analysis/explore/formula/condition_encoder.h"
#include "analysis/explore/formula/counting_lemma.h"
#include "analysis/explore/formula/equal_reads.h"
#include "analysis/explore/formula/formula_base.h"
#include "analysis/explore/formula/lock_encoder.h"
#include "analysis/explore/formula/merge_encoder.h"
#include "analysis/explore/formula/race_literals.h"
#include "analysis/explore/formula/range_lemma.h"
#include "analysis/explore/formula/read_encoder.h"
#include "analysis/explore/formula/section_encoder.h"
#include "analysis/explore/formula/stuck_question.h"
#include "analysis/explore/formula/thread_encoder.h"
#include "analysis/model/names.h"
#include "analysis/solver/solver.h"

namespace heddle {

class Encoder {
 public:
  Encoder(const Forest& forest, const std::vector<Term>& initialValues, TermTable& terms, Solver& solver)
      : base_(forest, terms, solver),
        precedence_(forest),
        sections_(base_),
        threads_(base_, sections_, precedence_),
        merges_(base_),
        locks_(base_, sections_, precedence_),
        conditions_(base_, sections_),
        reads_(base_, initialValues, sections_, precedence_),
        ranges_(base_, reads_),
        counting_(base_, reads_, precedence_),
        equalReads_(base_, reads_, counting_) {}

  /// Encodes what the forest has gained since the last call. False if the budget ended on the way: the
  /// formula is then incomplete, and nothing may be asked any more.
  bool update(const Budget& budget);

  /// The number of nodes of the forest that the formula knows, and so every model: the size of the forest
  /// at the last update. A later run, such as one that confirms a race, may have added more.
  NodeId size() const { return static_cast<NodeId>(base_.nodes.size()); }
  /// The node happens (for a branch, choice or input: the thread gets to it).
  Lit on(NodeId node) const { return base_.nodes.on(node); }
  /// The thread goes on from `node` through `slot`.
  Lit side(NodeId node, uint64_t slot) { return base_.nodes.side(node, slot); }
  /// The thread gets to where the continuation of (parent, slot) begins.
  Lit reach(NodeId parent, uint64_t slot) { return base_.nodes.reach(parent, slot); }
  OrderNode order(NodeId event) const { return base_.nodes.order(event); }
  /// A choice takes none of the values that have been seen.
  Lit otherValue(NodeId choice) const { return base_.nodes.otherValue(choice); }
  /// The read takes its value from `write` (kNone: the initial value). The constant false if that can never
  /// be.
  Lit readsFrom(NodeId read, LocationId location, NodeId write) const {
    return reads_.readsFrom(read, location, write);
  }

  /// The guards of what is not seen yet: a question about what is known assumes that none holds.
  const std::vector<GrowthGuards::Group>& groups() const { return base_.guards.groups(); }
  const Precedence& precedence() const { return precedence_; }

  /// Literals for questions about final states; each call makes new ones.
  StuckLiterals stuck();
  /// Literals for questions about two or three accesses.
  RaceLiterals races() { return RaceLiterals(base_, sections_); }

 private:
  void encode(NodeId id);
  void encodeEvent(NodeId id);
  /// Encodes that the event happens, and where it stands in its thread and its section.
  void encodePlace(NodeId id);
  /// Encodes what the event means for other threads.
  void encodeEffect(NodeId id);
  void encodeWrites(NodeId id);

  FormulaBase base_;
  Precedence precedence_;
  SectionEncoder sections_;
  ThreadEncoder threads_;
  MergeEncoder merges_;
  LockEncoder locks_;
  ConditionEncoder conditions_;
  ReadEncoder reads_;
  RangeLemma ranges_;
  CountingLemma counting_;
  EqualReads equalReads_;
};

}  // namespace heddle
