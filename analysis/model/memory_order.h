// Memory orders of atomic operations, and the memory models under which a program can be explored.
//
// Threading: constants and pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle {

/// As C11 has them; consume counts as acquire.
enum class MemoryOrder : uint8_t { Relaxed, Acquire, Release, AcquireRelease, SeqCst };

constexpr bool isAcquire(MemoryOrder order) {
  return order == MemoryOrder::Acquire || order >= MemoryOrder::AcquireRelease;
}
constexpr bool isRelease(MemoryOrder order) {
  return order >= MemoryOrder::Release;
}

/// The memory orders of an atomic operation. `failure`: the order of a compare-exchange that only reads.
struct AtomicOrders {
  MemoryOrder success = MemoryOrder::SeqCst;
  MemoryOrder failure = MemoryOrder::SeqCst;
  bool isWeaker() const { return success != MemoryOrder::SeqCst || failure != MemoryOrder::SeqCst; }
};

enum class MemoryModelKind : uint8_t {
  Sc,   // sequential consistency
  Tso,  // x86: each thread's writes wait in one buffer
  Pso,  // as Tso, with a buffer for each location
  C11,  // C11 as repaired (RC11)
};

inline constexpr std::array<std::string_view, 4> kMemoryModelNames = {"sc", "tso", "pso", "c11"};

constexpr std::string_view toString(MemoryModelKind kind) {
  return kMemoryModelNames[static_cast<size_t>(kind)];
}

constexpr std::optional<MemoryModelKind> parseMemoryModel(std::string_view name) {
  for (size_t i = 0; i < kMemoryModelNames.size(); ++i)
    if (name == kMemoryModelNames[i]) return static_cast<MemoryModelKind>(i);
  return std::nullopt;
}

}  // namespace heddle
