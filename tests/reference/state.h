// State: everything that decides how a program can go on, as plain data. Copied for each step and compared
// whole.
//
// Part of the reference interpreter (see machine.h), which shares no code with the engine that it judges.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace llvm {
class BasicBlock;
}  // namespace llvm

namespace heddle::reference {

struct FunctionCode;

/// An integer or an address of at most 64 bits. `second` is the flag beside the value that compare-exchange
/// gives.
struct Value {
  uint64_t bits = 0;
  uint64_t second = 0;
  bool undefined = false;
};

enum class Region : uint8_t { Constant, Global, Heap, PrivateStack, SharedStack };

struct Object {
  uint64_t base = 0;
  Region region = Region::Global;
  bool freed = false;
  uint32_t freedBy = 0;  // the thread, if so
  std::string bytes;
  std::string undefined;  // one flag a byte: it was never written
};

struct Frame {
  const FunctionCode* code = nullptr;
  const llvm::BasicBlock* block = nullptr;
  const llvm::BasicBlock* from = nullptr;  // the block before, for phi nodes
  uint32_t next = 0;                       // index of the instruction in `block`
  uint64_t stackTop = 0;
  std::vector<Value> values;
};

enum class ThreadStatus : uint8_t { Running, Ended };

struct Thread {
  ThreadStatus status = ThreadStatus::Running;
  bool detached = false;
  bool joined = false;
  uint32_t allocations = 0;
  uint64_t result = 0;
  /// Of the library call or block copy that it is in: how many steps it has made.
  uint32_t phase = 0;
  uint64_t waitsOn = 0;  // a condition variable or barrier; 0: none
  bool woken = false;
  std::string buffer, bufferUndefined;  // what a block copy has read so far
  std::vector<Frame> frames;
};

/// A mutex, semaphore, read-write lock or barrier. Absent is a free mutex or read-write lock.
struct Sync {
  int owner = -1;
  uint32_t count = 0;    // a semaphore's value, the parties of a barrier
  uint32_t arrived = 0;  // at a barrier
  std::map<int, uint32_t> readers;
  bool operator==(const Sync&) const = default;
  bool free() const { return *this == Sync{}; }
};

enum class Process : uint8_t {
  Running,
  Exited,
  Failed,
  Assumed,  // an assumption is false: nothing follows
};

struct State {
  Process process = Process::Running;
  std::vector<Object> objects;  // by base
  std::vector<Thread> threads;
  std::map<uint64_t, Sync> syncs;
};

/// Equal texts mean equal states.
std::string serialized(const State& state);

}  // namespace heddle::reference
