// Prefix: scheduling constraints under which a program was proved to be safe (Metzler, Saissi, Bokor, Suri,
// "Safe Execution of Concurrent Programs by Enforcement of Scheduling Constraints": a trace prefix).
//
// An event is a thread's how-many-th pass of a site (sites.h); a constraint says that one event waits for
// another. Its label, in the terms of the paper, is "the first event happens": a constraint whose first
// event does not come any more, because its thread has ended, holds nobody up. So inputs that take a thread
// elsewhere need no constraints of their own to go on.
//
// Threading: plain data and pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/enforce/sites.h"

namespace heddle {

struct SiteEvent {
  std::string thread;  // "T1.2"
  uint32_t site = 0;
  uint32_t pass = 1;  // the thread's how-many-th of the site, from 1
  auto operator<=>(const SiteEvent&) const = default;
};

struct Constraint {
  SiteEvent first, then;
  auto operator<=>(const Constraint&) const = default;
};

/// In the order of the trace: relaxing takes the last away.
struct Prefix {
  std::vector<Constraint> constraints;
};

/// What waiting costs, in no unit: threads that wait at the same time take the processor from those they wait
/// for, so many threads that wait rarely are dearer than few that wait often.
uint64_t costOf(const Prefix& prefix);

/// "T2 before write at a.c:12 (1st) waits for T1 write at a.c:9 (1st)"
std::string describe(const Constraint& constraint, const std::vector<Site>& sites);

/// The file that `heddle build` writes and reads. `fingerprint`: of the program it belongs to.
std::string prefixText(const Prefix& prefix, uint64_t fingerprint, const std::vector<Site>& sites);
/// Its first line, and that of a constraint up to its comment.
std::string prefixHeader(uint64_t fingerprint);
std::string prefixLine(const Constraint& constraint);
/// nullopt: `problem` says what is wrong with the text.
std::optional<Prefix> parsePrefix(const std::string& text, uint64_t fingerprint, std::string& problem);

}  // namespace heddle
