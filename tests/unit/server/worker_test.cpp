// Explorations in processes of their own: the same answers as in this process, and crashes that end only
// them.
#include <gtest/gtest.h>

#include <signal.h>

#include "server/render/json_report.h"
#include "server/worker/wire.h"
#include "server/worker/worker_pool.h"
#include "tests/paths/paths.h"

namespace heddle {
namespace {

std::shared_ptr<WorkerPool> realPool() {
  signal(SIGPIPE, SIG_IGN);  // as main() does
  return std::make_shared<WorkerPool>(std::vector<std::string>{binaryDirectory() + "/bin/heddle", "worker"});
}

Snapshot snapshotOf(const std::string& text) {
  Snapshot snapshot;
  snapshot.path = "/nowhere/a.c";
  snapshot.text = text;
  snapshot.command = commandFromFlags(snapshot.path, {});
  return snapshot;
}

const char* const kRace =
    "#include <pthread.h>\n#include <assert.h>\nint n;\nvoid *f(void *p) { n++; return p; }\n"
    "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0); assert(n == 2); return 0; }\n";
/// Two findings at once, and then work without an end in sight.
const char* const kLong =
    "#include <pthread.h>\nint n, x; int heddle_input_int(void);\n"
    "void *f(void *p) { n++; for (int i = 0; i < 40; i++) if (heddle_input_int() * heddle_input_int() == 77 "
    "+ i) x ^= n * i; "
    "return p; }\nint main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, "
    "0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";

Options explained() {
  Options options;
  options.diagnose = options.summarizeAccesses = true;
  return options;
}

/// The report without what the clock and the process decide.
std::string told(Report report) {
  report.stats = Stats();
  for (Finding& finding : report.findings)
    if (finding.explanation) finding.explanation->diagnoseSeconds = finding.explanation->planSeconds = 0;
  return dumpLine(reportJson(report));
}

TEST(Worker, GivesTheSameNativeProgramsAndConstraints) {
  const Engine local = pipelineEngine(), remote = engineInWorkers(local, realPool());
  const Snapshot snapshot = snapshotOf(kRace);
  const Report report = local.analyze(snapshot, {}, Budget().withSteps(100'000), {});
  ASSERT_FALSE(report.findings.empty());
  const Finding& finding = report.findings[0];
  const NativeProgram here = local.reproducer(snapshot, {}, finding.schedule, finding.kind, Budget());
  const NativeProgram there = remote.reproducer(snapshot, {}, finding.schedule, finding.kind, Budget());
  EXPECT_EQ(here.problem, "");
  EXPECT_EQ(wire::packed(here), wire::packed(there));

  const Enforcement found = remote.constrain(snapshot, {}, Budget().withSteps(1'000'000));
  ASSERT_TRUE(found.found) << found.problem;
  EXPECT_EQ(found.prefix.constraints,
            local.constrain(snapshot, {}, Budget().withSteps(1'000'000)).prefix.constraints);
  EXPECT_EQ(wire::packed(local.enforced(snapshot, {}, found.prefix)),
            wire::packed(remote.enforced(snapshot, {}, found.prefix)));
}

TEST(Worker, GivesTheSameCoverageAndTellsWhatIsCoveredOnTheWay) {
  const Engine local = pipelineEngine(), remote = engineInWorkers(local, realPool());
  const Snapshot snapshot = snapshotOf(kRace);
  uint32_t heard = 0;
  CoverReport here = local.cover(snapshot, {}, Budget().withSteps(1'000'000), {});
  CoverReport there = remote.cover(snapshot, {}, Budget().withSteps(1'000'000),
                                   [&](const CoverProgress& progress) { heard = progress.covered; });
  EXPECT_EQ(here.problem, "");
  EXPECT_EQ(heard, here.count(SideState::Covered));
  EXPECT_GT(heard, 0u);
  here.seconds = there.seconds = 0;
  EXPECT_EQ(wire::packed(here), wire::packed(there));
}

TEST(Worker, GivesTheSameLookAtWhatAFileOffers) {
  const std::shared_ptr<WorkerPool> pool = realPool();
  const Engine local = pipelineEngine();
  size_t asked = 0;
  const Engine remote =
      lookingThrough(local, [&](FrameKind kind, const std::string& body, const std::string& path,
                                const Budget& budget, const std::function<void(const Frame&)>& hear) {
        ++asked;
        return pool->ask(kind, body, path, budget, hear);
      });
  const Snapshot snapshot = snapshotOf(
      "#include <pthread.h>\nstatic pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\nstatic int n;\n"
      "void add(void) { pthread_mutex_lock(&lock); n++; pthread_mutex_unlock(&lock); }\n"
      "int get(void) { return n; }\n");
  const HarnessPlan here = local.harnesses(snapshot, "main", Budget());
  const HarnessPlan there = remote.harnesses(snapshot, "main", Budget());
  EXPECT_EQ(asked, 1u);
  EXPECT_FALSE(here.harnesses.empty());
  EXPECT_EQ(wire::packed(here), wire::packed(there));
}

TEST(Worker, GivesTheSameReportReplaysAndPatches) {
  const Engine local = pipelineEngine(), remote = engineInWorkers(local, realPool());
  const Snapshot snapshot = snapshotOf(kRace);
  const Budget steps = Budget().withSteps(100'000);
  std::vector<std::string> seen;
  Observer observer;
  observer.finding = [&](const Finding& finding) { seen.push_back(finding.id); };
  const Report here = local.analyze(snapshot, explained(), Budget().withSteps(100'000), {});
  const Report there = remote.analyze(snapshot, explained(), steps, observer);
  EXPECT_EQ(told(there), told(here));
  EXPECT_EQ(wire::packed(there.accesses), wire::packed(here.accesses));
  ASSERT_FALSE(there.findings.empty());
  EXPECT_EQ(seen.size(), there.findings.size());

  const std::string& schedule = there.findings[0].schedule;
  EXPECT_EQ(wire::packed(remote.replay(snapshot, {}, schedule, Budget())),
            wire::packed(local.replay(snapshot, {}, schedule, Budget())));
  size_t replays = 0;
  remote.replayEach(snapshot, {}, {schedule, "T0*9999"}, Budget(),
                    [&](size_t index, const ReplayResult& result) {
                      EXPECT_EQ(result.ok, index == 0);
                      ++replays;
                    });
  EXPECT_EQ(replays, 2u);
  const RepairResult repaired =
      remote.repair(snapshot, explained(), there, "", Budget().withSteps(1'000'000));
  EXPECT_FALSE(repaired.patches.empty());
}

TEST(Worker, ACrashLeavesTheFindingsAndTheNextRequestIsAnswered) {
  const auto pool = realPool();
  const Engine engine = engineInWorkers(pipelineEngine(), pool);
  Observer observer;
  observer.finding = [&](const Finding&) {
    for (int process : pool->processes()) kill(process, SIGSEGV);
  };
  const Report report = engine.analyze(snapshotOf(kLong), {}, Budget(), observer);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.verdict, Verdict::Violated);
  EXPECT_EQ(report.properties.at(Property::Race), Verdict::Violated);
  EXPECT_EQ(report.properties.at(Property::Assert), Verdict::Incomplete);
  EXPECT_NE(told(report).find("crashed (SIGSEGV)"), std::string::npos) << told(report);
  EXPECT_TRUE(pool->processes().empty());
  EXPECT_EQ(engine.analyze(snapshotOf(kRace), {}, Budget().withSteps(100'000), {}).verdict,
            Verdict::Violated);
}

TEST(Worker, AnIdleWorkerThatDiedIsReplaced) {
  const auto pool = realPool();
  const Engine engine = engineInWorkers(pipelineEngine(), pool);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(engine.analyze(snapshotOf(kRace), {}, Budget().withSteps(100'000), {}).verdict,
              Verdict::Violated);
    ASSERT_EQ(pool->processes().size(), 1u);
    const int process = pool->processes()[0];
    kill(process, SIGKILL);
    // Until the kernel has closed its ends of the pipes: it is a zombie then.
    siginfo_t ended;
    waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT);
  }
}

TEST(Worker, StopsWhenTheBudgetIsCancelled) {
  const auto pool = realPool();
  const Engine engine = engineInWorkers(pipelineEngine(), pool);
  std::stop_source stop;
  Observer observer;
  observer.finding = [&](const Finding&) { stop.request_stop(); };
  const Report report = engine.analyze(snapshotOf(kLong), {}, Budget().withStop(stop.get_token()), observer);
  EXPECT_EQ(report.properties.at(Property::Race), Verdict::Violated);
  EXPECT_NE(report.properties.at(Property::Assert), Verdict::Verified);
  EXPECT_EQ(pool->processes().size(), 1u) << "it obeyed, and serves again";
  EXPECT_GT(pool->residentMemory(), 0u);
}

TEST(Wire, KeepsEveryFieldAndRefusesWhatIsCut) {
  Snapshot snapshot = snapshotOf("int x;");
  snapshot.overlays["/b.h"] = std::string("\0\xff", 2);
  snapshot.units.push_back({"/u.c", "text", snapshot.command});
  snapshot.environment.checkLeaks = snapshot.onlyNeededUnits = true;
  const std::string bytes = wire::packed(snapshot, std::optional<int>(), uint64_t{7});
  Snapshot back;
  std::optional<int> nothing = 1;
  uint64_t seven = 0;
  ASSERT_TRUE(wire::unpack(bytes, back, nothing, seven));
  EXPECT_EQ(wire::packed(back), wire::packed(snapshot));
  EXPECT_EQ(back.overlays, snapshot.overlays);
  EXPECT_FALSE(nothing);
  EXPECT_EQ(seven, 7u);
  for (size_t size = 0; size < bytes.size(); ++size) {
    Snapshot part;
    EXPECT_FALSE(wire::unpack(bytes.substr(0, size), part, nothing, seven)) << size;
  }
  EXPECT_FALSE(wire::unpack(bytes + "x", back, nothing, seven));
}

}  // namespace
}  // namespace heddle
