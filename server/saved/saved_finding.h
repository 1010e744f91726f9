// SavedFinding: a finding that is kept beside the code, as a test: `.heddle/saved/NAME.json` in the folder of
// the project. Its schedule is anchored in the text (analysis/pipeline/anchored_schedule.h), so that edits
// elsewhere do not break it.
//
// The files belong to the workspace, which is not trusted: they are read strictly, at most kMostSaved of
// them, and hold nothing that is run but schedules, in the interpreter.
//
// Threading: reads and writes files; any thread.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/pipeline/anchored_schedule.h"
#include "analysis/property.h"

namespace heddle {

struct SavedFinding {
  std::string file;     // path of the program's first file from the project's folder, with /
  std::string entry;    // as Options
  std::string harness;  // as Options
  std::string id;
  Property kind = Property::Assert;
  std::string message;
  std::string function;  // where it failed
  AnchoredSchedule run;
  bool operator==(const SavedFinding&) const = default;
};

/// How many saved findings of one folder are read; further ones are left out.
inline constexpr size_t kMostSaved = 200;

/// Where findings of a file (absolute) are saved: in the nearest folder above it that has `.heddle`, else
/// `.heddle.yaml` or `.git`, else in its own.
std::string projectFolderOf(const std::string& path);

/// `.heddle/saved` of a project's folder.
std::string savedFolder(const std::string& projectFolder);

std::string toText(const SavedFinding& saved);
/// The finding, or one line about what is wrong.
std::variant<SavedFinding, std::string> readSaved(std::string_view text);

struct SavedFile {
  std::string name;  // without folder and extension
  std::variant<SavedFinding, std::string> content;
};

/// All of the project's folder of this file (absolute), by name.
std::vector<SavedFile> savedBeside(const std::string& path);

/// Writes `NAME.json`, or replaces it if it exists. Returns an empty text, or one line about what went wrong.
std::string writeSaved(const std::string& projectFolder, const std::string& name, const SavedFinding& saved);

}  // namespace heddle
