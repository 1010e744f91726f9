// Prepare: makes an executable program from a snapshot, or says why there is none.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "analysis/compile/compiler.h"
#include "analysis/pipeline/pipeline.h"
#include "analysis/program/program.h"

namespace heddle {

struct PreparedProgram {
  std::unique_ptr<Program> program;  // null: `verdict` and `problem` say why
  FunctionId entry = 0;
  Verdict verdict = Verdict::Error;
  std::string problem;
  bool compilerFailed = false;  // Clang failed; the text need not be wrong
  SourcePlace problemPlace;
  std::vector<MissingHeader> missing;      // why there is no program
  std::vector<DeclaredFunction> declared;  // functions of all units; moved into the program once there is one
  std::vector<std::string> gaps;           // assumptions about units and how they are linked
  double compileSeconds = 0;
};

/// `checkOverflow`: signed operations that overflow are failures. `withStatements`: as for lower.
PreparedProgram prepare(const Snapshot& snapshot, const std::string& entry, bool checkOverflow = false,
                        bool withStatements = false);

/// As analyze, for a program that was changed after it was compiled. `prepareIt` makes the program and is
/// called once.
Report analyzePrepared(const std::function<PreparedProgram()>& prepareIt, const Snapshot& snapshot,
                       const Options& options, const Budget& budget, const Observer& observer = {});

/// As replay, for a snapshot that was already prepared.
ReplayResult replayPrepared(const PreparedProgram& prepared, const Snapshot& snapshot,
                            const std::string& schedule, const Budget& budget);

/// The two halves of prepare, for callers that change the module between them. The first half leaves the
/// linked module in `compiled`; if there is none, the result says why.
PreparedProgram prepareModule(const Snapshot& snapshot, bool checkOverflow, CompileResult& compiled);
/// `prepared`: the result of the first half for the same snapshot. It gets no program if there is no
/// function named `entry`, unless `entry` is empty.
void lowerModule(const llvm::Module& module, const Snapshot& snapshot, const std::string& entry,
                 PreparedProgram& prepared, bool withStatements = false);

}  // namespace heddle
