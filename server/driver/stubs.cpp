#include "server/driver/stubs.h"

#include <ostream>
#include <set>

#include "server/driver/exploration_input.h"
#include "server/render/json_report.h"

namespace heddle {
namespace {

std::string nameOf(const SourcePlace& place, const std::vector<SourceFile>& files) {
  for (const SourceFile& file : files)
    if (file.absolute == place.file) return file.given;
  return place.file;
}

/// Inputs are declared once, above all definitions.
std::string stubsText(const std::vector<UnknownCall>& calls, const std::vector<SourceFile>& files) {
  std::set<std::string> declarations;
  std::string definitions;
  for (const UnknownCall& call : calls) {
    definitions += "\n// Called at ";
    for (size_t i = 0; i < call.places.size(); ++i)
      definitions +=
          (i == 0 ? "" : ", ") + nameOf(call.places[i], files) + ":" + std::to_string(call.places[i].line);
    definitions += ".\n";
    if (call.stub.empty()) {
      definitions += "// " + call.name + ": its type is not known; declare it first.\n";
      continue;
    }
    size_t begin = 0;
    while (begin < call.stub.size()) {
      const size_t end = std::min(call.stub.size(), call.stub.find('\n', begin) + 1);
      const std::string line = call.stub.substr(begin, end - begin);
      if (line.starts_with("extern "))
        declarations.insert(line);
      else
        definitions += line;
      begin = end;
    }
  }
  std::string text = "// Stubs, written by Heddle: each returns any value. Say more where you know more.\n";
  for (const std::string& declaration : declarations) text += declaration;
  return text + definitions;
}

}  // namespace

int runStubs(const StubsCommand& command, const Engine& engine, Streams streams) {
  std::vector<SourceFile> files;
  if (!readSources(command.files, files, streams.err)) return kExitUsage;
  const ExplorationInput input = explorationOf(files, command, engine, streams.err);
  const UnknownCalls unknown = engine.unknownCalls(input.snapshot, input.options.options.entry);
  if (!unknown.problem.empty()) {
    streams.err << "heddle: error: " << unknown.problem << '\n';
    return kExitUsage;
  }
  if (command.format == Format::Json)
    streams.out << dumpLine(unknownCallsJson(unknown.calls));
  else if (!unknown.calls.empty())
    streams.out << stubsText(unknown.calls, files);
  if (unknown.calls.empty()) streams.err << "heddle: every function that is called is defined or modelled\n";
  streams.out << std::flush;
  return kExitNoBug;
}

}  // namespace heddle
