// CompileCommand: how a file is compiled, where that was found, and the filter that makes untrusted commands
// harmless.
//
// Commands of a workspace are untrusted: the compiler they name is never run, and every option that loads or
// runs code, or reads options from elsewhere, is dropped (plugins, -Xclang plugin forms, -load, -specs, -B,
// wrappers, response files, output files).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

class InferredFlags;

/// What a file is given as part of one target of a build.
struct TargetFlags {
  std::string name;
  std::vector<std::string> flags;
};

struct CompileCommand {
  std::string directory;               // working directory, absolute
  std::vector<std::string> arguments;  // filtered; without compiler, input file and output
  std::string source;  // "compile_commands.json (PATH)", "compile_flags.txt (PATH)", "command line",
                       // "inferred" or "inferred (FLAGS)"
  std::vector<std::string> dropped;  // what the filter took out, for the report
  /// Headers that a build makes and that are not there: guessed texts by path, which `source` names.
  std::map<std::string, std::string> made = {};
  /// What does not compile is left out, and headers that are missing are empty (partial_unit.h).
  bool isPartial = false;
  /// What else the database says of the file, with other options, in its order.
  std::vector<CompileCommand> others = {};
  /// Of an inferred command: the targets that compile the file. It is read as in the first.
  std::vector<TargetFlags> targets = {};
  /// Of an inferred command: switches that are set because all of the file lies within them.
  std::vector<std::string> outer = {};
};

/// The command for `path` (absolute): compile_commands.json in the parents and in their build/, then
/// compile_flags.txt in the parents, then an inferred one. A damaged database is skipped; `problem` then says
/// so in one line.
/// A file that the database has several times gets the first entry, and the others beside it.
/// `inferred`: looks for headers and switches in the project if no file says how to compile.
CompileCommand findCompileCommand(const std::string& path, std::string* problem = nullptr,
                                  InferredFlags* inferred = nullptr);

/// A command from flags the user typed after `--`; filtered alike.
CompileCommand commandFromFlags(const std::string& path, const std::vector<std::string>& flags);

/// The flags that the user typed only name folders of headers (-I, -isystem, -iquote, -idirafter).
bool namesOnlyFolders(const CompileCommand& typed);

/// `found` with the folders of `typed` in front.
CompileCommand withFolders(CompileCommand found, const CompileCommand& typed);

}  // namespace heddle
