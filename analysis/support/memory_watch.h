// A flag that goes up once the process holds too much memory.
//
// A limit on what one part reports of itself (Budget::withMemory) is exact and deterministic, and misses
// everything else; this one sees the whole process and may be late by what is allocated in 20 ms.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace heddle {

/// `limit`: bytes of resident memory. Once up, the flag stays up. A thread of its own looks as long as
/// somebody keeps the flag. The flag may be read from any thread.
std::shared_ptr<const std::atomic<bool>> watchMemory(uint64_t limit);

/// Resident memory of this process in bytes; 0 where the system does not tell.
uint64_t residentMemory();

}  // namespace heddle
