// StoreBuffers: machines whose stores wait in buffers, one for each thread (TSO, x86) or one for each thread
// and location (PSO), or in none (sequential consistency). What buffers leave in order, and what is seen of
// others' writes, have no cycle.
//
// Threading: constant.
#pragma once

#include "analysis/interp/weak/axioms.h"

namespace heddle {

class StoreBuffers : public Axioms {
 public:
  explicit StoreBuffers(Buffers buffers) : buffers_(buffers) {}

  bool isConsistent(const ExecutionGraph& graph) const override;
  bool mayExclude(const ExecutionGraph&, const OpenAccess&) const override { return true; }
  bool coversPlainAccesses() const override { return true; }
  bool honoursSeqCst() const override { return buffers_ == Buffers::None; }  // machines know no such orders
  Buffers buffers() const override { return buffers_; }

 private:
  const Buffers buffers_;
};

}  // namespace heddle
