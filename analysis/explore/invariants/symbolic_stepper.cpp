#include "analysis/explore/invariants/symbolic_stepper.h"

#include <algorithm>

#include "analysis/program/liveness.h"

namespace heddle {

namespace {

constexpr uint32_t kMostRounds = 64;  // of loops whose numbers are known, in one step
constexpr size_t kMostPaths = 2'000;  // of one step
constexpr size_t kMostFrames = 12;

/// A value that nothing has written; it may be carried, and never used.
constexpr Term kNothing = kUndefined;

}  // namespace

Value SymbolicStepper::value(Term term) const {
  // The concrete part is that of one assignment, the same for all.
  if (terms_.isConst(term)) return {terms_.constValue(term), kNoTerm};
  return {terms_.evaluate(term, {}), term};
}

Term SymbolicStepper::slot(const Walk& walk, uint32_t number) {
  const Term held = number < walk.frame().slots.size() ? walk.frame().slots[number] : kNoTerm;
  if (held != kNoTerm && held != kNothing) return held;
  refuse("a value that nothing has written is used");
  return terms_.constant(0, 64);
}

void SymbolicStepper::set(Walk& walk, uint32_t number, const Value& value, unsigned width) {
  walk.frame().slots[number] = termOf(terms_, value, width);
}

const std::vector<uint32_t>& SymbolicStepper::liveAt(FunctionId function, uint32_t pc) {
  const Function& f = program_.functions[function];
  const auto [at, isNew] = live_.try_emplace(function);
  if (isNew) at->second = liveBefore(program_, f);
  return at->second[pc - f.entry];
}

SymbolicPath SymbolicStepper::start(FunctionId entry) {
  Walk walk;
  walk.path.state.threads.emplace_back();
  walk.thread = 0;
  for (const auto& [address, cell] : facts_.cells()) walk.path.state.cells.emplace(address, cell);
  for (const Parameter& parameter : program_.functions[entry].parameterTypes)
    if (parameter.isUsed) refuse("main looks at its arguments");
  if (program_.globals.size() + 1 >= kFunctionObjects ||
      program_.functions.size() >= kThreadObjects - kFunctionObjects)
    refuse("a large program");
  enterFrame(walk, entry, {});
  return std::move(walk.path);
}

void SymbolicStepper::enterFrame(Walk& walk, FunctionId function, std::vector<Term> arguments) {
  const Function& f = program_.functions[function];
  if (!f.defined || f.isVarArg || f.isAtomic) return refuse("call of '" + f.name + "'");
  if (walk.self().frames.size() >= kMostFrames) return refuse("calls are nested deeply");
  SymbolicFrame frame;
  frame.function = function;
  frame.pc = f.entry;
  frame.slots = std::move(arguments);
  frame.slots.resize(f.slots, kNoTerm);
  for (size_t i = 0; i < f.constants.size(); ++i)
    frame.slots[f.parameters + i] =
        i < f.undefined.size() && f.undefined[i] ? kNothing : terms_.constant(f.constants[i], 64);
  for (const Relocation& relocation : f.relocations) {
    const uint64_t number = f.parameters + relocation.offset;
    const uint64_t addend = f.constants[relocation.offset];
    frame.slots[number] = terms_.constant(addressOf(relocation) + addend, 64);
  }
  walk.self().frames.push_back(std::move(frame));
}

void SymbolicStepper::step(const SymbolicPath& from, ThreadId thread, std::vector<SymbolicPath>& out) {
  Walk walk;
  walk.path = from;
  walk.thread = thread;
  const StandsAt at = from.state.threads[thread].at;
  walk.isFirst = at == StandsAt::Step || at == StandsAt::Join;
  if (at == StandsAt::Wait || at == StandsAt::Woken) takeAgain(walk);
  runAll(std::move(walk), out);
}

void SymbolicStepper::pass(const SymbolicPath& from, ThreadId thread, bool isSerial,
                           std::vector<SymbolicPath>& out) {
  Walk walk;
  walk.path = from;
  walk.thread = thread;
  walk.self().at = StandsAt::Head;
  walk.self().waitsAt = 0;
  // PTHREAD_BARRIER_SERIAL_THREAD is -1.
  give(walk, program_.code[walk.frame().pc], terms_.constant(isSerial ? ~uint64_t{0} : 0, 64));
  ++walk.frame().pc;
  runAll(std::move(walk), out);
}

void SymbolicStepper::runAll(Walk walk, std::vector<SymbolicPath>& out) {
  out_ = &out;
  open_.push_back(std::move(walk));
  for (size_t paths = 0; !open_.empty(); ++paths) {
    if (paths == kMostPaths) refuse("a step has too many ways");
    Walk next = std::move(open_.back());
    open_.pop_back();
    if (problem_.empty()) run(std::move(next));
  }
}

void SymbolicStepper::run(Walk walk) {
  while (problem_.empty() && !walk.isOver) {
    const Instruction& in = program_.code[walk.frame().pc];
    if (!walk.isFirst && isInterleaved(walk, in)) return standAt(walk, StandsAt::Step);
    if (walk.isOver || !problem_.empty()) return;
    walk.isFirst = false;
    execute(walk, in);
  }
}

void SymbolicStepper::finish(Walk& walk) {
  // What nobody reads any more is no part of the state.
  for (size_t depth = 0; depth < walk.self().frames.size(); ++depth) {
    SymbolicFrame& frame = walk.self().frames[depth];
    const Function& f = program_.functions[frame.function];
    const bool isTop = depth + 1 == walk.self().frames.size();
    const std::vector<uint32_t>* live = nullptr;
    if (isTop) {
      live = &liveAt(frame.function, frame.pc);
    } else {
      const auto after = program_.afterCall.find(frame.pc);
      if (after != program_.afterCall.end()) live = &after->second.live;
    }
    for (uint32_t number = 0; live && number < frame.slots.size(); ++number) {
      const bool isConstant = number >= f.parameters && number < f.parameters + f.constants.size();
      if (!isConstant && !std::binary_search(live->begin(), live->end(), number))
        frame.slots[number] = kNoTerm;
    }
  }
  out_->push_back(std::move(walk.path));
  walk.isOver = true;
}

void SymbolicStepper::standAt(Walk& walk, StandsAt at) {
  walk.self().at = at;
  finish(walk);
}

void SymbolicStepper::endThread(Walk& walk, StandsAt at) {
  SymbolicThread& self = walk.self();
  self.frames.clear();
  std::erase_if(walk.path.state.sizes, [&](const auto& entry) {
    const Block& block = blocks_.at(entry.first);
    return !block.isHeap && block.thread == walk.thread;
  });
  if (at == StandsAt::Cut) walk.path.state.isProcessOver = true;
  standAt(walk, at);
}

void SymbolicStepper::fork(Walk& walk, Term condition, uint32_t otherwise) {
  if (terms_.isConst(condition)) {
    if (terms_.constValue(condition) == 0) walk.frame().pc = otherwise;
    return;
  }
  Walk other = walk;
  other.frame().pc = otherwise;
  other.path.when.push_back(terms_.logicalNot(condition));
  open_.push_back(std::move(other));
  walk.path.when.push_back(condition);
}

void SymbolicStepper::require(Walk& walk, Term violated) {
  if (terms_.isConst(violated) && terms_.constValue(violated) == 0) return;
  violations_.push_back(walk.path.when);
  violations_.back().push_back(violated);
  assume(walk, terms_.logicalNot(violated));
}

void SymbolicStepper::execute(Walk& walk, const Instruction& in) {
  switch (in.op) {
    case Opcode::Load:
    case Opcode::Store:
    case Opcode::AtomicRmw:
    case Opcode::CompareExchange:
    case Opcode::Alloca:
      return memory(walk, in);
    case Opcode::MergePoint:
    case Opcode::Statement:
    case Opcode::Fence:
      ++walk.frame().pc;
      return;
    case Opcode::Jump:
    case Opcode::JumpBack:
    case Opcode::Branch:
    case Opcode::Switch:
    case Opcode::Return:
    case Opcode::Unreachable:
    case Opcode::Call:
    case Opcode::CallIndirect:
      return control(walk, in);
    case Opcode::CallExternal:
      return external(walk, in);
    case Opcode::ThreadLocal:
    case Opcode::Float:
    case Opcode::FloatCompare:
    case Opcode::Wide:
    case Opcode::LongFloat:
    case Opcode::LongCompare:
    case Opcode::Unsupported:
      return refuse("an instruction that is not known here");
    default:
      compute(walk, in);
      ++walk.frame().pc;
  }
}

void SymbolicStepper::compute(Walk& walk, const Instruction& in) {
  if (in.op == Opcode::Move) {
    walk.frame().slots[in.dst] = walk.frame().slots[in.a];  // a constant keeps its 64 bits
    return;
  }
  if (in.op == Opcode::Freeze) {
    const Term held = walk.frame().slots[in.a];
    walk.frame().slots[in.dst] = held == kNothing || held == kNoTerm ? terms_.symbol(in.width) : held;
    return;
  }
  const unsigned width = in.width;
  const auto narrowed = [&](uint32_t number, unsigned to) {
    const Term held = slot(walk, number);
    return value(terms_.width(held) > to   ? terms_.extract(held, 0, to)
                 : terms_.width(held) < to ? terms_.zext(held, to)
                                           : held);
  };
  const Value a = narrowed(in.a, in.op == Opcode::Trunc ? terms_.width(slot(walk, in.a))
                                 : in.op == Opcode::ZExt || in.op == Opcode::SExt ? in.aux
                                 : in.op == Opcode::Select                        ? 1u
                                                                                  : width);
  switch (in.op) {
    case Opcode::ZExt:
      return set(walk, in.dst, zeroExtended(terms_, a, in.aux, width), width);
    case Opcode::SExt:
      return set(walk, in.dst, signExtended(terms_, a, in.aux, width), width);
    case Opcode::Trunc:
      return set(walk, in.dst, truncated(terms_, a, width), width);
    case Opcode::Select:
      return set(walk, in.dst, selected(terms_, a, narrowed(in.b, width), narrowed(in.c, width), width),
                 width);
    case Opcode::AddImm: {
      const auto by = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(in.c)));
      return set(walk, in.dst, binaryValue(terms_, TermOp::Add, a, {by & widthMask(width)}, width), width);
    }
    case Opcode::ScaleAdd: {
      const auto by = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(in.c)));
      const Value index = signExtended(terms_, narrowed(in.b, in.aux), in.aux, width);
      const Value scaled = binaryValue(terms_, TermOp::Mul, index, {by & widthMask(width)}, width);
      return set(walk, in.dst, binaryValue(terms_, TermOp::Add, a, scaled, width), width);
    }
    case Opcode::Integer: {
      Value overflow;
      const Value result = integerValue(terms_, static_cast<IntegerOp>(in.aux), a, narrowed(in.b, width),
                                        narrowed(in.c, width), width, overflow);
      set(walk, in.dst, result, width);
      if (in.aux >= static_cast<uint8_t>(IntegerOp::SAddOverflow) &&
          in.aux <= static_cast<uint8_t>(IntegerOp::UMulOverflow))
        set(walk, in.dst + 1, overflow, 1);
      return;
    }
    default:
      break;
  }
  // Comparisons have the width of what they compare.
  const Value b = narrowed(in.b, width);
  switch (in.op) {
    case Opcode::Ne:
      return set(walk, in.dst, notEqual(terms_, a, b, width), 1);
    case Opcode::UDiv:
    case Opcode::SDiv:
    case Opcode::URem:
    case Opcode::SRem: {
      const Term by = termOf(terms_, b, width), zero = terms_.constant(0, width);
      require(walk, terms_.eq(by, zero));
      const uint64_t least = uint64_t{1} << (width - 1);
      if (in.op == Opcode::SDiv || in.op == Opcode::SRem)
        require(walk, terms_.binary(TermOp::And, terms_.eq(by, terms_.constant(widthMask(width), width)),
                                    terms_.eq(termOf(terms_, a, width), terms_.constant(least, width))));
      const bool isPower = b.term == kNoTerm && b.bits != 0 && (b.bits & (b.bits - 1)) == 0;
      if (isPower && in.op == Opcode::URem)
        return set(walk, in.dst, binaryValue(terms_, TermOp::And, a, {b.bits - 1}, width), width);
      if (isPower && in.op == Opcode::UDiv)
        return set(
            walk, in.dst,
            binaryValue(terms_, TermOp::LShr, a, {static_cast<uint64_t>(__builtin_ctzll(b.bits))}, width),
            width);
      break;
    }
    case Opcode::Shl:
    case Opcode::LShr:
    case Opcode::AShr:
      require(walk, terms_.binary(TermOp::Ule, terms_.constant(width, width), termOf(terms_, b, width)));
      break;
    default:
      break;
  }
  // The operations of two operands stand in one order in both lists.
  const auto op = static_cast<TermOp>(static_cast<int>(TermOp::Add) + static_cast<int>(in.op) -
                                      static_cast<int>(Opcode::Add));
  const bool isComparison = in.op >= Opcode::Eq && in.op <= Opcode::Sle;
  set(walk, in.dst, binaryValue(terms_, op, a, b, width), isComparison ? 1 : width);
}

void SymbolicStepper::control(Walk& walk, const Instruction& in) {
  SymbolicFrame& frame = walk.frame();
  switch (in.op) {
    case Opcode::Jump:
      frame.pc = in.a;
      return;
    case Opcode::JumpBack: {
      const bool isCounted = in.c != kNone && frame.slots[in.c] != kNoTerm && frame.slots[in.c] != kNothing &&
                             terms_.isConst(frame.slots[in.c]);
      walk.path.askedToLeave |= loopOf(frame.pc).ends == LoopKind::Ends::ByInput;
      frame.pc = in.a;
      if (isCounted && ++walk.rounds <= kMostRounds) return;
      hasLoops_ = true;
      standAt(walk, StandsAt::Head);
      return;
    }
    case Opcode::Branch: {
      Term condition = slot(walk, in.a);
      if (terms_.width(condition) != 1) condition = terms_.extract(condition, 0, 1);
      frame.pc = in.b;
      fork(walk, condition, in.c);
      return;
    }
    case Opcode::Switch: {
      const Term on = slot(walk, in.a);
      const SwitchTable& table = program_.switches[in.b];
      for (const auto& [key, target] : table.cases) {
        const Term is = terms_.eq(on, terms_.constant(key & widthMask(terms_.width(on)), terms_.width(on)));
        if (terms_.isConst(is)) {
          if (terms_.constValue(is) == 0) continue;
          walk.frame().pc = target;
          return;
        }
        Walk other = walk;
        other.frame().pc = target;
        other.path.when.push_back(is);
        open_.push_back(std::move(other));
        walk.path.when.push_back(terms_.logicalNot(is));
      }
      walk.frame().pc = table.defaultTarget;
      return;
    }
    case Opcode::Return:
      return leaveFrame(walk, in);
    case Opcode::Unreachable:
      violations_.push_back(walk.path.when);
      walk.isOver = true;
      return;
    default:
      break;
  }
  uint64_t function = in.a;
  if (in.op == Opcode::CallIndirect) {
    const Term callee = slot(walk, in.a);
    const uint64_t number = terms_.isConst(callee) ? terms_.constValue(callee) >> kObjectBits : 0;
    if (number < kFunctionObjects || number >= kThreadObjects)
      return refuse("a call by a pointer that is not known");
    function = number - kFunctionObjects;
  }
  std::vector<Term> arguments;
  for (uint32_t i = 0; i < in.c; ++i) {
    const CallArgument& given = program_.arguments[in.b + i];
    if (given.isMemory) return refuse("a structure is passed by value");
    arguments.push_back(frame.slots[given.slot]);
  }
  enterFrame(walk, static_cast<FunctionId>(function), std::move(arguments));
}

const LoopKind& SymbolicStepper::loopOf(uint32_t jumpBack) {
  const auto [known, isNew] = loops_.try_emplace(jumpBack);
  if (isNew) known->second = kindOfLoop(program_, jumpBack);
  return known->second;
}

bool SymbolicStepper::ends(const LoopKind& loop) {
  const auto isSettled = [&](const GlobalCell& cell) {
    return !facts_.isWhole(1 + cell.global) && facts_.isSettled(baseOf(1 + cell.global) + cell.offset);
  };
  return loop.ends != LoopKind::Ends::NotKnown &&
         std::all_of(loop.cells.begin(), loop.cells.end(), isSettled);
}

bool SymbolicStepper::mayWaitInLoop(const SymbolicThread& thread) {
  return std::any_of(thread.frames.begin(), thread.frames.end(), [&](const SymbolicFrame& frame) {
    return std::any_of(loops_.begin(), loops_.end(), [&](const auto& entry) {
      return entry.second.inside.contains(frame.pc) && !ends(entry.second);
    });
  });
}

void SymbolicStepper::leaveFrame(Walk& walk, const Instruction& in) {
  SymbolicThread& self = walk.self();
  std::vector<Term> results;
  for (uint32_t i = 0; i < in.b; ++i) results.push_back(self.frames.back().slots[in.a + i]);
  if (self.frames.size() == 1) {
    if (walk.thread == 0)
      walk.path.state.isProcessOver = true;
    else if (!results.empty())
      self.result = results.front();
    return endThread(walk, StandsAt::Over);
  }
  const StateKey here = pathOf(self);
  std::erase_if(walk.path.state.sizes, [&](const auto& entry) {
    const Block& block = blocks_.at(entry.first);
    return !block.isHeap && block.thread == walk.thread && block.path == here;
  });
  std::erase_if(walk.path.state.cells, [&](const auto& entry) {
    const auto object = static_cast<ObjectNumber>(entry.first >> kObjectBits);
    return !isGlobal(object) && !walk.path.state.sizes.contains(object);
  });
  self.frames.pop_back();
  SymbolicFrame& caller = self.frames.back();
  const Instruction& call = program_.code[caller.pc];
  for (uint32_t i = 0; i < call.aux && i < results.size(); ++i) caller.slots[call.dst + i] = results[i];
  ++caller.pc;
}

}  // namespace heddle
