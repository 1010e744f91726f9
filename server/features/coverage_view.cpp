#include "server/features/coverage_view.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace heddle {
namespace {

std::string schedulesText(const std::vector<uint32_t>& entries) {
  std::string text = entries.size() == 1 ? "schedule " : "schedules ";
  for (size_t i = 0; i < entries.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(entries[i] + 1);
  return text;
}

std::string sideLine(const CoverSide& side) {
  if (side.isFailure) {
    if (side.state == SideState::Covered) return "assertion: fails in " + schedulesText(side.by);
    return side.state == SideState::CannotBe ? "assertion: no input and no schedule makes it fail"
                                             : "assertion: open whether it can fail";
  }
  const bool isCase = side.text != "true" && side.text != "false";
  const std::string name = side.text + (isCase ? ": " : " side: ");
  switch (side.state) {
    case SideState::Covered:
      return name + "covered by " + schedulesText(side.by);
    case SideState::CannotBe:
      return name + "no input and no schedule reaches it";
    case SideState::Open:
      break;
  }
  return name + "open";
}

/// What is to be done comes first.
SideState worse(SideState a, SideState b) {
  if (a == SideState::Open || b == SideState::Open) return SideState::Open;
  return a == SideState::CannotBe ? a : b;
}

struct Branch {
  lsp::CoverageBranch shown;
  SideState state = SideState::Covered;
  bool isOpen = false;  // a side is, or a failure
};

void addSide(Branch& branch, const CoverSide& side) {
  lsp::CoverageSide shown{side.text, toString(side.state), {}, side.isFailure};
  for (const uint32_t entry : side.by) shown.schedules.push_back(entry + 1);
  branch.shown.sides.push_back(std::move(shown));
  branch.shown.text += (branch.shown.text.empty() ? "" : "\n") + sideLine(side);
  branch.isOpen |= side.state == SideState::Open;
  if (!side.isFailure) branch.state = worse(branch.state, side.state);
}

}  // namespace

std::string coverageText(const CoverReport& report) {
  const uint32_t covered = report.count(SideState::Covered), impossible = report.count(SideState::CannotBe),
                 open = report.count(SideState::Open);
  return "covered " + std::to_string(covered) + " of " + std::to_string(covered + impossible + open) +
         " sides of branches, " + std::to_string(impossible) + " cannot be, " + std::to_string(open) +
         " open";
}

lsp::Coverage coverageView(const CoverReport& report, const LocateContext& context,
                           const lsp::VersionedTextDocumentIdentifier& document,
                           const ReplayContext& replay) {
  lsp::Coverage view;
  view.uri = document.uri;
  view.version = document.version;
  view.covered = report.count(SideState::Covered);
  view.cannotBe = report.count(SideState::CannotBe);
  view.open = report.count(SideState::Open);
  view.text = coverageText(report);
  view.limits = report.limits;
  std::map<uint32_t, size_t> known;  // number of a branch → its place in `branches`
  std::vector<Branch> branches;
  for (const CoverSide& side : report.sides) {
    if (side.place.line == 0) continue;
    const auto [found, isNew] = known.try_emplace(side.branch, branches.size());
    if (isNew) {
      branches.emplace_back();
      branches.back().shown.location = locationOf(side.place, document.uri, context);
      branches.back().shown.function = side.place.function;
    }
    addSide(branches[found->second], side);
  }
  for (Branch& branch : branches) {
    branch.shown.state = toString(branch.state);
    for (size_t i = 0; branch.isOpen && i < report.limits.size(); ++i)
      branch.shown.text += (i == 0 ? "\nopen because: " : "; ") + report.limits[i];
    view.branches.push_back(std::move(branch.shown));
  }
  std::stable_sort(view.branches.begin(), view.branches.end(),
                   [&](const lsp::CoverageBranch& a, const lsp::CoverageBranch& b) {
                     const auto key = [&](const lsp::Location& at) {
                       return std::make_tuple(at.uri != document.uri, at.uri, at.range.start.line,
                                              at.range.start.character);
                     };
                     return key(a.location) < key(b.location);
                   });
  for (const CoverFunction& function : report.functions)
    if (function.place.line != 0)
      view.functions.push_back(
          {locationOf(function.place, document.uri, context), function.name, function.hits});
  for (const SuiteEntry& entry : report.suite)
    view.suite.push_back({entry.schedule, replayCommand(replay, entry.schedule), entry.fails});
  return view;
}

}  // namespace heddle
