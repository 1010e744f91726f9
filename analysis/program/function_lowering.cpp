#include "analysis/program/function_lowering.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>

#include "analysis/program/liveness.h"

namespace heddle::lowering {

FunctionLowering::FunctionLowering(ModuleLowering& module, const llvm::Function& function, Function& out)
    : module_(module), program_(module.program), function_(function), out_(out) {}

void FunctionLowering::run() {
  place_ = out_.place;
  emit(Opcode::Unreachable);  // what constructors return to stands right before main's first instruction
  out_.entry = pc();
  uint32_t parameter = 0;
  for (const llvm::Argument& argument : function_.args()) {
    slots_[&argument] = parameter;
    parameter += std::max(1u, slots(argument));
    const bool pointer = argument.getType()->isPointerTy();
    if (const auto parts = module_.flatten(argument.getType()))
      for (const Scalar& part : *parts)
        out_.parameterTypes.push_back(
            {argument.getName().str(), static_cast<uint8_t>(part.width), pointer, !argument.use_empty()});
    out_.parameterTypes.resize(parameter);
  }
  out_.parameters = parameter;
  if (const auto parts = module_.flatten(function_.getReturnType()))
    out_.returnSlots = static_cast<uint32_t>(parts->size());
  numberBlocks();
  if (module_.withStatements) findVariables();
  for (const llvm::BasicBlock* block : order_) lowerBlock(*block);
  finishEdges();
  settleSlots();
  out_.end = pc();
  computeLiveness(program_, out_);
}

void FunctionLowering::numberBlocks() {
  llvm::ReversePostOrderTraversal<const llvm::Function*> traversal(&function_);
  for (const llvm::BasicBlock* block : traversal) {
    order_.push_back(block);
    position_[block] = static_cast<uint32_t>(order_.size());
  }
  for (const llvm::BasicBlock* block : order_)
    for (const llvm::BasicBlock* next : llvm::successors(block))
      if (position_.lookup(next) <= position_.lookup(block) && !counter_.count(next))
        counter_[next] = local();
  if (!counter_.empty()) {
    dominators_.recalculate(const_cast<llvm::Function&>(function_));
    loops_.analyze(dominators_);
    for (const auto& [head, counter] : counter_) irreducible_ |= !loops_.isLoopHeader(head);
  }
  // Results get their slots first: a phi may refer to a value of a later block.
  for (const llvm::BasicBlock* block : order_)
    for (const llvm::Instruction& instruction : *block)
      if (!instruction.getType()->isVoidTy()) define(instruction);
}

void FunctionLowering::lowerBlock(const llvm::BasicBlock& block) {
  start_[&block] = pc();
  if (block.hasNPredecessorsOrMore(2)) {
    const auto counter = counter_.find(&block);
    emit(Opcode::MergePoint, 0, static_cast<uint32_t>(program_.mergePoints.size()),
         counter == counter_.end() ? kNone : counter->second);
    const llvm::Loop* endless = endlessLoop(block);
    program_.mergePoints.push_back(
        {{}, loopCounters(block), endless != nullptr, endless && isStraight(*endless), exitReads(block)});
  }
  for (const llvm::Instruction& instruction : block) {
    if (instruction.getDebugLoc()) place_ = module_.place(instruction.getDebugLoc().get());
    if (llvm::isa<llvm::PHINode>(instruction)) continue;
    if (module_.withStatements) lowerStatement(instruction);
    if (lowerValue(instruction) || lowerMemory(instruction) || lowerControl(instruction)) continue;
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && !instruction.isTerminator()) {
      lowerCall(*call);
      continue;
    }
    unsupported(std::string("instruction '") + instruction.getOpcodeName() + "'");
  }
}

const llvm::Loop* FunctionLowering::endlessLoop(const llvm::BasicBlock& head) const {
  const llvm::Loop* loop = counter_.count(&head) ? loops_.getLoopFor(&head) : nullptr;
  if (!loop || loop->getHeader() != &head) return nullptr;
  llvm::SmallVector<llvm::BasicBlock*> exits;
  loop->getExitBlocks(exits);
  const auto fails = [](const llvm::BasicBlock* exit) { return leadsToFailure(*exit); };
  return std::all_of(exits.begin(), exits.end(), fails) ? loop : nullptr;
}

bool FunctionLowering::isStraight(const llvm::Loop& loop) {
  for (const llvm::BasicBlock* block : loop.blocks()) {
    const auto stays = [&](const llvm::BasicBlock* next) { return loop.contains(next); };
    const auto next = llvm::successors(block);
    if (std::count_if(next.begin(), next.end(), stays) != 1) return false;
    for (const llvm::Instruction& instruction : *block) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (call && (!callee || !callee->isDeclaration())) return false;
    }
  }
  return true;
}

std::vector<PlaceId> FunctionLowering::exitReads(const llvm::BasicBlock& head) {
  std::vector<PlaceId> places;
  const llvm::Loop* loop = counter_.count(&head) ? loops_.getLoopFor(&head) : nullptr;
  if (!loop || loop->getHeader() != &head) return places;
  std::vector<const llvm::Value*> open;
  llvm::DenseSet<const llvm::Value*> seen;
  const auto add = [&](const llvm::Value* value) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    // A function that the loop calls counts as a whole.
    const bool isInside =
        instruction && (loop->contains(instruction) || instruction->getFunction() != &function_);
    if (isInside && seen.insert(value).second) open.push_back(value);
  };
  const auto addCondition = [&](const llvm::BasicBlock& block) {
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
        branch && branch->isConditional())
      add(branch->getCondition());
    if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator()))
      add(choice->getCondition());
  };
  llvm::SmallVector<llvm::BasicBlock*> exiting;
  loop->getExitingBlocks(exiting);
  for (const llvm::BasicBlock* block : exiting) addCondition(*block);
  while (!open.empty()) {
    const auto& instruction = *llvm::cast<llvm::Instruction>(open.back());
    open.pop_back();
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (callee && !callee->isDeclaration()) {
      for (const llvm::BasicBlock& block : *callee)
        if (const auto* leaves = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
            leaves && leaves->getReturnValue())
          add(leaves->getReturnValue());
      continue;
    }
    if (instruction.mayReadFromMemory()) {
      if (instruction.getDebugLoc()) places.push_back(module_.place(instruction.getDebugLoc().get()));
      continue;
    }
    for (const llvm::Value* operand : instruction.operands()) add(operand);
    // Which value a phi has is up to the branches that lead to it.
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
      for (const llvm::BasicBlock* from : phi->blocks())
        if (loop->contains(from) || from->getParent() != &function_) addCondition(*from);
  }
  return places;
}

const llvm::Value* FunctionLowering::countedTest(const llvm::Loop& loop,
                                                 const llvm::BasicBlock& latch) const {
  // A phi of the head that each round adds the same constant to.
  const auto isCounter = [&](const llvm::Value* value) {
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(value);
    if (!phi || phi->getParent() != loop.getHeader()) return false;
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      if (!loop.contains(phi->getIncomingBlock(i))) continue;
      const auto* step = llvm::dyn_cast<llvm::BinaryOperator>(phi->getIncomingValue(i));
      const bool adds = step && (step->getOpcode() == llvm::Instruction::Add ||
                                 step->getOpcode() == llvm::Instruction::Sub);
      if (!adds || step->getOperand(0) != phi) return false;
      const auto* by = llvm::dyn_cast<llvm::ConstantInt>(step->getOperand(1));
      if (!by || by->isZero()) return false;
    }
    return true;
  };
  const auto follows = [&](const llvm::Value* value) {
    while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) value = cast->getOperand(0);
    if (isCounter(value)) return true;
    const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(value);
    return next && llvm::isa<llvm::ConstantInt>(next->getOperand(1)) && isCounter(next->getOperand(0));
  };
  llvm::SmallVector<llvm::BasicBlock*> exiting;
  loop.getExitingBlocks(exiting);
  for (const llvm::BasicBlock* block : exiting) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional() || !dominators_.dominates(block, &latch)) continue;
    const auto* test = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
    if (!test) continue;
    for (const unsigned side : {0u, 1u})
      if (follows(test->getOperand(side)) && loop.isLoopInvariant(test->getOperand(1 - side))) return test;
  }
  return nullptr;
}

std::vector<uint32_t> FunctionLowering::loopCounters(const llvm::BasicBlock& block) const {
  std::vector<uint32_t> counters;
  if (irreducible_)
    for (const llvm::BasicBlock* head : order_) {
      if (const auto counter = counter_.find(head); counter != counter_.end())
        counters.push_back(counter->second);
    }
  else if (!counter_.empty())
    for (const llvm::Loop* loop = loops_.getLoopFor(&block); loop; loop = loop->getParentLoop())
      counters.push_back(counter_.lookup(loop->getHeader()));
  return counters;
}

bool FunctionLowering::needsStub(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
  (void)from;
  return counter_.count(&to) || llvm::isa<llvm::PHINode>(to.front());
}

void FunctionLowering::emitEdge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  std::vector<std::pair<uint32_t, uint32_t>> copies;
  for (const llvm::PHINode& phi : to.phis()) {
    const llvm::Value& incoming = *phi.getIncomingValueForBlock(&from);
    const uint32_t target = slot(phi), source = slot(incoming), count = slots(phi);
    for (uint32_t i = 0; i < count; ++i) copies.emplace_back(target + i, source + i);
  }
  emitCopies(std::move(copies));
  const auto counter = counter_.find(&to);
  const bool back = counter != counter_.end() && position_.lookup(&to) <= position_.lookup(&from);
  if (counter != counter_.end() && !back) emit(Opcode::Move, counter->second, number(0));
  const uint32_t jump = pc();
  const llvm::Loop* loop = back && !irreducible_ ? loops_.getLoopFor(&to) : nullptr;
  const llvm::Value* test = loop && loop->getHeader() == &to ? countedTest(*loop, from) : nullptr;
  emit(back ? Opcode::JumpBack : Opcode::Jump, 0, 0, back ? counter->second : 0,
       test   ? slot(*test)
       : back ? kNone
              : 0);
  edges_.push_back({jump, 0, nullptr, &to});
}

void FunctionLowering::emitCopies(std::vector<std::pair<uint32_t, uint32_t>> copies) {
  std::erase_if(copies, [](const auto& c) { return c.first == c.second; });
  while (!copies.empty()) {
    bool progress = false;
    for (size_t i = 0; i < copies.size(); ++i) {
      const uint32_t target = copies[i].first;
      bool stillRead = false;
      for (size_t k = 0; k < copies.size(); ++k) stillRead |= k != i && copies[k].second == target;
      if (stillRead) continue;
      emit(Opcode::Move, target, copies[i].second);
      copies.erase(copies.begin() + static_cast<std::ptrdiff_t>(i));
      progress = true;
      break;
    }
    if (progress) continue;
    // Only cycles are left: save one target and read the copy instead.
    const uint32_t saved = local(), target = copies.front().first;
    emit(Opcode::Move, saved, target);
    for (auto& copy : copies)
      if (copy.second == target) copy.second = saved;
  }
}

void FunctionLowering::finishEdges() {
  for (size_t i = 0; i < edges_.size(); ++i) {
    const Edge edge = edges_[i];
    if (!edge.from || !needsStub(*edge.from, *edge.to)) {
      setTarget(edge, start_.lookup(edge.to));
      continue;
    }
    setTarget(edge, pc());
    place_ = program_.code[edge.instruction].place;
    emitEdge(*edge.from, *edge.to);
  }
}

void FunctionLowering::setTarget(const Edge& edge, uint32_t target) {
  Instruction& in = program_.code[edge.instruction];
  switch (edge.field) {
    case 0:
      in.a = target;
      break;
    case 1:
      in.b = target;
      break;
    case 2:
      in.c = target;
      break;
    default:
      if (edge.row == ~0u)
        program_.switches[edge.table].defaultTarget = target;
      else
        program_.switches[edge.table].cases[edge.row].second = target;
  }
}

void FunctionLowering::settleSlots() {
  const auto count = static_cast<uint32_t>(constants_.size());
  const auto settle = [&](uint32_t& field) {
    if (field == kNone) return;
    if (field & kConstantSlot)
      field = out_.parameters + (field & ~kConstantSlot);
    else if (field & kLocalSlot)
      field = out_.parameters + count + (field & ~kLocalSlot);
  };
  for (uint32_t i = out_.entry; i < pc(); ++i) {
    Instruction& in = program_.code[i];
    settle(in.dst);
    if (in.op == Opcode::MergePoint) {
      settle(in.b);
      for (uint32_t& counter : program_.mergePoints[in.a].counters) settle(counter);
      continue;
    }
    if (const auto after = program_.afterCall.find(i); after != program_.afterCall.end())
      for (uint32_t& counter : after->second.counters) settle(counter);
    settle(in.a);
    settle(in.b);
    if (in.op != Opcode::AddImm && in.op != Opcode::ScaleAdd) settle(in.c);
    if (in.op == Opcode::Call || in.op == Opcode::CallIndirect || in.op == Opcode::CallExternal)
      for (uint32_t k = 0; k < in.c; ++k) settle(program_.arguments[in.b + k].slot);
  }
  for (size_t i = firstStatement_; i < program_.statements.size(); ++i)
    for (VariablePlace& variable : program_.statements[i].variables) settle(variable.slot);
  for (uint32_t i = 0; i < count; ++i) {
    out_.constants.push_back(constants_[i].bits);
    out_.undefined.push_back(constants_[i].undefined);
    if (constants_[i].target != RelocationTarget::None)
      out_.relocations.push_back({i, constants_[i].target, constants_[i].index});
  }
  out_.slots = out_.parameters + count + locals_;
}

uint32_t FunctionLowering::local(uint32_t count) {
  const uint32_t first = locals_;
  locals_ += count;
  return kLocalSlot | first;
}

uint32_t FunctionLowering::constantSlot(const ScalarConstant& c) {
  const auto [it, inserted] = constantIndex_.try_emplace(
      {c.bits, static_cast<int>(c.target), c.index, c.undefined}, static_cast<uint32_t>(constants_.size()));
  if (inserted) constants_.push_back(c);
  return kConstantSlot | it->second;
}

uint32_t FunctionLowering::slots(const llvm::Value& value) {
  const auto parts = module_.flatten(value.getType());
  return parts ? static_cast<uint32_t>(parts->size()) : 1;
}

uint32_t FunctionLowering::define(const llvm::Instruction& instruction) {
  const auto found = slots_.find(&instruction);
  if (found != slots_.end()) return found->second;
  return slots_[&instruction] = local(std::max(1u, slots(instruction)));
}

uint32_t FunctionLowering::slot(const llvm::Value& value) {
  const auto found = slots_.find(&value);
  if (found != slots_.end()) return found->second;
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(&value)) {
    if (module_.scalarWidth(constant->getType())) {
      if (const auto scalar = module_.scalarConstant(*constant)) return constantSlot(*scalar);
    } else if (const auto parts = module_.flatten(constant->getType())) {
      // An aggregate constant: consecutive locals, filled here.
      const uint32_t first = local(std::max<uint32_t>(1, static_cast<uint32_t>(parts->size())));
      uint32_t next = first;
      if (fillConstant(*constant, next)) return first;
    }
    unsupported("a constant of this kind");
    return number(0);
  }
  return number(0);  // metadata and the like, never read
}

bool FunctionLowering::fillConstant(const llvm::Constant& constant, uint32_t& next) {
  llvm::Type* type = constant.getType();
  if (module_.scalarWidth(type)) {
    const auto scalar = module_.scalarConstant(constant);
    if (scalar) emit(Opcode::Move, next++, constantSlot(*scalar));
    return scalar.has_value();
  }
  if (ModuleLowering::wideWidth(type) || ModuleLowering::isLongDouble(type)) {
    llvm::APInt bits(128, 0);
    const bool undefined = llvm::isa<llvm::UndefValue>(constant);
    if (auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant))
      bits = integer->getValue().zext(128);
    else if (auto* real = llvm::dyn_cast<llvm::ConstantFP>(&constant))
      bits = real->getValueAPF().bitcastToAPInt().zext(128);
    else if (!undefined && !constant.isNullValue())
      return false;
    for (unsigned i = 0; i < 2; ++i)
      emit(Opcode::Move, next++,
           constantSlot({bits.extractBitsAsZExtValue(64, i * 64), RelocationTarget::None, 0, undefined}));
    return true;
  }
  uint64_t count = 0;
  if (type->isStructTy())
    count = type->getStructNumElements();
  else if (type->isArrayTy())
    count = type->getArrayNumElements();
  else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    count = vector->getNumElements();
  for (unsigned i = 0; i < count; ++i) {
    const llvm::Constant* part = constant.getAggregateElement(i);
    if (!part || !fillConstant(*part, next)) return false;
  }
  return true;
}

Instruction& FunctionLowering::emit(Opcode op, uint32_t dst, uint32_t a, uint32_t b, uint32_t c) {
  Instruction in = instructionOf(op, dst, a, b, c);
  in.place = place_;
  program_.code.push_back(in);
  return program_.code.back();
}

void FunctionLowering::unsupported(const std::string& what) {
  emit(Opcode::Unsupported, 0, static_cast<uint32_t>(program_.texts.size()));
  program_.texts.push_back(what);
}

}  // namespace heddle::lowering
