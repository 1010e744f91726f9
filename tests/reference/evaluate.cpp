// Values and memory: what instructions compute, load and store.
#include <algorithm>
#include <stdexcept>

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "tests/reference/machine.h"

namespace heddle::reference {
namespace {

uint64_t masked(uint64_t bits, unsigned width) {
  return width >= 64 ? bits : bits & ((1ull << width) - 1);
}

int64_t extended(uint64_t bits, unsigned width) {
  return width >= 64 ? static_cast<int64_t>(bits)
                     : static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

uint64_t binary(unsigned opcode, uint64_t a, uint64_t b, unsigned width) {
  const int64_t x = extended(a, width), y = extended(b, width);
  switch (opcode) {
    case llvm::Instruction::Add:
      return a + b;
    case llvm::Instruction::Sub:
      return a - b;
    case llvm::Instruction::Mul:
      return a * b;
    case llvm::Instruction::And:
      return a & b;
    case llvm::Instruction::Or:
      return a | b;
    case llvm::Instruction::Xor:
      return a ^ b;
    case llvm::Instruction::UDiv:
      return a / b;
    case llvm::Instruction::URem:
      return a % b;
    case llvm::Instruction::SDiv:
      return y == -1 ? 0 - a : static_cast<uint64_t>(x / y);
    case llvm::Instruction::SRem:
      return y == -1 ? 0 : static_cast<uint64_t>(x % y);
    case llvm::Instruction::Shl:
      if (b < width) return a << b;
      break;
    case llvm::Instruction::LShr:
      if (b < width) return a >> b;
      break;
    case llvm::Instruction::AShr:
      if (b < width) return static_cast<uint64_t>(x >> b);
      break;
    default:
      break;
  }
  throw std::runtime_error("operation of this kind, or a shift too far");
}

bool compared(llvm::CmpInst::Predicate predicate, uint64_t a, uint64_t b, unsigned width) {
  const int64_t x = extended(a, width), y = extended(b, width);
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ:
      return a == b;
    case llvm::CmpInst::ICMP_NE:
      return a != b;
    case llvm::CmpInst::ICMP_ULT:
      return a < b;
    case llvm::CmpInst::ICMP_ULE:
      return a <= b;
    case llvm::CmpInst::ICMP_UGT:
      return a > b;
    case llvm::CmpInst::ICMP_UGE:
      return a >= b;
    case llvm::CmpInst::ICMP_SLT:
      return x < y;
    case llvm::CmpInst::ICMP_SLE:
      return x <= y;
    case llvm::CmpInst::ICMP_SGT:
      return x > y;
    case llvm::CmpInst::ICMP_SGE:
      return x >= y;
    default:
      throw std::runtime_error("comparison of this kind");
  }
}

uint64_t updated(llvm::AtomicRMWInst::BinOp operation, uint64_t old, uint64_t by, unsigned width) {
  using Rmw = llvm::AtomicRMWInst;
  const int64_t x = extended(old, width), y = extended(by, width);
  switch (operation) {
    case Rmw::Xchg:
      return by;
    case Rmw::Add:
      return masked(old + by, width);
    case Rmw::Sub:
      return masked(old - by, width);
    case Rmw::And:
      return old & by;
    case Rmw::Nand:
      return masked(~(old & by), width);
    case Rmw::Or:
      return old | by;
    case Rmw::Xor:
      return old ^ by;
    case Rmw::Max:
      return x > y ? old : by;
    case Rmw::Min:
      return x < y ? old : by;
    case Rmw::UMax:
      return std::max(old, by);
    case Rmw::UMin:
      return std::min(old, by);
    default:
      throw std::runtime_error("atomic update of this kind");
  }
}

/// The next piece of a block that begins at `address`: whole aligned words where they fit.
uint32_t pieceAt(uint64_t address, uint64_t left) {
  return static_cast<uint32_t>(std::min<uint64_t>(8 - address % 8, left));
}

}  // namespace

Value Machine::computed(const Thread& thread, const llvm::Instruction& instruction) const {
  const auto operand = [&](unsigned i) { return value(thread, *instruction.getOperand(i)); };
  const auto width = [&](const llvm::Value& of) -> unsigned {
    if (of.getType()->isPointerTy()) return code_.layout().getPointerSizeInBits();
    if (!of.getType()->isIntegerTy() || of.getType()->getIntegerBitWidth() > 64)
      throw std::runtime_error("value of this type");
    return of.getType()->getIntegerBitWidth();
  };
  if (const auto* member = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    Value result = operand(0);
    for (auto step = llvm::gep_type_begin(member); step != llvm::gep_type_end(member); ++step) {
      const Value index = value(thread, *step.getOperand());
      result.undefined |= index.undefined;
      if (llvm::StructType* record = step.getStructTypeOrNull())
        result.bits +=
            code_.layout().getStructLayout(record)->getElementOffset(static_cast<unsigned>(index.bits));
      else
        result.bits += static_cast<uint64_t>(extended(index.bits, width(*step.getOperand()))) *
                       step.getSequentialElementStride(code_.layout());
    }
    result.bits = masked(result.bits, code_.layout().getPointerSizeInBits());
    return result;
  }
  if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
    const Value a = operand(0), b = operand(1);
    return {compared(comparison->getPredicate(), a.bits, b.bits, width(*instruction.getOperand(0))), 0,
            a.undefined || b.undefined};
  }
  if (llvm::isa<llvm::SelectInst>(instruction)) return operand(0).bits & 1 ? operand(1) : operand(2);
  if (llvm::isa<llvm::ExtractValueInst>(instruction)) {
    const auto& part = llvm::cast<llvm::ExtractValueInst>(instruction);
    const Value whole = operand(0);
    if (!llvm::isa<llvm::AtomicCmpXchgInst>(part.getAggregateOperand()))
      throw std::runtime_error("part of a value of this kind");
    return part.getIndices()[0] == 0 ? Value{whole.bits, 0, whole.undefined}
                                     : Value{whole.second, 0, whole.undefined};
  }
  if (llvm::isa<llvm::FreezeInst>(instruction)) return operand(0);
  if (instruction.isCast()) {
    const Value from = operand(0);
    const unsigned target = width(instruction), source = width(*instruction.getOperand(0));
    uint64_t bits = from.bits;
    if (llvm::isa<llvm::SExtInst>(instruction)) bits = static_cast<uint64_t>(extended(bits, source));
    return {masked(bits, target), 0, from.undefined};
  }
  if (instruction.isBinaryOp()) {
    const Value a = operand(0), b = operand(1);
    const unsigned size = width(instruction);
    if (a.undefined || b.undefined) return {0, 0, true};
    return {masked(binary(instruction.getOpcode(), a.bits, b.bits, size), size)};
  }
  throw std::runtime_error(std::string("instruction ") + instruction.getOpcodeName());
}

std::optional<Access> Machine::accessOf(const State& state, const Thread& thread,
                                        const llvm::Instruction& instruction) const {
  Access access;
  access.line = lineOf(instruction);
  const auto at = [&](const llvm::Value& pointer, llvm::Type* type) {
    const Value address = value(thread, pointer);
    access.address = address.bits;
    access.wild = address.undefined;
    access.size = type ? code_.sizeOf(type) : 0;
  };
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    at(*load->getPointerOperand(), load->getType());
    access.atomic = load->isAtomic();
    return access;
  }
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    at(*store->getPointerOperand(), store->getValueOperand()->getType());
    access.atomic = store->isAtomic();
    access.write = true;
    return access;
  }
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    at(*update->getPointerOperand(), update->getType());
    access.atomic = access.write = true;
    return access;
  }
  if (const auto* swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    at(*swap->getPointerOperand(), swap->getNewValOperand()->getType());
    access.atomic = true;
    const Object* object = access.wild ? nullptr : objectAt(state, access.address, access.size);
    access.write = object && get(*object, access.address - object->base, access.size).bits ==
                                 value(thread, *swap->getCompareOperand()).bits;
    return access;
  }
  if (const auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    const uint64_t length = value(thread, *copy->getLength()).bits;
    const uint64_t read = thread.buffer.size();
    const bool reads = llvm::isa<llvm::MemTransferInst>(copy) && thread.phase == 0;
    const uint64_t position = reads ? read : thread.phase ? thread.phase - 1 : 0;
    const llvm::Value& place =
        reads ? *llvm::cast<llvm::MemTransferInst>(copy)->getRawSource() : *copy->getRawDest();
    const Value address = value(thread, place);
    access.address = address.bits + position;
    access.wild = address.undefined;
    access.size = length ? pieceAt(access.address, length - position) : 0;
    access.write = !reads;
    return access;
  }
  return std::nullopt;
}

std::optional<Access> Machine::nextAccess(const State& state, size_t t) {
  const Thread& thread = state.threads[t];
  if (thread.status == ThreadStatus::Ended) return std::nullopt;
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&at(thread));
      call && call->getCalledFunction() && call->getCalledFunction()->getName() == "free") {
    // Freeing ends the block: for a race it is a write to all of it.
    const uint64_t address = argument(thread, *call, 0);
    for (const Object& object : state.objects)
      if (object.base == address && !object.freed)
        return Access{address, static_cast<uint32_t>(object.bytes.size()), true, false, false, lineOf(*call)};
    return std::nullopt;
  }
  return accessOf(state, thread, at(thread));
}

Refusal Machine::memory(const State& state, size_t t, const llvm::Instruction& instruction, Successors& out) {
  const Access access = *accessOf(state, state.threads[t], instruction);
  if (access.wild) return fail(state, t, "uninitialized", out);
  if (access.size && !objectAt(state, access.address, access.size)) return fail(state, t, "memory", out);
  if (const auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) return block(state, t, *copy, out);
  const Thread& thread = state.threads[t];
  const auto finish = [&](const Value& result, std::optional<Value> stored) {
    State next = state;
    if (stored) {
      const Pointer to = resolve(next, access.address, access.size);
      if (to.object->region == Region::Constant) {
        fail(state, t, "memory", out);
        return;
      }
      put(*to.object, to.offset, access.size, *stored);
    }
    Thread& after = next.threads[t];
    if (!instruction.getType()->isVoidTy()) set(after, instruction, result);
    ++after.frames.back().next;
    out.push_back({std::move(next), {}});
  };
  const Object* object = objectAt(state, access.address, access.size);
  const Value old = get(*object, access.address - object->base, access.size);
  if (llvm::isa<llvm::LoadInst>(instruction)) {
    finish(old, std::nullopt);
  } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    finish({}, value(thread, *store->getValueOperand()));
  } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    const Value by = value(thread, *update->getValOperand());
    finish(old,
           Value{updated(update->getOperation(), old.bits, by.bits, 8 * access.size), 0,
                 (old.undefined && update->getOperation() != llvm::AtomicRMWInst::Xchg) || by.undefined});
  } else {
    const auto& swap = llvm::cast<llvm::AtomicCmpXchgInst>(instruction);
    const Value expected = value(thread, *swap.getCompareOperand());
    if (old.undefined || expected.undefined) return fail(state, t, "uninitialized", out);
    if (old.bits == expected.bits) finish({old.bits, 1}, value(thread, *swap.getNewValOperand()));
    if (old.bits != expected.bits || (swap.isWeak() && rules_.weakFailures))
      finish({old.bits, 0}, std::nullopt);
  }
  return Refusal::None;
}

Refusal Machine::block(const State& state, size_t t, const llvm::CallBase& call, Successors& out) {
  const auto& copy = llvm::cast<llvm::MemIntrinsic>(call);
  State next = state;
  Thread& thread = next.threads[t];
  const Access access = *accessOf(state, state.threads[t], call);
  const uint64_t length = value(thread, *copy.getLength()).bits;
  if (length == 0) {
    ++thread.frames.back().next;
    out.push_back({std::move(next), {}});
    return Refusal::None;
  }
  const Pointer place = resolve(next, access.address, access.size);
  if (!access.write) {
    thread.buffer += place.object->bytes.substr(place.offset, access.size);
    thread.bufferUndefined += place.object->undefined.substr(place.offset, access.size);
    if (thread.buffer.size() == length) thread.phase = 1;
  } else {
    const uint64_t position = thread.phase ? thread.phase - 1 : 0;
    for (uint32_t i = 0; i < access.size; ++i) {
      const bool set = llvm::isa<llvm::MemSetInst>(copy);
      place.object->bytes[place.offset + i] =
          set ? static_cast<char>(value(thread, *llvm::cast<llvm::MemSetInst>(copy).getValue()).bits)
              : thread.buffer[position + i];
      place.object->undefined[place.offset + i] = set ? 0 : thread.bufferUndefined[position + i];
    }
    thread.phase = static_cast<uint32_t>(position + access.size + 1);
    if (position + access.size == length) {
      thread.phase = 0;
      thread.buffer.clear();
      thread.bufferUndefined.clear();
      ++thread.frames.back().next;
    }
  }
  out.push_back({std::move(next), {}});
  return Refusal::None;
}

}  // namespace heddle::reference
