// Expressions of C over the state of a program that stands still, for watches and conditions.
//
// What it takes: variables in scope, numbers, characters, [] . -> on what they name, * and &, ! ~ + -, casts
// to arithmetic types and to pointers, sizeof, the operators of arithmetic, shifts, comparison, bits and
// logic, ?: and parentheses. Numbers are converted and promoted as C does it for int, unsigned, long and
// unsigned long; floating-point numbers only as operands of comparison and of + - * /. No calls, no
// assignments: a question changes nothing.
//
// Threading: as the execution. Total: every text has an answer or a problem, in a time linear in its length.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "analysis/debug/thread_view.h"

namespace heddle {

struct ExpressionProblem {
  std::string text;  // one line
};

using Evaluated = std::variant<DebugValue, ExpressionProblem>;

/// `frame`: an index in Thread::frames, whose variables are in scope.
Evaluated evaluate(Execution& execution, ThreadId thread, size_t frame, std::string_view text);

/// Whether the value counts as true; nullopt: it is no number.
std::optional<bool> truthOf(const ValueView& values, const DebugValue& value);

}  // namespace heddle
