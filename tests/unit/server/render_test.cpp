// What the command line prints: golden texts of the table, the text report and the JSON report.
#include <gtest/gtest.h>

#include "sample_reports.h"
#include "server/render/interleaving.h"
#include "server/render/json_report.h"
#include "server/render/replay_command.h"
#include "server/render/text_report.h"
#include "server/version.h"

namespace heddle {
namespace {

using testing::sampleFinding;
using testing::sampleReport;

TEST(Interleaving, OneColumnAThread) {
  const Finding finding = sampleFinding();
  EXPECT_EQ(renderInterleaving(finding.threads, finding.steps, {}),
            "line  T0 main    T1 worker\n"
            "  11  create T1\n"
            "   7             write x = 3\n"
            "  12  read x = 3\n");
}

TEST(Interleaving, StepsOfOtherFilesNameThem) {
  const std::vector<Step> steps = {{"T0", {"/p/main.c", 3, 1, ""}, "read a"},
                                   {"T0", {"/p/inc/util.h", 40, 1, ""}, "write b"},
                                   {"T0", {"", 0, 0, ""}, "exit"}};
  EXPECT_EQ(renderInterleaving({{"T0", "main"}}, steps, {.mainFile = "main.c"}),
            "     line  T0 main\n"
            "        3  read a\n"
            "util.h:40  write b\n"
            "           exit\n");
}

TEST(Interleaving, LongOnesKeepBothEndsAndSayWhatIsLeftOut) {
  std::vector<Step> steps;
  for (int i = 0; i < 100; i++) steps.push_back({"T0", {"a.c", static_cast<uint32_t>(i + 1), 1, ""}, "step"});
  const std::string table = renderInterleaving({{"T0", "main"}}, steps, {.maxRows = 8, .mainFile = "a.c"});
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 10) << table;
  EXPECT_NE(table.find(" ...  (92 steps)\n"), std::string::npos) << table;
  EXPECT_NE(table.find("\n   2  step\n"), std::string::npos) << table;
  EXPECT_EQ(table.find("\n   3  step\n"), std::string::npos) << table;
  EXPECT_NE(table.find("\n  95  step\n"), std::string::npos) << table;
}

TEST(Interleaving, WideAndOddCellsStayOneRow) {
  const std::vector<Step> steps = {
      {"T0", {"a.c", 1, 1, ""}, "write \u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 = 1"},
      {"T1", {"a.c", 2, 1, ""}, "a\nb"},
      {"T1", {"a.c", 3, 1, ""}, "assertion \'x\' failed"}};
  EXPECT_EQ(renderInterleaving({}, steps, {.maxColumn = 10}),
            "line  T0          T1\n"
            "   1  wri... = 1\n"
            "   2              a b\n"
            "   3              assertion 'x' failed\n")
      << "the last row is not cut";
  EXPECT_EQ(renderInterleaving({}, {}, {}), "");
}

TEST(Inputs, SignedUnsignedAndUnnamed) {
  EXPECT_EQ(renderInputs({{"n", {"a.c", 6, 1, ""}, "T1", -3, false}, {"", {}, "", -1, true}}),
            (std::vector<std::string>{"n = -3 (line 6, T1)", "input = 18446744073709551615"}));
}

TEST(ReplayCommand, QuotesForTheShell) {
  EXPECT_EQ(replayCommand({"a.c", "main", {}}, "T0*2 T1 | T1=3"), "heddle replay a.c 'T0*2 T1 | T1=3'");
  EXPECT_EQ(replayCommand({"my file.c", "start", {"-I", "it's"}}, "T0"),
            "heddle replay --entry start 'my file.c' 'T0' -- -I 'it'\\''s'");
  EXPECT_EQ(replayCommand({"-odd.c", "main", {}}, "T0"), "heddle replay ./-odd.c 'T0'");
}

TEST(TextReport, Golden) {
  EXPECT_EQ(renderText(sampleReport(), {"racy.c", "main", {}}),
            "racy.c:12:3: error: assertion 'x != 3' failed [heddle-assert]\n"
            "racy.c:7:5: note: T1 writes x = 3 here\n"
            "  inputs:\n"
            "    n = 3 (line 6, T1)\n"
            "  interleaving:\n"
            "    line  T0 main     T1 worker\n"
            "      11  create T1\n"
            "       7              write x = 3\n"
            "      12  read x = 3\n"
            "      12  assertion 'x != 3' failed\n"
            "  replay: heddle replay racy.c 'T0*1 T1*1 T0*1 | T1=3'\n"
            "racy.c: violated: 1 finding in 3 paths, 4 executions (0.25 s)\n"
            "  properties: assert violated, race incomplete\n"
            "  assumption: rand() returns any int (racy.c:6:11)\n"
            "  note: no compile command found for this file, flags were inferred\n");
}

TEST(TextReport, WhatAnEarlierReportSaidIsCounted) {
  Report report = sampleReport();
  report.unknownCalls = {{"gone", {{"racy.c", 3, 1, ""}}, "arguments", ""}};
  ToldBefore told;
  const std::string first = renderText(report, {"racy.c", "main", {}}, {}, &told);
  EXPECT_EQ(first, renderText(report, {"racy.c", "main", {}}));
  report.assumptions.push_back({"more is assumed", {}});
  const std::string second = renderText(report, {"racy.c", "main", {}}, {}, &told);
  EXPECT_TRUE(
      second.ends_with("  assumption: more is assumed\n"
                       "  as above: 1 unknown function and 1 assumption\n"))
      << second;
  EXPECT_EQ(second.find("  unknown:"), std::string::npos) << second;
  EXPECT_EQ(second.find("  note: no compile command"), std::string::npos) << second;
}

TEST(TextReport, APossibleFindingOfOneCallIsShort) {
  Report report = sampleReport();
  Finding finding = report.findings.front();
  finding.possible = true;
  finding.inputs.assign(20, finding.inputs.front());
  for (size_t i = 0; i < finding.inputs.size(); ++i) finding.inputs[i].value = static_cast<int64_t>(i);
  EXPECT_NE(renderText(report, finding, {}).find("and 12 more"), std::string::npos);
  EXPECT_NE(renderText(report, finding, {}).find("  interleaving:\n"), std::string::npos);
  finding.steps.resize(1);
  EXPECT_EQ(renderText(report, finding, {}).find("  interleaving:\n"), std::string::npos);
  finding.possible = false;
  EXPECT_NE(renderText(report, finding, {}).find("  interleaving:\n"), std::string::npos);
}

TEST(TextReport, VerdictLinesNeverShowUnfinishedAsSuccess) {
  Report report;
  report.file = "a.c";
  report.stats.paths = 1;
  report.stats.executions = 2;
  report.stats.openLeaves = 3;
  report.verdict = Verdict::Incomplete;
  report.problem = "the time box of 10 s is spent";
  EXPECT_EQ(verdictLine(report), "incomplete: 1 path, 2 executions, 3 open: the time box of 10 s is spent");
  report.verdict = Verdict::Cancelled;
  EXPECT_EQ(verdictLine(report), "cancelled: 1 path, 2 executions, 3 open");
  report.verdict = Verdict::Verified;
  report.problem.clear();
  EXPECT_EQ(verdictLine(report), "verified: all schedules and inputs, 1 path, 2 executions");
  for (Verdict verdict :
       {Verdict::Violated, Verdict::Incomplete, Verdict::Cancelled, Verdict::Unsupported, Verdict::Error}) {
    report.verdict = verdict;
    EXPECT_EQ(verdictLine(report).find("verified"), std::string::npos);
  }
}

TEST(TextReport, WhatIsLeftIsNamedWithItsPlaces) {
  Report report;
  report.file = "a.c";
  EXPECT_EQ(openText(report), "");
  report.open = {{{"a.c", 9, 3, "get"}, "condition", 12},
                 {{"a.c", 4, 1, "put"}, "value", 2},
                 {{"a.c", 5, 1, ""}, "step", 1},
                 {{"a.c", 6, 1, ""}, "step", 1},
                 {{"a.c", 7, 1, ""}, "step", 1}};
  const std::string text =
      "12 branches at the condition at a.c:9:3 in 'get', 2 branches at the value at a.c:4:1 in 'put', "
      "1 branch at the step at a.c:5:1, 1 branch at the step at a.c:6:1, and 1 more place";
  EXPECT_EQ(openText(report), text);
  report.verdict = Verdict::Incomplete;
  EXPECT_NE(renderText(report, {}).find("  open: " + text + "\n  note: fewer rounds"), std::string::npos);
}

TEST(TextReport, ProblemsAreOneLine) {
  Report report;
  report.file = "a.c";
  report.verdict = Verdict::Unsupported;
  report.problem = "call of 'fork' cannot be modelled";
  report.problemPlace = {"a.c", 4, 2, "main"};
  EXPECT_EQ(problemLine(report), "a.c:4:2: error: call of 'fork' cannot be modelled [heddle-unsupported]");
  report.verdict = Verdict::Error;
  EXPECT_EQ(problemLine(report), "a.c:4:2: error: call of 'fork' cannot be modelled [heddle-compile]");
  report.verdict = Verdict::Incomplete;
  EXPECT_EQ(problemLine(report), "");
}

TEST(JsonReport, Golden) {
  Report report = sampleReport();
  report.findings[0].core = {{{"racy.c", 7, 5, "worker"}, "T1", {"racy.c", 12, 10, "main"}, "T0", ""}};
  report.findings[0].repairs = {
      {"Guard x", RepairStatus::Verified, "critical-sections", 0, {{"racy.c", 7, 3, 7, 3, "lock();"}}}};
  const std::string golden =
      R"({
    "heddle": ")" +
      std::string(heddleVersion()) +
      R"(", "format": 1, "file": "racy.c", "entry": "main", "strategy": "forest", "memory": "",
    "verdict": "violated", "properties": {"assert": "violated", "race": "incomplete"},
    "bounds": [], "bound_kinds": [], "assumptions": [{"text": "rand() returns any int", "file": "racy.c", "line": 6}],
    "findings": [{"id": "assert-1a2b", "kind": "assert", "message": "assertion 'x != 3' failed",
      "file": "racy.c", "line": 12, "column": 3, "function": "main",
      "related": [{"file": "racy.c", "line": 7, "column": 5, "message": "T1 writes x = 3 here"}],
      "threads": [{"label": "T0", "function": "main"}, {"label": "T1", "function": "worker"}],
      "inputs": [{"name": "n", "line": 6, "value": 3, "thread": "T1"}],
      "schedule": "T0*1 T1*1 T0*1 | T1=3",
      "steps": [{"thread": "T0", "file": "racy.c", "line": 11, "event": "create T1"},
                {"thread": "T1", "file": "racy.c", "line": 7, "event": "write x = 3"},
                {"thread": "T0", "file": "racy.c", "line": 12, "event": "read x = 3"}],
      "core": [{"before": {"thread": "T1", "file": "racy.c", "line": 7}, "after": {"thread": "T0", "file": "racy.c", "line": 12}}],
      "repairs": [{"title": "Guard x", "status": "verified", "kind": "critical-sections", "fixed_orderings": 0,
        "edits": [{"file": "racy.c", "startLine": 7, "startColumn": 3,
                   "endLine": 7, "endColumn": 3, "newText": "lock();"}]}]}],
    "warnings": [],
    "stats": {"paths": 3, "executions": 4, "events": 21, "queries": 5, "sat": 3, "unsat": 2, "unknown": 0, "open_leaves": 0, "states": 0,
              "solver_seconds": 0.0, "interp_seconds": 0.0, "compile_seconds": 0.0, "wall_seconds": 0.25,
              "first_finding_seconds": 0.125, "peak_rss_mb": 40},
    "command_source": "inferred"})";
  // Compared as text, so that the order of the fields is held too.
  EXPECT_EQ(reportJson(report).dump(1), nlohmann::ordered_json::parse(golden).dump(1));
}

TEST(TextReport, TellsWhatWasReached) {
  Report report = sampleReport();
  report.findings.clear();
  report.verdict = Verdict::Verified;
  report.reach.emplace();
  report.reach->threads = {{"main", {}, 1, true}, {"worker", {}, 2, true}};
  report.reach->functions = {3, 4};
  report.reach->unreached = {
      {Unreached::Kind::Function, "function 'unused'", {"racy.c", 3, 1, ""}, "unused"}};
  std::string text = renderText(report, ReplayContext{}, {});
  EXPECT_NE(text.find("  reached: 3 threads, 3 of 4 functions, "), std::string::npos) << text;
  EXPECT_NE(text.find("  never reached: function 'unused'\n"), std::string::npos) << text;
  // Where not everything was explored, it may be reached.
  report.verdict = Verdict::VerifiedWithinBounds;
  text = renderText(report, ReplayContext{}, {});
  EXPECT_NE(text.find("  not reached: function 'unused'\n"), std::string::npos) << text;
  const auto printed = reportJson(report)["reach"];
  EXPECT_EQ(printed["threads"][1]["function"], "worker");
  EXPECT_EQ(printed["threads"][1]["started"], 2);
  EXPECT_EQ(printed["functions"]["all"], 4);
  EXPECT_EQ(printed["unreached"][0]["kind"], "function");
  EXPECT_EQ(printed["unreached"][0]["line"], 3);
}

TEST(JsonReport, TellsHowManySetsOfOrderingsWouldRepairIt) {
  Report report = sampleReport();
  Explanation& explanation = report.findings.front().explanation.emplace();
  explanation.killers = 8;
  explanation.elementary = 4;
  explanation.composite = true;
  const auto printed = reportJson(report)["findings"][0]["explanation"];
  EXPECT_EQ(printed["killers"], 8);
  EXPECT_EQ(printed["elementary_solutions"], 4);
  EXPECT_EQ(printed["composite_solution"], true);
}

TEST(JsonReport, NothingFoundAndUnsignedInputs) {
  Report report;
  report.verdict = Verdict::Unsupported;
  report.problem = "what";
  const auto printed = reportJson(report);
  EXPECT_TRUE(printed["findings"].is_array());
  EXPECT_TRUE(printed["stats"]["first_finding_seconds"].is_null());
  EXPECT_EQ(printed["problem"]["text"], "what");

  report.findings = {sampleFinding()};
  report.findings[0].inputs = {{"u", {}, "", -1, true}};
  EXPECT_EQ(reportJson(report)["findings"][0]["inputs"][0]["value"], 18446744073709551615ULL);
}

TEST(JsonReport, TextThatIsNotUtf8StillPrints) {
  Report report;
  report.file = "a\xff.c";
  const std::string line = dumpLine(reportJson(report));
  EXPECT_NE(line.find("a\xEF\xBF\xBD.c"), std::string::npos);
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
}

}  // namespace
}  // namespace heddle
