// Every program gets the verdict that its first line names, and every reported schedule replays to its
// failure.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/programs/program_file.h"

namespace heddle::programs {
namespace {

std::vector<std::string> boxed(const ProgramFile& program, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), program.options.begin(), program.options.end());
  // Steps, not seconds: the result must not depend on how busy the machine is.
  for (const char* word : {"--budget", "0", "--steps", "3000000", "--format", "json"})
    arguments.emplace_back(word);
  return arguments;
}

std::string propertyList(const ProgramFile& program) {
  std::string list;
  for (const auto& [property, verdict] : program.expect) list += (list.empty() ? "" : ",") + property;
  return list;
}

/// The table in README.md: a bug counts more than what was left undecided.
int exitCodeFor(const ProgramFile& program) {
  const auto some = [&](const char* verdict) {
    return std::any_of(program.expect.begin(), program.expect.end(),
                       [&](const auto& entry) { return entry.second == verdict; });
  };
  return some("violated") ? 1 : some("unsupported") ? 3 : some("incomplete") ? 2 : 0;
}

class Program : public testing::TestWithParam<ProgramFile> {};

/// True when replaying the finding's schedule fails in the same way at the same line.
testing::AssertionResult replays(const ProgramFile& program, const nlohmann::json& finding) {
  const std::string schedule = finding.at("schedule");
  std::vector<std::string> arguments = {"replay",   program.path, schedule,     "--budget",           "0",
                                        "--format", "json",       "--property", propertyList(program)};
  arguments.insert(arguments.end(), program.options.begin(), program.options.end());
  const Outcome replay = runHeddle(arguments);
  if (!replay.json)
    return testing::AssertionFailure() << "replay of '" << schedule << "' printed " << replay.out;
  const auto& json = *replay.json;
  if (!json.at("ok").get<bool>())
    return testing::AssertionFailure() << "'" << schedule << "': " << json.at("error");
  for (const auto& failure : json.at("failures")) {
    if (failure.at("kind") == finding.at("kind") && failure.at("line") == finding.at("line")) {
      return testing::AssertionSuccess();
    }
  }
  return testing::AssertionFailure() << "'" << schedule << "' does not fail at line " << finding.at("line")
                                     << " but gives " << json.at("failures");
}

TEST_P(Program, HasItsVerdictAndItsSchedulesReplay) {
  const ProgramFile& program = GetParam();
  ASSERT_FALSE(program.expect.empty()) << "the first line of " << program.path << " names no verdict";
  const Outcome check =
      runHeddle(boxed(program, {"check", program.path, "--property", propertyList(program)}));
  ASSERT_TRUE(check.json) << "exit code " << check.exitCode << ", output: " << check.out;
  const auto& report = *check.json;

  for (const auto& [property, verdict] : program.expect) {
    ASSERT_TRUE(report.at("properties").contains(property)) << report;
    EXPECT_EQ(report.at("properties").at(property), verdict)
        << property << "\n  problem: " << report.value("problem", nlohmann::json())
        << "\n  assumptions: " << report.at("assumptions") << "\n  stats: " << report.at("stats");
    size_t findings = 0;
    const auto count = [&](const nlohmann::json& finding) {
      if (finding.at("kind") != property) return;
      ++findings;
      EXPECT_TRUE(replays(program, finding)) << finding;
    };
    for (const auto& finding : report.at("findings")) {
      count(finding);
      // What the same bug leads to stands under it.
      for (const auto& other : finding.value("also", nlohmann::json::array())) count(other);
    }
    EXPECT_EQ(findings > 0, verdict == "violated") << report.at("findings");
  }
  EXPECT_EQ(check.exitCode, exitCodeFor(program));
  const bool hasProblem = report.contains("problem");
  EXPECT_FALSE(hasProblem && report.at("problem").at("kind") == "internal") << report;
}

INSTANTIATE_TEST_SUITE_P(All, Program, testing::ValuesIn(allPrograms()),
                         [](const auto& instance) { return testName(instance.param); });

TEST(Programs, CompileWithoutAWarning) {
  for (const auto& program : allPrograms()) {
    // Written as the public suites write: labels and parameters that nobody uses, old declarations.
    const bool isSuite = program.path.find("/suite/") != std::string::npos;
    const std::vector<std::string> strict = {"-Wall", "-Wextra", "-Werror"}, lenient = {"-w"};
    std::vector<std::string> arguments = {"-std=gnu11", "-pthread", "-fsyntax-only", program.path};
    const std::vector<std::string>& warnings = isSuite ? lenient : strict;
    arguments.insert(arguments.end(), warnings.begin(), warnings.end());
    const Outcome compile = run(HEDDLE_C_COMPILER, arguments);
    EXPECT_EQ(compile.exitCode, 0) << program.path;
  }
}

TEST(Programs, EveryBuggyExampleHasACorrectTwin) {
  const auto programs = allPrograms();
  size_t twins = 0;
  for (const auto& program : programs) {
    if (!program.path.starts_with("docs/examples/") || program.path.ends_with("_fixed.c")) continue;
    EXPECT_EQ(program.expect.at("assert"), "violated") << program.path;
    const std::string twin = program.path.substr(0, program.path.size() - 2) + "_fixed.c";
    const auto found =
        std::find_if(programs.begin(), programs.end(), [&](const auto& p) { return p.path == twin; });
    ASSERT_NE(found, programs.end()) << twin;
    EXPECT_EQ(found->expect.at("assert"), "verified") << twin;
    ++twins;
  }
  EXPECT_GE(twins, 6u);
}

TEST(Programs, EveryBuggyOneHasACorrectTwin) {
  const auto programs = allPrograms();
  size_t twins = 0;
  for (const auto& program : programs) {
    if (!isBuggy(program) || !program.path.starts_with("tests/programs/")) continue;
    const std::string stem = program.path.substr(0, program.path.size() - 2);
    const std::string twin =
        program.twin.empty() ? stem + "_fixed.c" : stem.substr(0, stem.rfind('/') + 1) + program.twin + ".c";
    const auto found =
        std::find_if(programs.begin(), programs.end(), [&](const auto& p) { return p.path == twin; });
    ASSERT_NE(found, programs.end()) << program.path
                                     << " has no twin, or names one that is not there: " << twin;
    EXPECT_FALSE(isBuggy(*found)) << twin;
    // Of what is wrong in the one, something is right in the other.
    const bool mended = std::any_of(program.expect.begin(), program.expect.end(), [&](const auto& expected) {
      const auto now = found->expect.find(expected.first);
      return expected.second == "violated" && now != found->expect.end() &&
             now->second.starts_with("verified");
    });
    EXPECT_TRUE(mended) << program.path << " and " << twin << " do not speak about the same property";
    ++twins;
  }
  EXPECT_GE(twins, 200u);
}

TEST(Expectation, IsReadFromTheFirstLine) {
  using Map = std::map<std::string, std::string>;
  EXPECT_EQ(parseExpectation("// EXPECT: assert=violated (a=b)").expect, (Map{{"assert", "violated"}}));
  EXPECT_EQ(parseExpectation("// EXPECT: assert=verified-within-bounds race=violated").expect,
            (Map{{"assert", "verified-within-bounds"}, {"race", "violated"}}));
  EXPECT_TRUE(parseExpectation("// EXPECT: assert:violated").expect.empty());
  EXPECT_TRUE(parseExpectation("#include <assert.h>").expect.empty());
  const ProgramFile more = parseExpectation("// EXPECT: race=violated option=--no-signals twin=a_2 (twin=b)");
  EXPECT_EQ(more.expect, (Map{{"race", "violated"}}));
  EXPECT_EQ(more.options, std::vector<std::string>{"--no-signals"});
  EXPECT_EQ(more.twin, "a_2");
}

}  // namespace

}  // namespace heddle::programs
