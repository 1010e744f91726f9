#include "analysis/compile/section_conversion.h"

#include <optional>

#include "analysis/compile/section_blocks.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace heddle {
namespace {

/// The blocks between a branch and where its ways meet again, in topological order, without both.
struct Region {
  llvm::BasicBlock* head = nullptr;
  llvm::BasicBlock* join = nullptr;
  std::vector<llvm::BasicBlock*> blocks;
};

class Converter {
 public:
  Converter(llvm::Function& function, const SectionBlocks& sections)
      : function_(function), sections_(sections) {}

  void run() {
    for (bool changed = true; changed;) {
      changed = false;
      const llvm::PostDominatorTree dominators(function_);
      for (llvm::BasicBlock& block : function_) {
        const std::optional<Region> region = regionAt(block, dominators);
        if (!region) continue;
        straighten(*region);
        changed = true;
        break;
      }
    }
  }

 private:
  bool isPure(const llvm::Instruction& instruction) const {
    if (instruction.isDebugOrPseudoInst()) return true;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(load->getPointerOperand());
      return variable && !load->isVolatile() && !load->isAtomic() && sections_.isGuarded(*variable) &&
             load->getType()->isIntegerTy() && load->getType() == variable->getValueType();
    }
    if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
      return binary->getType()->isIntegerTy() && !binary->isIntDivRem() &&
             (!binary->isShift() || llvm::isa<llvm::ConstantInt>(binary->getOperand(1)));
    return llvm::isa<llvm::ICmpInst, llvm::CastInst, llvm::SelectInst>(instruction) &&
           (instruction.getType()->isIntegerTy() || instruction.getType()->isPointerTy());
  }

  bool isInner(const llvm::BasicBlock& block) const {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch) return false;
    for (const llvm::Instruction& instruction : block)
      if (!llvm::isa<llvm::PHINode>(instruction) && &instruction != branch && !isPure(instruction))
        return false;
    return true;
  }

  /// Adds the blocks that the way leads through, after those behind them. False: not to be straightened.
  bool collect(llvm::BasicBlock* block, Region& region,
               llvm::DenseMap<llvm::BasicBlock*, bool>& finished) const {
    constexpr size_t kMostBlocks = 32;
    if (block == region.join) return true;
    if (const auto known = finished.find(block); known != finished.end())
      return known->second;  // else a loop
    if (block == region.head || finished.size() > kMostBlocks || !isInner(*block)) return false;
    finished[block] = false;
    for (llvm::BasicBlock* next : llvm::successors(block))
      if (!collect(next, region, finished)) return false;
    finished[block] = true;
    region.blocks.push_back(block);
    return true;
  }

  std::optional<Region> regionAt(llvm::BasicBlock& head, const llvm::PostDominatorTree& dominators) const {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(head.getTerminator());
    if (!branch || !branch->isConditional() || !sections_.endsInside(head)) return std::nullopt;
    const auto* node = dominators.getNode(&head);
    if (!node || !node->getIDom() || !node->getIDom()->getBlock()) return std::nullopt;
    Region region{&head, node->getIDom()->getBlock(), {}};
    if (region.join == &head) return std::nullopt;
    llvm::DenseMap<llvm::BasicBlock*, bool> finished;
    for (llvm::BasicBlock* next : llvm::successors(&head))
      if (!collect(next, region, finished)) return std::nullopt;
    std::reverse(region.blocks.begin(), region.blocks.end());
    for (const llvm::BasicBlock* block : region.blocks)
      for (const llvm::BasicBlock* from : llvm::predecessors(block))
        if (from != &head && !finished.contains(from)) return std::nullopt;
    // The values that meet must be ones that can be chosen between.
    for (const llvm::PHINode& phi : region.join->phis())
      if (!phi.getType()->isIntegerTy() && !phi.getType()->isPointerTy()) return std::nullopt;
    for (const llvm::BasicBlock* block : region.blocks)
      for (const llvm::PHINode& phi : block->phis())
        if (!phi.getType()->isIntegerTy() && !phi.getType()->isPointerTy()) return std::nullopt;
    return region;
  }

  using Edge = std::pair<llvm::BasicBlock*, llvm::BasicBlock*>;

  /// Notes when the ways out of a block are taken; `taken`: when the block is reached, null: always.
  void noteEdges(llvm::BasicBlock* block, llvm::Value* taken, llvm::IRBuilder<>& builder) {
    auto* branch = llvm::cast<llvm::BranchInst>(block->getTerminator());
    const auto note = [&](llvm::BasicBlock* to, llvm::Value* when) {
      llvm::Value*& known = edges_[Edge{block, to}];
      known = known ? builder.CreateOr(known, when) : when;
    };
    if (!branch->isConditional()) return note(branch->getSuccessor(0), taken);
    llvm::Value* condition = branch->getCondition();
    llvm::Value* negated = builder.CreateNot(condition);
    note(branch->getSuccessor(0), taken ? builder.CreateAnd(taken, condition) : condition);
    note(branch->getSuccessor(1), taken ? builder.CreateAnd(taken, negated) : negated);
  }

  /// The value that a phi has, of those that come by edges of the region.
  llvm::Value* chosen(llvm::PHINode& phi, llvm::IRBuilder<>& builder) {
    llvm::Value* value = nullptr;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      const auto edge = edges_.find(Edge{phi.getIncomingBlock(i), phi.getParent()});
      if (edge == edges_.end()) continue;
      llvm::Value* incoming = phi.getIncomingValue(i);
      value = !value || value == incoming ? incoming : builder.CreateSelect(edge->second, incoming, value);
    }
    return value;
  }

  void straighten(const Region& region) {
    edges_.clear();
    llvm::Instruction* end = region.head->getTerminator();
    llvm::IRBuilder<> builder(end);
    noteEdges(region.head, nullptr, builder);
    for (llvm::BasicBlock* block : region.blocks) {
      llvm::Value* taken = nullptr;
      llvm::SmallPtrSet<llvm::BasicBlock*, 4> seen;
      for (llvm::BasicBlock* from : llvm::predecessors(block)) {
        if (!seen.insert(from).second) continue;
        llvm::Value* edge = edges_.lookup(Edge{from, block});
        taken = taken ? builder.CreateOr(taken, edge) : edge;
      }
      while (auto* phi = llvm::dyn_cast<llvm::PHINode>(&block->front())) {
        phi->replaceAllUsesWith(chosen(*phi, builder));
        phi->eraseFromParent();
      }
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
        instruction.dropDbgRecords();  // variables that another way may have set
        if (instruction.isTerminator()) break;
        instruction.moveBefore(end->getIterator());
      }
      noteEdges(block, taken, builder);
    }
    for (llvm::PHINode& phi : region.join->phis()) {
      llvm::Value* value = chosen(phi, builder);
      for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
        if (edges_.contains(Edge{phi.getIncomingBlock(i), region.join})) phi.removeIncomingValue(i, false);
      phi.addIncoming(value, region.head);
    }
    builder.CreateBr(region.join);
    end->eraseFromParent();
    for (llvm::BasicBlock* block : region.blocks) block->dropAllReferences();
    for (llvm::BasicBlock* block : region.blocks) block->eraseFromParent();
  }

  llvm::Function& function_;
  const SectionBlocks& sections_;
  llvm::DenseMap<Edge, llvm::Value*> edges_;
};

}  // namespace

void convertSections(llvm::Module& module) {
  const SectionBlocks sections(module);
  if (sections.empty()) return;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) Converter(function, sections).run();
}

}  // namespace heddle
