// The axioms of memory models that order whole executions. That each location is coherent, that updates are
// atomic, and that program order and reads-from have no cycle, the graph sees to as it grows.
//
// Threading: a pure function.
#pragma once

#include "analysis/interp/weak/execution_graph.h"

namespace heddle {

/// C11: the partial order of what is sequentially consistent (psc, with fences) has no cycle. Others: what
/// buffers leave in order, and what is seen of others' writes, have none.
bool isConsistent(const ExecutionGraph& graph);

}  // namespace heddle
