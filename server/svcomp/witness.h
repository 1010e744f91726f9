// Verification witnesses of SV-COMP as plain data, and as YAML: format 2.0 (Ayaziová et al., "Software
// Verification Witnesses 2.0", SPIN 2024), with the threads of its extension 2.2.
//
// Lines and columns are 1-based.
//
// Threading: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::svcomp {

struct Waypoint {
  std::string type;        // "assumption", "branching", "function_enter", "function_return", "target"
  std::string action;      // "follow", "avoid", …
  uint32_t thread = 0;     // 0: main; k: the k-th function_enter at a pthread_create
  std::string constraint;  // empty: none
  std::string format;      // of the constraint: "c_expression", "acsl_expression"
  std::string file;
  uint32_t line = 0, column = 0;  // column 0: not given
  std::string function;           // empty: not given
};

/// One input file. The order of the files is kept, but means nothing.
struct WitnessFile {
  std::string name, hash;  // SHA-256 in hexadecimal digits
};

struct Witness {
  bool isViolation = true;  // else of correctness
  std::string version = "2.0", uuid, time, producer, producerVersion;
  std::vector<WitnessFile> files;
  std::string specification;
  std::string dataModel;                        // "ILP32", "LP64"
  std::vector<std::vector<Waypoint>> segments;  // of a violation
  uint64_t invariants = 0;                      // of correctness; counted only
};

std::string toYaml(const Witness& witness);

/// The first entry of either kind; else one line in `problem`.
std::optional<Witness> parseWitness(const std::string& text, std::string& problem);

}  // namespace heddle::svcomp
