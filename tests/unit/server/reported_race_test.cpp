// Races that ThreadSanitizer has reported: its text is read as GCC and Clang write it, and each race is
// looked for.
#include "server/driver/reported_race.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "server/driver/check.h"
#include "server/driver/cli_options.h"

namespace heddle {
namespace {

/// What a program of GCC 12's -fsanitize=thread wrote.
constexpr const char* kGcc = R"(==================
WARNING: ThreadSanitizer: data race (pid=18411)
  Read of size 4 at 0x55aea9268050 by thread T2:
    #0 draw /src/bank.c:4 (bank+0x11cf)
    #1 one /src/bank.c:8 (bank+0x1238)

  Previous write of size 4 at 0x55aea9268050 by thread T1:
    #0 draw /src/bank.c:5 (bank+0x1203)
    #1 one /src/bank.c:8 (bank+0x1238)

  Location is global 'balance' of size 4 at 0x55aea9268050 (bank+0x4050)

  Thread T2 (tid=18415, running) created by main thread at:
    #0 pthread_create ../../../../src/libsanitizer/tsan/tsan_interceptors_posix.cpp:1001 (libtsan.so.2+0x5e686)
    #1 main /src/bank.c:14 (bank+0x1299)

SUMMARY: ThreadSanitizer: data race /src/bank.c:4 in draw
==================
ThreadSanitizer: reported 1 warnings
)";

constexpr const char* kBank = R"(#include <pthread.h>
static int balance = 100;
static void draw(int amount) {
  if (balance >= amount)
    balance -= amount;
}
static void *one(void *arg) {
  draw(60);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, one, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return balance < 0;
}
)";

TEST(ReportedRace, IsReadWithBothStacks) {
  const std::vector<ReportedRace> races = racesIn(std::string(kGcc) + kGcc);
  ASSERT_EQ(races.size(), 1u);
  const std::vector<ReportedFrame> reads = {{"draw", "/src/bank.c", 4}, {"one", "/src/bank.c", 8}};
  const std::vector<ReportedFrame> writes = {{"draw", "/src/bank.c", 5}, {"one", "/src/bank.c", 8}};
  EXPECT_EQ(races[0].stacks[0], reads);
  EXPECT_EQ(races[0].stacks[1], writes);
}

TEST(ReportedRace, ColumnsAtomicsAndOtherReportsAreUnderstood) {
  const std::vector<ReportedRace> races = racesIn(
      "noise\r\nWARNING: ThreadSanitizer: data race (pid=1)\r\n"
      "  Atomic write of size 4 at 0x1 by thread T2 (mutexes: write M0):\r\n"
      "    #0 f a b.c:4:13 (x+0x1) (BuildId: 00)\r\n"
      "  Previous read of size 4 at 0x1 by main thread:\r\n    #0 main b.c:7:2 (x+0x2)\r\n"
      "WARNING: ThreadSanitizer: thread leak (pid=1)\n  Thread T1 created at:\n    #0 g c.c:1\n"
      "WARNING: ThreadSanitizer: data race (pid=1)\n  Write of size 1 at 0x1 by thread T1:\n"
      "    #0 h <null> (x+0x3)\n\n  Previous write of size 1 at 0x1 by thread T2:\n    #0 h <null> "
      "(x+0x3)\n");
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0].stacks[0][0].line, 4u);
  EXPECT_EQ(races[0].stacks[1], (std::vector<ReportedFrame>{{"main", "b.c", 7}}));
  EXPECT_TRUE(racesIn("").empty());
}

class ReportedRaces : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "heddle-races-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  nlohmann::json lookedFor(const std::string& program, const std::string& property = "race") {
    const Command command =
        parseCommandLine({"check", "--budget", "0", "-j", "1", "--format", "json", "--property", property,
                          "--tsan-report", write("tsan.txt", kGcc), write("bank.c", program)});
    std::ostringstream out, err;
    runCheck(std::get<CheckCommand>(command), pipelineEngine(), {out, err}, {});
    const nlohmann::json report = nlohmann::json::parse(out.str());
    EXPECT_EQ(report["reported"].size(), 1u) << out.str() << err.str();
    return report["reported"][0];
  }

  std::string folder_;
};

TEST_F(ReportedRaces, ARaceHasAScheduleOrAProofThatThereIsNone) {
  const nlohmann::json found = lookedFor(kBank);
  EXPECT_EQ(found["name"], "bank.c:4 and bank.c:5");
  EXPECT_NE(found["state"], "not found") << found;
  EXPECT_NE(found["schedule"], "");

  std::string guarded = kBank;
  guarded.replace(guarded.find("static int balance"), 0,
                  "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; ");
  guarded.replace(guarded.find("  if (balance"), 2, "  pthread_mutex_lock(&m); ");
  guarded.replace(guarded.find("amount;\n}"), 7, "amount; pthread_mutex_unlock(&m);");
  const nlohmann::json proved = lookedFor(guarded);
  EXPECT_EQ(proved["state"], "not found") << proved;
  EXPECT_EQ(proved["why"], "no schedule and no input of this program shows it");
}

TEST_F(ReportedRaces, WhereNobodyAskedForRacesThatIsSaid) {
  const nlohmann::json left = lookedFor(kBank, "assert");
  EXPECT_EQ(left["state"], "not found");
  EXPECT_EQ(left["why"], "data races were not asked for: leave --property away, or name race");
}

TEST_F(ReportedRaces, AFileWithoutARaceIsOneLine) {
  const Command command = parseCommandLine(
      {"check", "--tsan-report", write("tsan.txt", "all is well\n"), write("bank.c", kBank)});
  std::ostringstream out, err;
  EXPECT_EQ(runCheck(std::get<CheckCommand>(command), pipelineEngine(), {out, err}, {}), kExitUsage);
  EXPECT_NE(err.str().find("no data race of ThreadSanitizer"), std::string::npos) << err.str();
}

}  // namespace
}  // namespace heddle
