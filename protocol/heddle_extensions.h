// Heddle's own messages: heddle/status (to the client), heddle/interleaving (a request), and what the command
// heddle.server.cover answers. They only add to the standard ones: a client that knows nothing of them misses
// nothing but comfort. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base.h"

namespace heddle::lsp {

/// What a client announces in capabilities.experimental.heddle.
struct HeddleClient {
  bool status = false;             // takes heddle/status
  bool interleavingPanel = false;  // has the command "heddle.showInterleaving" with {uri, finding}
  bool coverage = false;           // has the command "heddle.showCoverage" with {uri}
  bool debugger = false;           // has the command "heddle.debug" with {uri, finding}
};
/// Anything unexpected reads as "cannot".
HeddleClient heddleClientOf(const json& experimental);

/// heddle/status: what is known of one file now. Sent when it changes, at most ten times a second, to clients
/// that announce `capabilities.experimental.heddle.status: true`.
struct StatusParams {
  DocumentUri uri;
  int32_t version = 0;
  /// "idle", "waiting", "compiling", "exploring", "verified", "verified-within-bounds", "violated",
  /// "incomplete", "cancelled", "unsupported", "error" or "closed"
  std::string state;
  std::string text;  // one line for people
  std::string entry;
  uint64_t paths = 0;
  uint64_t executions = 0;
  uint64_t open = 0;  // branches not explored yet
  uint32_t findings = 0;
  uint32_t suppressed = 0;
  bool stale = false;  // the text has changed since the state was reached
  std::vector<std::string> bounds;
  uint32_t assumptions = 0;
  std::string commandSource;  // where the compile command came from
  bool commandGuessed = false;
  std::string safeRun;  // "safe to run under 2 constraints", where the user asked for them; else empty
  bool operator==(const StatusParams&) const = default;
};
void to_json(json& value, const StatusParams& in);
void from_json(const json& value, StatusParams& out);

/// heddle/interleaving; without `finding`: the file's first one.
struct InterleavingParams {
  TextDocumentIdentifier textDocument;
  std::optional<std::string> finding;
  bool operator==(const InterleavingParams&) const = default;
};
void to_json(json& value, const InterleavingParams& in);
void from_json(const json& value, InterleavingParams& out);

struct InterleavingThread {
  std::string label;
  std::string function;
  bool operator==(const InterleavingThread&) const = default;
};
void to_json(json& value, const InterleavingThread& in);
void from_json(const json& value, InterleavingThread& out);

struct InterleavingStep {
  uint32_t thread = 0;  // index into the threads
  std::string kind;     // "read", "write", "update", "lock", "unlock", "create", "join", …, "failure"
  std::string text;
  std::string object;  // what is read, written or locked; may be empty
  std::string value;   // what was read or written; may be empty
  std::optional<Location> location;
  bool core = false;  // part of the reason
  bool operator==(const InterleavingStep&) const = default;
};
void to_json(json& value, const InterleavingStep& in);
void from_json(const json& value, InterleavingStep& out);

/// An order between two steps, by their indexes, `from` first.
struct InterleavingEdge {
  uint32_t from = 0;
  uint32_t to = 0;
  std::string kind;  // "create", "join", "lock", "reads-from", "race" or "core"
  bool core = false;
  bool operator==(const InterleavingEdge&) const = default;
};
void to_json(json& value, const InterleavingEdge& in);
void from_json(const json& value, InterleavingEdge& out);

/// A mutex held by a thread from one step to another, or to the end.
struct InterleavingBar {
  uint32_t thread = 0;
  uint32_t from = 0;
  std::optional<uint32_t> to;
  std::string object;
  bool operator==(const InterleavingBar&) const = default;
};
void to_json(json& value, const InterleavingBar& in);
void from_json(const json& value, InterleavingBar& out);

struct InterleavingExecution {
  std::string name;  // "failing" or "passing"
  std::vector<InterleavingStep> steps;
  std::vector<InterleavingEdge> edges;
  std::vector<InterleavingBar> bars;
  std::vector<std::string> inputs;  // "n = 3 (line 6, T1)"
  bool operator==(const InterleavingExecution&) const = default;
};
void to_json(json& value, const InterleavingExecution& in);
void from_json(const json& value, InterleavingExecution& out);

struct Interleaving {
  std::string finding;
  std::string kind;
  std::string message;
  DocumentUri uri;
  int32_t version = 0;
  bool stale = false;
  std::vector<InterleavingThread> threads;
  std::vector<InterleavingExecution> executions;  // the failing one first
  std::string schedule;
  std::string replay;                  // the command to type
  std::vector<std::string> arguments;  // the same, as words after heddle: "replay", …
  std::vector<std::string> files;      // of the program, for the debugger
  std::vector<std::string> options;    // that also say which program it is: "--entry", …
  std::string text;                    // the failing execution as a plain table, one column per thread
  bool operator==(const Interleaving&) const = default;
};
void to_json(json& value, const Interleaving& in);
void from_json(const json& value, Interleaving& out);

struct CoverageSide {
  std::string side;                 // "true", "false", "case 1, 2", "default"
  std::string state;                // "covered", "cannot be" or "open"
  std::vector<uint32_t> schedules;  // of the suite that take it, from 1
  bool failure = false;             // an assertion's failure: it is no part of the counts
  bool operator==(const CoverageSide&) const = default;
};
void to_json(json& value, const CoverageSide& in);
void from_json(const json& value, CoverageSide& out);

struct CoverageBranch {
  Location location;
  std::string function;
  std::string state;  // of its sides without failures: "open" before "cannot be" before "covered"
  std::string text;   // for people, a line for each side
  std::vector<CoverageSide> sides;
  bool operator==(const CoverageBranch&) const = default;
};
void to_json(json& value, const CoverageBranch& in);
void from_json(const json& value, CoverageBranch& out);

struct CoverageFunction {
  Location location;
  std::string name;
  uint32_t schedules = 0;  // of the suite that call it
  bool operator==(const CoverageFunction&) const = default;
};
void to_json(json& value, const CoverageFunction& in);
void from_json(const json& value, CoverageFunction& out);

struct CoverageSchedule {
  std::string schedule;
  std::string replay;  // the command to type
  std::string fails;   // what it shows; empty: nothing
  bool operator==(const CoverageSchedule&) const = default;
};
void to_json(json& value, const CoverageSchedule& in);
void from_json(const json& value, CoverageSchedule& out);

/// What schedules and inputs can take of the program of a file.
struct Coverage {
  DocumentUri uri;
  int32_t version = 0;
  uint32_t covered = 0;  // sides of branches
  uint32_t cannotBe = 0;
  uint32_t open = 0;
  std::string text;                 // "covered 9 of 11 sides of branches, 1 cannot be, 1 open"
  std::vector<std::string> limits;  // why something is open
  std::vector<CoverageBranch> branches;
  std::vector<CoverageFunction> functions;
  std::vector<CoverageSchedule> suite;
  bool operator==(const Coverage&) const = default;
};
void to_json(json& value, const Coverage& in);
void from_json(const json& value, Coverage& out);

}  // namespace heddle::lsp
