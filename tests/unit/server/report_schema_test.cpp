// docs/report.schema.json against reports: of real programs, and one made by hand that has every part.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "sample_reports.h"
#include "server/driver/check.h"
#include "server/render/json_report.h"
#include "tests/paths/paths.h"

namespace heddle {
namespace {

using Json = nlohmann::json;

/// Draft 7, what our schema uses of it; a keyword that is not known here fails the test. Every field of the
/// value has to be declared: a schema that leaves one out would be of no use.
class Schema {
 public:
  explicit Schema(Json root) : root_(std::move(root)) {}

  std::vector<std::string> problemsOf(const Json& value) const {
    std::vector<std::string> problems;
    check(root_, value, "", problems);
    return problems;
  }

 private:
  static bool hasType(const Json& value, const std::string& type) {
    return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
           (type == "string" && value.is_string()) || (type == "boolean" && value.is_boolean()) ||
           (type == "integer" && value.is_number_integer()) || (type == "number" && value.is_number()) ||
           (type == "null" && value.is_null());
  }

  void check(const Json& schema, const Json& value, const std::string& at,
             std::vector<std::string>& problems) const {
    const auto require = [&](bool holds, const std::string& what) {
      if (!holds) problems.push_back(at + ": " + what);
    };
    for (const auto& [keyword, rule] : schema.items()) {
      if (keyword == "$ref") {
        check(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value, at, problems);
      } else if (keyword == "type") {
        bool fits = false;
        for (const Json& type : rule.is_array() ? rule : Json::array({rule}))
          fits = fits || hasType(value, type.get<std::string>());
        require(fits, "is " + value.dump() + ", not of type " + rule.dump());
      } else if (keyword == "enum") {
        require(std::find(rule.begin(), rule.end(), value) != rule.end(),
                value.dump() + " is none of " + rule.dump());
      } else if (keyword == "const") {
        require(value == rule, value.dump() + " is not " + rule.dump());
      } else if (keyword == "minimum") {
        if (value.is_number()) require(value.get<double>() >= rule.get<double>(), "is too small");
      } else if (keyword == "required") {
        for (const Json& name : rule)
          if (value.is_object()) require(value.contains(name.get<std::string>()), "lacks " + name.dump());
      } else if (keyword == "items") {
        for (size_t i = 0; value.is_array() && i < value.size(); ++i)
          check(rule, value[i], at + "/" + std::to_string(i), problems);
      } else if (keyword == "properties" || keyword == "additionalProperties" || keyword == "propertyNames") {
        // below
      } else {
        require(keyword == "$schema" || keyword == "title" || keyword == "description" ||
                    keyword == "definitions",
                "the keyword " + keyword + " is not known");
      }
    }
    if (!value.is_object() || schema.contains("$ref")) return;
    for (const auto& [name, member] : value.items()) {
      const Json properties = schema.value("properties", Json::object());
      if (schema.contains("propertyNames"))
        check(schema["propertyNames"], Json(name), at + "/" + name, problems);
      if (properties.contains(name))
        check(properties[name], member, at + "/" + name, problems);
      else if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
        check(schema["additionalProperties"], member, at + "/" + name, problems);
      else
        problems.push_back(at + ": '" + name + "' is not declared");
    }
  }

  Json root_;
};

Schema reportSchema() {
  std::ifstream stream(sourceDirectory() + "/docs/report.schema.json");
  return Schema(Json::parse(stream));
}

std::string linesOfText(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + '\n';
  return out;
}

TEST(ReportSchema, KnowsEveryFieldOfAReportWithAllParts) {
  Report report = testing::sampleReport();
  report.findings[0].possible = true;
  report.findings[0].assumes = {"'f' returns any value"};
  report.findings[0].core = {{{"racy.c", 7, 5, "worker"}, "T1", {"racy.c", 12, 10, "main"}, "T0", "text"}};
  report.warnings = {testing::sampleFinding()};
  report.missing = {{"x.h", {"racy.c", 1, 1, ""}, {"include/x.h"}}};
  report.unknownCalls = {{"f", {{"racy.c", 3, 1, "main"}}, "arguments", "int f(void) {}"}};
  report.open = {{{"racy.c", 9, 3, "worker"}, "condition", 12}};
  report.harness = "f(x) || g(x)";
  report.problem = "the time is up";
  report.bounds = {{BoundKind::LoopRounds, "loop cut", {}}};
  report.sized = {{{{"N", 16, 2, {"racy.c", 1, 9, ""}}},
                   Verdict::Violated,
                   {{BoundKind::LoopRounds, "loop cut", {}}},
                   {testing::sampleFinding()},
                   0.5}};
  const Json written = Json::parse(dumpLine(reportJson(report, {{"assert-1a2b", "known"}})));
  EXPECT_EQ(linesOfText(reportSchema().problemsOf(written)), "");
  EXPECT_EQ(written["format"], kReportFormat);
}

TEST(ReportSchema, KnowsEveryFieldOfRealReports) {
  for (const char* file : {"bank_transfer.c", "bank_transfer_fixed.c", "bounded_buffer.c"}) {
    std::ostringstream out, err;
    const Command command = parseCommandLine(
        {"check", "--format", "json", "--steps", "3000", sourceDirectory() + "/docs/examples/" + file});
    runCheck(std::get<CheckCommand>(command), pipelineEngine(), {out, err}, {});
    EXPECT_EQ(linesOfText(reportSchema().problemsOf(Json::parse(out.str()))), "") << file;
  }
}

TEST(ReportSchema, RefusesWhatIsNoReport) {
  Json written = Json::parse(dumpLine(reportJson(testing::sampleReport())));
  written["verdict"] = "fine";
  written.erase("file");
  written["findings"][0]["line"] = "12";
  EXPECT_EQ(reportSchema().problemsOf(written).size(), 3u);
}

}  // namespace
}  // namespace heddle
