// Locations: which objects are shared between threads, and into which cells shared objects are cut.
//
// Nothing is shared until two threads are seen to access it; an object only one thread ever accesses needs
// no events. When an execution shows that this was too optimistic (a second thread, a write to an object
// taken for read-only, an access that overlaps a cell boundary) the tables grow, `version()` changes, and the
// exploration starts again with what was learned. That is sound: up to the first surprising access the
// explored executions were exact, so an exploration that ends without a surprise never needed the missing
// events.
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

  /// Notes an access of `thread` to bytes [offset, offset+size) of `object`. True if its accesses must be
  /// events. `prologue`: main has not forked or created a thread yet, so writes only set initial values.
  bool noteAccess(ObjectId object, ThreadId thread, bool write, bool prologue);

  /// The cells that [offset, offset+size) consists of, appended to `out`; refines the object (and changes
  /// `version()`) if the range cuts a known cell. A range over 8 bytes is cut into cells of at most 8.
  void cells(ObjectId object, uint32_t offset, uint32_t size, std::vector<LocationId>& out);

  /// Accesses to the object are events.
  bool isShared(ObjectId object) const {
    return everything_ || (object < objects_.size() && objects_[object].shared);
  }

  /// Another thread than its owner looks at the stack or thread-local object: the end of its life matters.
  void noteForeign(ObjectId object) { use(object).foreign = true; }
  bool isForeign(ObjectId object) const {
    return everything_ || (object < objects_.size() && objects_[object].foreign);
  }
  /// As the exploration was asked to treat them, shared or not.
  bool everyAccessIsEvent() const { return everything_; }

  const Cell& cell(LocationId id) const { return cells_[id]; }
  size_t cellCount() const { return cells_.size(); }

  /// Changes whenever knowledge grew in a way that invalidates executions recorded before.
  uint64_t version() const { return version_; }
  /// Forgets location ids (not the knowledge) so that a new exploration numbers them afresh.
  void restart();

 private:
  struct ObjectUse {
    ThreadId first = kNone;  // first thread that accessed it
    bool several = false;    // a second thread accessed it
    bool foreign = false;
    bool written = false;                // written outside the prologue
    bool shared = false;                 // several && written: accesses are events
    std::set<uint32_t> cuts;             // cell boundaries
    std::map<uint32_t, LocationId> ids;  // offset → cell of this run of the exploration
  };
  ObjectUse& use(ObjectId object);

  bool everything_;
  uint64_t version_ = 0;
  std::vector<ObjectUse> objects_;
  std::vector<Cell> cells_;
};

}  // namespace heddle
