// Process: what the program under execution has told the system to do for it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/interp/core/thread_state.h"

namespace heddle {

/// What atexit and its relatives registered.
struct ExitHandler {
  uint64_t function = 0, argument = 0;
  bool takesStatus = false;  // the exit status comes before the argument
};

struct Process {
  std::map<uint32_t, uint64_t> keys;           // of thread-specific data: key to destructor
  std::map<uint64_t, Descriptor> descriptors;  // of pipes and the like, by number
  std::vector<ExitHandler> exitHandlers;       // the last is run first
  std::map<uint64_t, std::string> fileNames;   // of streams: what they were opened by
  std::set<std::string> writtenFiles;          // names that the program has opened to write
  std::array<uint64_t, 2> handlerArguments{};  // of the handler that runs
  size_t destructorsRun = 0;
  bool handlesSignals = false;  // a handler of the program was installed
  bool setsVariables = false;   // the program may change the environment: setenv and the like
};

}  // namespace heddle
