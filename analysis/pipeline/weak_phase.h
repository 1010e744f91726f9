// Weak phase: programs that are explored under a weak memory model, and what is said of them.
//
// Under C11 a program whose atomic operations are all sequentially consistent behaves as under sequential
// consistency, or has a data race: then the exploration of the strategy suffices. Others are searched
// execution by execution (explore/weak).
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

/// Explores the program under the memory model of the options where that is not sequentially consistent, as
/// far as that goes; what is found is published. Says in `report.memory` what was done. None: what is
/// sequentially consistent is still to be explored. `explored`: entry, reach and fixed inputs count.
std::optional<SearchResult> searchWeakPart(const Program& program, const ExploreOptions& explored,
                                           const Options& options, const Budget& budget,
                                           FindingPublisher& publisher, Report& report);

/// Whether the replay of its schedule shows what the witness is of.
bool showsWeakly(const ReplayRun& run, const WeakWitness& witness);

/// The finding that a witness replays to. None: it does not, as `problem` says.
std::optional<Finding> describeWeakly(const Program& program, FunctionId entry, const WeakWitness& witness,
                                      std::string_view text, const Budget& budget, Problem& problem);

}  // namespace heddle
