#include "server/driver/programs.h"

#include "server/source/c_tokens.h"
#include "server/source/harness.h"
#include "server/source/outline.h"

namespace heddle {

std::vector<ProgramFiles> programsOf(const std::vector<SourceFile>& files, const std::string& entry,
                                     const DefinesEntry& defines) {
  std::vector<const SourceFile*> starts, others;
  const auto isStart = [&](const SourceFile& file) {
    if (files.size() == 1 || harnessText(file.text, entry)) return true;
    if (const std::optional<bool> compiled = defines(file)) return *compiled;
    return outlineOf(file.text, lexC(file.text)).find(entry) != nullptr;
  };
  for (const SourceFile& file : files) (isStart(file) ? starts : others).push_back(&file);
  std::vector<ProgramFiles> programs;
  for (const SourceFile* start : starts) programs.push_back({start, others, starts.size() > 1});
  if (!starts.empty()) return programs;
  for (const SourceFile* start : others) {
    ProgramFiles program{start, {}, true};
    for (const SourceFile* other : others)
      if (other != start) program.others.push_back(other);
    programs.push_back(std::move(program));
  }
  return programs;
}

ProgramFiles programOf(const std::vector<SourceFile>& files, bool onlyNeeded) {
  ProgramFiles program{&files.front(), {}, onlyNeeded};
  for (size_t i = 1; i < files.size(); ++i) program.others.push_back(&files[i]);
  return program;
}

}  // namespace heddle
