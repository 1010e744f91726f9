// Source accesses: how events are shown to people and to repair: names of objects, places, and what a
// thread runs.
//
// Threading: as the runner.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analysis/diagnose/source_events.h"
#include "analysis/explore/run/exploration.h"
#include "analysis/report.h"

namespace heddle {

class SourceView {
 public:
  /// Both must outlive it.
  SourceView(const Program& program, Runner& runner) : program_(program), runner_(runner) {}

  SourceAccess access(NodeId node) const;
  SourcePlace place(NodeId node) const;
  std::string thread(NodeId node) const;          // "T1"
  std::string threadFunction(NodeId node) const;  // what its thread runs
  /// The variable, mutex or thread that the event is about; empty for starts and ends.
  std::string object(NodeId node) const;
  ObjectId cellObject(NodeId node) const;  // the object of its first cell
  /// `place`: an access to the location, whose text gives the name.
  std::string objectAt(LocationId location, PlaceId place) const;
  /// "T1 reads x", "T2 locks m", …
  std::string action(NodeId node) const;
  /// "reads `x`" without the thread.
  std::string verb(NodeId node) const;
  std::string useVerb(NodeId node) const;
  std::vector<std::string> heldLocks(NodeId node) const;
  /// True for the hidden byte that tells whether a heap object is alive. Its reads are uses of the object,
  /// its update is the free.
  bool isLife(LocationId location) const;
  /// True for the byte that tells whether a synchronization object can be used, or a thread can be joined.
  bool isUsability(LocationId location) const;

  const Program& program() const { return program_; }
  Runner& runner() const { return runner_; }
  const Forest& forest() const { return runner_.forest(); }

 private:
  const Program& program_;
  Runner& runner_;
};

AccessKind accessKind(EventKind kind);
/// True if both are one operation at one place of the text, whichever threads run it.
inline bool isSameText(const SourceAccess& a, const SourceAccess& b) {
  return a.place == b.place && a.kind == b.kind;
}

}  // namespace heddle
