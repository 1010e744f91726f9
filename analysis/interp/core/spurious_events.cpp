// What happens by itself, and where it changes nothing: spurious wake-ups, weak compare-exchanges that fail.
//
// A weak compare-exchange that fails without reason has only looked. If it leads the thread, without an
// event, back to itself in the same state, or to the head of a loop that it has passed since its last effect,
// in the state it had there, that is a round of waiting (waiting_loops.cpp): an execution without it has the
// same failures, races and deadlocks. So it is not explored. Writing what is there already, by the thread's
// own last plain accesses, counts as no event: who else wrote there meanwhile would race with them.
//
// A wait on a condition variable gives up its mutex, which others can tell. But if the thread comes back, by
// a spurious wake-up, to the state that it had right after it had taken the mutex (no event lies between),
// and what it did meanwhile had no effect, then it may as well have taken the mutex only now: taking it,
// looking, waiting and waking up drop out. That is the usual loop around a wait, whose predicate is looked at
// again.
//
// What is explored and leads to a loop's head in the same state after other reads is dropped there, as every
// round of waiting; what leads elsewhere, or changes something in each round, is bounded.
//
// To find out, the thread is walked on from where it stands, on its private state alone; whatever is an
// event, or might be one, ends the walk, and then the thing is explored.
#include "analysis/interp/core/spurious_events.h"

#include <algorithm>
#include <array>

#include "analysis/interp/core/execution.h"

namespace heddle {

namespace {

constexpr int kMostSteps = 256;
constexpr uint32_t kMostInARow = 2;
// Entries of Thread::sites and timeouts that stand for no allocation: so the count is part of the local
// state.
constexpr uint32_t kByItself = 0xb0000000;

}  // namespace

LookAhead SpuriousEvents::lookAhead(Thread& t, std::span<const Value> results) {
  if (t.atomic.number || !t.calls.suspended.empty() || !t.calls.jumps.empty() || run_.sink().isReplay())
    return {};
  std::unique_ptr<ActiveCall> call = std::move(t.calls.active);
  const std::vector<Frame> frames = t.frames;
  const std::vector<Value> registers(t.registers.begin(), t.registers.begin() + t.top);
  const uint32_t pc = t.pc, top = t.top;
  const Instruction& in = program_.code[pc];
  Value* r = t.registers.data() + t.frames.back().base;
  for (size_t i = 0; i < results.size() && (in.op != Opcode::CallExternal || in.width); ++i)
    r[in.dst + i] = results[i];
  ++t.pc;
  LookAhead found;
  bool wasAtHead = false;
  for (int step = 0; step < kMostSteps; ++step) {
    const Instruction& next = program_.code[t.pc];
    // From the same state at the head on, nothing but what is there already was written on the way.
    if (in.op == Opcode::CompareExchange && t.pc == pc && t.frames.size() == frames.size()) {
      found.where = wasAtHead ? Ahead::Same : Ahead::Other;
      break;
    }
    const LoopHead* head = next.op == Opcode::MergePoint && next.b != kNone ? headHere(t) : nullptr;
    if (head) {
      const std::optional<StateKey> state = run_.states.of(t, false);
      if (state) found = {*state == head->state ? Ahead::Same : Ahead::Other, head->taken};
      break;
    }
    if (next.op == Opcode::MergePoint && t.pc == t.rounds.passed.pc &&
        t.frames.size() == t.rounds.passed.depth)
      wasAtHead = run_.states.of(t, false) == t.rounds.passed.state;
    if (!stepAhead(t, next)) break;
  }
  t.pc = pc;
  t.top = top;
  t.frames = frames;
  std::copy(registers.begin(), registers.end(), t.registers.begin());
  t.calls.active = std::move(call);
  return found;
}

const LoopHead* SpuriousEvents::headHere(const Thread& t) const {
  const auto head = std::find_if(t.rounds.heads.begin(), t.rounds.heads.end(), [&](const LoopHead& h) {
    return h.pc == t.pc && h.depth == t.frames.size();
  });
  return head == t.rounds.heads.end() ? nullptr : &*head;
}

bool SpuriousEvents::stepAhead(Thread& t, const Instruction& in) {
  Value* r = t.registers.data() + t.frames.back().base;
  const auto goes = [&](const Value& value) {
    r[in.dst] = value;
    ++t.pc;
    return true;
  };
  const auto known = [&](uint32_t slot) { return !isUndefined(r[slot]); };
  switch (in.op) {
    case Opcode::Move:
      return goes(r[in.a]);
    case Opcode::Jump:
    case Opcode::JumpBack:
      t.pc = in.a;
      return true;
    case Opcode::MergePoint:
    case Opcode::Statement:
      ++t.pc;
      return true;
    case Opcode::ZExt:
      return known(in.a) && goes(zeroExtended(terms_, r[in.a], in.aux, in.width));
    case Opcode::SExt:
      return known(in.a) && goes(signExtended(terms_, r[in.a], in.aux, in.width));
    case Opcode::Trunc:
      return known(in.a) && goes(truncated(terms_, r[in.a], in.width));
    case Opcode::AddImm: {
      const auto offset = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(in.c)));
      return known(in.a) &&
             goes(binaryValue(terms_, TermOp::Add, r[in.a], {offset & widthMask(in.width)}, in.width));
    }
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::And:
    case Opcode::Or:
    case Opcode::Xor:
    case Opcode::Eq:
    case Opcode::Ult:
    case Opcode::Ule:
    case Opcode::Slt:
    case Opcode::Sle:
    case Opcode::Ne:
      if (!known(in.a) || !known(in.b)) return false;
      run_.stepper.slowBinary(t, in, r);
      ++t.pc;
      return true;
    case Opcode::Branch:
      if (r[in.a].term != kNoTerm) return false;
      t.pc = r[in.a].bits & 1 ? in.b : in.c;
      return true;
    case Opcode::Store:
    case Opcode::Load: {
      // Of memory that nobody else looks at, as long as it stays what it is.
      const bool writes = in.op == Opcode::Store;
      if (r[in.a].term != kNoTerm || (writes && !known(in.b))) return false;
      MemoryObject* object = memory_.at(r[in.a].bits);
      if (!object || !object->bytes || !object->contains(r[in.a].bits - object->base, in.aux)) return false;
      const Target target{object, r[in.a].bits - object->base};
      const Value value = writes ? zeroExtended(terms_, r[in.b], in.width, in.aux * 8u) : Value{};
      const auto recent = std::find_if(t.recent.rbegin(), t.recent.rend(), [&](const RecentAccess& access) {
        return access.target.object == object && access.target.offset < target.offset + in.aux &&
               target.offset < access.target.offset + access.size;
      });
      Value now;
      if (recent != t.recent.rend()) {
        if (recent->target.offset != target.offset || recent->size != in.aux) return false;
        now = recent->value;
      } else {
        const bool isOwn = object->kind == ObjectKind::Stack || object->kind == ObjectKind::Heap;
        if (!isOwn || object->endedAt != kNone || run_.lives.isForeign(t, *object) ||
            locations_.isShared(object->id))
          return false;
        if (Memory::isPostponed(*object, target.offset, in.aux)) return false;
        now = memory_.read(*object, target.offset, in.aux);
      }
      if (isUndefined(now)) return false;
      if (!writes) return goes(truncated(terms_, now, in.width));
      if (value.term != now.term || (value.term == kNoTerm && value.bits != now.bits)) return false;
      ++t.pc;
      return true;
    }
    case Opcode::Return:
      return returnAhead(t, in);
    default:
      return false;
  }
}

bool SpuriousEvents::returnAhead(Thread& t, const Instruction& in) {
  const Frame frame = t.frames.back();
  if (t.frames.size() == 1 || frame.returnPc == kCallback || frame.repeats || frame.atomic ||
      frame.objects != t.stack.size())
    return false;
  const Instruction& call = program_.code[frame.returnPc];
  Value* callee = t.registers.data() + frame.base + in.a;
  t.frames.pop_back();
  t.top = frame.base;
  Value* caller = t.registers.data() + t.frames.back().base;
  for (uint32_t i = 0; i < call.aux; ++i) caller[call.dst + i] = i < in.b ? callee[i] : Value{0, kUndefined};
  t.pc = frame.returnPc + 1;
  return true;
}

void SpuriousEvents::noteRecent(Thread& t, const Target& target, unsigned size, const Value& value) {
  constexpr size_t kMost = 8;
  if (!program_.mayStutter) return;
  if (t.recent.size() == kMost) t.recent.erase(t.recent.begin());
  t.recent.push_back({target, size, value});
}

bool SpuriousEvents::isCounted(const Thread& t, const LookAhead& ahead) const {
  // Without a head there was an effect in the round that ends here, if it is one.
  return ahead.where == Ahead::Other || (ahead.where == Ahead::Unknown && t.rounds.heads.empty());
}

bool SpuriousEvents::mayHappen(Thread& t, bool isCounted, BoundKind bound) {
  if (!isCounted || t.timeouts[kByItself + t.pc] < kMostInARow) return true;
  noteHappened(t, true, false);
  run_.result.bounds.insert({bound, run_.place(t), kMostInARow});
  return false;
}

void SpuriousEvents::noteHappened(Thread& t, bool isCounted, bool happened) {
  const uint32_t key = kByItself + t.pc;
  if (isCounted && happened) {
    t.sites[key] = ++t.timeouts[key];
  } else {
    t.sites.erase(key);
    t.timeouts.erase(key);
  }
}

Value SpuriousEvents::weakFailure(Thread& t, const Value& expected, uint64_t operation) {
  const std::array<Value, 2> failed{expected, Value{0}};
  const LookAhead ahead = lookAhead(t, failed);
  if (ahead.where == Ahead::Same) return {};
  if (program_.environment.noWeakFailures) {
    run_.assume(run_.place(t), "no weak compare-exchange fails without reason");
    return {};
  }
  t.next.isWeakCounted = isCounted(t, ahead);
  if (!mayHappen(t, t.next.isWeakCounted, BoundKind::WeakFailures)) return {};
  return run_.inputs.happens(t, operation, "the compare-exchange fails without reason");
}

}  // namespace heddle
