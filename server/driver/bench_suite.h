// The table of benchmark programs: what to run, what must come out, what it cost others.
//
// One row per line, seven or eight fields separated by '|': name, file, -D flags, expected verdicts, the
// paper's figure, target, best peer, and how to explore; "-" is an empty field, '#' opens a comment, a line
// in brackets starts a section.
//
// How to explore, in words: `strategy=S`, `census`, `without=LIST` (of con2colic), `inputs=T0=1,2` (one word
// for each thread), `paper-paths=N` (what the paper counts), `paper-speed-up=S` (what the paper's parallel
// version gained: the row is explored by one worker and by several). Without them, the command line decides.
//
// Threading: pure functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct BenchRow {
  std::string section;
  std::string name;
  std::string file;  // below the suite's folder programs/
  std::vector<std::string> flags;
  std::map<std::string, std::string> expected;  // property → verdict; exactly these are explored
  std::string paper;
  std::optional<double> targetSeconds;  // of CPU time
  std::string peer;
  std::string strategy;  // empty: as the command line says
  bool census = false;
  std::vector<std::string> without;
  std::string inputs;
  std::optional<uint64_t> paperPaths;
  std::string paperSpeedUp;  // empty: several workers are not compared with one
};

/// nullopt: `problem` is one line that names the line of the suite.
std::optional<std::vector<BenchRow>> parseSuite(std::string_view text, std::string& problem);

/// The rows that any of `names` selects (a name, a part of a section's title, or a pattern with '*'), all
/// when there are none. nullopt: a name selects nothing, and `problem` says which.
std::optional<std::vector<BenchRow>> selectRows(const std::vector<BenchRow>& rows,
                                                const std::vector<std::string>& names, std::string& problem);

}  // namespace heddle
