// Names: identities of threads and memory objects, derived from thread-local history only.
//
// A thread is named by its creator, the number of the creator's create, the function it runs and, when the
// argument is a constant, the argument. An object is named by its owner thread, the site that makes it, how
// often this thread has passed the site, and its size. Two executions in which a thread takes the same local
// path therefore give the same ids and the same addresses, whatever the schedule. Addresses are never reused.
//
// Threading: belongs to one exploration, not synchronized.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/model/ids.h"

namespace heddle {

/// No object is below: neither what small numbers used as pointers lead to, nor the members of an object at
/// a null pointer, however large it is.
inline constexpr uint64_t kFirstAddress = 0x1000000;

struct ThreadName {
  ThreadId parent = kNone;  // kNone for main
  uint32_t ordinal = 0;     // number of the parent's create, from 1
  FunctionId function = kNone;
  bool argumentKnown = true;  // false: the argument is a symbol of the start event
  uint64_t argument = 0;
  bool ofSignal = false;  // it stands for a signal, and `function` is the handler
  auto operator<=>(const ThreadName&) const = default;
};

enum class ObjectKind : uint8_t { Global, ThreadLocal, Heap, Stack, Function, Library };

struct ObjectName {
  ObjectKind kind = ObjectKind::Global;
  ThreadId owner = kNone;  // kNone for globals and functions
  uint32_t site = 0;  // global's or function's index, or the allocating instruction's number in the program
  uint32_t ordinal = 0;  // how many times the owner passed the site before
  uint64_t size = 0;     // bytes
  auto operator<=>(const ObjectName&) const = default;
};

struct ObjectInfo {
  ObjectName name;
  uint64_t base = 0;  // address of byte 0
};

class Names {
 public:
  /// `pointerBits` is 32 or 64: addresses fit into it.
  explicit Names(unsigned pointerBits = 64);

  ThreadId thread(const ThreadName& name);
  const ThreadName& threadName(ThreadId id) const { return threads_[id]; }
  size_t threadCount() const { return threads_.size(); }
  /// "T0" for main, "T1" for main's first create, "T1.2" for T1's second create. Two ids may share a label
  /// when the same ordinal creates different functions on different paths; they never occur in one execution.
  std::string label(ThreadId id) const;

  /// kNone when the address space for objects is used up (32-bit targets).
  ObjectId object(const ObjectName& name);
  const ObjectInfo& info(ObjectId id) const { return objects_[id]; }
  size_t objectCount() const { return objects_.size(); }

  /// The object whose extent (one past the end included) or guard gap contains `address`, or kNone.
  ObjectId objectAt(uint64_t address) const;

 private:
  unsigned pointerBits_;
  uint64_t next_;
  std::vector<ThreadName> threads_;
  std::map<ThreadName, ThreadId> threadIndex_;
  std::vector<ObjectInfo> objects_;
  std::map<ObjectName, ObjectId> objectIndex_;
};

}  // namespace heddle
