// Locations: which objects are shared between threads, and into which cells shared objects are cut.
//
// Nothing is shared until two threads are seen to access it; an object only one thread ever accesses needs
// no events. When an execution shows that this was too optimistic (a second thread, a write to an object
// taken for read-only, an access that overlaps a cell boundary) the tables grow, `version()` changes, and the
// exploration starts again with what was learned. That is sound: up to the first surprising access the
// explored executions were exact, so an exploration that ends without a surprise never needed the missing
// events.
//
// Memory that a thread reads again and again to wait for a change is shared, no matter who writes it, and
// even if nobody does (docs/awaits.md, "Whose memory").
//
// Two kinds of objects stay without events although several threads access them, because every execution
// finds the same in them. Both are judged by creates and joins alone, which are on the threads' own paths:
//   - only one thread writes it, and each time it has joined all the others that access it;
//   - elements of a larger object that one thread writes before it has seen anything that may differ,
//     and that others read only once they have joined that thread, or were created by it after its last
//     write.
//
// A cell is the finest common refinement of all accesses seen to its object. An access touches one or more
// whole cells.
//
// Threading: belongs to one exploration, not synchronized.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "analysis/model/ids.h"
#include "analysis/model/names.h"

namespace heddle {

struct Cell {
  ObjectId object = kNone;
  uint32_t offset = 0;  // bytes
  uint32_t size = 0;    // bytes, 1..8
};

class Locations {
 public:
  /// With `everything`, every access to memory is an event (the mode that checks the sharing analysis).
  explicit Locations(bool everything = false) : everything_(everything) {}

  struct Access {
    ObjectId object = kNone;
    uint64_t offset = 0, size = 1;  // bytes
    ThreadId thread = kNone;
    bool write = false;
    bool prologue = false;  // main has not forked or created a thread yet: writes only set initial values
    bool certain = false;   // all that the thread has seen so far is the same in every execution
    uint32_t creates = 0;   // threads that it has created on its path so far
    const std::vector<ThreadId>* ended = nullptr;  // those that have ended before, on its path; null: none
  };
  /// Notes an access. True if it must be an event. `names`: of the threads and objects.
  bool noteAccess(const Access& access, const Names& names);

  /// A thread goes round as long as the value there stays the same, and no other thread is known to write it.
  /// Accesses become events nevertheless, so that an exploration can tell which thread waits. `prologue`:
  /// main goes round before there is a second thread; the prologue ends where it comes to the object.
  void noteAwaited(ObjectId object, uint64_t offset, uint64_t size, bool prologue, const Names& names);
  /// Under a weak memory model an atomic access there orders the other accesses of its thread. So accesses
  /// there are events even if one thread alone makes them.
  void noteOrdering(ObjectId object, uint64_t offset, uint64_t size, const Names& names) {
    noteAwaited(object, offset, size, false, names);
  }
  bool endsPrologue(ObjectId object) const {
    return object < objects_.size() && objects_[object].endsPrologue;
  }

  /// The cells that [offset, offset+size) consists of, appended to `out`; refines the object (and changes
  /// `version()`) if the range cuts a known cell. A range over 8 bytes is cut into cells of at most 8.
  void cells(ObjectId object, uint32_t offset, uint32_t size, std::vector<LocationId>& out);

  /// Accesses to the object, or to some of its elements, are events.
  bool isShared(ObjectId object) const {
    return everything_ || (object < objects_.size() && objects_[object].shared);
  }

  /// Another thread than its owner looks at the stack or thread-local object: the end of its life matters.
  void noteForeign(ObjectId object) { use(object).foreign = true; }
  bool isForeign(ObjectId object) const {
    return everything_ || (object < objects_.size() && objects_[object].foreign);
  }
  /// For the search for leaks: at the end of the process the thread looks at all known heap objects of other
  /// threads.
  void noteHeapCheck(ThreadId thread) { heapCheckers_.insert(thread); }
  /// Notes a heap object that was not known before. Threads other than its owner that have looked must look
  /// again.
  void noteNewHeapObject(ThreadId owner);

  /// The program compares the block's address with a value that depends on the schedule. True when that is
  /// new; `isTooLate`: the news makes the recorded executions void.
  bool noteCompared(ObjectId block, bool isTooLate);
  bool isCompared(ObjectId block) const { return compared_.contains(block); }
  /// The later block may get the address of `freed`, which its thread had freed before. False: too many such
  /// pairs are known already.
  bool noteReuse(ObjectId later, ObjectId freed);
  bool mayReuse(ObjectId later, ObjectId freed) const { return reused_.contains({later, freed}); }
  bool hasReuse() const { return !reused_.empty(); }

  /// Whether the exploration was asked to make every access an event, shared or not.
  bool everyAccessIsEvent() const { return everything_; }

  const Cell& cell(LocationId id) const { return cells_[id]; }
  size_t cellCount() const { return cells_.size(); }

  /// Changes whenever knowledge grew in a way that invalidates executions recorded before.
  uint64_t version() const { return version_; }
  /// Forgets location ids (not the knowledge) so that a new exploration numbers them afresh.
  void restart();

 private:
  /// Who has accessed an element of an object whose elements are told apart.
  struct Element {
    uint64_t end = 0;         // bytes, from the start of the object
    ThreadId writer = kNone;  // the only one
    ThreadId reader = kNone;  // one that read it before any writer was known
    uint32_t creates = 0;     // most threads that the writer had created when it wrote
    uint32_t child = ~0u;     // first of the writer's threads that, or whose descendants, read it
    bool shared = false;
    bool operator==(const Element&) const = default;
  };
  using Elements = std::map<uint64_t, Element>;  // by offset, disjoint

  struct ObjectUse {
    std::vector<ThreadId> users;   // who accessed it outside the prologue
    ThreadId writer = kNone;       // who wrote it outside the prologue
    std::vector<ThreadId> before;  // had ended on the writer's path each time it wrote; sorted
    bool foreign = false;
    bool endsPrologue = false;
    bool shared = false;  // accesses are events; if `apart`, those to shared elements
    bool apart = false;   // its elements are told apart
    bool noted = false;   // since the last restart, so that all accesses to them have been seen
    bool grew = false;    // some became shared since the last restart
    unsigned growths = 0;
    Elements elements;
    std::set<uint32_t> cuts;             // cell boundaries
    std::map<uint32_t, LocationId> ids;  // offset → cell of this run of the exploration
  };
  ObjectUse& use(ObjectId object);
  static bool isShared(ObjectUse& use, const Access& access);
  bool noteElements(ObjectUse& use, const Access& access, const Names& names);
  void share(ObjectUse& use, Element& element);
  static Elements::iterator cutElements(Elements& elements, uint64_t offset, uint64_t end);
  static void joinElements(Elements& elements, uint64_t offset, uint64_t end);

  bool everything_;
  uint64_t version_ = 0;
  std::vector<ObjectUse> objects_;
  std::vector<Cell> cells_;
  std::set<ObjectId> compared_;
  std::set<std::pair<ObjectId, ObjectId>> reused_;
  std::set<ThreadId> heapCheckers_;  // since the last restart
};

}  // namespace heddle
