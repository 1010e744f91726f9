// Files that the user names: read once, with failures that say what to do.
//
// Threading: any thread.
#pragma once

#include <optional>
#include <string>

#include "analysis/pipeline/pipeline.h"
#include "analysis/report.h"

namespace heddle {

struct SourceFile {
  std::string given;  // as the user wrote it
  std::string absolute;
  std::string text;
};

/// nullopt: `problem` is one line, "a.c: no such file; check the path".
std::optional<SourceFile> readSource(const std::string& path, std::string& problem);

/// The text on stdin, which is `-` for the user and lies in the working folder for what it includes.
std::optional<SourceFile> readStandardInput(std::string& problem);

/// Shows places of the analysed file under the name that the user gave it.
void showAsGiven(Report& report, const SourceFile& file);
void showAsGiven(ReplayResult& result, const SourceFile& file);

}  // namespace heddle
