// The C programs that carry their expected verdict in the first line, and how the real `heddle` is run on
// them.
//
//     // EXPECT: assert=violated (reason)
//
// Several properties may stand there, separated by spaces. Before the reason may also stand
//
//     option=--no-signals    an option that heddle is run with; that one only
//     twin=NAME              in a program that is violated: the file (of the same folder, without .c) that is
//                            the same program, or its next relative, put right; if none is named: the one
//                            whose name ends in _fixed
//
// For tests only, on one thread.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace heddle::programs {

struct ProgramFile {
  std::string path;                           // from the repository root
  std::map<std::string, std::string> expect;  // property → verdict; empty when the first line says nothing
  std::vector<std::string> options;           // that heddle is run with
  std::string twin;                           // as the first line names it; may be empty
  bool hasInputs = false;                     // else one run per schedule is all there is
};

/// All .c files of tests/programs and docs/examples, sorted by path.
std::vector<ProgramFile> allPrograms();

/// What the first line says, without a path: "assert=violated race=verified (why)" after the mark. Nothing is
/// expected when the line has no such mark or cannot be read.
ProgramFile parseExpectation(const std::string& firstLine);

/// True if some property is expected to be violated.
bool isBuggy(const ProgramFile& program);

/// As a part of a test's name: only letters, digits and underscores.
std::string testName(const ProgramFile& program);

/// How GoogleTest shows one.
void PrintTo(const ProgramFile& program, std::ostream* stream);

struct Outcome {
  int exitCode = -1;
  std::string out;
  std::optional<nlohmann::json> json;  // of `out`, when it is a JSON object
};

/// Runs build/bin/heddle in the repository root and waits for it.
Outcome runHeddle(const std::vector<std::string>& arguments);

/// Runs any program the same way.
Outcome run(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace heddle::programs
