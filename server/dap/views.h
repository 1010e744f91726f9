// What a client has been shown while the program stands still: frames and variables by number. All numbers
// become invalid when the program goes on.
//
// Threading: one thread.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analysis/debug/expression.h"
#include "protocol/dap.h"
#include "server/dap/target.h"

namespace heddle::dap {

inline int64_t idOf(ThreadId thread) {
  return static_cast<int64_t>(thread) + 1;
}

class Views {
 public:
  explicit Views(const Target& target) : target_(target) {}
  void forget();

  json threads(Execution& state) const;
  json stackTrace(Execution& state, const StackTraceArguments& arguments);
  /// Null: there is no such frame.
  json scopes(int64_t frameId);
  /// nullopt: there is no such number.
  std::optional<json> variables(Execution& state, const VariablesArguments& arguments);

  struct FrameId {
    ThreadId thread = kNone;
    size_t index = 0;
  };
  std::optional<FrameId> frame(int64_t frameId) const;
  /// The body of `evaluate`, or a problem.
  std::variant<json, std::string> evaluated(Execution& state, FrameId frame, const std::string& expression);
  /// The body of `dataBreakpointInfo`.
  json dataInfo(Execution& state, const DataBreakpointInfoArguments& arguments,
                std::optional<FrameId> otherwise);

  Source sourceOf(const SourcePlace& place) const;

 private:
  enum class Scope : uint8_t { Locals, Globals, Locks, Inputs };
  struct ScopeOf {
    Scope scope = Scope::Locals;
    FrameId frame;
  };
  struct Inside {
    DebugValue value;
    std::string path;  // an expression for it
  };
  using Reference = std::variant<ScopeOf, Inside>;

  Variable shown(const ValueView& values, const std::string& name, const DebugValue& value,
                 const std::string& path);
  json scopeVariables(Execution& state, const ScopeOf& scope);
  bool isInHarness(const SourcePlace& place) const;

  const Target& target_;
  std::vector<FrameId> frames_;        // by id - 1
  std::vector<Reference> references_;  // by number - 1
};

}  // namespace heddle::dap
