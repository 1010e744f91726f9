// SARIF: the fields that viewers and code scanning read, from a report made by hand.
#include "server/diagnostics_page.h"
#include "server/render/sarif_report.h"

#include <gtest/gtest.h>

#include "tests/unit/server/sample_reports.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

SarifFile sampleFile() {
  SarifFile file{testing::sampleReport(), testing::kRacyText, {}};
  file.report.properties = {{Property::Assert, Verdict::Violated},
                            {Property::Race, Verdict::Incomplete},
                            {Property::Deadlock, Verdict::Verified},
                            {Property::Memory, Verdict::Unsupported}};
  file.report.problem = "the time budget is spent";
  return file;
}

const Json* resultOf(const Json& run, const std::string& rule) {
  for (const Json& result : run["results"])
    if (result["ruleId"] == rule) return &result;
  return nullptr;
}

TEST(Sarif, EveryPropertyHasOneResultAndOnlyAFindingFails) {
  const Json report = sarifReport({sampleFile()});
  EXPECT_EQ(report["version"], "2.1.0");
  ASSERT_EQ(report["runs"].size(), 1u);
  const Json& run = report["runs"][0];
  EXPECT_EQ(run["results"].size(), 4u);
  const std::map<std::string, std::string> kinds = {{"heddle-assert", "fail"},
                                                    {"heddle-race", "open"},
                                                    {"heddle-deadlock", "pass"},
                                                    {"heddle-memory", "open"}};
  for (const auto& [rule, kind] : kinds) {
    const Json* result = resultOf(run, rule);
    ASSERT_NE(result, nullptr) << rule;
    EXPECT_EQ((*result)["kind"], kind);
    EXPECT_EQ((*result)["level"], kind == "fail" ? "error" : "none");
    EXPECT_EQ(run["tool"]["driver"]["rules"][(*result)["ruleIndex"].get<size_t>()]["id"], rule);
  }
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"].size(), 1u);
}

TEST(Sarif, TheInterleavingIsOneFlowInOrderAndOneByThread) {
  const Json report = sarifReport({sampleFile()});
  const Json& result = *resultOf(report["runs"][0], "heddle-assert");
  ASSERT_EQ(result["codeFlows"].size(), 2u);
  const Json& merged = result["codeFlows"][0]["threadFlows"];
  ASSERT_EQ(merged.size(), 1u);
  ASSERT_EQ(merged[0]["locations"].size(), 4u) << "three steps and the failure";
  EXPECT_EQ(merged[0]["locations"][3]["importance"], "essential");
  EXPECT_EQ(merged[0]["locations"][1]["location"]["message"]["text"], "T1: write x = 3");
  const Json& threads = result["codeFlows"][1]["threadFlows"];
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(threads[1]["id"], "T1");
  EXPECT_EQ(threads[1]["locations"][0]["executionOrder"], 2);
}

TEST(Sarif, RulesSayWhatToDoAndPlacesEnd) {
  const std::map<std::string, std::string> help =
      sectionsOf("# Page\n\n## `heddle-assert`\n\nAn *assertion*.\n\nMore.\n\n## `heddle-race`\n\nA race.\n");
  EXPECT_EQ(help.at("heddle-assert"), "An *assertion*.\n\nMore.");
  EXPECT_EQ(help.at("heddle-race"), "A race.");
  SarifFile file = sampleFile();
  file.text.insert(file.text.find("  assert(x"), "  /* \u00e9 */ ");
  file.report.findings[0].place.column = 14;  // of bytes: assert
  const Json report = sarifReport({file}, help);
  const Json& rule = report["runs"][0]["tool"]["driver"]["rules"][0];
  EXPECT_EQ(rule["help"]["markdown"], "An *assertion*.\n\nMore.");
  EXPECT_FALSE(rule["fullDescription"]["text"].get<std::string>().empty());
  const Json region =
      (*resultOf(report["runs"][0], "heddle-assert"))["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["startColumn"], 13) << "code points";
  EXPECT_EQ(region["endColumn"], 19);
  EXPECT_TRUE(diagnosticsSections().contains("heddle-deadlock")) << "the page of this build tree";
}

TEST(Sarif, FingerprintsAreOfTheLineNotOfItsNumber) {
  const SarifFile file = sampleFile();
  SarifFile moved = file;
  moved.text = "\n\n" + file.text;
  moved.report.findings[0].place.line += 2;
  const auto print = [](const SarifFile& given) {
    return (*resultOf(sarifReport({given})["runs"][0], "heddle-assert"))["partialFingerprints"];
  };
  EXPECT_EQ(print(file), print(moved));
  moved.report.findings[0].place.line -= 1;
  EXPECT_NE(print(file), print(moved));
}

TEST(Sarif, ColumnsCountCharacters) {
  SarifFile file = sampleFile();
  file.text = "/* \xc3\xa9 */ BUG;\n";
  file.report.findings[0].place = {file.report.file, 1, 10, "main"};
  const Json report = sarifReport({file});
  EXPECT_EQ(report["runs"][0]["columnKind"], "unicodeCodePoints");
  EXPECT_EQ((*resultOf(report["runs"][0],
                       "heddle-assert"))["locations"][0]["physicalLocation"]["region"]["startColumn"],
            9);
}

TEST(Sarif, SuppressionsAndFixes) {
  SarifFile file = sampleFile();
  file.suppressed["assert-1a2b"] = "known";
  file.report.findings[0].repairs = {{"lock it",
                                      RepairStatus::Verified,
                                      "critical-sections",
                                      0,
                                      {{file.report.file, 7, 3, 7, 3, "lock();"}}}};
  const Json report = sarifReport({file});
  const Json& result = *resultOf(report["runs"][0], "heddle-assert");
  EXPECT_EQ(result["suppressions"][0]["justification"], "known");
  EXPECT_EQ(result["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"],
            "lock();");
}

}  // namespace
}  // namespace heddle
