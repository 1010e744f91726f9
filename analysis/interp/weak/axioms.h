// Axioms: what one memory model says of executions. The graph itself ensures, as it grows, that each location
// is coherent, that updates are atomic, and that program order and reads-from have no cycle. The model says
// the rest. A new model is a class of its own and a row in axioms.cpp.
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
  /// Whether the access may make the graph inconsistent if it does not read the latest write, or does not
  /// become the latest write. False saves the check.
  virtual bool mayExclude(const ExecutionGraph& graph, const OpenAccess& access) const = 0;
  /// Whether all accesses of the program have choices: such a model is about what the machine does. Otherwise
  /// only atomic accesses have choices, and plain memory is as the latest write left it: a thread that could
  /// see another value races with that write.
  virtual bool coversPlainAccesses() const = 0;
  /// Whether a program without races whose atomic operations are all sequentially consistent has sequentially
  /// consistent executions only.
  virtual bool honoursSeqCst() const = 0;
  /// Which of a thread's stores leave for memory in program order: their buffers.
  enum class Buffers : uint8_t { None, OnePerThread, OnePerLocation };
  virtual Buffers buffers() const { return Buffers::None; }

  /// The axioms of a kind. They live as long as the process.
  static const Axioms& of(MemoryModelKind kind);
};

}  // namespace heddle
