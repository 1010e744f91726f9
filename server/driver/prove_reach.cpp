#include "server/driver/prove_reach.h"

#include <algorithm>
#include <ostream>

namespace heddle {
namespace {

bool isCalledVerified(const Report& report) {
  return report.verdict == Verdict::Verified || report.verdict == Verdict::VerifiedWithinBounds;
}

bool isNamed(const Report& report, const std::string& function) {
  const std::vector<Unreached>& unreached = report.reach->unreached;
  return std::any_of(unreached.begin(), unreached.end(), [&](const Unreached& what) {
    const bool isEnd = what.kind == Unreached::Kind::End || what.kind == Unreached::Kind::NoEnd;
    return isEnd && what.function == function;
  });
}

}  // namespace

int proveReach(const ExplorationInput& input, const Report& report, const Engine& engine, Streams streams,
               std::stop_token stop) {
  if (!report.reach || !isCalledVerified(report)) {
    streams.err << "prove-reach: " << report.file << ": not called verified: " << toString(report.verdict)
                << '\n';
    return kExitNoBug;
  }
  Snapshot snapshot = input.snapshot;
  Options options = input.options.options;
  options.diagnose = options.smallWitnesses = false;
  options.checkpoint.clear();
  options.properties = {Property::Assert};
  int code = kExitNoBug;
  for (const ReachedThread& thread : report.reach->threads) {
    snapshot.environment.failAtEndOf = thread.function;
    const Report seeded = engine.analyze(snapshot, options, budgetOf(input.options, stop), Observer{});
    const auto isSeeded = [&](const Finding& finding) {
      return finding.kind == Property::Assert &&
             finding.message.starts_with("the end of '" + thread.function);
    };
    // Where arguments have chosen the way, it is only possible.
    const bool isFound = std::any_of(seeded.findings.begin(), seeded.findings.end(), isSeeded) ||
                         std::any_of(seeded.warnings.begin(), seeded.warnings.end(), isSeeded);
    const bool isRight = isFound || isNamed(report, thread.function);
    streams.err << "prove-reach: " << report.file << ": the end of '" << thread.function << "': "
                << (isFound   ? "found"
                    : isRight ? "named as not reached"
                              : "NEITHER FOUND NOR NAMED")
                << '\n';
    if (!isRight) code = kExitBug;
  }
  return code;
}

}  // namespace heddle
