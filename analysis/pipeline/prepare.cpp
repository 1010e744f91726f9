#include "analysis/pipeline/prepare.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "analysis/compile/compiler.h"

namespace heddle {

PreparedProgram prepare(const Snapshot& snapshot, const std::string& entry) {
  PreparedProgram prepared;
  // A compiler keeps what makes the next compile of this thread fast.
  thread_local Compiler compiler;
  const CompileResult compiled = compiler.compile(snapshot.path, snapshot.text, snapshot.command,
                                                  snapshot.overlays, snapshot.environment.undefinedIsInput);
  prepared.compileSeconds = compiled.seconds;
  if (!compiled.module) {
    prepared.problem = "the file does not compile";
    for (const CompileMessage& message : compiled.messages) {
      if (!message.isError) continue;
      prepared.problem += ": " + message.text;
      prepared.problemPlace = message.place;
      break;
    }
    return prepared;
  }
  std::unique_ptr<Program> program = lower(*compiled.module);
  const std::optional<FunctionId> function = program->findFunction(entry);
  if (!function) {
    prepared.verdict = Verdict::Unsupported;
    prepared.problem = "no function '" + entry + "' to start from; name one with --entry";
    prepared.problemPlace.file = snapshot.path;
    return prepared;
  }
  program->environment = snapshot.environment;
  prepared.entry = *function;
  prepared.program = std::move(program);
  return prepared;
}

}  // namespace heddle
