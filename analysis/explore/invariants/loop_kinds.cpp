#include "analysis/explore/invariants/loop_kinds.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/interp/verifier/input_type.h"
#include "analysis/program/control_flow.h"

namespace heddle {

namespace {

class LoopOf {
 public:
  LoopOf(const Program& program, const Function& function, uint32_t jumpBack)
      : program_(program), function_(function), jumpBack_(jumpBack), begin_(jumpBack) {
    while (begin_ > function.entry && !endsBlock(program.code[begin_ - 1].op)) --begin_;
    findInside();
  }

  /// The branches that each round passes last and first, where they leave the loop; none where rounds may
  /// come back to the head in several ways.
  std::vector<const Instruction*> exits() const {
    std::vector<const Instruction*> found;
    if (backEdges_ != 1) return found;
    for (uint32_t pc = function_.entry; pc < function_.end; ++pc) {
      const Instruction& in = program_.code[pc];
      const bool leadsHere = in.op == Opcode::Branch && (in.b == begin_) != (in.c == begin_);
      if (leadsHere && leadHere_ == 1 && !isInside(in.b == begin_ ? in.c : in.b)) found.push_back(&in);
    }
    for (uint32_t pc = program_.code[jumpBack_].a; pc < function_.end; ++pc) {
      const Instruction& in = program_.code[pc];
      if (in.op == Opcode::Branch && isInside(in.b) != isInside(in.c)) found.push_back(&in);
      if (endsBlock(in.op)) break;
    }
    return found;
  }

  /// A comparison of a counter of the loop with what stays as long as the cells do. It leaves the loop where
  /// the two are equal, and a counter takes each value in turn: so the loop ends.
  std::optional<std::vector<GlobalCell>> countsTo(const Instruction& exit) const {
    const Instruction* test = makerOf(exit.a);
    if (!test || test->op < Opcode::Eq || (test->op > Opcode::Sle && test->op != Opcode::Ne))
      return std::nullopt;
    const bool holdsIfEqual = test->op == Opcode::Eq || test->op == Opcode::Ule || test->op == Opcode::Sle;
    if (holdsIfEqual == isInside(exit.b)) return std::nullopt;
    for (const auto& [counter, limit] : {std::pair(test->a, test->b), std::pair(test->b, test->a)}) {
      if (!isCounter(counter)) continue;
      std::vector<GlobalCell> cells;
      if (stays(limit, cells)) return cells;
    }
    return std::nullopt;
  }

  const std::set<uint32_t>& inside() const { return inside_; }

 private:
  bool isInside(uint32_t pc) const { return inside_.contains(pc); }

  /// What can lead to the jump back without the head.
  void findInside() {
    std::multimap<uint32_t, uint32_t> before;
    for (uint32_t pc = function_.entry; pc < function_.end; ++pc)
      forSuccessors(program_, pc, [&](uint32_t target) { before.emplace(target, pc); });
    const uint32_t head = program_.code[jumpBack_].a;
    leadHere_ = before.count(begin_);
    for (auto [at, last] = before.equal_range(head); at != last; ++at)
      backEdges_ += program_.code[at->second].op == Opcode::JumpBack;
    std::vector<uint32_t> open{jumpBack_};
    inside_.insert(program_.code[jumpBack_].a);
    while (!open.empty()) {
      const uint32_t pc = open.back();
      open.pop_back();
      if (!inside_.insert(pc).second) continue;
      const auto [first, last] = before.equal_range(pc);
      for (auto at = first; at != last; ++at) open.push_back(at->second);
    }
  }

  std::optional<uint64_t> constantAt(uint32_t slot) const {
    const uint32_t first = function_.parameters;
    if (slot < first || slot >= first + function_.constants.size()) return std::nullopt;
    return function_.constants[slot - first];
  }

  std::optional<GlobalCell> cellAt(uint32_t slot) const {
    for (const Relocation& relocation : function_.relocations)
      if (function_.parameters + relocation.offset == slot && relocation.target == RelocationTarget::Global)
        return GlobalCell{relocation.index, function_.constants[relocation.offset]};
    return std::nullopt;
  }

  const Instruction* behindMoves(uint32_t slot) const {
    const Instruction* maker = makerOf(slot);
    while (maker && maker->op == Opcode::Move) maker = makerOf(maker->a);
    return maker;
  }

  /// 1 or -1: a counter leaves nothing out.
  bool addsOne(const Instruction& in) const {
    if (in.op == Opcode::AddImm) return in.c == 1 || in.c == ~uint32_t{0};
    return (in.op == Opcode::Add || in.op == Opcode::Sub) && constantAt(in.b) == 1;
  }

  /// The head finds in the slot what it was in the last round, and 1 more or less.
  bool isCounterAtHead(uint32_t slot) const {
    for (uint32_t pc = begin_; pc < jumpBack_; ++pc) {
      const Instruction& move = program_.code[pc];
      if (move.op != Opcode::Move || move.dst != slot) continue;
      const Instruction* maker = behindMoves(move.a);
      return maker && addsOne(*maker) && maker->a == slot;
    }
    return false;
  }

  bool isCounter(uint32_t slot) const {
    if (isCounterAtHead(slot)) return true;
    const Instruction* maker = makerOf(slot);
    while (maker && maker->op == Opcode::Move) {
      if (isCounterAtHead(maker->a)) return true;
      maker = makerOf(maker->a);
    }
    return maker && addsOne(*maker) && isCounterAtHead(maker->a);
  }

  bool stays(uint32_t slot, std::vector<GlobalCell>& cells) const {
    if (constantAt(slot)) return true;
    bool isMadeInside = false;
    for (const uint32_t pc : inside_) isMadeInside |= makes(program_.code[pc], slot);
    if (!isMadeInside) return true;
    const Instruction* maker = behindMoves(slot);
    while (maker && (maker->op == Opcode::ZExt || maker->op == Opcode::SExt)) maker = behindMoves(maker->a);
    if (!maker || maker->op != Opcode::Load) return false;
    const std::optional<GlobalCell> cell = cellAt(maker->a);
    if (!cell || writesInside(cell->global)) return false;
    cells.push_back(*cell);
    return true;
  }

  /// The loop may write the variable itself.
  bool writesInside(uint32_t global) const {
    return std::any_of(inside_.begin(), inside_.end(), [&](uint32_t pc) {
      const Instruction& in = program_.code[pc];
      if (in.op == Opcode::Call || in.op == Opcode::CallIndirect) return true;
      if (in.op != Opcode::Store && in.op != Opcode::AtomicRmw && in.op != Opcode::CompareExchange)
        return false;
      const std::optional<GlobalCell> root = cellAt(in.c), at = cellAt(in.a);
      if (in.op != Opcode::Store || (!root && !at)) return true;
      return (root ? root : at)->global == global;
    });
  }

  static bool makes(const Instruction& in, uint32_t slot) {
    const bool makesNone = endsBlock(in.op) || in.op == Opcode::Store || in.op == Opcode::MergePoint ||
                           in.op == Opcode::Statement || in.op == Opcode::Fence ||
                           (in.op == Opcode::CallExternal && in.width == 0);
    if (makesNone) return false;
    const bool isPair = in.op == Opcode::CompareExchange || in.op == Opcode::Integer ||
                        in.op == Opcode::Wide || in.op == Opcode::LongFloat || in.op == Opcode::LongCompare;
    const bool isCall = in.op == Opcode::Call || in.op == Opcode::CallIndirect;
    const uint32_t count = isCall ? in.aux : isPair ? 2 : 1;
    return slot >= in.dst && slot < in.dst + count;
  }

  /// Null where none or several instructions make it.
  const Instruction* makerOf(uint32_t slot) const {
    const Instruction* maker = nullptr;
    for (uint32_t pc = function_.entry; pc < function_.end; ++pc) {
      const Instruction& in = program_.code[pc];
      if (!makes(in, slot)) continue;
      if (maker) return nullptr;
      maker = &in;
    }
    return maker;
  }

 public:
  /// Whether an input, or some bits of it, are 0: any input may be, and may be not.
  bool asksInput(const Instruction& branch) const {
    const Instruction* maker = makerOf(branch.a);
    for (; maker && maker->op != Opcode::CallExternal; maker = makerOf(maker->a)) {
      const bool isTest = (maker->op == Opcode::Ne || maker->op == Opcode::Eq) && constantAt(maker->b) == 0;
      const bool isPart = maker->op == Opcode::And && constantAt(maker->b).value_or(0) != 0;
      if (!isTest && !isPart && maker->op != Opcode::Trunc) return false;
    }
    return maker && maker->op == Opcode::CallExternal &&
           inputTypeOf(program_.externals[maker->a]).has_value();
  }

 private:
  const Program& program_;
  const Function& function_;
  const uint32_t jumpBack_;
  uint32_t begin_;                       // of its block
  size_t leadHere_ = 0, backEdges_ = 0;  // to its block; to the head
  std::set<uint32_t> inside_;
};

}  // namespace

LoopKind kindOfLoop(const Program& program, uint32_t jumpBack) {
  LoopKind kind;
  const auto function =
      std::find_if(program.functions.begin(), program.functions.end(),
                   [&](const Function& f) { return f.defined && f.entry <= jumpBack && jumpBack < f.end; });
  if (function == program.functions.end()) return kind;
  const LoopOf loop(program, *function, jumpBack);
  kind.inside = loop.inside();
  for (const Instruction* exit : loop.exits()) {
    if (loop.asksInput(*exit)) {
      kind.ends = LoopKind::Ends::ByInput;
      return kind;
    }
    if (auto cells = loop.countsTo(*exit)) {
      kind.ends = LoopKind::Ends::ByCounting;
      kind.cells = std::move(*cells);
      return kind;
    }
  }
  return kind;
}

}  // namespace heddle
