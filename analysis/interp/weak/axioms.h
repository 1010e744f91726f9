// Axioms: what one memory model says of executions. That each location is coherent, that updates are atomic,
// and that program order and reads-from have no cycle, the graph sees to as it grows; the rest is the
// model's. A new model is a class of its own and a row in axioms.cpp.
//
// Threading: constants.
#pragma once

#include "analysis/model/memory_order.h"

namespace heddle {

class ExecutionGraph;
struct OpenAccess;

class Axioms {
 public:
  virtual ~Axioms() = default;

  /// The execution is one that the model allows.
  virtual bool isConsistent(const ExecutionGraph& graph) const = 0;
  /// Whether an access that reads, or is followed by, what is not the latest may make it inconsistent. False
  /// spares the question.
  virtual bool mayExclude(const ExecutionGraph& graph, const OpenAccess& access) const = 0;
  /// Whether all accesses of the program have choices: such a model is about what the machine does. Else
  /// atomic ones have, and plain memory is as the latest write left it, since who may see another value races
  /// with it.
  virtual bool coversPlainAccesses() const = 0;
  /// Whether a program without races whose atomic operations are all sequentially consistent has sequentially
  /// consistent executions only.
  virtual bool honoursSeqCst() const = 0;
  /// Which of a thread's stores leave for memory in program order: their buffers.
  enum class Buffers : uint8_t { None, OnePerThread, OnePerLocation };
  virtual Buffers buffers() const { return Buffers::None; }

  /// Of a kind; lives as long as the process.
  static const Axioms& of(MemoryModelKind kind);
};

}  // namespace heddle
