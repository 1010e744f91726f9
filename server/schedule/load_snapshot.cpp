#include "server/schedule/load_snapshot.h"

#include "analysis/compile/program_commands.h"
#include "server/schedule/text_of_file.h"

namespace heddle {

void loadSnapshot(Snapshot& snapshot, bool textFromDisk, const Engine& engine, std::string* problem) {
  if (textFromDisk) {
    const auto open = snapshot.overlays.find(snapshot.path);
    snapshot.text = open != snapshot.overlays.end() ? open->second : textOfFile(snapshot.path).value_or("");
  }
  snapshot.command = engine.findCommand(snapshot.path, problem);
  for (Unit& unit : snapshot.units) {
    if (!snapshot.overlays.contains(unit.path)) unit.text = textOfFile(unit.path).value_or("");
    unit.command = engine.findCommand(unit.path, nullptr);
  }
  std::vector<CompileCommand*> others;
  for (Unit& unit : snapshot.units) others.push_back(&unit.command);
  readAsOneProgram(snapshot.command, others);
}

}  // namespace heddle
