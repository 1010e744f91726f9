// What the engine says of a litmus program, beside what the enumerator says.
#pragma once

#include <map>
#include <string>

#include "tests/weak/litmus_program.h"

namespace heddle::weak {

struct EngineAnswer {
  std::string problem;  // not empty: it did not decide
  Outcomes outcomes;
  std::map<Outcome, std::string> schedules;  // that lead to them
};

EngineAnswer askEngine(const LitmusProgram& program, Model model);

/// Replays the schedule with a machine of its own: the outcome; empty: it cannot be followed.
Outcome replayOutcome(const LitmusProgram& program, const std::string& schedule);

/// One line for each difference; empty: none. Under C11 a program with a race has no outcomes to compare.
std::string compare(const LitmusProgram& program, Model model);

}  // namespace heddle::weak
