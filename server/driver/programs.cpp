#include "server/driver/programs.h"

#include "server/source/c_tokens.h"
#include "server/source/harness.h"
#include "server/source/outline.h"

namespace heddle {

std::vector<ProgramFiles> programsOf(const std::vector<SourceFile>& files, const std::string& entry) {
  std::vector<const SourceFile*> starts, others;
  for (const SourceFile& file : files) {
    const bool isStart = files.size() == 1 || outlineOf(file.text, lexC(file.text)).find(entry) ||
                         harnessText(file.text, entry);
    (isStart ? starts : others).push_back(&file);
  }
  if (starts.empty()) starts.swap(others);
  std::vector<ProgramFiles> programs;
  for (const SourceFile* start : starts) programs.push_back({start, others, starts.size() > 1});
  return programs;
}

ProgramFiles programOf(const std::vector<SourceFile>& files) {
  // Not `onlyNeeded`, or a schedule could be of a program with more units.
  ProgramFiles program{&files.front(), {}, false};
  for (size_t i = 1; i < files.size(); ++i) program.others.push_back(&files[i]);
  return program;
}

}  // namespace heddle
