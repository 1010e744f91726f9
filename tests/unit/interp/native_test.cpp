// Differential: programs compiled natively and run here print the same.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/unit/interp/run_program.h"

namespace heddle::test {
namespace {

std::string readFile(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The output of the program built by the C compiler of this build.
std::string nativeOutput(const std::string& source) {
  const std::string binary =
      testing::TempDir() + "heddle_native_" + std::filesystem::path(source).stem().string();
  const std::string build = std::string(HEDDLE_C_COMPILER) + " -w -O0 -o " + binary + " " + source + " -lm";
  if (std::system(build.c_str()) != 0) return "does not compile";
  FILE* pipe = popen(binary.c_str(), "r");
  if (!pipe) return "does not run";
  std::string output;
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, n);
  pclose(pipe);
  std::filesystem::remove(binary);
  return output;
}

class InterpNative : public testing::TestWithParam<const char*> {};

TEST_P(InterpNative, PrintsTheSame) {
  const std::string source =
      std::string(HEDDLE_SOURCE_DIR) + "/tests/unit/interp/native/" + GetParam() + ".c";
  const ProgramRun r = run(readFile(source));
  EXPECT_EQ(r.result.outcome, RunOutcome::Quiescent) << r.result.unsupported;
  EXPECT_EQ(r.failure(), "");
  const std::string native = nativeOutput(source);
  EXPECT_GT(native.size(), 50u);
  EXPECT_EQ(r.output(), native);
}

INSTANTIATE_TEST_SUITE_P(Programs, InterpNative,
                         testing::Values("integers", "aggregates", "floats", "algorithms"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace heddle::test
