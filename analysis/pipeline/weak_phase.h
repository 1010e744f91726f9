// Weak phase: exploration of programs under a weak memory model, and descriptions of the findings.
//
// Under C11, a program whose atomic operations are all sequentially consistent behaves as under sequential
// consistency, or it has a data race. For such programs the exploration of the strategy suffices. Others
// are searched execution by execution (explore/weak).
//
// Threading: as the pipeline.
#pragma once

#include <optional>
#include <string>

#include "analysis/explore/weak/weak_search.h"
#include "analysis/pipeline/pipeline.h"
#include "analysis/pipeline/search.h"
#include "analysis/report.h"

namespace heddle {

class FindingPublisher;
struct ReplayRun;

/// Explores the program under the memory model of the options if that is not sequentially consistent, and
/// publishes what it finds. Notes in `report.memory` what was done. nullopt: the sequentially consistent
/// executions are still to be explored. Only entry, reach and fixed inputs of `explored` are used.
std::optional<SearchResult> searchWeakPart(const Program& program, const ExploreOptions& explored,
                                           const Options& options, const Budget& budget,
                                           FindingPublisher& publisher, Report& report);

/// Whether `run`, the replay of the witness's schedule, shows the failure, race or wait of the witness.
bool showsWeakly(const ReplayRun& run, const WeakWitness& witness);

/// The finding to which the witness's schedule replays. nullopt: it does not replay, as `problem` says.
std::optional<Finding> describeWeakly(const Program& program, FunctionId entry, const WeakWitness& witness,
                                      std::string_view text, const Budget& budget, Problem& problem);

}  // namespace heddle
