// Which finding a command is about: `reproduce` and `save` name it alike.
//
// Threading: one thread.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "server/driver/exploration_input.h"

namespace heddle {

struct ChosenFinding {
  std::string schedule;
  std::optional<Finding> finding;  // none: the user gave the schedule
};

/// `name`: a finding's number in the report, from 1, its id, or a schedule; for the former two the program is
/// explored. None: there is no such finding; `err` is told so, with the findings that there are.
std::optional<ChosenFinding> chooseFinding(const ExplorationInput& input, const Engine& engine,
                                           const std::string& name, const Budget& budget, std::ostream& err);

}  // namespace heddle
