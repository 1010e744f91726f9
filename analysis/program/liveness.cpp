#include "analysis/program/liveness.h"

#include <algorithm>
#include <set>

#include "analysis/program/control_flow.h"

namespace heddle {

namespace {

/// The slots an instruction reads (`use`) and overwrites (`define`).
template <class Use, class Define>
void visit(const Program& program, const Instruction& in, Use use, Define define) {
  const auto arguments = [&] {
    for (uint32_t i = 0; i < in.c; ++i) use(program.arguments[in.b + i].slot);
  };
  switch (in.op) {
    case Opcode::Move:
    case Opcode::ZExt:
    case Opcode::SExt:
    case Opcode::Trunc:
    case Opcode::AddImm:
    case Opcode::Freeze:
      use(in.a);
      define(in.dst);
      break;
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
    case Opcode::UDiv:
    case Opcode::SDiv:
    case Opcode::URem:
    case Opcode::SRem:
    case Opcode::And:
    case Opcode::Or:
    case Opcode::Xor:
    case Opcode::Shl:
    case Opcode::LShr:
    case Opcode::AShr:
    case Opcode::Eq:
    case Opcode::Ult:
    case Opcode::Ule:
    case Opcode::Slt:
    case Opcode::Sle:
    case Opcode::Ne:
    case Opcode::ScaleAdd:
    case Opcode::FloatCompare:
      use(in.a);
      use(in.b);
      define(in.dst);
      break;
    case Opcode::Select:
    case Opcode::Float:
      use(in.a);
      use(in.b);
      use(in.c);
      define(in.dst);
      break;
    case Opcode::Integer:
      use(in.a);
      use(in.b);
      use(in.c);
      define(in.dst);
      if (in.aux >= static_cast<uint8_t>(IntegerOp::SAddOverflow) &&
          in.aux <= static_cast<uint8_t>(IntegerOp::UMulOverflow))
        define(in.dst + 1);
      break;
    case Opcode::Wide:
    case Opcode::LongFloat:
    case Opcode::LongCompare:
      // Pairs of slots; whether the result is one depends on the operation.
      for (const uint32_t first : {in.a, in.b, in.c}) {
        use(first);
        use(first + 1);
      }
      define(in.dst);
      break;
    case Opcode::Load:
      use(in.a);
      use(in.c);
      define(in.dst);
      break;
    case Opcode::Store:
      use(in.a);
      use(in.b);
      use(in.c);
      break;
    case Opcode::AtomicRmw:
      use(in.a);
      use(in.b);
      use(in.c);
      define(in.dst);
      break;
    case Opcode::CompareExchange:
      use(in.a);
      use(in.b);
      use(in.c);
      define(in.dst);
      define(in.dst + 1);
      break;
    case Opcode::Alloca:
      if (in.b != kNone) use(in.b);
      define(in.dst);
      break;
    case Opcode::ThreadLocal:
      define(in.dst);
      break;
    case Opcode::Branch:
    case Opcode::Switch:
      use(in.a);
      break;
    case Opcode::Return:
      for (uint32_t i = 0; i < in.b; ++i) use(in.a + i);
      break;
    case Opcode::CallIndirect:
      use(in.a);
      [[fallthrough]];
    case Opcode::Call:
      arguments();
      for (uint32_t i = 0; i < in.aux; ++i) define(in.dst + i);
      break;
    case Opcode::CallExternal:
      arguments();
      if (in.width) define(in.dst);
      break;
    case Opcode::JumpBack:
      if (in.c != kNone) use(in.c);
      break;
    case Opcode::Fence:
    case Opcode::Jump:
    case Opcode::MergePoint:
    case Opcode::Statement:
    case Opcode::Unreachable:
    case Opcode::Unsupported:
      break;
  }
}

/// Calls that may leave a frame of the program behind them.
bool isCall(Opcode op) {
  return op == Opcode::Call || op == Opcode::CallIndirect;
}

class Liveness {
 public:
  using Bits = std::vector<uint64_t>;
  enum class Point : uint8_t {
    After,   // the instruction, but its result is not live yet
    Before,  // what it reads is live
  };

  Liveness(const Program& program, const Function& function) : program_(program), function_(function) {}

  /// `note(pc, point, live)` is called for every instruction. False: the function is too large.
  template <class Note>
  bool run(Note note) {
    findBlocks();
    constexpr uint64_t kLargest = 1u << 26;  // bits
    words_ = function_.slots / 64 + 1;
    if (uint64_t{function_.slots} * starts_.size() > kLargest) return false;
    liveIn_.assign(starts_.size() * words_, 0);
    solve();
    for (size_t block = 0; block < starts_.size(); ++block) {
      Bits live = liveOut(block);
      walk(block, live, note);
    }
    return true;
  }

  std::vector<uint32_t> list(const Bits& live) const {
    std::vector<uint32_t> slots;
    for (size_t w = 0; w < words_; ++w)
      for (uint64_t bits = live[w]; bits != 0; bits &= bits - 1) {
        const auto slot = static_cast<uint32_t>(w * 64 + static_cast<size_t>(__builtin_ctzll(bits)));
        if (!isConstant(slot)) slots.push_back(slot);
      }
    return slots;
  }

  std::vector<uint32_t> allSlots() const {
    std::vector<uint32_t> slots;
    for (uint32_t slot = 0; slot < function_.slots; ++slot)
      if (!isConstant(slot)) slots.push_back(slot);
    return slots;
  }

 private:
  uint32_t endOf(size_t block) const {
    return block + 1 < starts_.size() ? starts_[block + 1] : function_.end;
  }

  void findBlocks() {
    std::set<uint32_t> starts{function_.entry};
    for (uint32_t pc = function_.entry; pc < function_.end; ++pc) {
      if (!endsBlock(program_.code[pc].op)) continue;
      forSuccessors(program_, pc, [&](uint32_t target) { starts.insert(target); });
      if (pc + 1 < function_.end) starts.insert(pc + 1);
    }
    starts_.assign(starts.begin(), starts.end());
  }

  Bits liveOut(size_t block) const {
    Bits live(words_, 0);
    forSuccessors(program_, endOf(block) - 1, [&](uint32_t target) {
      if (target >= function_.end) return;
      const auto next =
          static_cast<size_t>(std::lower_bound(starts_.begin(), starts_.end(), target) - starts_.begin());
      for (size_t w = 0; w < words_; ++w) live[w] |= liveIn_[next * words_ + w];
    });
    return live;
  }

  /// From the end of the block to its start.
  template <class Note>
  void walk(size_t block, Bits& live, Note note) {
    for (uint32_t pc = endOf(block); pc-- > starts_[block];) {
      const Instruction& in = program_.code[pc];
      visit(
          program_, in, [](uint32_t) {}, [&](uint32_t slot) { live[slot / 64] &= ~(1ull << (slot % 64)); });
      note(pc, Point::After, live);
      visit(
          program_, in, [&](uint32_t slot) { live[slot / 64] |= 1ull << (slot % 64); }, [](uint32_t) {});
      note(pc, Point::Before, live);
    }
  }

  void solve() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (size_t block = starts_.size(); block-- > 0;) {
        Bits live = liveOut(block);
        walk(block, live, [](uint32_t, Point, const Bits&) {});
        for (size_t w = 0; w < words_; ++w) {
          uint64_t& known = liveIn_[block * words_ + w];
          changed |= (known | live[w]) != known;
          known |= live[w];
        }
      }
    }
  }

  bool isConstant(uint32_t slot) const {
    return slot >= function_.parameters && slot < function_.parameters + function_.constants.size();
  }

  const Program& program_;
  const Function& function_;
  std::vector<uint32_t> starts_;  // of basic blocks, sorted
  size_t words_ = 0;
  std::vector<uint64_t> liveIn_;  // by block
};

}  // namespace

void computeLiveness(Program& program, const Function& function) {
  if (function.entry >= function.end) return;
  Liveness liveness(program, function);
  const auto note = [&](uint32_t pc, Liveness::Point point, const std::vector<uint32_t>& live) {
    const Instruction& in = program.code[pc];
    if (in.op == Opcode::MergePoint && point == Liveness::Point::Before)
      program.mergePoints[in.a].live = live;
    if (isCall(in.op) && point == Liveness::Point::After) program.afterCall[pc].live = live;
  };
  const bool isDone = liveness.run([&](uint32_t pc, Liveness::Point point, const Liveness::Bits& live) {
    const Opcode op = program.code[pc].op;
    if (op == Opcode::MergePoint || isCall(op)) note(pc, point, liveness.list(live));
  });
  if (isDone) return;
  const std::vector<uint32_t> all = liveness.allSlots();
  for (uint32_t pc = function.entry; pc < function.end; ++pc)
    for (const Liveness::Point point : {Liveness::Point::Before, Liveness::Point::After})
      note(pc, point, all);
}

std::vector<std::vector<uint32_t>> liveBefore(const Program& program, const Function& function) {
  std::vector<std::vector<uint32_t>> slots(function.end - function.entry);
  Liveness liveness(program, function);
  const bool isDone = liveness.run([&](uint32_t pc, Liveness::Point point, const Liveness::Bits& live) {
    if (point == Liveness::Point::Before) slots[pc - function.entry] = liveness.list(live);
  });
  if (!isDone) slots.assign(slots.size(), liveness.allSlots());
  return slots;
}

}  // namespace heddle
