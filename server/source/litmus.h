// Litmus tests of herd7 in C, as programs: each process becomes a thread, and what the condition asks for
// becomes a global variable.
//
//   C MP
//   { x = 0; }
//   P0 (atomic_int* x, atomic_int* y) { ... int r0 = atomic_load_explicit(x, memory_order_acquire); ... }
//   exists (0:r0=1 /\ y=1)
//
// The reader understands initial values of numbers, processes, and a condition of `exists`, `~exists` or
// `forall` over conjunctions, disjunctions and negations. What the processes do is taken as it stands: it is
// C.
//
// Threading: pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct LitmusText {
  std::string name;
  std::string program;              // C with a main
  std::vector<std::string> finals;  // globals, and how the condition calls them
  std::vector<std::string> titles;
  std::string quantifier;  // "exists", "~exists", "forall"
  std::string condition;   // as written
  /// Whether the condition holds for these values of `finals`.
  std::function<bool(const std::vector<int64_t>&)> holds;
};

/// Nothing: `problem` says what was not understood.
std::optional<LitmusText> readLitmus(std::string_view text, std::string& problem);

}  // namespace heddle
