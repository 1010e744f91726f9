// What the calls of each thread library return for an error number: POSIX, C11, libuv and GLib have the same
// primitives under other names and other conventions.
#pragma once

#include <cstdint>
#include <string_view>

#include "analysis/interp/core/errno_value.h"

namespace heddle {

inline bool isGlib(std::string_view name) {
  return name.starts_with("g_");
}
inline bool isLibuv(std::string_view name) {
  return name.starts_with("uv_");
}

/// What the function `name` returns. `code`: 0 or an error number. GLib's functions that can fail return 1
/// for success and 0 for failure.
inline uint64_t resultCode(std::string_view name, uint64_t code) {
  constexpr uint64_t kBusyOfC11 = 1, kErrorOfC11 = 2, kTimedOutOfC11 = 4;  // thrd_busy, …, as in glibc
  if (isGlib(name)) return code == 0 ? 1 : 0;
  if (isLibuv(name)) return uint64_t{0} - code;
  if (!name.starts_with("mtx_") && !name.starts_with("cnd_")) return code;
  if (code == 0) return 0;
  return code == errno_value::kBusy       ? kBusyOfC11
         : code == errno_value::kTimedOut ? kTimedOutOfC11
                                          : kErrorOfC11;
}

}  // namespace heddle
