// ReadEncoder: data consistency (MPC, formula 1) over all paths: each read takes its value from one write, or
// from the initial value, and no other write that happens comes between them.
//
// Only neighbouring writes of a thread matter. Of the reader's own thread these are the writes that may be
// the last ones before the read. Of another thread they are the writes that may come next after the write
// that is read (or the first ones, if the initial value is read).
//
// Threading: as the encoder that owns it.
#pragma once

#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/explore/forest/precedence.h"
#include "analysis/explore/forest/reaching_writes.h"
#include "analysis/explore/formula/section_encoder.h"

namespace heddle {

class ReadEncoder : public EncoderPart {
 public:
  /// `initialValues`: by location; kNoTerm and missing entries mean 0. It must outlive the encoder.
  ReadEncoder(FormulaBase& base, const std::vector<Term>& initialValues, SectionEncoder& sections,
              const Precedence& precedence)
      : EncoderPart(base),
        initial_(initialValues),
        sections_(sections),
        precedence_(precedence),
        reaching_(base.forest) {}

  void encodeReads(NodeId id);
  void encodeWrites(NodeId id);
  /// Updates reads and writes below merges for the ways into merges that are new.
  void updateOwnWrites();

  /// The read takes its value from `write` (kNone: the initial value). The constant false if that can never
  /// be.
  Lit readsFrom(NodeId read, LocationId location, NodeId write) const;

  /// One read of one cell.
  struct Reader {
    NodeId node = kNone;
    Term symbol = kNoTerm;
    std::vector<NodeId> own;  // the thread's own writes that may be the last ones before it
    Lit fromInitial = 0;      // 0 while an own write always comes before
    std::vector<std::pair<NodeId, Lit>> from;
    uint32_t guard = 0;
  };
  /// A write that is the first of its segment: its predecessors in its thread depend on the way into the
  /// segment.
  struct FirstWrite {
    NodeId node = kNone;
    std::vector<NodeId> previous;
    bool maybeFirst = false;
  };
  struct Location {
    std::vector<FirstWrite> firstWrites;  // below merges only
    std::vector<NodeId> writes;
    std::vector<Reader> readers;
    uint32_t group = kNone;
  };
  const std::vector<Location>& locations() const { return locations_; }
  std::span<const NodeId> writes(LocationId location) const;

  /// Which read a symbol stands for.
  struct ReadCell {
    LocationId location = kNone;
    NodeId node = kNone;
    size_t reader = 0;  // index in Location::readers
  };
  /// Null if the symbol does not stand for a read.
  const ReadCell* readOf(Term symbol) const;

  /// kNoTerm: 0.
  Term initial(LocationId location) const;
  Term initialValue(LocationId location, unsigned width) const;

 private:
  bool mayReadFrom(const Reader& reader, NodeId write) const;
  void addInitial(Reader& reader, LocationId location);
  /// `write` is a write of the reader's own thread that may be the last one before the read.
  void addOwn(Reader& reader, NodeId write, LocationId location);
  /// Whether `write` may be its thread's next write to the location after `previous` (kNone: the thread's
  /// first write).
  bool mayFollow(NodeId write, NodeId previous, LocationId location);
  void updateFirstWrites(LocationId id, Location& location);
  void updateReader(Reader& reader, LocationId id, const Location& location);
  Lit addReadFrom(Reader& reader, NodeId write, LocationId location);
  void addFromRead(const Reader& reader, Lit lit, NodeId from, NodeId other, LocationId location);
  /// The location of the cell; makes its group of guards if needed.
  Location& locationOf(const NodeCell& cell);

  const std::vector<Term>& initial_;
  SectionEncoder& sections_;
  const Precedence& precedence_;
  ReachingWrites reaching_;
  std::vector<Location> locations_;
  std::unordered_map<Term, ReadCell> symbolRead_;  // by a read's symbol
  size_t ownWritesAt_ = 0;                         // number of merge edges that updateOwnWrites has seen
};

}  // namespace heddle
