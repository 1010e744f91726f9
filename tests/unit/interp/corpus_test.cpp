// Every example and test program under random schedules and inputs: terms agree with values, and the recorded
// schedule replays to the same events, with what was learned about sharing, with nothing known, and with
// every access an event.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "tests/paths/paths.h"
#include "tests/unit/interp/run_program.h"

namespace heddle::test {
namespace {

/// Its threads read what was never written, and the recorded runs without symbols note that as an assumption
/// where a replay finds the use.
bool isLeftOut(const std::string& path) {
  return path.ends_with("suite/sigma.c");
}

std::vector<std::string> corpus() {
  std::vector<std::string> files;
  for (const char* folder : {"/docs/examples", "/tests/programs"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(sourceDirectory() + folder))
      if (entry.path().extension() == ".c") files.push_back(entry.path().string());
  std::erase_if(files, isLeftOut);
  std::sort(files.begin(), files.end());
  return files;
}

std::string readFile(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// What must not depend on which accesses are events.
std::string outcome(const ProgramRun& r) {
  std::string out = r.result.output + "|";
  std::vector<std::string> failures;
  for (const Failure& failure : r.result.failures)
    failures.push_back(r.names->label(failure.thread) + " " + failure.message + " " +
                       std::to_string(r.program->place(failure.place).line));
  // A failure that follows no event of its thread comes as soon as the thread goes on, which is another time
  // where more accesses are events.
  std::sort(failures.begin(), failures.end());
  for (const std::string& failure : failures) out += failure + "|";
  // A thread that goes round for ever waits for what it reads only where that is an event.
  for (const Event& event : r.result.blocked) {
    if (event.kind == EventKind::Read && !event.rule) continue;
    // Rounds of polling are no part of a schedule, so whoever polls at its end polls no more in the replay.
    if (event.kind == EventKind::LockBusy || (event.rule && event.rule->tries)) continue;
    out += std::string(toString(event.kind)) + " " + r.names->label(event.thread) + "|";
  }
  // The order between threads is no part of a schedule.
  std::vector<UsedInput> inputs = r.result.inputs;
  std::stable_sort(inputs.begin(), inputs.end(),
                   [](const UsedInput& a, const UsedInput& b) { return a.thread < b.thread; });
  for (const UsedInput& input : inputs) out += std::to_string(input.bits) + ",";
  return out;
}

TEST(InterpCorpus, SchedulesReplayInEveryMode) {
  const auto files = corpus();
  ASSERT_GT(files.size(), 40u);
  size_t replayed = 0, branches = 0;
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    const std::string folder = std::filesystem::path(file).parent_path();
    ProgramRun r;
    r.program = compileProgram(readFile(file), {"-I" + folder});
    if (!r.program || !r.program->findFunction("main")) continue;
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      RunOptions options;
      options.seed = seed;
      options.symbolicReads = seed % 2;
      options.machine.unroll = 20;
      std::mt19937_64 random(seed);
      for (ThreadId thread = 0; thread < 8; ++thread)
        for (int i = 0; i < 8; ++i) options.inputs[thread].push_back(random() % 5);
      runAgain(r, options);
      if (r.result.outcome == RunOutcome::Unsupported) break;
      // Some failures end the run.
      if (r.result.outcome == RunOutcome::Failed) continue;
      if (r.result.outcome == RunOutcome::Stopped && !r.result.failures.empty()) continue;
      ASSERT_EQ(r.result.outcome, RunOutcome::Quiescent);
      branches += r.sink->branches.size();
      const auto trace = r.trace();
      const std::string expected = outcome(r);
      RunOptions replay;
      replay.machine.unroll = 20;
      replay.schedule = r.result.schedule.toString();
      replay.inputs = options.inputs;
      replay.keepKnowledge = true;
      runAgain(r, replay);
      EXPECT_EQ(r.trace(), trace) << replay.schedule;
      EXPECT_EQ(outcome(r), expected);
      EXPECT_EQ(r.result.schedule.toString(), replay.schedule);
      replay.keepKnowledge = false;
      runAgain(r, replay);
      EXPECT_EQ(outcome(r), expected) << replay.schedule;
      replay.everything = true;
      runAgain(r, replay);
      EXPECT_EQ(outcome(r), expected) << replay.schedule;
      ++replayed;
    }
  }
  EXPECT_GT(replayed, 100u);
  EXPECT_GT(branches, 100u);
}

}  // namespace
}  // namespace heddle::test
