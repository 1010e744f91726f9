// The table of benchmark programs: how it is read, that the one of the tree is sound, and how results are
// judged.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "protocol/json.h"
#include "server/driver/bench_plot.h"
#include "server/driver/bench_run.h"
#include "server/driver/bench_table.h"
#include "server/driver/source_file.h"
#include "tests/paths/paths.h"

namespace heddle {
namespace {

const char* const kTwoRows =
    "# comment\n"
    "[First]\n"
    "a | a.c | -DN=1 -DK=2 | assert=violated race=verified | 3 paths | 0.5 | 0.1\n"
    "\n"
    "[Second]\n"
    "b | b.c | - | deadlock=verified | - | - | -\n";

TEST(Suite, ReadsRowsWithTheirSections) {
  std::string problem;
  const auto rows = parseSuite(kTwoRows, problem);
  ASSERT_TRUE(rows) << problem;
  ASSERT_EQ(rows->size(), 2U);
  const BenchRow& a = rows->front();
  EXPECT_EQ(a.section, "First");
  EXPECT_EQ(a.flags, (std::vector<std::string>{"-DN=1", "-DK=2"}));
  EXPECT_EQ(a.expected.at("assert"), "violated");
  EXPECT_EQ(a.expected.at("race"), "verified");
  EXPECT_EQ(a.paper, "3 paths");
  EXPECT_EQ(a.targetSeconds, 0.5);
  const BenchRow& b = rows->back();
  EXPECT_EQ(b.section, "Second");
  EXPECT_TRUE(b.flags.empty());
  EXPECT_TRUE(b.paper.empty());
  EXPECT_FALSE(b.targetSeconds);
}

TEST(Suite, ARowMaySayHowToExplore) {
  std::string problem;
  const auto rows = parseSuite(
      "a | a.c | - | assert=violated | - | - | - | strategy=con2colic without=cores,cache\n"
      "b | b.c | - | assert=violated | - | - | - | strategy=mcr inputs=T1=3 inputs=T2=4,5 paper-paths=7\n"
      "c | c.c | - | assert=violated | - | - | - | census\n",
      problem);
  ASSERT_TRUE(rows) << problem;
  EXPECT_EQ((*rows)[0].strategy, "con2colic");
  EXPECT_EQ((*rows)[0].without, (std::vector<std::string>{"cores", "cache"}));
  EXPECT_EQ((*rows)[1].inputs, "T1=3 T2=4,5");
  EXPECT_EQ((*rows)[1].paperPaths, 7U);
  EXPECT_TRUE((*rows)[2].census);
  EXPECT_FALSE(parseSuite("a | a.c | - | assert=violated | - | - | - | quickly\n", problem));
}

TEST(Suite, SaysWhichLineIsWrong) {
  for (const char* wrong : {"a | a.c | - | assert=violated | - | -\n", "a | a.c | - | assert | - | - | -\n",
                            "a | a.c | - | - | - | - | -\n", "a | a.c | - | assert=violated | - | soon | -\n",
                            "| a.c | - | assert=violated | - | - | -\n"}) {
    std::string problem;
    EXPECT_FALSE(parseSuite(std::string("\n") + wrong, problem)) << wrong;
    EXPECT_EQ(problem.substr(0, 7), "line 2:") << problem;
  }
  std::string problem;
  EXPECT_FALSE(parseSuite("a | a.c | - | x=y | - | - | -\na | b.c | - | x=y | - | - | -\n", problem));
  EXPECT_NE(problem.find("twice"), std::string::npos) << problem;
  EXPECT_FALSE(parseSuite("# nothing\n", problem));
}

TEST(Suite, SelectsByNamePatternAndSection) {
  std::string problem;
  const auto rows = parseSuite(kTwoRows, problem);
  ASSERT_TRUE(rows) << problem;
  const auto namesOf = [&](const std::vector<std::string>& names) {
    std::string out;
    const auto selected = selectRows(*rows, names, problem);
    if (!selected) return std::string("none");
    for (const BenchRow& row : *selected) out += row.name;
    return out;
  };
  EXPECT_EQ(namesOf({}), "ab");
  EXPECT_EQ(namesOf({"b"}), "b");
  EXPECT_EQ(namesOf({"b", "a"}), "ab");  // in the order of the suite
  EXPECT_EQ(namesOf({"*"}), "ab");
  EXPECT_EQ(namesOf({"Second"}), "b");
  EXPECT_EQ(namesOf({"st"}), "a");
  EXPECT_EQ(namesOf({"a", "zz"}), "none");
  EXPECT_NE(problem.find("'zz'"), std::string::npos) << problem;
}

TEST(Suite, OfTheTreeNamesFilesAndVerdictsThatExist) {
  const std::string folder = sourceDirectory() + "/tests/bench";
  std::string problem;
  const auto file = readSource(folder + "/suite.txt", problem);
  ASSERT_TRUE(file) << problem;
  const auto rows = parseSuite(file->text, problem);
  ASSERT_TRUE(rows) << problem;
  std::set<std::string> used;
  for (const BenchRow& row : *rows) {
    EXPECT_TRUE(std::filesystem::is_regular_file(folder + "/programs/" + row.file)) << row.name;
    used.insert(row.file);
    for (const auto& [property, verdict] : row.expected) {
      // The published strategies of MPC miss paths, so without a finding they claim nothing.
      const bool claimsNothing = row.strategy == "mpc-s1" || row.strategy == "mpc-s2";
      EXPECT_TRUE(verdict == "violated" || verdict == "verified" ||
                  (verdict == "incomplete" && claimsNothing) ||
                  (verdict == "verified-within-bounds" && !row.inputs.empty()))
          << row.name;
      EXPECT_TRUE(property == "assert" || property == "race" || property == "deadlock" ||
                  property == "memory")
          << row.name;
    }
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/programs"))
    EXPECT_TRUE(used.count(entry.path().filename().string())) << entry.path() << " is in no row";
}

TEST(Agreement, TellsWrongFromUnanswered) {
  using Verdicts = std::map<std::string, std::string>;
  const Verdicts bug = {{"assert", "violated"}}, none = {{"assert", "verified"}};
  EXPECT_EQ(compareVerdicts(bug, bug), Agreement::AsExpected);
  EXPECT_EQ(compareVerdicts(none, none), Agreement::AsExpected);
  EXPECT_EQ(compareVerdicts(bug, none), Agreement::Wrong);
  EXPECT_EQ(compareVerdicts(none, bug), Agreement::Wrong);
  for (const char* weak : {"incomplete", "verified-within-bounds", "unsupported"}) {
    EXPECT_EQ(compareVerdicts(bug, {{"assert", weak}}), Agreement::NoAnswer) << weak;
    EXPECT_EQ(compareVerdicts(none, {{"assert", weak}}), Agreement::NoAnswer) << weak;
  }
  EXPECT_EQ(compareVerdicts(bug, {}), Agreement::NoAnswer);
  const Verdicts two = {{"assert", "verified"}, {"race", "violated"}};
  EXPECT_EQ(compareVerdicts(two, {{"assert", "incomplete"}, {"race", "verified"}}), Agreement::Wrong);
}

BenchResult sampleResult() {
  std::string problem;
  BenchResult result;
  result.row = parseSuite(kTwoRows, problem)->front();
  result.strategy = "forest";
  result.verdict = "assert=violated race=verified";
  result.agreement = Agreement::AsExpected;
  result.executions = 7;
  result.cpuSeconds = 0.25;
  return result;
}

TEST(BenchTable, ShowsCoverageByInterferencesWhereAllRowsHaveIt) {
  BenchResult result = sampleResult();
  result.strategy = "con2colic -cores";
  result.covered = {9, 2, 1};
  result.found = {23, 24};
  result.branches = 12;
  const std::string text = renderBench({result}, BenchFormat::Text);
  EXPECT_NE(text.find("9+2+1"), std::string::npos) << text;
  EXPECT_NE(text.find("23/24"), std::string::npos) << text;
}

TEST(BenchTable, ComparesSeveralWorkersWithOneWhereAllRowsAskForIt) {
  BenchResult result = sampleResult();
  result.row.paperSpeedUp = "2.65";
  result.wallSeconds = 3;
  result.parallel = BenchResult::Parallel{2, 0.5, 1.5, 1.97, true};
  const std::string text = renderBench({result}, BenchFormat::Text);
  EXPECT_NE(text.find("speed-up"), std::string::npos) << text;
  EXPECT_NE(text.find("1.97"), std::string::npos) << text;
  EXPECT_NE(text.find("2.65"), std::string::npos) << text;
  const auto parsed = lsp::parseJson(renderBench({result}, BenchFormat::Json));
  ASSERT_TRUE(std::holds_alternative<lsp::json>(parsed));
  EXPECT_EQ(std::get<lsp::json>(parsed)["rows"][0]["parallel"]["speed_up"], 1.97);
  result.parallel->same = false;
  EXPECT_NE(renderBench({result}, BenchFormat::Text).find("NO"), std::string::npos);
}

TEST(BenchTable, ShowsMeasurementBesideTargetAndPaper) {
  const std::string text = renderBench({sampleResult()}, BenchFormat::Text);
  EXPECT_NE(text.find("First\n"), std::string::npos) << text;
  EXPECT_NE(text.find("0.250"), std::string::npos) << text;
  EXPECT_NE(text.find("3 paths"), std::string::npos) << text;
  EXPECT_NE(text.find("1 rows: 1 as expected, 0 without an answer, 0 wrong; 1 of 1 targets met"),
            std::string::npos)
      << text;
  const auto parsed = lsp::parseJson(renderBench({sampleResult()}, BenchFormat::Json));
  ASSERT_TRUE(std::holds_alternative<lsp::json>(parsed));
  const lsp::json& json = std::get<lsp::json>(parsed);
  EXPECT_EQ(json["rows"][0]["executions"], 7);
  EXPECT_EQ(json["rows"][0]["target_met"], true);
  const std::string markdown = renderBench({sampleResult()}, BenchFormat::Markdown);
  EXPECT_NE(markdown.find("### First\n\n| name |"), std::string::npos) << markdown;
}

TEST(BenchTable, ShowsWhatTheDefaultsCostWhereItWasMeasured) {
  BenchResult cheap = sampleResult(), costly = sampleResult();
  EXPECT_EQ(renderBench({cheap}, BenchFormat::Text).find("(median)"), std::string::npos);
  cheap.costOfDefaults = 1;
  costly.costOfDefaults = 1.25;
  const std::string text = renderBench({cheap, costly, costly}, BenchFormat::Text);
  EXPECT_NE(text.find("1.00"), std::string::npos) << text;
  EXPECT_NE(text.find("takes 1.25 times the CPU time (median)"), std::string::npos) << text;
}

TEST(BenchTable, AWrongVerdictMeetsNoTarget) {
  BenchResult result = sampleResult();
  result.agreement = Agreement::Wrong;
  const std::string text = renderBench({result}, BenchFormat::Text);
  EXPECT_NE(text.find("WRONG"), std::string::npos) << text;
  EXPECT_NE(text.find("1 wrong; 0 of 1 targets met"), std::string::npos) << text;
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(BenchPlot, DrawsEachRowThatHasATarget) {
  BenchResult slow = sampleResult();
  slow.row.name = "a<b";
  slow.cpuSeconds = 5;
  BenchResult without = sampleResult();
  without.row.targetSeconds.reset();
  const std::string none = plotBench({without});
  const std::string two = plotBench({sampleResult(), slow, without});
  EXPECT_EQ(count(two, "<circle") - count(none, "<circle"), 2U);
  EXPECT_EQ(count(two, "<rect") - count(none, "<rect"), 2U);  // the peer's 0.1 s, twice
  EXPECT_EQ(count(two, "fill='#080'"), count(none, "fill='#080'") + 1);
  EXPECT_NE(two.find(">a&lt;b</text>"), std::string::npos) << two;
  EXPECT_EQ(peerSeconds(">300"), 300.0);
  EXPECT_FALSE(peerSeconds("none reports it"));
}

}  // namespace
}  // namespace heddle
