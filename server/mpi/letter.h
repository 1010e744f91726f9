// Letter: what ranks say to each other.
//
//     rank 0 → rank   Request, Stop, End
//     rank → rank 0   Hello, Heard (a frame before the last), Outcome
//     both            Alive
//
// Requests and answers are those of a worker (server/worker/frame.h), as bytes.
//
// Threading: plain data.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "server/worker/frame.h"

namespace heddle {

inline constexpr std::chrono::milliseconds kTick{2};    // between looks at what has arrived
inline constexpr std::chrono::milliseconds kBeat{500};  // between signs of life

struct Letter {
  enum class Kind : uint8_t { Hello, Alive, Request, Stop, Heard, Outcome, End };
  Kind kind = Kind::Alive;
  uint64_t request = 0;  // that it is about; numbered from 1
  FrameKind frame = FrameKind::Done;
  std::string path;           // of the file that a request is about
  int64_t milliseconds = -1;  // that a request may take; -1: no limit
  /// For a request and for what is heard: the body of the frame. For an outcome: the body of the answer, or
  /// none. For Hello: the build.
  std::optional<std::string> body;
  std::string problem;   // of an outcome without an answer
  bool isWhole = false;  // of End: no rank was lost
};

}  // namespace heddle
