// EventTexts: what the trace says of an event.
//
// Threading: as the run.
#pragma once

#include "analysis/interp/core/execution_part.h"

namespace heddle {

class EventTexts : public ExecutionPart {
 public:
  explicit EventTexts(Execution& run) : ExecutionPart(run) {}

  void describe(Thread& t, const std::string& text);  // the trace entry of the event being executed
  void retitle(const Thread& t, EventKind kind);      // of that entry
  bool isHidden(const Event& event) const;            // see TraceEntry
  /// "x = 3".
  std::string printed(const Thread& t, const Target& target, unsigned size, const Value& value) const;

 private:
  /// The value as its type prints it. `type`: null if it is not known.
  std::string valueText(const TypeNode* type, unsigned size, uint64_t bits) const;
};

}  // namespace heddle
