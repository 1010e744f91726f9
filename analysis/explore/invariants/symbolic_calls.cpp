#include <algorithm>
#include <array>

#include "analysis/explore/invariants/symbolic_stepper.h"
#include "analysis/interp/verifier/input_type.h"

namespace heddle {

namespace {
constexpr ThreadId kMostThreads = 6;
constexpr uint64_t kLargestBlock = uint64_t{1} << 40;
}  // namespace

struct SymbolicStepper::KnownCall {
  std::string_view name;
  Call call;
};

const SymbolicStepper::KnownCall* SymbolicStepper::knownCall(std::string_view name) {
  using S = SymbolicStepper;
  static constexpr std::array kCalls = {
      KnownCall{"__VERIFIER_assume", &S::assumption},
      KnownCall{"assume_abort_if_not", &S::assumption},
      KnownCall{"__CPROVER_assume", &S::assumption},
      KnownCall{"heddle_assume", &S::assumption},
      KnownCall{"__VERIFIER_assert", &S::check},
      KnownCall{"__CPROVER_assert", &S::check},
      KnownCall{"heddle_assert", &S::check},
      KnownCall{"__assert_fail", &S::error},
      KnownCall{"__assert", &S::error},
      KnownCall{"reach_error", &S::error},
      KnownCall{"__VERIFIER_error", &S::error},
      KnownCall{"abort", &S::stopProcess},
      KnownCall{"exit", &S::stopProcess},
      KnownCall{"pthread_create", &S::create},
      KnownCall{"pthread_join", &S::join},
      KnownCall{"pthread_exit", &S::exitThread},
      KnownCall{"pthread_mutex_init", &S::initMutex},
      KnownCall{"pthread_mutex_destroy", &S::initMutex},
      KnownCall{"pthread_mutex_lock", &S::lock},
      KnownCall{"pthread_mutex_unlock", &S::unlock},
      KnownCall{"pthread_cond_init", &S::initCondition},
      KnownCall{"pthread_cond_destroy", &S::initCondition},
      KnownCall{"pthread_cond_wait", &S::wait},
      KnownCall{"pthread_cond_signal", &S::signal},
      KnownCall{"pthread_cond_broadcast", &S::signal},
      KnownCall{"pthread_barrier_init", &S::initBarrier},
      KnownCall{"pthread_barrier_destroy", &S::initBarrier},
      KnownCall{"pthread_barrier_wait", &S::arrive},
      KnownCall{"malloc", &S::allocate},
      KnownCall{"sched_yield", &S::nothing},
      KnownCall{"pthread_yield", &S::nothing},
  };
  const auto at =
      std::find_if(kCalls.begin(), kCalls.end(), [&](const KnownCall& c) { return c.name == name; });
  return at == kCalls.end() ? nullptr : &*at;
}

Term SymbolicStepper::argument(const Walk& walk, const Instruction& in, uint32_t number) {
  const CallArgument& given = program_.arguments[in.b + number];
  const Term held = slot(walk, given.slot);
  return terms_.width(held) > given.width ? terms_.extract(held, 0, given.width) : held;
}

std::optional<uint64_t> SymbolicStepper::constantArgument(const Walk& walk, const Instruction& in,
                                                          uint32_t number, const char* what) {
  const Term held = argument(walk, in, number);
  if (terms_.isConst(held)) return terms_.constValue(held);
  refuse(std::string(what) + " that is not known");
  return std::nullopt;
}

void SymbolicStepper::give(Walk& walk, const Instruction& in, Term result) {
  if (in.width == 0) return;
  const unsigned width = terms_.width(result);
  walk.frame().slots[in.dst] = width > in.width   ? terms_.extract(result, 0, in.width)
                               : width < in.width ? terms_.zext(result, in.width)
                                                  : result;
}

void SymbolicStepper::external(Walk& walk, const Instruction& in) {
  const std::string& name = program_.externals[in.a];
  const uint32_t at = walk.frame().pc;
  if (const KnownCall* known = knownCall(name))
    (this->*known->call)(walk, in);
  else if (inputTypeOf(name))
    input(walk, in);
  else
    return refuse("call of '" + name + "'");
  if (!walk.isOver && walk.frame().pc == at) ++walk.frame().pc;
}

void SymbolicStepper::nothing(Walk& walk, const Instruction& in) {
  give(walk, in, terms_.constant(0, 64));
}

void SymbolicStepper::input(Walk& walk, const Instruction& in) {
  const NamedInputType type = *inputTypeOf(program_.externals[in.a]);
  if (in.width == 0) return;
  const unsigned width = type.width == 0 || type.width > in.width ? in.width : type.width;
  const Term symbol = terms_.symbol(width);
  give(walk, in,
       width == in.width ? symbol
       : type.isSigned   ? terms_.sext(symbol, in.width)
                         : terms_.zext(symbol, in.width));
}

void SymbolicStepper::assumption(Walk& walk, const Instruction& in) {
  const Term held = argument(walk, in, 0);
  const Term fails = terms_.eq(held, terms_.constant(0, terms_.width(held)));
  const bool mayFail = !terms_.isConst(fails) || terms_.constValue(fails) != 0;
  // What others do goes on, as far as nobody asks whether this thread does.
  if (mayFail && walk.path.state.threads.size() > 1) {
    Walk stopped = walk;
    assume(stopped, fails);
    endThread(stopped, StandsAt::Cut);
  }
  assume(walk, terms_.logicalNot(fails));
}

void SymbolicStepper::check(Walk& walk, const Instruction& in) {
  const Term held = argument(walk, in, 0);
  require(walk, terms_.eq(held, terms_.constant(0, terms_.width(held))));
}

void SymbolicStepper::error(Walk& walk, const Instruction&) {
  violations_.push_back(walk.path.when);
  walk.isOver = true;
}

void SymbolicStepper::stopProcess(Walk& walk, const Instruction&) {
  endThread(walk, StandsAt::Cut);
}

void SymbolicStepper::create(Walk& walk, const Instruction& in) {
  SymbolicState& state = walk.path.state;
  const auto created = static_cast<ThreadId>(state.threads.size());
  if (created >= kMostThreads) return refuse("more than 6 threads");
  const std::optional<uint64_t> function = constantArgument(walk, in, 2, "a thread's function");
  if (!function) return;
  const Term to = argument(walk, in, 0), given = argument(walk, in, 3);
  const std::optional<Place> place = resolve(walk, to, 8);
  if (!place) return;
  facts_.record(resourceOf(*place), state, walk.thread, true);
  if (facts_.isContested(resourceOf(*place))) return refuse("a handle that several threads use");
  store(walk, *place, 8, terms_.constant(baseOf(kThreadObjects + created), 64));
  walk.self().children |= uint32_t{1} << created;
  SymbolicThread thread;
  thread.parent = walk.thread;
  thread.joined = walk.self().joined;
  state.threads.push_back(std::move(thread));
  // It goes on to where it first stands once it moves: its first step is its own.
  const ThreadId creator = walk.thread;
  walk.thread = created;
  const auto number = static_cast<FunctionId>((*function >> kObjectBits) - kFunctionObjects);
  if (number >= program_.functions.size()) return refuse("a thread's function that is not known");
  std::vector<Term> arguments(program_.functions[number].parameters, kNoTerm);
  if (!arguments.empty()) arguments.front() = given;
  enterFrame(walk, number, std::move(arguments));
  walk.thread = creator;
  give(walk, in, terms_.constant(0, 64));
}

void SymbolicStepper::join(Walk& walk, const Instruction& in) {
  SymbolicState& state = walk.path.state;
  SymbolicThread& joined = state.threads[walk.self().waitsFor];
  if (joined.wasJoined) return error(walk, in);
  joined.wasJoined = true;
  walk.self().joined |= joined.joined | uint32_t{1} << walk.self().waitsFor;
  const Term to = argument(walk, in, 1);
  if (!terms_.isConst(to) || terms_.constValue(to) != 0) {
    const std::optional<Place> place = resolve(walk, to, 8);
    if (!place) return;
    facts_.record(resourceOf(*place), state, walk.thread, true);
    if (facts_.isContested(resourceOf(*place))) return refuse("a thread's result that several threads use");
    const Term result = joined.result != kNoTerm ? joined.result : terms_.constant(0, 64);
    store(walk, *place, 8, result);
  }
  joined.result = kNoTerm;
  walk.self().waitsFor = kNone;
  give(walk, in, terms_.constant(0, 64));
}

void SymbolicStepper::exitThread(Walk& walk, const Instruction& in) {
  if (walk.thread != 0) walk.self().result = argument(walk, in, 0);
  endThread(walk, StandsAt::Over);
}

void SymbolicStepper::allocate(Walk& walk, const Instruction& in) {
  if (program_.environment.mallocMayFail || program_.environment.checkLeaks)
    return refuse("allocations that may fail, or leaks");
  const Term size = argument(walk, in, 0);
  const Term fits = terms_.binary(TermOp::Ule, size, terms_.constant(kLargestBlock, 64));
  const bool mayFail = !terms_.isConst(fits) || terms_.constValue(fits) == 0;
  if (mayFail) {
    Walk failed = walk;
    assume(failed, terms_.logicalNot(fits));
    give(failed, in, terms_.constant(0, 64));
    ++failed.frame().pc;
    if (!failed.isOver) open_.push_back(std::move(failed));
    assume(walk, fits);
    if (walk.isOver) return;
  }
  const ObjectNumber object = newObject(walk, walk.frame().pc, true);
  walk.path.state.sizes[object] = size;
  give(walk, in, terms_.constant(baseOf(object), 64));
}

}  // namespace heddle
