#include "analysis/compile/inline_assembly.h"

#include <optional>
#include <string>
#include <vector>

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
  std::string operation;                 // "xadd", without lock prefix and size letter
  std::vector<Operand> operands;         // in the numbering of the text
  std::vector<llvm::StringRef> written;  // "$0", "$1"
  llvm::Value* accumulator = nullptr;    // the value in the register a, for cmpxchg
  int accumulatorResult = -1;
};

/// Splits "lock; xaddl $0, $1" into its operation and operands. Nothing for more than one instruction.
std::optional<std::pair<std::string, std::vector<llvm::StringRef>>> parseText(llvm::StringRef text) {
  text = text.trim(" \t\n;");
  if (text.consume_front("lock")) text = text.ltrim(" \t\n;");
  if (text.find_first_of("\n;") != llvm::StringRef::npos) return std::nullopt;
  const auto [name, rest] = text.split(' ');
  llvm::SmallVector<llvm::StringRef, 3> parts;
  rest.split(parts, ',', -1, false);
  std::vector<llvm::StringRef> written;
  for (llvm::StringRef part : parts) written.push_back(part.trim());
  static constexpr const char* kOperations[] = {"cmpxchg", "xchg", "xadd", "inc", "dec",
                                                "add",     "sub",  "and",  "or",  "xor"};
  for (const char* known : kOperations) {
    llvm::StringRef operation = name.trim();
    if (!operation.consume_front(known)) continue;
    if (operation.empty() || operation == "b" || operation == "w" || operation == "l" || operation == "q")
      return std::make_pair(std::string(known), written);
  }
  return std::nullopt;
}

/// Which operand "$3" or "${3:b}" names.
const Operand* operandOf(const Assembly& assembly, llvm::StringRef text) {
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

/// Makes `value` the result `index` of the call, and the only one that is used.
bool replaceResult(llvm::CallBase& call, int index, llvm::Value* value) {
  if (call.use_empty()) return true;
  if (index < 0) return false;
  if (!call.getType()->isStructTy()) {
    if (call.getType() != value->getType()) return false;
    call.replaceAllUsesWith(value);
    return true;
  }
  for (const llvm::User* user : call.users()) {
    auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(user);
    if (!part || part->getIndices().size() != 1) return false;
    const bool wanted = part->getIndices()[0] == static_cast<unsigned>(index);
    if (wanted ? part->getType() != value->getType() : !part->use_empty()) return false;
  }
  for (llvm::User* user : llvm::make_early_inc_range(call.users())) {
    auto* part = llvm::cast<llvm::ExtractValueInst>(user);
    if (part->getIndices()[0] == static_cast<unsigned>(index)) part->replaceAllUsesWith(value);
    part->eraseFromParent();
  }
  return true;
}

bool replaceOne(llvm::CallBase& call, const llvm::InlineAsm& text) {
  Assembly assembly;
  assembly.call = &call;
  const auto parsed = parseText(text.getAsmString());
  if (!parsed || !readOperands(assembly, text)) return false;
  const auto& [operation, written] = *parsed;
  // AT&T order: the last operand is the destination. xchg may have them either way.
  if (written.empty()) return false;
  const Operand* memory = operandOf(assembly, written.back());
  const Operand* other = written.size() > 1 ? operandOf(assembly, written.front()) : nullptr;
  if (operation == "xchg" && memory && other && !memory->inMemory) std::swap(memory, other);
  if (!memory || !memory->inMemory || !memory->type || !memory->type->isIntegerTy()) return false;
  llvm::IRBuilder<> builder(&call);
  constexpr auto kOrder = llvm::AtomicOrdering::SequentiallyConsistent;
  const llvm::MaybeAlign align;
  llvm::Value* operand = nullptr;
  if (operation == "inc" || operation == "dec") {
    operand = llvm::ConstantInt::get(memory->type, 1);
  } else if (other && other->value) {
    operand = other->value;
  } else if (written.size() > 1 && written.front().starts_with("$$")) {
    int64_t number = 0;
    if (written.front().drop_front(2).getAsInteger(0, number)) return false;
    operand = llvm::ConstantInt::get(memory->type, static_cast<uint64_t>(number), true);
  }
  if (!operand || !operand->getType()->isIntegerTy()) return false;
  operand = builder.CreateIntCast(operand, memory->type, true);
  if (operation == "cmpxchg") {
    if (!assembly.accumulator || assembly.accumulator->getType() != memory->type) return false;
    llvm::Value* pair =
        builder.CreateAtomicCmpXchg(memory->value, assembly.accumulator, operand, align, kOrder, kOrder);
    return replaceResult(call, assembly.accumulatorResult, builder.CreateExtractValue(pair, 0));
  }
  auto kind = llvm::AtomicRMWInst::Add;
  if (operation == "xchg") kind = llvm::AtomicRMWInst::Xchg;
  if (operation == "sub" || operation == "dec") kind = llvm::AtomicRMWInst::Sub;
  if (operation == "and") kind = llvm::AtomicRMWInst::And;
  if (operation == "or") kind = llvm::AtomicRMWInst::Or;
  if (operation == "xor") kind = llvm::AtomicRMWInst::Xor;
  llvm::Value* old = builder.CreateAtomicRMW(kind, memory->value, operand, align, kOrder);
  const bool returns = operation == "xchg" || operation == "xadd";
  return replaceResult(call, returns && other ? other->result : -1, old);
}

}  // namespace

void replaceAtomicAssembly(llvm::Module& module) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && call->isInlineAsm())
          if (!llvm::isa<llvm::CallBrInst>(call)) calls.push_back(call);
  for (llvm::CallBase* call : calls) {
    // Without a lock prefix only xchg is atomic; the others would be too strong.
    auto* text = llvm::cast<llvm::InlineAsm>(call->getCalledOperand());
    const llvm::StringRef assembly = llvm::StringRef(text->getAsmString()).ltrim(" \t\n;");
    if (!assembly.starts_with("lock") && !assembly.starts_with("xchg")) continue;
    if (replaceOne(*call, *text)) call->eraseFromParent();
  }
}

}  // namespace heddle
