#include "server/driver/chosen_finding.h"

#include <charconv>
#include <ostream>
#include <system_error>

namespace heddle {
namespace {

/// Null: there is none.
const Finding* named(const Report& report, const std::string& name) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc() && end == name.data() + name.size() && number >= 1 &&
      number <= report.findings.size())
    return &report.findings[number - 1];
  for (const Finding& finding : report.findings)
    if (finding.id == name) return &finding;
  return nullptr;
}

std::string listOf(const Report& report) {
  std::string out;
  for (size_t i = 0; i < report.findings.size(); ++i)
    out += "  " + std::to_string(i + 1) + "  " + report.findings[i].id + "  " + report.findings[i].message +
           "\n";
  return out.empty() ? "  there are none\n" : out;
}

/// A schedule has blanks or a star; ids and numbers have neither.
bool isSchedule(const std::string& name) {
  return name.find_first_of("* |") != std::string::npos || (name.size() > 1 && name[0] == 'T');
}

}  // namespace

std::optional<ChosenFinding> chooseFinding(const ExplorationInput& input, const Engine& engine,
                                           const std::string& name, const Budget& budget, std::ostream& err) {
  if (isSchedule(name)) return ChosenFinding{name, std::nullopt};
  const Report report = engine.analyze(input.snapshot, input.options.options, budget, Observer{});
  const Finding* const finding = named(report, name);
  if (finding) return ChosenFinding{finding->schedule, *finding};
  err << "heddle: error: no finding '" << name << "'; the findings are\n" << listOf(report);
  return std::nullopt;
}

}  // namespace heddle
