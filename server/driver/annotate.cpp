#include "server/driver/annotate.h"

#include <filesystem>
#include <ostream>
#include <set>

#include "analysis/repair/realize.h"
#include "analysis/repair/text_edits.h"
#include "server/driver/exploration_input.h"
#include "server/render/text_report.h"
#include "server/render/unified_diff.h"

namespace heddle {
namespace {

/// As the user would name it from here.
std::string shownPath(const std::string& path, const SourceFile& main) {
  if (path == main.absolute) return main.given;
  std::error_code error;
  const auto here = std::filesystem::proximate(path, error);
  return error ? path : here.string();
}

}  // namespace

int runAnnotate(const AnnotateCommand& command, const Engine& engine, Streams streams, std::stop_token stop) {
  std::vector<SourceFile> files;
  if (!readSources({command.file}, files, streams.err)) return kExitUsage;
  const ExplorationInput input = explorationOf(files, command, engine, streams.err);
  const Budget budget = budgetOf(input.options, std::move(stop));
  Options options = input.options.options;
  options.summarizeAccesses = true;
  const Report report = engine.analyze(input.snapshot, options, budget, Observer{});
  const Guards& guards = report.guards;
  std::set<std::string> changed;
  for (const TextEditAt& edit : guards.edits) changed.insert(edit.file);
  for (const std::string& path : changed) {
    const std::string before = textIn(input.snapshot, path);
    streams.out << unifiedDiff(shownPath(path, files.front()), input.withoutHarness(path, before),
                               input.withoutHarness(path, applied(before, path, guards.edits)));
  }
  size_t proved = 0, broken = 0;
  for (const Guard& guard : guards.found) {
    if (!guard.written) ++proved;
    for (const SourceAccess& access : guard.broken) {
      ++broken;
      streams.out << shownPath(access.place.file, files.front()) << ':' << access.place.line << ": '"
                  << guard.name << "' is " << (access.kind == AccessKind::Read ? "read" : "written") << " by "
                  << access.threadFunction << " without '" << guard.lock << "', which guards it (line "
                  << guard.place.line << ")\n";
    }
  }
  streams.out << "# " << proved << (proved == 1 ? " guard" : " guards") << " and " << guards.needs.size()
              << (guards.needs.size() == 1 ? " need" : " needs") << " to write down, "
              << guards.found.size() - proved << " written, broken at " << broken
              << (broken == 1 ? " place" : " places") << "; " << verdictLine(report) << '\n'
              << std::flush;
  if (const std::string line = problemLine(report); !line.empty()) streams.err << line << '\n';
  const int code = exitCodeOf(report);
  return code == kExitNoBug && broken != 0 ? kExitBug : code;
}

}  // namespace heddle
