// Memory of one run: objects with bytes, a sparse overlay of terms over them, and their life.
//
// Bytes come into being when an object is first touched, zeroed by the system, so that a huge array costs
// nothing until it is used. Addresses come from Names; this class maps them to the objects of the run.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analysis/interp/values/value_ops.h"
#include "analysis/model/names.h"
#include "analysis/program/program.h"

namespace heddle {

/// What the library's stream variables hold: a number that is no address. 0 for other variables.
constexpr uint64_t streamHandle(std::string_view variable) {
  return variable == "stdin" ? 1 : variable == "stdout" ? 2 : variable == "stderr" ? 3 : 0;
}

/// A term over `size` bytes of an object, at the offset that is its key.
/// A function of the program that gives memory its content when it is first read.
struct Filler {
  FunctionId function = kNone;  // kNone: nobody does
  uint64_t argument = 0;        // its second one; the first is the address
};

struct SymbolicPiece {
  uint64_t size = 0;
  Term term = kNoTerm;  // of 8 * size bits, or kUndefined for any size
  Filler filler = {};   // only with kUndefined: the content is still to be made (Memory::postpone)
};

struct MemoryObject {
  ObjectId id = kNone;
  ObjectKind kind = ObjectKind::Global;
  bool readOnly = false;
  uint8_t operations = 1;  // that an access counts: 2 on the heap, where it reads the life, too
  uint64_t base = 0;
  uint64_t size = 0;
  uint64_t live = 0;         // size; 0 once its frame has ended
  uint8_t* bytes = nullptr;  // null until touched
  // The thread whose loads (stores) may go straight to `bytes`: known not to be shared, no terms, no liveness
  // to ask.
  ThreadId fastRead = kNone;
  ThreadId fastWrite = kNone;
  bool isSizeAssumed = false;  // an unknown function returned it
  bool isEndUnknown = false;   // the same, and not even its type says how large it is
  bool isMadeUp = false;       // a generated harness has made it for pointers of which nothing is known
  /// Its thread has written it since the prologue. If it is not on the stack, Thread::written lists it.
  bool noted = false;
  PlaceId endedAt = kNone;  // where it was freed
  // On the heap, counts of AddressReuse::time: when it was allocated, and freed (0: it was not), by whom.
  uint64_t allocatedAt = 0, freedAt = 0;
  ThreadId freedBy = kNone;
  std::map<uint64_t, SymbolicPiece> pieces;  // by offset, disjoint
  // A hidden byte that is 1 until the object is freed, or its frame or thread ends. Every access on the heap,
  // and every access of another thread to a stack or thread-local object, reads it first, as an event when
  // some thread ends the life of what another one accesses, so that explorations order accesses and ends.
  MemoryObject* life = nullptr;
  bool lifeShared = false;
  bool lifeEnded = false;  // of a stack or thread-local object

  bool contains(uint64_t offset, uint64_t count) const { return offset <= live && count <= live - offset; }
};

class Memory {
 public:
  Memory(const Program& program, Names& names, TermTable& terms);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// The object of that name, alive and with fresh content. Null when there is no address space or memory for
  /// it.
  MemoryObject* create(const ObjectName& name);
  /// The object whose extent, one past the end, or gap contains the address; null if none exists in this run.
  MemoryObject* at(uint64_t address);
  MemoryObject* global(uint32_t index);
  uint64_t globalBase(uint32_t index) const { return names_.info(index).base; }
  uint64_t functionBase(uint32_t index) const {
    return names_.info(static_cast<ObjectId>(program_.globals.size() + index)).base;
  }
  /// The function that starts at the address.
  FunctionId functionAt(uint64_t address) const;

  /// An unknown function has returned the address of something whose content is not known: it may be that of
  /// a function.
  bool mayBeFunction(uint64_t address);

  /// False when the system has no memory for the object.
  bool touch(MemoryObject& object);
  // Ranges must lie in the object, which must have been touched; `size` is 1..8.
  Value read(const MemoryObject& object, uint64_t offset, unsigned size);
  void write(MemoryObject& object, uint64_t offset, unsigned size, const Value& value);
  /// Marks all bytes as never written. Their bits are 0, for threads that go on after using them.
  void makeUndefined(MemoryObject& object) {
    clear(object);
    if (object.size > 0) object.pieces[0] = {object.size, kUndefined};
    object.fastRead = object.fastWrite = kNone;  // a fast access would neither see the mark nor remove it
  }
  /// The range is filled when it is first read, and until then holds zeros for whoever does not ask.
  void postpone(MemoryObject& object, uint64_t offset, uint64_t size, const Filler& filler);
  /// The first part of the range that is still to be filled: its offset. It counts as filled from now on.
  /// `isPartly`: only where the range does not cover all of it.
  std::optional<std::pair<uint64_t, Filler>> takePostponed(MemoryObject& object, uint64_t offset,
                                                           uint64_t size, bool isPartly = false);
  /// Some byte of the range is still to be filled.
  static bool isPostponed(const MemoryObject& object, uint64_t offset, uint64_t size);
  /// Leaves zeros where something is still to be filled. True: somewhere it was.
  bool dropPostponed();
  /// Some byte of the range counts as never written.
  static bool isNeverWritten(const MemoryObject& object, uint64_t offset, uint64_t size);
  /// No byte of the range counts as never written any more; none changes. True: some byte did.
  static bool takeAsWritten(MemoryObject& object, uint64_t offset, uint64_t size);
  /// Forgets the terms of a range that is about to be overwritten.
  void erasePieces(MemoryObject& object, uint64_t offset, uint64_t size);
  /// Makes the bytes of the object fresh again, as if it had just been created.
  void clear(MemoryObject& object);
  /// Gives the bytes of a large object that nobody will access any more back to the system.
  void release(MemoryObject& object);
  /// Forgets which threads may access objects directly.
  void dropFastPaths();
  /// Fills a thread-local or global object from its initializer.
  void initialize(MemoryObject& object, const GlobalVariable& global);

 private:
  const Program& program_;
  Names& names_;
  TermTable& terms_;
  std::deque<MemoryObject> storage_;
  bool hasPostponed_ = false;  // at some time
  std::vector<MemoryObject*> byId_;
  std::unordered_set<void*> blocks_;                // large objects
  std::vector<std::unique_ptr<uint8_t[]>> arenas_;  // small ones
  size_t arenaUsed_ = 0, arenaSize_ = 0;
};

}  // namespace heddle
