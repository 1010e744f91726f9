#include "server/driver/source_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace heddle {
namespace {

void rename(SourcePlace& place, const SourceFile& file) {
  if (place.file == file.absolute) place.file = file.given;
}

void rename(Finding& finding, const SourceFile& file) {
  rename(finding.place, file);
  for (RelatedPlace& related : finding.related) rename(related.place, file);
  for (InputValue& input : finding.inputs) rename(input.place, file);
  for (Step& step : finding.steps) rename(step.place, file);
  for (OrderingFact& fact : finding.core) {
    rename(fact.before, file);
    rename(fact.after, file);
  }
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

void showAsGiven(Report& report, const SourceFile& file) {
  if (report.file == file.absolute || report.file.empty()) report.file = file.given;
  rename(report.problemPlace, file);
  for (Assumption& assumption : report.assumptions) rename(assumption.place, file);
  for (Finding& finding : report.findings) rename(finding, file);
}

void showAsGiven(ReplayResult& result, const SourceFile& file) {
  for (Step& step : result.steps) rename(step.place, file);
  for (InputValue& input : result.inputs) rename(input.place, file);
  for (Finding& failure : result.failures) rename(failure, file);
}

}  // namespace heddle
