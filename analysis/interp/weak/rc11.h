// Rc11: C11 as repaired (RC11, Lahav et al., PLDI 2017): the partial order of what is sequentially consistent
// (psc, with fences) has no cycle.
//
// Threading: constant.
#pragma once

#include "analysis/interp/weak/axioms.h"

namespace heddle {

class Rc11 : public Axioms {
 public:
  bool isConsistent(const ExecutionGraph& graph) const override;
  /// Only what is sequentially consistent, or behind such a fence, is in psc.
  bool mayExclude(const ExecutionGraph& graph, const OpenAccess& access) const override;
  bool coversPlainAccesses() const override { return false; }
  bool honoursSeqCst() const override { return true; }  // DRF-SC
};

}  // namespace heddle
