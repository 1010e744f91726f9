// Prepare: from a snapshot to an executable program, or the reason why there is none.
#pragma once

#include <memory>
#include <string>

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
  double compileSeconds = 0;
};

/// `checkOverflow`: signed operations that overflow are failures.
PreparedProgram prepare(const Snapshot& snapshot, const std::string& entry, bool checkOverflow = false);

}  // namespace heddle
