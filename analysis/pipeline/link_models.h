// LinkModels: gives a compiled program the functions that it calls and does not define, where there is a
// model of them in C: first the project's own (Environment::modelFolder), then Heddle's (analysis/library).
//
// Only what is used is linked. Heddle's own models have no places: what happens in one is shown at the call,
// as for a function that the interpreter models.
//
// Threading: any thread; `first` must not be in use elsewhere.
#pragma once

#include <optional>

#include "analysis/compile/compiler.h"
#include "analysis/pipeline/pipeline.h"

namespace heddle {

/// nullopt: done. Otherwise what is wrong in a model of the project, and where.
std::optional<CompileMessage> linkModels(const Snapshot& snapshot, const CompileModes& modes,
                                         CompileResult& first);

}  // namespace heddle
