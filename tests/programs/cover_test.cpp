// `heddle cover` of the real binary: the suite that it writes is followed by `heddle replay`, and lcov's file
// says what the report says.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/programs/program_file.h"

namespace heddle::programs {
namespace {

std::string textOf(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(CoverCommand, WritesASuiteThatReplays) {
  const std::string folder = testing::TempDir() + "/heddle_suite";
  const std::string lcov = testing::TempDir() + "/heddle.lcov";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/099.schedule") << "of an older suite\n";
  std::ofstream(folder + "/notes.schedule") << "the user's\n";
  const std::string file = "docs/examples/bank_transfer.c";
  const Outcome covered =
      runHeddle({"cover", file, "-o", folder, "--lcov", lcov, "--format", "json", "--budget", "60s"});
  ASSERT_TRUE(covered.json) << covered.out;
  const auto& report = *covered.json;
  EXPECT_EQ(covered.exitCode, 1) << "one of them fails";
  EXPECT_EQ(report.at("open"), 0) << report;
  ASSERT_FALSE(report.at("suite").empty());
  bool someFails = false;
  for (const auto& entry : report.at("suite")) {
    const std::string fails = entry.at("fails");
    const Outcome replay = runHeddle({"replay", file, entry.at("file"), "--format", "json"});
    ASSERT_TRUE(replay.json) << replay.out;
    EXPECT_EQ(replay.out.find(fails) != std::string::npos, true) << replay.out;
    EXPECT_TRUE(replay.json->at("ok")) << replay.out;
    someFails |= !fails.empty();
  }
  EXPECT_TRUE(someFails);
  EXPECT_FALSE(std::filesystem::exists(folder + "/099.schedule"));
  EXPECT_TRUE(std::filesystem::exists(folder + "/notes.schedule"));
  const std::string trace = textOf(lcov);
  EXPECT_NE(trace.find("SF:" + file + "\n"), std::string::npos) << trace;
  EXPECT_NE(trace.find("BRH:" + std::to_string(report.at("covered").get<int>()) + "\n"), std::string::npos)
      << trace;
  EXPECT_TRUE(trace.ends_with("end_of_record\n"));
  std::filesystem::remove_all(folder);
  EXPECT_EQ(runHeddle({"replay", file, folder + "/001.schedule"}).exitCode, 3) << "the file is gone";
}

TEST(CoverCommand, SaysWhatCannotBe) {
  const Outcome covered =
      runHeddle({"cover", "tests/bench/programs/bluetooth.c", "--format", "json", "--", "-DFIXED=1"});
  ASSERT_TRUE(covered.json) << covered.out;
  EXPECT_EQ(covered.exitCode, 0);
  EXPECT_EQ(covered.json->at("open"), 0);
  for (const auto& entry : covered.json->at("suite")) EXPECT_EQ(entry.at("fails"), "");
}

TEST(CoverCommand, LeavesAHarnessOut) {
  const std::string file = testing::TempDir() + "/heddle_cover_harness.c";
  std::ofstream(file) << "static int x;\n"
                         "// heddle: harness t1(a) || t2()\n"
                         "void t1(int a) { if (x == 1 && a == 5) x = 2; }\n"
                         "void t2(void) { x = 1; }\n";
  const Outcome covered = runHeddle({"cover", file, "--format", "json"});
  std::filesystem::remove(file);
  ASSERT_TRUE(covered.json) << covered.out;
  EXPECT_EQ(covered.json->at("covered"), 4) << covered.out;
  EXPECT_EQ(covered.json->at("open"), 0);
  for (const auto& side : covered.json->at("sides")) {
    EXPECT_EQ(side.at("line"), 3);
    EXPECT_EQ(side.at("file"), file);
  }
}

TEST(CoverCommand, CountsTheCasesOfASwitchInAnotherUnit) {
  const std::string folder = testing::TempDir(), first = folder + "/heddle_cover_1.c",
                    second = folder + "/heddle_cover_2.c";
  std::ofstream(first) << "int work(void);\nint main(void) { return work(); }\n";
  std::ofstream(second)
      << "int heddle_input_int(void);\n"
         "int work(void) { switch (heddle_input_int()) { case 3: return 1; case 9: return 2; default: "
         "return 3; } }\n";
  const Outcome covered = runHeddle({"cover", first, second, "--format", "json"});
  std::filesystem::remove(first);
  std::filesystem::remove(second);
  ASSERT_TRUE(covered.json) << covered.out;
  EXPECT_EQ(covered.json->at("covered"), 3) << covered.out;
  EXPECT_EQ(covered.exitCode, 0);
  std::set<std::string> sides;
  for (const auto& side : covered.json->at("sides")) sides.insert(side.at("side"));
  EXPECT_EQ(sides, (std::set<std::string>{"case 3", "case 9", "default"}));
}

}  // namespace
}  // namespace heddle::programs
