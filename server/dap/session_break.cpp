// Breakpoints of a session.
#include "server/dap/arguments.h"
#include "server/dap/session.h"

namespace heddle::dap {

namespace {

json listOf(const std::vector<Breakpoint>& breakpoints) {
  json list = json::array();
  for (const Breakpoint& breakpoint : breakpoints) list.push_back(json(breakpoint));
  return {{"breakpoints", std::move(list)}};
}

}  // namespace

Answer DebugSession::setBreakpoints(const Request& request) {
  HEDDLE_DAP_ARGUMENTS(SetBreakpointsArguments, arguments);
  if (!arguments.source.path) return "breakpoints need the path of their file";
  std::vector<Breakpoint> set = breakpoints_.setLines(*target_.travel, arguments);
  breakpoints_.find(*target_.travel);
  return listOf(set);
}

Answer DebugSession::setFunctionBreakpoints(const Request& request) {
  HEDDLE_DAP_ARGUMENTS(SetFunctionBreakpointsArguments, arguments);
  std::vector<Breakpoint> set = breakpoints_.setFunctions(*target_.travel, arguments);
  breakpoints_.find(*target_.travel);
  return listOf(set);
}

Answer DebugSession::setDataBreakpoints(const Request& request) {
  HEDDLE_DAP_ARGUMENTS(SetDataBreakpointsArguments, arguments);
  std::vector<Breakpoint> set = breakpoints_.setData(*target_.travel, arguments);
  breakpoints_.find(*target_.travel);
  return listOf(set);
}

Answer DebugSession::setExceptionBreakpoints(const Request& request) {
  HEDDLE_DAP_ARGUMENTS(SetExceptionBreakpointsArguments, arguments);
  breakpoints_.setExceptions(arguments.filters);
  breakpoints_.find(*target_.travel);
  return json();
}

Answer DebugSession::dataBreakpointInfo(const Request& request) {
  HEDDLE_DAP_ARGUMENTS(DataBreakpointInfoArguments, arguments);
  Execution& here = state();
  const Thread* thread = here.thread(threadHere());
  std::optional<Views::FrameId> innermost;
  if (thread && !thread->frames.empty()) innermost = Views::FrameId{thread->id, thread->frames.size() - 1};
  return views_.dataInfo(here, arguments, innermost);
}

}  // namespace heddle::dap
