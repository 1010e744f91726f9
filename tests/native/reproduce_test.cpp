// `heddle reproduce`: each finding of these programs, as a native program, fails in each of its runs, and
// with what the finding says. (tests/reproduce_native.mjs does the same with all buggy programs.)
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/native/native_run.h"
#include "tests/paths/paths.h"

namespace heddle::native {
namespace {

constexpr int kReproductions = 5;

/// Whether the run ends as a finding of that kind does, natively.
bool fails(const std::string& kind, const NativeRun& run) {
  const auto says = [&](const char* text) { return run.text.find(text) != std::string::npos; };
  if (says("diverged")) return false;
  if (kind == "race") return run.code == 134 && says("data race between");
  if (kind == "deadlock") return run.code == 134 && says("waits for ever");
  if (kind == "assert") return run.code == 134 && (says("ssertion") || says("error location"));
  return run.code > 128;
}

std::vector<std::string> buggyPrograms() {
  // A program of each kind of ending.
  std::vector<std::string> files = {
      "tests/programs/suite/workqueue_bad.c",        "tests/programs/suite/prodcons_cond_bad.c",
      "tests/programs/suite/race_tid_read.c",        "tests/programs/suite/buffers_w22_y.c",
      "tests/programs/await/sem_try_held.c",         "tests/programs/sync/cond_destroyed_waiting.c",
      "tests/programs/sync/barrier_missing.c",       "tests/programs/sync/semaphore_destroyed.c",
      "tests/programs/sync/philosophers.c",          "tests/programs/sync/scope_ends_locked.c",
      "tests/programs/sync/data_behind_racy_flag.c", "tests/programs/sync/semaphore_admits_two.c",
      "tests/programs/sync/rwlock_upgrade.c",        "tests/programs/sync/cond_timed_ignored.c",
      "tests/programs/sync/cond_no_recheck.c",       "tests/programs/sync/cancel_keeps_lock.c",
  };
  for (const auto& entry : std::filesystem::directory_iterator(sourceDirectory() + "/docs/examples")) {
    std::ifstream stream(entry.path());
    std::string first;
    std::getline(stream, first);
    if (entry.path().extension() == ".c" && first.find("=violated") != std::string::npos)
      files.push_back("docs/examples/" + entry.path().filename().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Reproduced : public ::testing::TestWithParam<std::string> {};

TEST_P(Reproduced, FailsNativelyEachTime) {
  const Scratch scratch;
  const NativeRun check = runShell(heddleCommand("check '" + GetParam() + "' --format json --budget 30s"));
  const auto report = nlohmann::json::parse(check.text, nullptr, false);
  ASSERT_TRUE(report.is_object()) << check.text;
  ASSERT_FALSE(report.at("findings").empty()) << report;
  for (const auto& finding : report.at("findings")) {
    const std::string schedule = finding.at("schedule"), kind = finding.at("kind");
    const NativeRun made = runShell(heddleCommand("reproduce '" + GetParam() + "' '" + schedule +
                                                  "' --property " + kind + " -o " + scratch.file("prog")));
    ASSERT_EQ(made.code, 0) << made.text;
    for (int i = 0; i < kReproductions; ++i) {
      const NativeRun run = runShell(scratch.file("prog"));
      EXPECT_TRUE(fails(kind, run)) << kind << " '" << schedule << "': code " << run.code << "\n" << run.text;
    }
  }
}

// The interpreter goes on with 0 after the use of what was never written; the C library gives out what was
// freed.
TEST(Reproducer, MemoryThatNobodyHasWrittenHoldsZeros) {
  const Scratch scratch;
  std::ofstream(scratch.file("old.c")) << R"(#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *before = malloc(64);
  if (!before) return 0;
  memset(before, 'B', 64);
  free(before);
  char *block = malloc(64);
  if (!block) return 0;
  char *grown = realloc(block, 200);
  if (!grown) return 0;
  assert(grown[20] == 'B' || grown[150] == 'B');
}
)";
  const NativeRun made = runShell(heddleCommand("reproduce " + scratch.file("old.c") +
                                                " 1 --property assert -o " + scratch.file("prog")));
  ASSERT_EQ(made.code, 0) << made.text;
  const NativeRun run = runShell(scratch.file("prog"));
  EXPECT_TRUE(fails("assert", run)) << run.code << run.text;
}

INSTANTIATE_TEST_SUITE_P(All, Reproduced, ::testing::ValuesIn(buggyPrograms()), [](const auto& instance) {
  return std::filesystem::path(instance.param).stem().string();
});

}  // namespace
}  // namespace heddle::native
