// SyncNames: the calls that acquire a lock, each with the call that releases it.
//
// Threading: constants.
#pragma once

#include <map>
#include <string_view>

namespace heddle {

/// The function that releases what a function acquires, by the acquiring function's name: for mutexes, spin
/// locks, read-write locks and semaphores of POSIX, C11, libuv and GLib.
const std::map<std::string_view, std::string_view>& releases();

inline bool isAcquisition(std::string_view function) {
  return releases().contains(function);
}

bool isRelease(std::string_view function);

}  // namespace heddle
