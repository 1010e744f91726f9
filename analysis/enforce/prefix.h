// Prefix: scheduling constraints under which a program was proved to be safe (Metzler, Saissi, Bokor, Suri,
// "Safe Execution of Concurrent Programs by Enforcement of Scheduling Constraints": a trace prefix).
//
// An event is a thread's n-th pass of a site (sites.h); a constraint says that one event waits for another.
// If the first event can no longer come, because its thread has ended, the constraint stops no thread. So
// inputs that lead a thread elsewhere need no constraints of their own. If no order serves all inputs, a
// constraint has a condition over them (the label of an edge in the paper's Definition 1): as soon as an
// input outside of its range has come, the constraint stops no thread.
//
// Threading: plain data and pure functions.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "analysis/enforce/sites.h"

namespace heddle {

struct SiteEvent {
  std::string thread;  // "T1.2"
  uint32_t site = 0;
  uint32_t pass = 1;  // number of the thread's pass of the site, from 1
  auto operator<=>(const SiteEvent&) const = default;
};

/// A range of the input at an event, which is a call that returns a number.
struct InputRange {
  SiteEvent input;
  int64_t low = std::numeric_limits<int64_t>::min(),
          high = std::numeric_limits<int64_t>::max();  // both within
  auto operator<=>(const InputRange&) const = default;
};

struct Constraint {
  SiteEvent first, then;
  std::vector<InputRange> when = {};  // all of these must hold; empty: the constraint is for all inputs
  auto operator<=>(const Constraint&) const = default;
};

/// Constraints in the order of the trace; relaxing removes the last one first.
struct Prefix {
  std::vector<Constraint> constraints;
};

/// The cost of waiting, without a unit. Threads that wait at the same time take the processor from the
/// threads they wait for, so many threads that wait rarely cost more than few that wait often. It costs
/// more to wait for a thread that is created later than the other way round, because the waiting thread
/// exists first and waits while the other one starts.
uint64_t costOf(const Prefix& prefix);

/// "T2 before write at a.c:12 (1st) waits for T1 write at a.c:9 (1st)"
std::string describe(const Constraint& constraint, const std::vector<Site>& sites);

/// The text of the file that `heddle build` writes and reads. `fingerprint`: of the program that the prefix
/// belongs to.
std::string prefixText(const Prefix& prefix, uint64_t fingerprint, const std::vector<Site>& sites);
/// The first line of the file, and the line of a constraint up to its comment. The last line of the file
/// has the number of constraints, so a reader notices if the file is incomplete.
std::string prefixHeader(uint64_t fingerprint);
std::string prefixLine(const Constraint& constraint);
/// nullopt: `problem` says what is wrong with the text.
std::optional<Prefix> parsePrefix(const std::string& text, uint64_t fingerprint, std::string& problem);

}  // namespace heddle
