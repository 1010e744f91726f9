// TracedBuild: runs a command as the user would, and sees each program that it or its children execute.
//
// The kernel reports it (ptrace: each execution stops until it is continued). So nothing in the command's
// environment changes, absolute paths and static programs are seen as well, and no output is parsed. What the
// processes of the command do is not touched. Exceptions: a program that gets rights by its file (`sudo`)
// does not get them, and what traces processes itself (a debugger, a leak check at the end of a program)
// cannot.
//
// SIGINT, SIGTERM and SIGHUP do not end the caller meanwhile: the command gets the first (from a terminal it
// has it anyway), the second one kills it.
//
// Threading: call from a process with one thread, which is the tracer until it returns. What the command has
// left running in the background is traced until the process ends, so end it soon.
#pragma once

#include <sys/types.h>
#include <functional>
#include <string>
#include <vector>

namespace heddle {

struct Execution {
  pid_t process = 0;
  std::vector<std::string> arguments;  // the program first, as it was called
  std::string directory;               // absolute
};

struct BuildWatch {
  /// The process waits meanwhile, so files that it has made are there.
  std::function<void(const Execution&)> executed;
  std::function<void(pid_t)> ended;
};

struct BuildEnd {
  int code = 0;         // of the command; 128 and the signal where one ended it
  std::string problem;  // why it could not be started or traced, in one line; empty: it ran
};

/// `command`: at least its program, which is looked for in PATH. Standard streams are the caller's.
BuildEnd runTraced(const std::vector<std::string>& command, const BuildWatch& watch);

/// The process that started this one; 0: unknown.
pid_t parentOf(pid_t process);

}  // namespace heddle
