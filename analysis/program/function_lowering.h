// FunctionLowering: one LLVM function to instructions. Blocks go out in reverse post-order; an edge with phi
// nodes or a loop counter becomes moves before its jump, in a stub of its own when the source branches.
// Internal to analysis/program.
#pragma once

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

#include "analysis/program/module_lowering.h"

namespace heddle::lowering {

class FunctionLowering {
 public:
  FunctionLowering(ModuleLowering& module, const llvm::Function& function, Function& out);
  void run();

 private:
  // Slot numbers are provisional until the counts are known: the top bits tell what they count.
  static constexpr uint32_t kConstantSlot = 1u << 31;
  static constexpr uint32_t kLocalSlot = 1u << 30;

  struct Edge {
    uint32_t instruction;  // whose field `field` (0 a, 1 b, 2 c, 3 switch) is the target
    uint8_t field;
    const llvm::BasicBlock* from;
    const llvm::BasicBlock* to;
    uint32_t table = 0, row = 0;  // of a switch; row -1 is the default
  };

  // function_lowering.cpp
  void numberBlocks();
  void lowerBlock(const llvm::BasicBlock& block);
  void finishEdges();
  void setTarget(const Edge& edge, uint32_t target);
  /// The loop that begins there, if only failures leave it.
  const llvm::Loop* endlessLoop(const llvm::BasicBlock& head) const;
  /// Each round takes the same way through the endless loop.
  static bool isStraight(const llvm::Loop& loop);
  /// The places where the loop that begins there reads the values that decide whether it is left.
  std::vector<PlaceId> exitReads(const llvm::BasicBlock& head);
  /// The test that ends the loop: of a variable that each round changes by the same constant, against what
  /// the loop does not change. Null: there is none that each round to `latch` passes.
  const llvm::Value* countedTest(const llvm::Loop& loop, const llvm::BasicBlock& latch) const;
  /// The counters of the loops that the block is in; of all loops when they cannot be told apart.
  std::vector<uint32_t> loopCounters(const llvm::BasicBlock& block) const;
  bool needsStub(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;
  void emitEdge(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  void emitCopies(std::vector<std::pair<uint32_t, uint32_t>> copies);
  void settleSlots();

  uint32_t local(uint32_t count = 1);
  uint32_t constantSlot(const ScalarConstant& constant);
  uint32_t number(uint64_t bits) { return constantSlot({bits}); }
  uint32_t slot(const llvm::Value& value);                // first slot; reports unsupported values
  uint32_t slots(const llvm::Value& value);               // how many
  uint32_t define(const llvm::Instruction& instruction);  // slots for the result
  Instruction& emit(Opcode op, uint32_t dst = 0, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0);
  /// Fills consecutive slots from `next` on with the scalars of a constant; false for kinds without value.
  bool fillConstant(const llvm::Constant& constant, uint32_t& next);
  void unsupported(const std::string& what);
  uint32_t pc() const { return static_cast<uint32_t>(program_.code.size()); }

  // lower_statement.cpp
  /// Where each variable of the function is at the start of each block.
  void findVariables();
  /// Where the variables are from the instruction on; emits a statement if its line begins there.
  void lowerStatement(const llvm::Instruction& instruction);
  VariablePlace placeOf(const llvm::DILocalVariable& variable, const llvm::Value* value, bool isAddress);
  uint32_t variableIndex(const llvm::DILocalVariable& variable);

  // lower_value.cpp
  bool lowerValue(const llvm::Instruction& instruction);
  void lowerBinary(const llvm::BinaryOperator& instruction);
  void lowerCompare(const llvm::ICmpInst& instruction);
  void lowerFloatCompare(const llvm::FCmpInst& instruction);
  void lowerCast(const llvm::CastInst& instruction);
  void lowerAggregate(const llvm::Instruction& instruction);

  // lower_wide.cpp: integers above 64 bits and long double
  bool lowerWide(const llvm::Instruction& instruction);
  bool lowerWideBinary(const llvm::BinaryOperator& instruction, unsigned width);
  bool lowerWideCast(const llvm::CastInst& instruction, unsigned from, unsigned to);
  bool lowerLongDouble(const llvm::Instruction& instruction);

  // lower_vector.cpp
  bool lowerVector(const llvm::Instruction& instruction);
  void lowerShuffle(const llvm::ShuffleVectorInst& instruction);
  bool lowerReduction(const llvm::CallBase& call, unsigned intrinsic);
  /// The same bits cut into other scalars.
  void repack(const llvm::Value& from, const llvm::Instruction& to);

  // lower_memory.cpp
  bool lowerMemory(const llvm::Instruction& instruction);
  void lowerAddress(const llvm::GetElementPtrInst& instruction);
  /// The trap behind a check of an index. False: it is another one.
  bool lowerBeyondArray(const llvm::CallBase& trap);
  void lowerLoad(const llvm::LoadInst& instruction);
  void lowerStore(const llvm::StoreInst& instruction);
  void lowerAtomic(const llvm::Instruction& instruction);
  void lowerFence(const llvm::FenceInst& instruction);
  /// Notes the memory orders of the instruction emitted last.
  void noteOrders(llvm::AtomicOrdering success, llvm::AtomicOrdering failure);
  void lowerAlloca(const llvm::AllocaInst& instruction);
  uint32_t offsetAddress(uint32_t address, uint64_t offset);
  /// The pointer that an address is computed from: the root of its chain of element addresses.
  uint32_t rootSlot(const llvm::Value& address);

  // lower_control.cpp
  bool lowerControl(const llvm::Instruction& instruction);
  void lowerSwitch(const llvm::SwitchInst& instruction);

  // lower_call.cpp
  void lowerCall(const llvm::CallBase& call);
  bool lowerIntrinsic(const llvm::CallBase& call, const llvm::Function& callee);
  void emitCall(const llvm::CallBase& call, Opcode op, uint32_t target, unsigned argumentCount);
  std::string resultName(const llvm::CallBase& call) const;

  ModuleLowering& module_;
  Program& program_;
  const llvm::Function& function_;
  Function& out_;
  PlaceId place_ = kNone;  // of the instruction being lowered

  /// What holds a variable: its value, or its address; null: no longer known.
  struct Holder {
    const llvm::Value* value = nullptr;
    bool isAddress = false;
    bool operator==(const Holder&) const = default;
  };
  using Holders = llvm::MapVector<const llvm::DILocalVariable*, Holder>;
  llvm::DenseMap<const llvm::BasicBlock*, Holders> holdersAt_;  // where it begins
  Holders declared_;                                            // that stay at one address
  Holders holders_;                                             // at the instruction that is being lowered
  const llvm::BasicBlock* statementBlock_ = nullptr;            // of the last statement, and its line
  unsigned statementLine_ = 0;
  llvm::DenseMap<const llvm::DILocalVariable*, uint32_t> variableIndex_;
  size_t firstStatement_ = 0;

  std::vector<const llvm::BasicBlock*> order_;
  llvm::DenseMap<const llvm::BasicBlock*, uint32_t> position_;  // in `order_`, from 1
  llvm::DenseMap<const llvm::BasicBlock*, uint32_t> start_;     // program counter
  llvm::DenseMap<const llvm::BasicBlock*, uint32_t> counter_;   // loop header → counter slot
  llvm::DenseMap<const llvm::Value*, uint32_t> slots_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  bool irreducible_ = false;
  std::vector<Edge> edges_;
  uint32_t locals_ = 0;
  std::vector<ScalarConstant> constants_;
  std::map<std::tuple<uint64_t, int, uint32_t, bool>, uint32_t> constantIndex_;
};

/// Whether control that enters `block` can only go straight to a failure, with no access to memory before it.
bool leadsToFailure(const llvm::BasicBlock& block);
/// Whether the address of a stack variable is only loaded from, stored to, or offset, so no one else can have
/// it.
bool staysPrivate(const llvm::AllocaInst& variable);

}  // namespace heddle::lowering
