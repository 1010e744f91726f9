// The environment of the process: options, limits, signals.
#include <utility>

#include "analysis/interp/core/call.h"
#include "analysis/interp/core/errno_value.h"

namespace heddle {

namespace system_calls {
namespace {

/// A number that the system gives; nothing of the program is touched.
void number(Call& call) {
  call.returnsInput();
}

/// Processes and threads are numbered from 1.
void identity(Call& call) {
  number(call);
  ModelContext& e = call.context;
  const unsigned width = call.resultWidth ? call.resultWidth : 32;
  const Value fits = binaryValue(e.terms, TermOp::Slt, {0}, call.result, width);
  if (!e.branch(call.thread, fits, BranchRole::Assume, -1)) e.stop(call.thread);
}

/// Calls whose effect nobody in the program can see.
void nothing(Call& call) {
  call.returns(0);
}

/// getopt finds no option: there are no arguments, or it is assumed.
Task<> option(Call& call) {
  const Value count = call.argument(0);
  if (count.term != kNoTerm) {
    call.context.assume(call.context.place(call.thread), "no argument of the program is an option");
  } else if (count.bits > 1) {
    call.context.unsupported(call.thread, "getopt with arguments");
    co_return;
  }
  call.returns(widthMask(32));
}

/// Sets of signals are numbers that only signal functions read.
Task<> signalSet(Call& call) {
  const bool full = call.name == "sigfillset";
  constexpr uint64_t size = 128;
  if (call.name == "sigemptyset" || full) {
    Target to;
    if (!co_await call.resolve(call.argument(0), size, true, to)) co_return;
    Call::Chunks chunks(size / 8, {8, {full ? ~0ull : 0}});
    co_await call.writeBlock(to, std::move(chunks));
    co_return call.returns(0);
  }
  // sigaddset, sigdelset, sigismember: one bit of it.
  const uint64_t signal = call.number(1) - 1;
  if (signal >= 64) {
    call.setErrno(22);
    co_return call.returns(widthMask(32));
  }
  Target word;
  const Value address =
      binaryValue(call.context.terms, TermOp::Add, call.argument(0), {signal / 8}, call.pointerBits());
  const bool asks = call.name == "sigismember";
  if (!co_await call.resolve(address, 1, !asks, word)) co_return;
  const Value old = call.context.settled(call.thread, co_await call.load(word, 1));
  const uint64_t bit = 1u << signal % 8;
  if (asks) co_return call.returns((old.bits & bit) != 0);
  co_await call.store(word, 1, {call.name == "sigaddset" ? old.bits | bit : old.bits & ~bit});
  call.returns(0);
}

/// The least value that POSIX lets sysconf give for what is asked (_SC_*), beside -1: there is no limit.
uint64_t leastLimit(uint64_t what) {
  constexpr std::pair<uint64_t, uint64_t> kLeast[] = {
      {0, 4'096},             // ARG_MAX
      {1, 25},                // CHILD_MAX
      {2, 1},                 // CLK_TCK
      {3, 8},                 // NGROUPS_MAX
      {4, 20},                // OPEN_MAX
      {5, 8},                 // STREAM_MAX
      {6, 6},                 // TZNAME_MAX
      {26, 32},               // SEM_NSEMS_MAX
      {27, 32'767},           // SEM_VALUE_MAX
      {43, 2'048},            // LINE_MAX
      {60, 16},               // IOV_MAX
      {69, 1},      {70, 1},  // GETGR_R_SIZE_MAX, GETPW_R_SIZE_MAX
      {71, 9},                // LOGIN_NAME_MAX
      {72, 9},                // TTY_NAME_MAX
      {73, 4},                // THREAD_DESTRUCTOR_ITERATIONS
      {74, 128},              // THREAD_KEYS_MAX
      {76, 64},               // THREAD_THREADS_MAX
      {85, 1},                // PHYS_PAGES
      {173, 8},               // SYMLOOP_MAX
      {180, 255},             // HOST_NAME_MAX
  };
  for (const auto& [name, least] : kLeast)
    if (name == what) return least;
  return 0;
}

void otherLimit(Call& call, uint64_t what) {
  ModelContext& e = call.context;
  number(call);
  const unsigned width = call.resultWidth ? call.resultWidth : 32;
  const Value isNone = binaryValue(e.terms, TermOp::Eq, call.result, {widthMask(width)}, width);
  const Value isEnough = binaryValue(e.terms, TermOp::Sle, {leastLimit(what)}, call.result, width);
  const Value isLimit = binaryValue(e.terms, TermOp::Or, isNone, isEnough, 1);
  if (!e.branch(call.thread, isLimit, BranchRole::Assume, -1)) e.stop(call.thread);
}

/// Limits of the system: what they are on Linux, where programs size their memory by them.
void limit(Call& call) {
  constexpr uint64_t kPageSize = 30, kProcessors = 83, kProcessorsOnline = 84;  // _SC_*
  const uint64_t what = call.name.ends_with("sysconf") ? call.number(0)
                        : call.name == "getpagesize"   ? kPageSize
                                                       : kProcessors;
  const unsigned width = call.resultWidth ? call.resultWidth : 32;
  ModelContext& e = call.context;
  if (what == kPageSize) {
    e.assume(e.place(call.thread), "a page has 4096 bytes");
    return call.returns(4096);
  }
  if (what != kProcessors && what != kProcessorsOnline) return otherLimit(call, what);
  constexpr unsigned kBits = 6;
  e.assume(e.place(call.thread), "there are 1 to 64 processors");
  const Value less = call.input(kBits, false, width, "processors - 1");
  call.returns(binaryValue(e.terms, TermOp::Add, less, {1}, width), width);
}

/// No signal does anything as long as none arrives.
void mask(Call& call) {
  ModelContext& e = call.context;
  if (e.program.environment.signals != Signals::Threads) e.assume(e.place(call.thread), "no signal arrives");
  call.returns(0);
}

/// A handler may run at any point of any thread; that is not explored. On request it never runs. But a thread
/// may wait for what it would do: that is no deadlock.
void install(Call& call, uint64_t handler) {
  constexpr uint64_t kIgnore = 1;  // SIG_IGN; SIG_DFL is 0
  ModelContext& e = call.context;
  if (handler > kIgnore) {
    if (e.program.environment.signals == Signals::Refused) {
      return e.unsupported(call.thread,
                           "a signal handler, installed by '" + call.name +
                               "'; without --refuse-signals (with the setting signals: none) the "
                               "program is explored as if no signal arrived");
    }
    e.process.handlesSignals = true;
    e.result.bounds.insert({BoundKind::HandlerWaits, e.place(call.thread)});
  }
  mask(call);
}

void disposition(Call& call) {
  install(call, call.number(1));
}

/// struct sigaction begins with the handler. What was set before is said to be the default.
Task<> action(Call& call) {
  const unsigned pointer = call.pointerBits() / 8;
  uint64_t handler = 0;
  if (call.number(1) != 0) {
    Target from;
    if (!co_await call.resolve(call.argument(1), pointer, false, from)) co_return;
    handler = call.context.settled(call.thread, co_await call.load(from, pointer)).bits;
  }
  if (call.number(2) != 0) {
    const uint64_t size = pointer == 8 ? 152 : 140;
    Target to;
    if (!co_await call.resolve(call.argument(2), size, true, to)) co_return;
    Call::Chunks chunks(size / 4, {4, {0}});
    co_await call.writeBlock(to, std::move(chunks));
  }
  install(call, handler);
}

void refused(Call& call) {
  call.context.unsupported(call.thread, "call of '" + call.name + "'");
}

/// A signal that is sent arrives no more than others: what it would end, it may end. 0, or that fails.
void send(Call& call) {
  constexpr uint64_t kNoSignal = 0;  // it only asks whether there is such a process or thread
  ModelContext& e = call.context;
  if (call.number(1) != kNoSignal) {
    if (e.program.environment.signals == Signals::Refused) return refused(call);
    e.process.handlesSignals = true;
    e.result.bounds.insert({BoundKind::HandlerWaits, e.place(call.thread)});
    mask(call);
  }
  const bool isOfThread = call.name.starts_with("pthread_");
  if (call.succeeds()) return call.returns(0);
  if (!isOfThread) call.setErrno(errno_value::kNoSuchThread);
  call.returns(isOfThread ? errno_value::kNoSuchThread : widthMask(32));
}

/// -1, or the number of another process, as the one that calls it sees it.
void fork(Call& call) {
  ModelContext& e = call.context;
  e.assume(e.place(call.thread), "what the child of '" + call.name + "' does is left out");
  call.returns(widthMask(32));
  if (!call.succeeds()) return call.setErrno(errno_value::kAgain);
  identity(call);
}

/// What a command of the shell comes to.
Task<> runCommand(Call& call) {
  ModelContext& e = call.context;
  if (call.argument(0).bits != 0 && !co_await call.readString(call.argument(0))) co_return;
  e.assume(e.place(call.thread), "what '" + call.name + "' runs changes nothing that the program can see");
  number(call);
}

/// dup and its kin, of what is no channel between threads: -1, or a descriptor.
void copyDescriptor(Call& call) {
  ModelContext& e = call.context;
  const auto isChannel = [&](size_t i) {
    return i < call.arguments.size() && e.process.descriptors.contains(call.number(i) & widthMask(32));
  };
  if (isChannel(0) || (call.name != "dup" && isChannel(1)))
    return e.unsupported(call.thread, "'" + call.name + "' of a pipe or the like");
  call.returns(widthMask(32));
  if (!call.succeeds()) return call.setErrno(errno_value::kBadDescriptor);
  if (call.name == "dup")
    call.returns(3 + call.thread.sites[call.thread.pc]++);
  else
    call.returns(call.number(1));
}

constexpr ModelledCall kModels[] = {
    {"sysconf", limit, nullptr},
    {"__sysconf", limit, nullptr},
    {"getpagesize", limit, nullptr},
    {"get_nprocs_conf", limit, nullptr},
    {"getpid", identity, nullptr},
    {"getppid", number, nullptr},
    {"gettid", identity, nullptr},
    {"getuid", number, nullptr},
    {"geteuid", number, nullptr},
    {"getgid", number, nullptr},
    {"getegid", number, nullptr},
    {"isatty", number, nullptr},
    {"get_nprocs", limit, nullptr},
    {"sched_getcpu", number, nullptr},
    {"alarm", mask, nullptr},
    {"getopt", nullptr, option},
    {"getopt_long", nullptr, option},
    {"setlocale", nothing, nullptr},
    {"sigemptyset", nullptr, signalSet},
    {"sigfillset", nullptr, signalSet},
    {"sigaddset", nullptr, signalSet},
    {"sigdelset", nullptr, signalSet},
    {"sigismember", nullptr, signalSet},
    {"sigprocmask", mask, nullptr},
    {"pthread_sigmask", mask, nullptr},
    {"siginterrupt", mask, nullptr},
    {"signal", disposition, nullptr},
    {"sigaction", nullptr, action},
    {"__sysv_signal", disposition, nullptr},
    {"bsd_signal", disposition, nullptr},
    {"sigset", disposition, nullptr},
    {"raise", refused, nullptr},
    {"kill", send, nullptr},
    {"killpg", send, nullptr},
    {"pthread_kill", send, nullptr},
    {"fork", fork, nullptr},
    {"vfork", fork, nullptr},
    {"system", nullptr, runCommand},
    {"dup", copyDescriptor, nullptr},
    {"dup2", copyDescriptor, nullptr},
    {"dup3", copyDescriptor, nullptr},
};

}  // namespace
}  // namespace system_calls

std::span<const ModelledCall> systemModels() {
  return system_calls::kModels;
}

}  // namespace heddle
