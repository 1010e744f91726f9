// Instructions on symbolic or undefined values, events of accesses by instructions, and everything that can
// fail.
#include "analysis/interp/core/stepper.h"

#include <algorithm>

#include "analysis/interp/core/execution.h"
#include "analysis/interp/values/float_terms.h"

namespace heddle {

namespace {

/// Of an operation of two operands: both enumerations have them in one order.
TermOp termOp(Opcode op) {
  return static_cast<TermOp>(static_cast<int>(TermOp::Add) + static_cast<int>(op) -
                             static_cast<int>(Opcode::Add));
}

/// Of a Float, FloatCompare or Integer; the other slots of the instruction mean nothing.
unsigned operandsOf(const Instruction& in) {
  if (in.op == Opcode::FloatCompare) return 2;
  if (in.op == Opcode::Float) {
    const auto op = static_cast<FloatOp>(in.aux);
    if (op == FloatOp::Fma) return 3;
    return op <= FloatOp::Rem || op == FloatOp::CopySign || op == FloatOp::Min || op == FloatOp::Max ? 2 : 1;
  }
  switch (static_cast<IntegerOp>(in.aux)) {
    case IntegerOp::FunnelLeft:
    case IntegerOp::FunnelRight:
      return 3;
    case IntegerOp::Abs:
    case IntegerOp::ByteSwap:
    case IntegerOp::PopCount:
    case IntegerOp::LeadingZeros:
    case IntegerOp::TrailingZeros:
    case IntegerOp::BitReverse:
      return 1;
    default:
      return 2;
  }
}

}  // namespace

void Stepper::noteMixed(Thread& t) {
  // A replay has no symbols, and must come to the same bits.
  run_.takeFromThisExecution(run_.place(t), "what becomes of an input and a value that was never written");
}

void Stepper::slowBinary(Thread& t, const Instruction& in, Value* r) {
  const Value &first = r[in.a], &second = r[in.b];
  // Compilers build structures in registers by masking and or-ing into an undefined value: no bit of it is
  // used.
  if (in.op == Opcode::Or && isUndefined(first) != isUndefined(second)) {
    const Value &given = isUndefined(first) ? second : first, &other = isUndefined(first) ? first : second;
    r[in.dst] = other.bits == 0 ? given : binaryValue(terms_, TermOp::Or, given, {other.bits}, in.width);
    return;
  }
  const bool isUnwritten = isUndefined(first) || isUndefined(second);
  if (isUnwritten && (isSymbolic(first) || isSymbolic(second))) noteMixed(t);
  const Value a = isUnwritten ? Value{first.bits} : first, b = isUnwritten ? Value{second.bits} : second;
  if (in.width == program_.pointerBits() && (in.op == Opcode::Eq || in.op == Opcode::Ne))
    run_.reuse.noteCompared(t, a, b);
  if (in.op == Opcode::ScaleAdd) {
    const Value index = in.aux == in.width  ? b
                        : in.aux < in.width ? signExtended(terms_, b, in.aux, in.width)
                                            : truncated(terms_, b, in.width);
    const auto scale = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(in.c)));
    const Value scaled = binaryValue(terms_, TermOp::Mul, index, {scale & widthMask(in.width)}, in.width);
    r[in.dst] = binaryValue(terms_, TermOp::Add, a, scaled, in.width);
  } else {
    r[in.dst] = in.op == Opcode::Ne ? notEqual(terms_, a, b, in.width)
                                    : binaryValue(terms_, termOp(in.op), a, b, in.width);
  }
  if (isUnwritten) r[in.dst].term = kUndefined;
}

bool Stepper::divide(Thread& t, const Instruction& in, Value* r) {
  const Value b = run_.undefined.used(t, r[in.b], " as a divisor");
  if (b.term) run_.branch(t, notEqual(terms_, b, {0}, in.width), BranchRole::Check, 0);
  if (b.bits == 0) {
    run_.fail(t, FailureKind::Memory, "division by zero");
    return false;
  }
  const Value& a = r[in.a];
  if (isUndefined(a)) {
    if (b.term) noteMixed(t);
    r[in.dst] = {evalBinary(termOp(in.op), a.bits, b.bits, in.width), kUndefined};
    return true;
  }
  const uint64_t least = 1ull << (in.width - 1), minusOne = widthMask(in.width);
  const bool isSigned = in.op == Opcode::SDiv || in.op == Opcode::SRem;
  if (isSigned && (a.term || a.bits == least) && (b.term || b.bits == minusOne)) {
    const Value wraps =
        binaryValue(terms_, TermOp::And, binaryValue(terms_, TermOp::Eq, a, {least}, in.width),
                    binaryValue(terms_, TermOp::Eq, b, {minusOne}, in.width), 1);
    if (wraps.term) run_.branch(t, logicalNot(terms_, wraps), BranchRole::Check, 0);
    if (wraps.bits & 1) {
      run_.fail(t, FailureKind::Memory,
                "division of " + std::to_string(signExtend(least, in.width)) + " by -1");
      return false;
    }
  }
  r[in.dst] = binaryValue(terms_, termOp(in.op), a, b, in.width);
  return true;
}

bool Stepper::shift(Thread& t, const Instruction& in, Value* r) {
  Value b = run_.undefined.used(t, r[in.b], " as the distance of a shift");
  if (isUndefined(r[in.b])) b.bits %= in.width;  // that it may be too far has been said
  if (b.term) run_.branch(t, binaryValue(terms_, TermOp::Ult, b, {in.width}, in.width), BranchRole::Check, 0);
  if (b.bits >= in.width) {
    run_.fail(t, FailureKind::Memory,
              "shift of a value of " + std::to_string(in.width) + " bits by " +
                  std::to_string(signExtend(b.bits, in.width)));
    return false;
  }
  const Value& a = r[in.a];
  if (isUndefined(a)) {
    if (b.term) noteMixed(t);
    r[in.dst] = {evalBinary(termOp(in.op), a.bits, b.bits, in.width), kUndefined};
  } else {
    r[in.dst] = binaryValue(terms_, termOp(in.op), a, b, in.width);
  }
  return true;
}

void Stepper::floatStep(Thread& t, const Instruction& in, Value* r) {
  const unsigned operands = operandsOf(in);
  Value a = r[in.a], b = operands > 1 ? r[in.b] : Value{}, c = operands > 2 ? r[in.c] : Value{};
  const auto op = static_cast<IntegerOp>(in.aux);
  const bool overflows =
      in.op == Opcode::Integer && op >= IntegerOp::SAddOverflow && op <= IntegerOp::UMulOverflow;
  const bool isUnwritten = isUndefined(a) || isUndefined(b) || isUndefined(c);
  if (isUnwritten) {
    if (isSymbolic(a) || isSymbolic(b) || isSymbolic(c)) noteMixed(t);
    for (Value* operand : {&a, &b, &c}) *operand = {operand->bits};
  }
  if (in.op == Opcode::Integer) {
    Value overflow;
    r[in.dst] = integerValue(terms_, op, a, b, c, in.width, overflow);
    if (overflows) r[in.dst + 1] = overflow;
  } else if (in.op == Opcode::FloatCompare) {
    const bool isExact = areFloatTerms(terms_, a, b);
    if (!isExact) run_.takeFromThisExecution(run_.place(t), "floating-point value");
    r[in.dst] = isExact && (a.term | b.term) ? floatTermCompare(terms_, in.aux, a, b, in.width)
                                             : Value{floatCompare(in.aux, a.bits, b.bits, in.width)};
  } else {
    const auto of = static_cast<FloatOp>(in.aux);
    const bool isSign = of == FloatOp::Neg || of == FloatOp::Abs;
    const bool isExact = (a.term | b.term | c.term) && (!isSign || areFloatTerms(terms_, a, {}));
    const FloatTerm exact = isExact ? floatTerm(terms_, of, a, in.width, in.flags) : FloatTerm();
    if (exact.isKnown && run_.branch(t, exact.fits, BranchRole::Branch, -1)) {
      r[in.dst] = exact.value;
    } else {
      if (a.term | b.term | c.term) run_.takeFromThisExecution(run_.place(t), "floating-point value");
      r[in.dst] = {floatValue(of, a.bits, b.bits, c.bits, in.width, in.flags)};
    }
  }
  if (!isUnwritten) return;
  r[in.dst].term = kUndefined;
  if (overflows) r[in.dst + 1].term = kUndefined;
}

bool Stepper::wideStep(Thread& t, const Instruction& in, Value* r) {
  const auto pair = [&](uint32_t first) {
    return WideValue{run_.undefined.settled(t, r[first]), run_.undefined.settled(t, r[first + 1])};
  };
  if (in.op == Opcode::Wide) {
    const auto op = static_cast<Opcode>(in.aux);
    const bool shifts = op == Opcode::Shl || op == Opcode::LShr || op == Opcode::AShr;
    const WideValue a = pair(in.a), b = pair(in.b);
    const bool divides = op >= Opcode::UDiv && op <= Opcode::SRem;
    if (divides && (b.low.bits | b.high.bits) == 0) {
      run_.fail(t, FailureKind::Memory, "division by zero");
      return false;
    }
    if (shifts && b.low.bits >= in.width) {
      run_.fail(t, FailureKind::Memory,
                "shift of a value of " + std::to_string(in.width) + " bits by " + std::to_string(b.low.bits));
      return false;
    }
    bool dropped = false;
    const WideValue value = wideValue(terms_, op, a, b, in.width, dropped);
    if (dropped) run_.takeFromThisExecution(run_.place(t), "128-bit value");
    r[in.dst] = value.low;
    if (op < Opcode::Eq) r[in.dst + 1] = value.high;
    return true;
  }
  const auto op = static_cast<FloatOp>(in.aux);
  const bool fromShort = in.op == Opcode::LongFloat &&
                         (op == FloatOp::FromSigned || op == FloatOp::FromUnsigned || op == FloatOp::Extend);
  const bool toShort = op == FloatOp::ToSigned || op == FloatOp::ToUnsigned || op == FloatOp::Truncate;
  const WideValue a = fromShort ? WideValue{run_.undefined.settled(t, r[in.a]), {}} : pair(in.a);
  const WideValue b = fromShort || toShort ? a : pair(in.b);
  const WideValue c = op == FloatOp::Fma && in.op == Opcode::LongFloat ? pair(in.c) : a;
  if (a.low.term | a.high.term | b.low.term | b.high.term | c.low.term | c.high.term)
    run_.takeFromThisExecution(run_.place(t), "floating-point value");
  const auto bits = [](const WideValue& v) { return LongBits{v.low.bits, v.high.bits}; };
  if (in.op == Opcode::LongCompare) {
    r[in.dst] = {longFloatCompare(in.aux, bits(a), bits(b))};
    return true;
  }
  const LongBits value = longFloatValue(op, bits(a), bits(b), bits(c), in.flags);
  r[in.dst] = {value.low};
  if (!toShort) r[in.dst + 1] = {value.high};
  return true;
}

bool Stepper::accessBegin(Thread& t, const Value& address, const Value& root, const Instruction& in,
                          EventKind kind, bool atomic, Target& target, bool& asEvent) {
  const bool write = kind != EventKind::Read;
  if (t.next.isGranted && !t.next.checkingLife) {
    t.next.isGranted = false;
    target = t.next.target;
    asEvent = true;
    return true;
  }
  if (t.next.isGranted) {
    t.next.isGranted = t.next.checkingLife = false;
    target = t.next.access;
    if (!run_.lives.finishCheck(t, target, true)) return false;
  } else {
    if (!run_.accesses.resolve(t, address, root, in.aux, write, target)) return false;
    if (!run_.lives.check(t, target)) return false;
  }
  // What is overwritten as a whole nobody reads.
  if (const auto postponed =
          memory_.takePostponed(*target.object, target.offset, in.aux, kind == EventKind::Write)) {
    run_.calls.fillFirst(t, target.object->base + postponed->first, postponed->second);
    return false;
  }
  if (atomic) run_.weak.noteOrdering(t, target, in.aux, kind);
  const bool shared = run_.accesses.visible(t, target, in.aux, write);
  if (run_.ended) return false;
  if (shared && (kind != EventKind::Read || !run_.sections.value(t, target, in.aux))) {
    const bool isVolatile = kind != EventKind::Update && in.flags & kVolatile && !atomic;
    run_.accesses.wait(t, kind, target, in.aux, 1,
                       atomic || (isVolatile && program_.environment.volatileIsAtomic));
    t.next.event.isVolatile = isVolatile && !t.next.event.atomic;
    t.next.event.inHandler = t.next.event.isVolatile && t.isHandler;
    return false;
  }
  ++t.operations;
  cache_[t.pc & (cache_.size() - 1)] = target.object;
  asEvent = false;
  return true;
}

bool Stepper::slowLoad(Thread& t, const Instruction& in, Value* r) {
  Target target;
  bool asEvent = false;
  if (!accessBegin(t, r[in.a], r[in.c], in, EventKind::Read, in.flags & kAtomic, target, asEvent))
    return false;
  const bool isShared = locations_.isShared(target.object->id) && !run_.prologue;
  std::optional<Value> known;
  if (!asEvent && t.atomic.number && isShared) known = run_.sections.value(t, target, in.aux);
  const bool repeated = known.has_value();
  const bool isAny = program_.environment.undefinedIsInput && !repeated &&
                     isUndefined(memory_.read(*target.object, target.offset, in.aux));
  if (!asEvent) run_.loops.noteLook(t, target, in.aux);
  Value value = repeated ? *known : run_.accesses.load(t, target, in.aux, asEvent);
  if (isAny) {
    const Value given = run_.inputs.ofUndefined(t, target, in.aux, isShared);
    if (!isShared || given.bits != 0) value = given;
  }
  r[in.dst] = isUndefined(value) ? Value{value.bits & widthMask(in.width), kUndefined}
                                 : truncated(terms_, value, in.width);
  if (!asEvent && !repeated) run_.accesses.allowFast(t, *target.object, false);
  return true;
}

bool Stepper::slowStore(Thread& t, const Instruction& in, Value* r) {
  Target target;
  bool asEvent = false;
  if (!accessBegin(t, r[in.a], r[in.c], in, EventKind::Write, in.flags & kAtomic, target, asEvent))
    return false;
  const Value& value = r[in.b];
  run_.accesses.store(t, target, in.aux,
                      isUndefined(value) ? value : zeroExtended(terms_, value, in.width, in.aux * 8u),
                      asEvent);
  if (!asEvent) run_.accesses.allowFast(t, *target.object, true);
  return true;
}

bool Stepper::atomicRmw(Thread& t, const Instruction& in, Value* r) {
  Target target;
  bool asEvent = false;
  if (!accessBegin(t, r[in.a], r[in.c], in, EventKind::Update, true, target, asEvent)) return false;
  if (!asEvent) run_.loops.noteLook(t, target, in.aux);
  const Value operand = run_.undefined.settled(t, r[in.b]);
  Value now;
  const Value old = run_.accesses.update(t, target, in.aux, in.width, asEvent, [&](const Value& before) {
    return now = updated(terms_, static_cast<RmwOp>(in.flags), before, operand, in.width);
  });
  r[in.dst] = old;
  // Whether others can see it is part of the thread's path: see waiting_loops.cpp.
  if (asEvent) run_.loops.noteEffect(t, notEqual(terms_, now, old, in.width));
  return true;
}

bool Stepper::compareExchange(Thread& t, const Instruction& in, Value* r) {
  Target target;
  bool asEvent = false;
  const Value expected = run_.undefined.settled(t, r[in.b]), desired = run_.undefined.settled(t, r[in.c]);
  const uint64_t operation = t.operations + 1;
  const auto mayFailWeakly = [&] {
    t.next.weakFails = in.flags & kWeak ? run_.spurious.weakFailure(t, expected, operation) : Value{};
  };
  if (!accessBegin(t, r[in.a], r[in.a], in, EventKind::Update, true, target, asEvent)) {
    // Asked before the event, which others order.
    if (t.next.isGiven && !t.next.checkingLife) mayFailWeakly();
    return false;
  }
  if (!asEvent) {
    run_.loops.noteLook(t, target, in.aux);
    const Value before = memory_.read(*target.object, target.offset, in.aux);
    Value isEqual{1};
    if (!isUndefined(before))
      isEqual = binaryValue(terms_, TermOp::Eq, truncated(terms_, before, in.width), expected, in.width);
    // What differs anyway fails for that reason.
    if (isEqual.term == kNoTerm && isEqual.bits == 0)
      t.next.weakFails = Value{};
    else
      mayFailWeakly();
  }
  const Value fails = t.next.weakFails;
  Value equal, succeeds;
  const Value old = run_.accesses.update(t, target, in.aux, in.width, asEvent, [&](const Value& before) {
    equal = binaryValue(terms_, TermOp::Eq, before, expected, in.width);
    if (in.width == program_.pointerBits()) run_.reuse.noteCompared(t, before, expected);
    succeeds = binaryValue(terms_, TermOp::And, equal, logicalNot(terms_, fails), 1);
    t.next.event.wrote = succeeds;
    return selected(terms_, succeeds, desired, before, in.width);
  });
  r[in.dst] = old;
  r[in.dst + 1] = succeeds;
  if (asEvent) run_.loops.noteEffect(t, succeeds);
  const bool mayFail = fails.term != kNoTerm || fails.bits != 0;
  if (!mayFail) return true;
  // What follows depends on it, in memory of its own too.
  if (!asEvent) run_.branch(t, succeeds, BranchRole::Branch, -1);
  // The expected value by its own name: then the thread is where it was, if it tries again.
  const bool hasFailed = !(succeeds.bits & 1) && run_.branch(t, equal, BranchRole::Branch, -1);
  if (hasFailed) r[in.dst] = expected;
  run_.spurious.noteHappened(t, t.next.isWeakCounted, hasFailed);
  return true;
}

bool Stepper::allocate(Thread& t, const Instruction& in, Value* r) {
  uint64_t size = program_.stackVariables[in.a].size;
  if (in.b != kNone) {
    const Value count = run_.undefined.used(t, r[in.b], " as a size");
    if (!run_.chooseSize(t, count, size)) return false;
    if (count.bits > (1ull << 40) / std::max<uint64_t>(size, 1)) {
      run_.fail(t, FailureKind::Memory,
                "stack overflow: an array of " + std::to_string(count.bits) + " elements");
      return false;
    }
    size *= count.bits;
  }
  if (in.a >= t.stackSites.size()) t.stackSites.resize(in.a + 1);
  StackSite& site = t.stackSites[in.a];
  site.isPrivate = in.flags & kPrivate;
  MemoryObject* object = nullptr;
  if (!site.unused.empty()) {
    // No pointer to a private object outlives its frame, so the next frame may have it.
    object = site.unused.back();
    site.unused.pop_back();
    object->live = object->size;
    memory_.clear(*object);
  } else {
    object = memory_.create({ObjectKind::Stack, t.id, t.pc, site.passed++, size});
    if (!object) {
      run_.unsupported(t, "the address space is used up");
      return false;
    }
    object->lifeEnded = false;
    object->noted = false;
    object->fastWrite = kNone;  // it would not note it
    if (object->life) memory_.write(*object->life, 0, 1, {1});
    if (locations_.isShared(object->id))
      t.rounds.sharedStack = t.rounds.sharedStack * 0x9E3779B97F4A7C15ull + object->id + 1;
  }
  // What stays private is not worth the price: it can only be read undefined by its own function.
  const Environment& environment = program_.environment;
  if (!(in.flags & kPrivate) || environment.undefinedIsInput || environment.keepsLocals)
    memory_.makeUndefined(*object);
  t.stack.push_back(object);
  run_.calls.stackBytes += sizeof(MemoryObject) + object->size;
  r[in.dst] = {object->base};
  return true;
}

bool Stepper::threadLocal(Thread& t, const Instruction& in, Value* r) {
  MemoryObject*& object = t.threadLocals[in.a];
  if (!object) object = memory_.create({ObjectKind::ThreadLocal, t.id, in.a, 0, program_.globals[in.a].size});
  if (!object) {
    run_.unsupported(t, "the address space is used up");
    return false;
  }
  r[in.dst] = {object->base};
  return true;
}

uint32_t Stepper::slowSwitch(Thread& t, const Instruction& in, Value* r) {
  const Value value = run_.undefined.used(t, r[in.a], " as a condition");
  const SwitchTable& table = program_.switches[in.b];
  // As a chain of branches, in the order of the cases.
  for (const auto& [key, to] : table.cases)
    if (run_.branch(t, binaryValue(terms_, TermOp::Eq, value, {key}, in.width), BranchRole::Branch, -1))
      return to;
  return table.defaultTarget;
}

}  // namespace heddle
