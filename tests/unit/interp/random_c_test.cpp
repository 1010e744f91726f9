// Differential: generated C programs, compiled natively and interpreted, print the same and end with the same
// code.
#include <gtest/gtest.h>

#include "tests/unit/interp/native_run.h"
#include "tests/unit/interp/random_c.h"
#include "tests/unit/interp/run_program.h"

namespace heddle::test {
namespace {

void compareSeeds(uint64_t first, uint64_t count) {
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string text = randomC(seed);
    RunOptions options;
    options.flags = {"-fwrapv", "-w"};
    const ProgramRun r = run(text, options);
    ASSERT_TRUE(r.program);
    EXPECT_EQ(r.result.outcome, RunOutcome::Quiescent) << r.result.unsupported;
    EXPECT_EQ(r.failure(), "");
    const Native native = runNative(text, "-fwrapv");
    ASSERT_GT(native.output.size(), 100u);
    EXPECT_EQ(r.output(), native.output);
    EXPECT_EQ(r.result.exitCode, native.exitCode);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(InterpRandomC, DoesWhatTheNativeProgramDoes) {
  compareSeeds(1, 40);
}

/// The long run: test_interp --gtest_filter='*FiveHundred*' --gtest_also_run_disabled_tests
TEST(InterpRandomC, DISABLED_FiveHundredDoWhatTheNativeProgramsDo) {
  compareSeeds(1000, 500);
}

}  // namespace
}  // namespace heddle::test
