#include "analysis/compile/inline_assembly.h"

#include <optional>
#include <string>
#include <vector>

#include "analysis/support/assembly_text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace heddle {
namespace {

/// One operand of the assembly text: what the constraint says and the value that goes with it.
struct Operand {
  llvm::Value* value = nullptr;  // of an input, or the address of a memory operand
  llvm::Type* type = nullptr;    // of the object behind the address
  int result = -1;               // which result of the call it is
  bool inMemory = false;
};

struct Assembly {
  llvm::CallBase* call = nullptr;
  llvm::StringRef zeroTo;                // "$1" that `setz` behind it writes; empty: none
  unsigned bits = 0;                     // that the instruction moves, by its size letter; 0: it has none
  std::vector<Operand> operands;         // in the numbering of the text
  std::vector<llvm::StringRef> written;  // "$0", "$1"
  llvm::Value* accumulator = nullptr;    // the value in the register a, for cmpxchg
  int accumulatorResult = -1;
  int zeroResult = -1;  // which result is the zero flag
};

/// Splits "lock; xaddl $0, $1" into its operation, without size letter, and operands; `setz $2` may follow.
/// Nothing for more instructions.
std::optional<std::pair<std::string, std::vector<llvm::StringRef>>> parseText(Assembly& assembly,
                                                                              llvm::StringRef text) {
  text = text.trim(" \t\n;");
  if (text.consume_front("lock")) text = text.ltrim(" \t\n;");
  if (const auto [first, second] = text.split(';'); !second.empty()) {
    llvm::StringRef flag = second.trim(" \t\n");
    if (!flag.consume_front("setz") && !flag.consume_front("sete")) return std::nullopt;
    assembly.zeroTo = flag.trim();
    text = first.trim();
  }
  if (text.find_first_of("\n;") != llvm::StringRef::npos) return std::nullopt;
  const auto [name, rest] = text.split(' ');
  llvm::SmallVector<llvm::StringRef, 3> parts;
  rest.split(parts, ',', -1, false);
  std::vector<llvm::StringRef> written;
  for (llvm::StringRef part : parts) written.push_back(part.trim());
  static constexpr const char* kOperations[] = {"cmpxchg", "xchg", "xadd", "inc", "dec", "add",
                                                "sub",     "and",  "or",   "xor", "mov"};
  for (const char* known : kOperations) {
    llvm::StringRef operation = name.trim();
    if (!operation.consume_front(known)) continue;
    constexpr llvm::StringLiteral kSizes = "bwlq";
    const size_t size = operation.size() == 1 ? kSizes.find(operation[0]) : llvm::StringRef::npos;
    if (!operation.empty() && size == llvm::StringRef::npos) continue;
    assembly.bits = operation.empty() ? 0 : 8U << size;
    return std::make_pair(std::string(known), written);
  }
  return std::nullopt;
}

/// Which operand "$3" or "${3:b}" names.
Operand* operandOf(Assembly& assembly, llvm::StringRef text) {
  if (!text.consume_front("$")) return nullptr;
  if (text.consume_front("{")) text = text.take_until([](char c) { return c == ':' || c == '}'; });
  unsigned number = 0;
  if (text.getAsInteger(10, number) || number >= assembly.operands.size()) return nullptr;
  return &assembly.operands[number];
}

bool readOperands(Assembly& assembly, const llvm::InlineAsm& text) {
  unsigned argument = 0;
  int result = 0;
  llvm::CallBase& call = *assembly.call;
  const auto isAccumulator = [](const llvm::InlineAsm::ConstraintInfo& info) {
    return llvm::is_contained(info.Codes, "{ax}") || llvm::is_contained(info.Codes, "{eax}") ||
           llvm::is_contained(info.Codes, "{rax}") || llvm::is_contained(info.Codes, "a");
  };
  for (const llvm::InlineAsm::ConstraintInfo& info : text.ParseConstraints()) {
    if (info.Type == llvm::InlineAsm::isClobber) continue;
    if (info.Type == llvm::InlineAsm::isLabel) return false;
    Operand operand;
    if (info.Type == llvm::InlineAsm::isOutput && !info.isIndirect) {
      operand.result = result++;
      if (isAccumulator(info)) assembly.accumulatorResult = operand.result;
      if (llvm::is_contained(info.Codes, "{@ccz}") || llvm::is_contained(info.Codes, "{@cce}"))
        assembly.zeroResult = operand.result;
      assembly.operands.push_back(operand);
      continue;
    }
    if (argument >= call.arg_size()) return false;
    operand.value = call.getArgOperand(argument);
    operand.inMemory = info.isIndirect;
    operand.type = call.getParamElementType(argument);
    ++argument;
    if (info.Type == llvm::InlineAsm::isInput && info.hasMatchingInput()) return false;
    if (info.Type == llvm::InlineAsm::isInput && !info.Codes.empty() && llvm::isDigit(info.Codes[0][0])) {
      // Tied to an output: its value on entry. A tied memory operand is the same memory.
      unsigned tied = 0;
      if (llvm::StringRef(info.Codes[0]).getAsInteger(10, tied) || tied >= assembly.operands.size())
        return false;
      Operand& output = assembly.operands[tied];
      if (!output.inMemory) output.value = operand.value;
      if (output.result >= 0 && output.result == assembly.accumulatorResult)
        assembly.accumulator = operand.value;
    } else if (isAccumulator(info)) {
      assembly.accumulator = operand.value;
    }
    assembly.operands.push_back(operand);
  }
  return true;
}

/// What becomes of the call's results, by their numbers; null: it is not known.
using Results = std::vector<llvm::Value*>;

size_t resultCount(const llvm::CallBase& call) {
  if (call.getType()->isVoidTy()) return 0;
  auto* parts = llvm::dyn_cast<llvm::StructType>(call.getType());
  return parts ? parts->getNumElements() : 1;
}

bool isUsed(const llvm::CallBase& call, size_t index) {
  if (!call.getType()->isStructTy()) return !call.use_empty();
  return std::any_of(call.users().begin(), call.users().end(), [&](const llvm::User* user) {
    const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(user);
    return !part || part->getNumIndices() != 1 || (part->getIndices()[0] == index && !part->use_empty());
  });
}

llvm::Value* asType(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Type* type) {
  if (value->getType() == type) return value;
  if (value->getType()->isIntegerTy() && type->isIntegerTy()) return builder.CreateZExtOrTrunc(value, type);
  return builder.CreateBitOrPointerCast(value, type);
}

bool canBe(const llvm::Value& value, llvm::Type* type, const llvm::DataLayout& layout) {
  return (value.getType()->isIntegerTy() && type->isIntegerTy()) ||
         llvm::CastInst::isBitOrNoopPointerCastable(value.getType(), type, layout);
}

void replaceResults(llvm::CallBase& call, llvm::IRBuilder<>& builder, const Results& results) {
  auto* parts = llvm::dyn_cast<llvm::StructType>(call.getType());
  llvm::Value* all = parts ? llvm::PoisonValue::get(parts) : nullptr;
  for (unsigned i = 0; i < results.size(); ++i) {
    if (!results[i]) continue;
    if (parts)
      all = builder.CreateInsertValue(all, asType(builder, results[i], parts->getElementType(i)), i);
    else
      all = asType(builder, results[i], call.getType());
  }
  if (all) call.replaceAllUsesWith(all);
}

/// Plain moves of what is whole in memory: x86 orders them as acquire and release do.
bool replaceMove(llvm::CallBase& call, const Operand* from, const Operand* to, llvm::Value* constant) {
  llvm::IRBuilder<> builder(&call);
  const auto isWhole = [&](const Operand& memory) {
    return memory.inMemory && memory.type && memory.type->isIntegerTy();
  };
  const auto alignOf = [&](const Operand& memory) {
    return llvm::Align(std::max(1u, memory.type->getIntegerBitWidth() / 8));
  };
  if (from && isWhole(*from) && to->result >= 0 && !to->inMemory) {
    const size_t count = resultCount(call);
    for (size_t i = 0; i < count; ++i)
      if (isUsed(call, i) && i != static_cast<size_t>(to->result)) return false;
    llvm::LoadInst* load = builder.CreateAlignedLoad(from->type, from->value, alignOf(*from));
    load->setAtomic(llvm::AtomicOrdering::Acquire);
    Results results(count);
    results[static_cast<size_t>(to->result)] = load;
    replaceResults(call, builder, results);
    return true;
  }
  llvm::Value* value = from ? from->value : constant;
  if (!isWhole(*to) || !value || (from && from->inMemory) || resultCount(call) != 0 ||
      !canBe(*value, to->type, call.getModule()->getDataLayout()))
    return false;
  llvm::StoreInst* store =
      builder.CreateAlignedStore(asType(builder, value, to->type), to->value, alignOf(*to));
  store->setAtomic(llvm::AtomicOrdering::Release);
  return true;
}

bool replaceOne(llvm::CallBase& call, const llvm::InlineAsm& text, bool isLocked) {
  Assembly assembly;
  assembly.call = &call;
  const auto parsed = parseText(assembly, text.getAsmString());
  if (!parsed || !readOperands(assembly, text)) return false;
  const auto& [operation, written] = *parsed;
  // Without a lock prefix only xchg is atomic; the others would be too strong.
  if (!isLocked && operation != "xchg" && operation != "mov") return false;
  // How much memory the instruction uses, its text says: the operand may be of one byte.
  if (assembly.bits != 0)
    for (const llvm::StringRef name : written)
      if (Operand* operand = operandOf(assembly, name); operand && operand->inMemory && operand->type)
        operand->type = llvm::Type::getIntNTy(call.getContext(), assembly.bits);
  // AT&T order: the last operand is the destination. xchg may have them either way.
  if (written.empty()) return false;
  const Operand* memory = operandOf(assembly, written.back());
  const Operand* other = written.size() > 1 ? operandOf(assembly, written.front()) : nullptr;
  if (operation == "xchg" && memory && other && !memory->inMemory) std::swap(memory, other);
  llvm::Value* constant = nullptr;
  if (written.size() > 1 && written.front().starts_with("$$")) {
    int64_t number = 0;
    if (written.front().drop_front(2).getAsInteger(0, number)) return false;
    constant = llvm::ConstantInt::get(llvm::Type::getInt64Ty(call.getContext()),
                                      static_cast<uint64_t>(number), true);
  }
  if (operation == "mov")
    return memory && (other || constant) && assembly.zeroTo.empty() &&
           replaceMove(call, other, memory, constant);
  if (!memory || !memory->inMemory || !memory->type || !memory->type->isIntegerTy()) return false;
  const llvm::DataLayout& layout = call.getModule()->getDataLayout();
  llvm::Value* operand = constant;
  if (operation == "inc" || operation == "dec") operand = llvm::ConstantInt::get(memory->type, 1);
  if (other && other->value) operand = other->value;
  const auto fits = [&](llvm::Value* value) { return value && canBe(*value, memory->type, layout); };
  const bool isExchange = operation == "cmpxchg";
  if (!fits(operand) || (isExchange && !fits(assembly.accumulator))) return false;
  // The flag goes to a register, or to memory: "=rm".
  const Operand* flag = nullptr;
  if (!assembly.zeroTo.empty()) {
    flag = operandOf(assembly, assembly.zeroTo);
    if (!flag || (flag->result < 0 && (!flag->inMemory || !flag->type || !flag->type->isIntegerTy())))
      return false;
    assembly.zeroResult = flag->result;
  }

  // Which results get what is known before anything changes.
  const bool returns = operation == "xchg" || operation == "xadd";
  const int oldResult = isExchange ? assembly.accumulatorResult : returns && other ? other->result : -1;
  const int zeroResult = assembly.zeroResult;
  const bool asksZero = flag || zeroResult >= 0;
  if (returns && asksZero) return false;
  Results results(resultCount(call));
  for (size_t i = 0; i < results.size(); ++i)
    if (isUsed(call, i) && static_cast<int>(i) != oldResult && static_cast<int>(i) != zeroResult)
      return false;

  llvm::IRBuilder<> builder(&call);
  constexpr auto kOrder = llvm::AtomicOrdering::SequentiallyConsistent;
  const llvm::MaybeAlign align;
  operand = operand->getType()->isIntegerTy() ? builder.CreateIntCast(operand, memory->type, true)
                                              : asType(builder, operand, memory->type);
  llvm::Value *old = nullptr, *isZero = nullptr;
  // A locked instruction of x86 orders what stands before and behind it, as no atomic operation of C11 does.
  builder.CreateFence(kOrder);
  if (isExchange) {
    llvm::Value* expected = asType(builder, assembly.accumulator, memory->type);
    llvm::Value* pair = builder.CreateAtomicCmpXchg(memory->value, expected, operand, align, kOrder, kOrder);
    old = builder.CreateExtractValue(pair, 0);
    isZero = builder.CreateExtractValue(pair, 1);
  } else {
    auto kind = llvm::AtomicRMWInst::Add;
    auto again = llvm::Instruction::Add;  // for the flag: what has been written
    if (operation == "xchg") kind = llvm::AtomicRMWInst::Xchg;
    if (operation == "sub" || operation == "dec")
      kind = llvm::AtomicRMWInst::Sub, again = llvm::Instruction::Sub;
    if (operation == "and") kind = llvm::AtomicRMWInst::And, again = llvm::Instruction::And;
    if (operation == "or") kind = llvm::AtomicRMWInst::Or, again = llvm::Instruction::Or;
    if (operation == "xor") kind = llvm::AtomicRMWInst::Xor, again = llvm::Instruction::Xor;
    old = builder.CreateAtomicRMW(kind, memory->value, operand, align, kOrder);
    if (asksZero)
      isZero = builder.CreateICmpEQ(builder.CreateBinOp(again, old, operand),
                                    llvm::ConstantInt::get(memory->type, 0));
  }
  builder.CreateFence(kOrder);
  if (flag && flag->inMemory) builder.CreateStore(builder.CreateZExt(isZero, flag->type), flag->value);
  if (oldResult >= 0) results[static_cast<size_t>(oldResult)] = old;
  // `setz` behind it may write to the register that held the old value.
  if (zeroResult >= 0) results[static_cast<size_t>(zeroResult)] = isZero;
  replaceResults(call, builder, results);
  return true;
}

/// A call of the model that gives any value of so many bits; 0: none.
llvm::Value* anyValue(llvm::IRBuilder<>& builder, llvm::Module& module, unsigned bits) {
  llvm::Type* type = bits == 0 ? llvm::Type::getVoidTy(module.getContext())
                               : llvm::Type::getIntNTy(module.getContext(), bits);
  const std::string name = "heddle.assembly" + (bits == 0 ? "" : "." + std::to_string(bits));
  return builder.CreateCall(module.getOrInsertFunction(name, type));
}

/// Bits of a number or an address that can be any value; 0: it is none.
unsigned bitsOf(llvm::Type* type, const llvm::DataLayout& layout) {
  if (!type || (!type->isIntegerTy() && !type->isPointerTy() && !type->isFloatTy() && !type->isDoubleTy()))
    return 0;
  const uint64_t bits = layout.getTypeSizeInBits(type).getFixedValue();
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? static_cast<unsigned>(bits) : 0;
}

/// Every output becomes any value; nothing else changes. Stores are atomic: a race that they take part in is
/// not known to be one.
bool replaceByAny(llvm::CallBase& call, const llvm::InlineAsm& text) {
  llvm::Module& module = *call.getModule();
  const llvm::DataLayout& layout = module.getDataLayout();
  std::vector<std::pair<llvm::Value*, llvm::Type*>> written;
  unsigned argument = 0;
  for (const llvm::InlineAsm::ConstraintInfo& info : text.ParseConstraints()) {
    if (info.Type == llvm::InlineAsm::isClobber) continue;
    if (info.Type == llvm::InlineAsm::isLabel) return false;
    if (info.Type == llvm::InlineAsm::isOutput && !info.isIndirect) continue;
    if (argument >= call.arg_size()) return false;
    if (info.Type == llvm::InlineAsm::isOutput)
      written.emplace_back(call.getArgOperand(argument), call.getParamElementType(argument));
    ++argument;
  }
  const size_t count = resultCount(call);
  const auto typeOf = [&](unsigned i) {
    auto* parts = llvm::dyn_cast<llvm::StructType>(call.getType());
    return parts ? parts->getElementType(i) : call.getType();
  };
  for (unsigned i = 0; i < count; ++i)
    if (isUsed(call, i) && bitsOf(typeOf(i), layout) == 0) return false;
  for (const auto& [address, type] : written)
    if (bitsOf(type, layout) == 0) return false;
  llvm::IRBuilder<> builder(&call);
  Results results(count);
  bool isNamed = false;
  for (unsigned i = 0; i < count; ++i) {
    if (!isUsed(call, i)) continue;
    results[i] = anyValue(builder, module, bitsOf(typeOf(i), layout));
    isNamed = true;
  }
  for (const auto& [address, type] : written) {
    const unsigned bits = bitsOf(type, layout);
    llvm::StoreInst* store =
        builder.CreateAlignedStore(anyValue(builder, module, bits), address, llvm::Align(bits / 8));
    store->setAtomic(llvm::AtomicOrdering::Monotonic);
    isNamed = true;
  }
  // The verdict names it also where there is nothing to change.
  if (!isNamed) anyValue(builder, module, 0);
  replaceResults(call, builder, results);
  return true;
}

}  // namespace

void replaceAssembly(llvm::Module& module) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && call->isInlineAsm())
          if (!llvm::isa<llvm::CallBrInst>(call)) calls.push_back(call);
  for (llvm::CallBase* call : calls) {
    auto* text = llvm::cast<llvm::InlineAsm>(call->getCalledOperand());
    const std::string_view assembly = trimmedAssembly(text->getAsmString());
    if (call->getType()->isVoidTy() && (isFullFence(assembly) || isAssemblyHint(assembly))) continue;
    if (replaceOne(*call, *text, assembly.starts_with("lock")) || replaceByAny(*call, *text))
      call->eraseFromParent();
  }
}

}  // namespace heddle
