// The values of errno that library models set or return: those of Linux, which glibc and musl share.
#pragma once

#include <cstdint>

namespace heddle::errno_value {

inline constexpr uint64_t kNotPermitted = 1;      // EPERM
inline constexpr uint64_t kNoEntry = 2;           // ENOENT
inline constexpr uint64_t kNoSuchThread = 3;      // ESRCH
inline constexpr uint64_t kInputOutput = 5;       // EIO
inline constexpr uint64_t kBadDescriptor = 9;     // EBADF
inline constexpr uint64_t kAgain = 11;            // EAGAIN
inline constexpr uint64_t kNoMemory = 12;         // ENOMEM
inline constexpr uint64_t kBusy = 16;             // EBUSY
inline constexpr uint64_t kExists = 17;           // EEXIST
inline constexpr uint64_t kInvalid = 22;          // EINVAL
inline constexpr uint64_t kRange = 34;            // ERANGE
inline constexpr uint64_t kWouldDeadlock = 35;    // EDEADLK
inline constexpr uint64_t kOverflow = 75;         // EOVERFLOW
inline constexpr uint64_t kTimedOut = 110;        // ETIMEDOUT
inline constexpr uint64_t kRefused = 111;         // ECONNREFUSED
inline constexpr uint64_t kOwnerDead = 130;       // EOWNERDEAD
inline constexpr uint64_t kNotRecoverable = 131;  // ENOTRECOVERABLE

}  // namespace heddle::errno_value
