// The interpreter's loop. Instructions on concrete values are executed here; everything that involves a
// symbol, an event or a failure is in stepper_slow.cpp.
#include "analysis/interp/core/stepper.h"

#include <cstring>
#include <utility>

#include "analysis/interp/core/execution.h"

namespace heddle {

namespace {

constexpr uint64_t kLookInterval = 1 << 16;  // instructions between looks at the budget

uint64_t loadBytes(const uint8_t* from, unsigned size) {
  switch (size) {
    case 1:
      return *from;
    case 2: {
      uint16_t v;
      std::memcpy(&v, from, 2);
      return v;
    }
    case 4: {
      uint32_t v;
      std::memcpy(&v, from, 4);
      return v;
    }
    case 8: {
      uint64_t v;
      std::memcpy(&v, from, 8);
      return v;
    }
    default: {
      uint64_t v = 0;
      std::memcpy(&v, from, size);
      return v;
    }
  }
}

void storeBytes(uint8_t* to, unsigned size, uint64_t bits) {
  switch (size) {
    case 1:
      *to = static_cast<uint8_t>(bits);
      break;
    case 2:
      std::memcpy(to, &bits, 2);
      break;
    case 4:
      std::memcpy(to, &bits, 4);
      break;
    case 8:
      std::memcpy(to, &bits, 8);
      break;
    default:
      std::memcpy(to, &bits, size);
      break;
  }
}

}  // namespace

inline bool Stepper::isEqual(Thread& t, uint32_t pc, uint64_t x, uint64_t y) {
  if (x != y && !run_.reuse.freed.empty()) [[unlikely]] {
    t.pc = pc;
    run_.reuse.noteCompared(t, {x}, {y});
  }
  return x == y;
}

void Stepper::step(Thread& t) {
  const Instruction* const code = program_.code.data();
  Value* r = t.registers.data() + t.frames.back().base;
  uint32_t pc = t.pc;
  uint64_t count = 0;
  uint8_t* const reached = options_.reach ? options_.reach->at.data() : nullptr;
  bool lookDue = false;  // a call has ended the interval: the next loop head is looked at

#define HEDDLE_BINARY(NAME, EXPRESSION)            \
  case Opcode::NAME: {                             \
    const Value &a = r[in.a], &b = r[in.b];        \
    if ((a.term | b.term) == kNoTerm) [[likely]] { \
      const uint64_t x = a.bits, y = b.bits;       \
      r[in.dst] = {(EXPRESSION), kNoTerm};         \
    } else {                                       \
      t.pc = pc;                                   \
      slowBinary(t, in, r);                        \
    }                                              \
    ++pc;                                          \
    continue;                                      \
  }
#define HEDDLE_SHIFT(NAME, EXPRESSION)                                  \
  case Opcode::NAME: {                                                  \
    const Value &a = r[in.a], &b = r[in.b];                             \
    if ((a.term | b.term) == kNoTerm && b.bits < in.width) [[likely]] { \
      const uint64_t x = a.bits, y = b.bits;                            \
      r[in.dst] = {(EXPRESSION), kNoTerm};                              \
    } else {                                                            \
      HEDDLE_SLOW(shift(t, in, r))                                      \
    }                                                                   \
    ++pc;                                                               \
    continue;                                                           \
  }
#define HEDDLE_SLOW(CALL)              \
  t.pc = pc;                           \
  if (!(CALL)) {                       \
    run_.result.instructions += count; \
    return;                            \
  }

  while (true) {
    const Instruction& in = code[pc];
    ++count;
    switch (in.op) {
      case Opcode::Move:
        r[in.dst] = r[in.a];
        ++pc;
        continue;
        HEDDLE_BINARY(Add, (x + y) & widthMask(in.width))
        HEDDLE_BINARY(Sub, (x - y) & widthMask(in.width))
        HEDDLE_BINARY(Mul, (x * y) & widthMask(in.width))
        HEDDLE_BINARY(And, x & y)
        HEDDLE_BINARY(Or, x | y)
        HEDDLE_BINARY(Xor, x ^ y)
        HEDDLE_SHIFT(Shl, (x << y) & widthMask(in.width))
        HEDDLE_SHIFT(LShr, x >> y)
        HEDDLE_SHIFT(AShr, evalBinary(TermOp::AShr, x, y, in.width))
        HEDDLE_BINARY(Eq, isEqual(t, pc, x, y))
        HEDDLE_BINARY(Ne, !isEqual(t, pc, x, y))
        HEDDLE_BINARY(Ult, x < y)
        HEDDLE_BINARY(Ule, x <= y)
        HEDDLE_BINARY(Slt, signExtend(x, in.width) < signExtend(y, in.width))
        HEDDLE_BINARY(Sle, signExtend(x, in.width) <= signExtend(y, in.width))
      case Opcode::UDiv:
      case Opcode::SDiv:
      case Opcode::URem:
      case Opcode::SRem:
        HEDDLE_SLOW(divide(t, in, r))
        ++pc;
        continue;
      case Opcode::ZExt:
        if (r[in.a].term == kNoTerm) [[likely]]
          r[in.dst] = {r[in.a].bits};
        else
          r[in.dst] = isUndefined(r[in.a]) ? r[in.a] : zeroExtended(terms_, r[in.a], in.aux, in.width);
        ++pc;
        continue;
      case Opcode::SExt:
        if (r[in.a].term == kNoTerm) [[likely]]
          r[in.dst] = {static_cast<uint64_t>(signExtend(r[in.a].bits, in.aux)) & widthMask(in.width)};
        else
          r[in.dst] = isUndefined(r[in.a])
                          ? Value{signExtended(terms_, {r[in.a].bits}, in.aux, in.width).bits, kUndefined}
                          : signExtended(terms_, r[in.a], in.aux, in.width);
        ++pc;
        continue;
      case Opcode::Trunc:
        if (r[in.a].term == kNoTerm) [[likely]]
          r[in.dst] = {r[in.a].bits & widthMask(in.width)};
        else if (!isUndefined(r[in.a]))
          r[in.dst] = truncated(terms_, r[in.a], in.width);
        else
          r[in.dst] = {r[in.a].bits & widthMask(in.width), kUndefined};
        ++pc;
        continue;
      case Opcode::Select: {
        const Value& condition = r[in.a];
        if (condition.term == kNoTerm) [[likely]] {
          r[in.dst] = condition.bits & 1 ? r[in.b] : r[in.c];
        } else {
          t.pc = pc;
          r[in.dst] = run_.undefined.chosen(t, run_.undefined.used(t, condition, " as a condition"), r[in.b],
                                            r[in.c], in.width);
        }
        ++pc;
        continue;
      }
      case Opcode::AddImm: {
        const Value& a = r[in.a];
        const auto offset = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(in.c)));
        if (a.term == kNoTerm) [[likely]] {
          r[in.dst] = {(a.bits + offset) & widthMask(in.width)};
        } else {
          r[in.dst] = isUndefined(a)
                          ? Value{(a.bits + offset) & widthMask(in.width), kUndefined}
                          : binaryValue(terms_, TermOp::Add, a, {offset & widthMask(in.width)}, in.width);
        }
        ++pc;
        continue;
      }
      case Opcode::ScaleAdd: {
        const Value &a = r[in.a], &b = r[in.b];
        if ((a.term | b.term) == kNoTerm) [[likely]] {
          const int64_t scaled = signExtend(b.bits, in.aux) * static_cast<int32_t>(in.c);
          r[in.dst] = {(a.bits + static_cast<uint64_t>(scaled)) & widthMask(in.width)};
        } else {
          t.pc = pc;
          slowBinary(t, in, r);
        }
        ++pc;
        continue;
      }
      case Opcode::Freeze:
        t.pc = pc;
        r[in.dst] = run_.undefined.settled(t, r[in.a]);
        ++pc;
        continue;
      case Opcode::Float:
      case Opcode::FloatCompare:
      case Opcode::Integer:
        t.pc = pc;
        floatStep(t, in, r);
        ++pc;
        continue;
      case Opcode::Wide:
      case Opcode::LongFloat:
      case Opcode::LongCompare:
        HEDDLE_SLOW(wideStep(t, in, r))
        ++pc;
        continue;

      case Opcode::Load: {
        const Value& address = r[in.a];
        const MemoryObject* object = cache_[pc & (cache_.size() - 1)];
        const uint64_t offset = address.bits - object->base;
        if (object->fastRead == t.id && address.term == kNoTerm && object->contains(offset, in.aux) &&
            r[in.c].bits - object->base <= object->size) [[likely]] {
          r[in.dst] = {loadBytes(object->bytes + offset, in.aux) & widthMask(in.width)};
          t.operations += object->operations;
        } else {
          HEDDLE_SLOW(slowLoad(t, in, r))
        }
        ++pc;
        continue;
      }
      case Opcode::Store: {
        const Value &address = r[in.a], &value = r[in.b];
        const MemoryObject* object = cache_[pc & (cache_.size() - 1)];
        const uint64_t offset = address.bits - object->base;
        if (object->fastWrite == t.id && (address.term | value.term) == kNoTerm &&
            object->contains(offset, in.aux) && r[in.c].bits - object->base <= object->size) [[likely]] {
          storeBytes(object->bytes + offset, in.aux, value.bits);
          t.operations += object->operations;
        } else {
          HEDDLE_SLOW(slowStore(t, in, r))
        }
        ++pc;
        continue;
      }
      case Opcode::AtomicRmw:
        HEDDLE_SLOW(atomicRmw(t, in, r))
        ++pc;
        continue;
      case Opcode::CompareExchange:
        HEDDLE_SLOW(compareExchange(t, in, r))
        ++pc;
        continue;
      case Opcode::Fence:
        run_.weak.fence(t, in);
        ++pc;
        continue;
      case Opcode::Alloca:
        HEDDLE_SLOW(allocate(t, in, r))
        ++pc;
        continue;
      case Opcode::ThreadLocal: {
        HEDDLE_SLOW(threadLocal(t, in, r))
        ++pc;
        continue;
      }

      case Opcode::MergePoint:
        t.decided = kNoTerm;
        if ((in.b != kNone && t.rounds.ownEvents != 0) || t.forked || t.rounds.suspect) {
          t.pc = pc;
          if (!run_.loops.mergePoint(t, in)) {
            run_.result.instructions += count;
            return;
          }
        }
        ++pc;
        continue;
      case Opcode::Statement:
        t.pc = pc;  // where whoever is told looks
        if (options_.pauses && !std::exchange(resumes_, false) && run_.sink().statement(t.id, in.a)) {
          run_.result.instructions += count;
          run_.pause();
          return;
        }
        ++pc;
        continue;
      case Opcode::Jump:
        pc = in.a;
        continue;
      case Opcode::JumpBack: {
        // What neither inputs nor other threads decide is executed in full.
        const bool isCounted = in.c != kNone && r[in.c].term == kNoTerm && !options_.cutsCounted;
        if (options_.rounds != 0 && !run_.loops.countRound(t, r[in.b].bits, isCounted)) [[unlikely]] {
          t.pc = pc;
          run_.result.instructions += count;
          const auto forked = static_cast<uint16_t>(r[in.b].bits);
          const auto plain = static_cast<uint16_t>(r[in.b].bits >> 16);
          const uint64_t rounds = (forked > options_.rounds ? forked : plain) - 1u;
          return run_.bound(t, {BoundKind::LoopRounds, code[in.a].place, rounds});
        }
        if (options_.rounds == 0 && !isCounted && run_.loops.passesUnroll(r[in.b].bits)) [[unlikely]] {
          t.pc = pc;
          run_.result.instructions += count;
          return run_.bound(t, {BoundKind::LoopIterations, code[in.a].place, options_.unroll});
        }
        pc = in.a;
        if (count >= kLookInterval || lookDue) {
          run_.result.instructions += count;
          count = 0;
          lookDue = false;
          t.pc = pc;
          if (t.rounds.suspect == 0) t.rounds.suspect = 1;
          if (run_.outOfBudget()) return;
        }
        continue;
      }
      case Opcode::Branch: {
        const Value& condition = r[in.a];
        if (condition.term != kNoTerm) [[unlikely]] {
          t.pc = pc;
          const Value known = run_.undefined.used(t, condition, " as a condition");
          run_.branch(t, known, BranchRole::Branch, static_cast<int>(in.aux) - 1);
        }
        const uint32_t from = pc;
        if (reached) reached[from] |= condition.bits & 1 ? ReachLog::kTrue : ReachLog::kFalse;
        pc = condition.bits & 1 ? in.b : in.c;
        if (options_.branchEdges) [[unlikely]]
          options_.branchEdges->emplace(from, pc);
        continue;
      }
      case Opcode::Switch: {
        const Value& value = r[in.a];
        const uint32_t from = pc;
        if (value.term == kNoTerm) [[likely]] {
          const SwitchTable& table = program_.switches[in.b];
          uint32_t target = table.defaultTarget;
          for (const auto& [key, to] : table.cases)
            if (key == value.bits) {
              target = to;
              break;
            }
          pc = target;
        } else {
          t.pc = pc;
          pc = slowSwitch(t, in, r);
        }
        if (reached) reached[pc] |= ReachLog::kEntered;
        if (options_.branchEdges) [[unlikely]]
          options_.branchEdges->emplace(from, pc);
        continue;
      }
      case Opcode::Return: {
        t.pc = pc;
        const bool outermost = t.frames.size() == 1;
        if (!run_.calls.leave(t, in.a, in.b) || outermost) {
          run_.result.instructions += count;
          return;
        }
        r = t.registers.data() + t.frames.back().base;
        pc = t.pc;
        continue;
      }
      case Opcode::Call:
        HEDDLE_SLOW(run_.calls.enter(t, in.a, in.b, in.c, pc))
        r = t.registers.data() + t.frames.back().base;
        pc = t.pc;
        if (count >= kLookInterval) {
          run_.result.instructions += count;
          count = 0;
          lookDue = true;
          if (run_.outOfBudget()) return;
        }
        continue;
      case Opcode::CallIndirect:
        HEDDLE_SLOW(run_.calls.callIndirect(t, in, r))
        r = t.registers.data() + t.frames.back().base;
        pc = t.pc;
        continue;
      case Opcode::CallExternal:
        HEDDLE_SLOW(run_.calls.callExternal(t, in, r))
        // A longjmp may have gone to another frame.
        r = t.registers.data() + t.frames.back().base;
        pc = t.pc;
        continue;
      case Opcode::Unreachable:
        t.pc = pc;
        run_.result.instructions += count;
        if (in.a == 0) return run_.fail(t, FailureKind::Misuse, "unreachable code is reached");
        run_.assume(run_.place(t), "inline assembly does not come back where the text says so");
        return run_.stop(t);
      case Opcode::Unsupported:
        t.pc = pc;
        run_.result.instructions += count;
        return run_.unsupported(t, program_.texts[in.a]);
    }
  }
#undef HEDDLE_BINARY
#undef HEDDLE_SHIFT
#undef HEDDLE_SLOW
}

}  // namespace heddle
