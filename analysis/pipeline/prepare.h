// Prepare: from a snapshot to an executable program, or the reason why there is none.
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
  bool compilerFailed = false;  // not the text
  SourcePlace problemPlace;
  std::vector<MissingHeader> missing;      // why there is no program
  std::vector<DeclaredFunction> declared;  // of all units; the program's once there is one
  std::vector<std::string> gaps;           // what units take for granted that do not compile in full
  double compileSeconds = 0;
};

/// `checkOverflow`: signed operations that overflow are failures. `withStatements`: as lower.
PreparedProgram prepare(const Snapshot& snapshot, const std::string& entry, bool checkOverflow = false,
                        bool withStatements = false);

/// As analyze, of a program that was changed after it was compiled: `prepareIt` makes it, once.
Report analyzePrepared(const std::function<PreparedProgram()>& prepareIt, const Snapshot& snapshot,
                       const Options& options, const Budget& budget, const Observer& observer = {});

/// As replay, of a snapshot that was prepared.
ReplayResult replayPrepared(const PreparedProgram& prepared, const Snapshot& snapshot,
                            const std::string& schedule, const Budget& budget);

/// The two halves of prepare, for who changes the module between them. The first leaves the linked module in
/// `compiled`; where there is none, the result says why.
PreparedProgram prepareModule(const Snapshot& snapshot, bool checkOverflow, CompileResult& compiled);
/// `prepared`: of the first half, of the same snapshot. It has no program where there is no function of the
/// name `entry`, unless that is empty.
void lowerModule(const llvm::Module& module, const Snapshot& snapshot, const std::string& entry,
                 PreparedProgram& prepared, bool withStatements = false);

}  // namespace heddle
