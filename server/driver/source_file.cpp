#include "server/driver/source_file.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <system_error>

namespace heddle {
namespace {

void rename(SourcePlace& place, const SourceFile& file) {
  if (place.file == file.absolute) place.file = file.given;
}

void rename(std::vector<OrderingFact>& facts, const SourceFile& file) {
  for (OrderingFact& fact : facts) {
    rename(fact.before, file);
    rename(fact.after, file);
  }
}

void rename(Explanation& explanation, const SourceFile& file) {
  for (RelatedPlace& fact : explanation.facts) rename(fact.place, file);
  for (Step& step : explanation.steps) rename(step.place, file);
  for (std::vector<OrderingFact>& core : explanation.cores) rename(core, file);
  if (!explanation.passing) return;
  for (Step& step : explanation.passing->steps) rename(step.place, file);
  rename(explanation.passing->changed, file);
}

void rename(RepairPlan& plan, const SourceFile& file) {
  for (std::vector<SourceAccess>& region : plan.regions)
    for (SourceAccess& access : region) rename(access.place, file);
  for (PlannedOrder& order : plan.orders) {
    rename(order.before.place, file);
    rename(order.after.place, file);
  }
  if (plan.create) rename(plan.create->place, file);
  if (plan.existingLockAt) rename(plan.existingLockAt->place, file);
}

void rename(Finding& finding, const SourceFile& file) {
  rename(finding.place, file);
  rename(finding.freedAt, file);
  for (RelatedPlace& related : finding.related) rename(related.place, file);
  for (InputValue& input : finding.inputs) rename(input.place, file);
  for (Step& step : finding.steps) rename(step.place, file);
  rename(finding.core, file);
  if (finding.explanation) rename(*finding.explanation, file);
  for (RepairPlan& plan : finding.plans) rename(plan, file);
  for (Repair& repair : finding.repairs)
    for (TextEditAt& edit : repair.edits)
      if (edit.file == file.absolute) edit.file = file.given;
}

}  // namespace

std::optional<SourceFile> readSource(const std::string& path, std::string& problem) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    problem = path + ": no such file; check the path";
    return std::nullopt;
  }
  if (status.type() == fs::file_type::directory) {
    problem = path + ": is a directory; name the C file to explore";
    return std::nullopt;
  }
  if (status.type() != fs::file_type::regular) {
    problem = path + ": " + (error ? error.message() : "is not a regular file") +
              "; name a C file that can be read";
    return std::nullopt;
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream && stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (!stream.is_open() || stream.bad() || text.bad()) {
    problem = path + ": cannot be read; check its permissions";
    return std::nullopt;
  }
  const fs::path absolute = fs::absolute(path, error);
  return SourceFile{path, error ? path : absolute.lexically_normal().string(), text.str()};
}

std::optional<SourceFile> readStandardInput(std::string& problem) {
  std::ostringstream text;
  if (std::cin.peek() != std::istream::traits_type::eof()) text << std::cin.rdbuf();
  if (std::cin.bad() || text.bad()) {
    problem = "-: standard input cannot be read; check what is piped into heddle";
    return std::nullopt;
  }
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::current_path(error);
  return SourceFile{"-", ((error ? "/" : folder) / "stdin.c").string(), text.str()};
}

void showAsGiven(Report& report, const SourceFile& file) {
  if (report.file == file.absolute || report.file.empty()) report.file = file.given;
  rename(report.problemPlace, file);
  for (Assumption& assumption : report.assumptions) rename(assumption.place, file);
  for (Finding& finding : report.findings) rename(finding, file);
  for (Finding& warning : report.warnings) rename(warning, file);
  for (SavedRun& run : report.saved) rename(run.place, file);
  for (SizedRun& run : report.sized) {
    for (ChosenSize& size : run.sizes) rename(size.place, file);
    for (Finding& finding : run.findings) rename(finding, file);
  }
  for (MissingHeader& header : report.missing) rename(header.place, file);
  for (SourcePlace& place : report.reached) rename(place, file);
  for (UnknownCall& call : report.unknownCalls)
    for (SourcePlace& place : call.places) rename(place, file);
  if (!report.reach) return;
  for (ReachedThread& thread : report.reach->threads) rename(thread.place, file);
  for (Unreached& what : report.reach->unreached) rename(what.place, file);
  for (SourcePlace& call : report.reach->callsNotMade) rename(call, file);
}

void showAsGiven(ReplayResult& result, const SourceFile& file) {
  for (Step& step : result.steps) rename(step.place, file);
  for (InputValue& input : result.inputs) rename(input.place, file);
  for (Finding& failure : result.failures) rename(failure, file);
}

}  // namespace heddle
