// Crash guard: runs a piece of Clang so that its crash is a value and not the end of the host.
//
// The work runs on a new thread with a stack of 64 MiB (deep nesting in a source file is recursion in Clang)
// under LLVM's crash recovery: SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL and SIGTRAP on that thread end the
// work by a jump out of it.
//
// Signal handlers: they belong to the process, so they are installed when the first guarded work starts and
// the host's own are restored when the last one in flight ends. A signal on any other thread meanwhile
// restores the host's handlers and is raised again, so the host dies (or handles it) as it would without us.
// The handlers run on an alternate stack, which makes a stack overflow recoverable. A host must not change
// its handlers of these signals while work is in flight.
//
// After an outcome other than Done everything the work had reached must be taken as lost: its memory leaks,
// its locks stay held, and work that did not end by itself may still be running. So the work must own or
// share all that it refers to.
//
// Threading: any number of threads at once.
#pragma once

#include <chrono>
#include <functional>

namespace heddle {

enum class GuardOutcome { Done, Crashed, TimedOut, NoThread };

/// Runs `work` and waits for its end, but not longer than `limit`: then the thread is left to itself (the
/// last resort against a hang, such as a lock of LLVM that an earlier crash left held).
GuardOutcome runGuarded(std::function<void()> work, std::chrono::milliseconds limit);

/// Called by guarded work: ends it as TimedOut. Only where no lock is held; does nothing outside of guarded
/// work.
void abandonGuardedWork();

}  // namespace heddle
