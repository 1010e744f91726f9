// Explanation: makes from cores the sentences in the program's terms, the name of the pattern, and the
// steps of the failing execution that matter.
//
// Patterns: an atomicity violation is one of the four unserializable triples of accesses to one variable
// (read-write-read, write-write-read, read-write-write, write-read-write; Lu et al., "AVIO", 2006), or the
// same over several variables; an order violation is a core whose orderings all lead from some threads to
// others and none back.
//
// Threading: as the runner.
#pragma once

#include <vector>

#include "analysis/diagnose/diagnosis.h"
#include "analysis/diagnose/source_access.h"

namespace heddle {

struct ExplainedFailure {
  const RecordedExecution& execution;
  const std::vector<NodeId>& nodes;  // see FailingExecution
  DiagnosisSubject::Kind kind;
  const std::vector<Core>& cores;
};

/// Fills claim, pattern, facts and steps.
void explainFailure(const SourceView& view, const SourceEvents& events, const ExplainedFailure& failure,
                    Finding& finding);

/// The orderings as facts, in the terms of `execution`.
std::vector<OrderingFact> describeOrderings(const SourceView& view, const SourceEvents& events,
                                            const RecordedExecution& execution,
                                            const std::vector<Ordering>& orderings);

}  // namespace heddle
