// Prefix: scheduling constraints under which a program was proved to be safe (Metzler, Saissi, Bokor, Suri,
// "Safe Execution of Concurrent Programs by Enforcement of Scheduling Constraints": a trace prefix).
//
// An event is a thread's n-th pass of a site (sites.h); a constraint says that one event waits for
// another. A constraint whose first event does not come any more, because its thread has ended, holds nobody
// up: so inputs that take a thread elsewhere need no constraints of their own to go on. Where no order serves
// all inputs, a constraint carries a condition over them (the label of an edge in the paper's Definition 1):
// it holds nobody up any more once an input has come that lies outside.
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

/// Of the input that an event gives: a call that returns a number.
struct InputRange {
  SiteEvent input;
  int64_t low = std::numeric_limits<int64_t>::min(),
          high = std::numeric_limits<int64_t>::max();  // both within
  auto operator<=>(const InputRange&) const = default;
};

struct Constraint {
  SiteEvent first, then;
  std::vector<InputRange> when = {};  // all of them; none: for all inputs
  auto operator<=>(const Constraint&) const = default;
};

/// In the order of the trace: relaxing takes the last away.
struct Prefix {
  std::vector<Constraint> constraints;
};

/// What waiting costs, in no unit: threads that wait at the same time take the processor from those they wait
/// for, so many threads that wait rarely are dearer than few that wait often. A thread that waits for one
/// that is created later is dearer than the other way round: it is there first, and waits while that one
/// starts.
uint64_t costOf(const Prefix& prefix);

/// "T2 before write at a.c:12 (1st) waits for T1 write at a.c:9 (1st)"
std::string describe(const Constraint& constraint, const std::vector<Site>& sites);

/// The file that `heddle build` writes and reads. `fingerprint`: of the program it belongs to.
std::string prefixText(const Prefix& prefix, uint64_t fingerprint, const std::vector<Site>& sites);
/// Its first line, and that of a constraint up to its comment. The last line counts the constraints: who
/// reads a part of the file knows that it is one.
std::string prefixHeader(uint64_t fingerprint);
std::string prefixLine(const Constraint& constraint);
/// nullopt: `problem` says what is wrong with the text.
std::optional<Prefix> parsePrefix(const std::string& text, uint64_t fingerprint, std::string& problem);

}  // namespace heddle
