// Differential: programs compiled natively and run here print the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/paths/paths.h"
#include "tests/unit/interp/native_run.h"
#include "tests/unit/interp/run_program.h"

namespace heddle::test {
namespace {

std::string readProgram(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> programs() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(sourceDirectory() + "/tests/unit/interp/native"))
    names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class InterpNative : public testing::TestWithParam<std::string> {};

TEST_P(InterpNative, PrintsTheSame) {
  const std::string source = sourceDirectory() + "/tests/unit/interp/native/" + GetParam() + ".c";
  const ProgramRun r = run(readProgram(source));
  EXPECT_EQ(r.result.outcome, RunOutcome::Quiescent) << r.result.unsupported;
  EXPECT_EQ(r.failure(), "");
  const Native native = runNative(readProgram(source));
  EXPECT_GT(native.output.size(), 50u);
  EXPECT_EQ(r.output(), native.output);
  EXPECT_EQ(r.result.exitCode, native.exitCode);
}

INSTANTIATE_TEST_SUITE_P(Programs, InterpNative, testing::ValuesIn(programs()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace heddle::test
