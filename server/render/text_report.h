// A report as text in the style of clang's diagnostics, for the terminal and for logs.
//
// Threading: pure functions.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/report.h"
#include "server/render/replay_command.h"

namespace heddle {

/// What earlier reports on a file have said of the unknown functions, assumptions and notes.
struct ToldBefore {
  std::set<std::string> lines;
};

/// `suppressed`: finding id → the user's reason; such findings are shown as one note each.
/// `told`: what stands there is only counted, and what is new is added; null: all is told.
std::string renderText(const Report& report, const ReplayContext& context,
                       const std::map<std::string, std::string>& suppressed = {}, ToldBefore* told = nullptr);
/// Only the findings and warnings of the report.
std::string renderFindings(const Report& report, const ReplayContext& context,
                           const std::map<std::string, std::string>& suppressed = {});
/// `also`: further findings of the same bug.
std::string renderText(const Report& report, const Finding& finding, const ReplayContext& context,
                       const std::vector<const Finding*>& also = {});

/// For a file that could not be explored: what and where, as one line; else empty.
std::string problemLine(const Report& report);

/// "3 threads, 4 of 5 functions, …": what the executions reached.
std::string reachText(const Reach& reach);
/// What no execution reached: a few names, and how many more there are.
std::string unreachedText(const Reach& reach);
/// "12 branches at the condition at a.c:3:9 in 'f', …": the places with most; empty: nothing is open.
std::string openText(const Report& report);
/// What to do about it.
inline constexpr const char kMakeSmaller[] =
    "fewer rounds, operations or threads that come there, or inputs of a smaller range (heddle_assume), "
    "leave less";

/// "verified: all 10 paths, 12 executions" … one line that says what is known and, if so, what is left.
std::string verdictLine(const Report& report);

/// "3 executions", "1 path".
std::string count(uint64_t number, const std::string& noun);

/// "a.c:3:7"; `fallbackFile` where the place has no file.
std::string placeText(const SourcePlace& place, const std::string& fallbackFile);
/// The further findings of one bug: `most` of them on one line each, and how many more.
std::string alsoText(const std::vector<const Finding*>& also, const std::string& file, size_t most = 3);

}  // namespace heddle
