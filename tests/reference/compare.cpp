#include "tests/reference/compare.h"

#include <algorithm>

#include "analysis/explore/invariants/invariant_proof.h"
#include "analysis/pipeline/prepare.h"
#include "tests/reference/random_input_program.h"
#include "tests/reference/random_loop_program.h"
#include "tests/reference/random_mixed_program.h"
#include "tests/reference/random_section_program.h"
#include "tests/unit/explore/random_program.h"

namespace heddle::test {
namespace {

std::set<unsigned> linesOf(const reference::Decision& decision, const std::string& kind) {
  std::set<unsigned> lines;
  for (const reference::Failure& failure : decision.failures)
    if (failure.first == kind) lines.insert(failure.second);
  return lines;
}

std::set<unsigned> linesOf(const Report& report, const std::string& kind) {
  std::set<unsigned> lines;
  for (const Finding& finding : report.findings)
    if (toString(finding.kind) == kind) lines.insert(finding.place.line);
  return lines;
}

std::string listed(const std::set<unsigned>& lines) {
  std::string text;
  for (unsigned line : lines) text += (text.empty() ? "" : ",") + std::to_string(line);
  return text.empty() ? "none" : text;
}

}  // namespace

std::string randomText(const std::string& kind, uint64_t seed) {
  if (kind == "sync") return randomSyncProgram(seed).text;
  if (kind == "spin") return randomSpinProgram(seed).text;
  if (kind == "mixed") return randomMixedProgram(seed);
  if (kind == "sections") return randomSectionProgram(seed);
  if (kind == "inputs") return randomInputProgram(seed);
  if (kind == "loops") return randomLoopProgram(seed);
  if (kind == "waits") return randomWaitProgram(seed);
  return randomProgram(seed).text;
}

namespace {

/// What is proved by invariants must hold, whether the engine has asked for such a proof or not.
void compareProofs(const Snapshot& snapshot, const CompareOptions& compared, Comparison& result) {
  const PreparedProgram prepared = prepare(snapshot, "main");
  if (!prepared.program) return;
  for (const PropertyInfo& info : kProperties) {
    if (!info.byDefault || info.isWarning) continue;
    const InvariantProof proof = proveByInvariants(*prepared.program, prepared.entry, {info.property},
                                                   SolverKind::Sat, Budget().withSteps(compared.steps));
    result.proofs += proof.proven.size();
    const bool isWrong = proof.proven.contains(info.property) && result.decision.violates(info.name) &&
                         !(info.property == Property::Deadlock && result.decision.stoppedByAssumption);
    if (isWrong)
      result.differences.push_back(std::string(info.name) + ": reference violated, invariants verified");
  }
}

}  // namespace

Comparison compare(const std::string& text, const CompareOptions& compared) {
  Comparison result;
  const std::string whole = withHeaders(text);
  Snapshot snapshot;
  snapshot.path = "/nowhere/test.c";
  snapshot.text = whole;
  snapshot.command = commandFromFlags(
      snapshot.path, compared.bits == 32 ? std::vector<std::string>{"-m32"} : std::vector<std::string>{});
  Options options;
  options.strategy = compared.strategy;
  options.everyAccessIsEvent = compared.everyAccess;
  const Report report = analyze(snapshot, options, Budget().withSteps(compared.steps));

  result.decision = reference::decide(whole, {}, compared.states, compared.bits);
  if (!result.decision.problem.empty()) {
    result.undecided = "reference: " + result.decision.problem;
    return result;
  }
  // mcr fixes inputs at 0, what may happen by itself among them, and says so: a named bound.
  reference::Decision withinBounds = result.decision;
  if (compared.strategy == "mcr") {
    const reference::Rules fixed{.spuriousWakeups = false,
                                 .timeouts = false,
                                 .weakFailures = false,
                                 .reuseAddresses = false,
                                 .inputs = {0}};
    withinBounds = reference::decide(whole, fixed, compared.states, compared.bits);
  }
  if (compared.strategy == "forest" && compared.bits == 64) compareProofs(snapshot, compared, result);
  if (report.problemKind == ProblemKind::Ours) result.differences.push_back(report.problem);
  const bool isUndefinedUsed = result.decision.violates("uninitialized");
  const bool complete = compared.strategy == "forest";
  for (const auto& [asked, verdict] : report.properties) {
    const std::string property = toString(asked);
    const bool isBounded = verdict == Verdict::VerifiedWithinBounds;
    const bool expected = (isBounded ? withinBounds : result.decision).violates(property);
    // The reference ends where what was never written decides, the engine goes on with 0.
    if (isUndefinedUsed && !expected && verdict == Verdict::Violated) continue;
    if (property == "deadlock" && !expected && result.decision.stoppedByAssumption) continue;
    if (verdict == Verdict::Violated ? !expected : expected && (verdict == Verdict::Verified || isBounded))
      result.differences.push_back(property + ": reference " + (expected ? "violated" : "verified") + ", " +
                                   compared.strategy + " " + toString(verdict));
    // Everything was explored, but under an assumption that may be why something was not reached.
    else if (!expected && report.problemKind == ProblemKind::NotReached)
      continue;
    else if (complete && verdict != Verdict::Violated && verdict != Verdict::Verified &&
             verdict != Verdict::VerifiedWithinBounds)
      result.undecided = property + " " + toString(verdict) + ": " + report.problem;
  }
  if (complete && result.undecided.empty() && result.differences.empty()) {
    const std::set<unsigned> expected = linesOf(result.decision, "assert"), found = linesOf(report, "assert");
    if (isUndefinedUsed ? !std::includes(found.begin(), found.end(), expected.begin(), expected.end())
                        : expected != found)
      result.differences.push_back("assertions fail on lines: reference " + listed(expected) + ", forest " +
                                   listed(found));
  }
  return result;
}

}  // namespace heddle::test
