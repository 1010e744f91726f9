#include "analysis/program/pointer_names.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

namespace heddle::lowering {

namespace {

/// Without names, const, volatile and _Atomic; null for void.
const llvm::DIType* plain(const llvm::DIType* type) {
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    if (derived->getTag() == llvm::dwarf::DW_TAG_pointer_type) return type;
    type = derived->getBaseType();
  }
  return type;
}

/// What a pointer of this type leads to; null where that is void, or it is no pointer.
const llvm::DIType* pointeeOf(const llvm::DIType* type) {
  const auto* pointer = llvm::dyn_cast_or_null<llvm::DIDerivedType>(plain(type));
  if (!pointer || pointer->getTag() != llvm::dwarf::DW_TAG_pointer_type) return nullptr;
  return plain(pointer->getBaseType()) ? pointer->getBaseType() : nullptr;
}

uint64_t sizeOf(const llvm::DIType* type) {
  type = plain(type);
  return type ? type->getSizeInBits() / 8 : 0;
}

/// The variable that holds the value: rather one that says what it leads to.
const llvm::DILocalVariable* holderOf(const llvm::Value& value) {
  llvm::SmallVector<llvm::DbgVariableRecord*, 4> records;
  llvm::findDbgUsers(const_cast<llvm::Value*>(&value), records);
  const llvm::DILocalVariable* any = nullptr;
  for (const llvm::DbgVariableRecord* record : records) {
    const llvm::DILocalVariable* variable = record->getVariable();
    if (variable->getName().empty() || record->hasArgList()) continue;
    if (pointeeOf(variable->getType())) return variable;
    if (!any) any = variable;
  }
  return any;
}

/// What a function returns; null: nothing, or not known.
const llvm::DIType* returned(const llvm::DISubprogram* function) {
  if (!function || !function->getType()) return nullptr;
  const llvm::DITypeRefArray types = function->getType()->getTypeArray();
  return types.size() == 0 ? nullptr : types[0];
}

const llvm::Value& withoutCasts(const llvm::Value& value) {
  const llvm::Value* at = &value;
  while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(at)) at = cast->getOperand(0);
  return *at;
}

std::string indexText(const llvm::Value& index) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&index))
    return std::to_string(constant->getSExtValue());
  const llvm::DILocalVariable* variable = holderOf(index);
  if (!variable) variable = holderOf(withoutCasts(index));
  return variable ? variable->getName().str() : "...";
}

}  // namespace

std::optional<PointerNames::Named> PointerNames::valueOf(const llvm::Value& original, unsigned depth) const {
  if (depth == kDepth) return std::nullopt;
  if (const llvm::DILocalVariable* variable = holderOf(original); variable && pointeeOf(variable->getType()))
    return Named{variable->getName().str(), variable->getType()};
  const llvm::Value& value = withoutCasts(original);
  if (&value != &original) return valueOf(value, depth + 1);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value)) {
    const std::optional<Spot> spot = spotOf(*load->getPointerOperand(), depth + 1);
    return spot ? std::optional(memberOf(*spot)) : std::nullopt;
  }
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&value);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  const llvm::DISubprogram* scope = callee ? callee->getSubprogram() : nullptr;
  if (!returned(scope)) return std::nullopt;
  return Named{scope->getName().str() + "(...)", returned(scope)};
}

std::optional<PointerNames::Spot> PointerNames::spotOf(const llvm::Value& address, unsigned depth) const {
  Spot spot;
  for (const llvm::Value* at = &address;;) {
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(at)) {
      llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> debug;
      global->getDebugInfo(debug);
      if (debug.empty()) return std::nullopt;
      spot.base = debug.front()->getVariable()->getName().str();
      spot.type = debug.front()->getVariable()->getType();
      spot.isDirect = true;
      return spot;
    }
    if (llvm::isa<llvm::AllocaInst>(at)) {
      for (const llvm::DbgVariableRecord* record : llvm::findDVRDeclares(const_cast<llvm::Value*>(at))) {
        spot.base = record->getVariable()->getName().str();
        spot.type = record->getVariable()->getType();
        spot.isDirect = true;
        return spot;
      }
      return std::nullopt;
    }
    const auto* element = llvm::dyn_cast<llvm::GEPOperator>(at);
    const llvm::DILocalVariable* variable = element ? holderOf(*at) : nullptr;
    if (element && !(variable && pointeeOf(variable->getType()))) {
      const unsigned bits = module_.layout.getIndexSizeInBits(element->getPointerAddressSpace());
      llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> indices;
      llvm::APInt offset(bits, 0);
      if (!element->collectOffset(module_.layout, bits, indices, offset)) return std::nullopt;
      spot.offset += offset.getSExtValue();
      for (const auto& [index, step] : indices) spot.indices.emplace_back(index, step.getSExtValue());
      spot.isSubscript = element->getNumIndices() == 1;
      at = element->getPointerOperand();
      continue;
    }
    std::optional<Named> pointer = valueOf(*at, depth);
    if (!pointer || !pointeeOf(pointer->type)) return std::nullopt;
    spot.base = std::move(pointer->text);
    spot.type = pointeeOf(pointer->type);
    return spot;
  }
}

PointerNames::Named PointerNames::memberOf(const Spot& spot) const {
  Named named{spot.base, spot.type};
  const std::string base =
      spot.base.starts_with('*') || spot.base.starts_with('&') ? '(' + spot.base + ')' : spot.base;
  int64_t offset = spot.offset;
  bool isPointer = !spot.isDirect;  // what the pointer leads to is not yet named
  const auto indexOf = [&](uint64_t step) -> std::string {
    const auto found = std::find_if(spot.indices.begin(), spot.indices.end(), [&](const auto& index) {
      return index.second == static_cast<int64_t>(step);
    });
    const int64_t constant = step == 0 ? 0 : offset / static_cast<int64_t>(step);
    offset -= constant * static_cast<int64_t>(step);
    if (found == spot.indices.end()) return std::to_string(constant);
    return indexText(*found->first) + (constant > 0 ? " + " + std::to_string(constant) : "");
  };
  if (const uint64_t size = sizeOf(named.type); isPointer && spot.isSubscript && size > 0) {
    named.text = base + '[' + indexOf(size) + ']';
    isPointer = false;
  }
  for (;;) {
    const auto* composed = llvm::dyn_cast_or_null<llvm::DICompositeType>(plain(named.type));
    if (!composed) break;
    if (composed->getTag() == llvm::dwarf::DW_TAG_array_type) {
      const llvm::DIType* element = composed->getBaseType();
      if (composed->getElements().size() != 1 || sizeOf(element) == 0) break;
      named.text = (isPointer ? "(*" + base + ')' : named.text) + '[' + indexOf(sizeOf(element)) + ']';
      named.type = element;
      isPointer = false;
      continue;
    }
    const llvm::DIDerivedType* found = nullptr;
    for (const llvm::DINode* node : composed->getElements()) {
      const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
      if (!member || member->getTag() != llvm::dwarf::DW_TAG_member) continue;
      const auto begin = static_cast<int64_t>(member->getOffsetInBits() / 8);
      if (offset >= begin && offset < begin + static_cast<int64_t>(sizeOf(member->getBaseType()))) {
        found = member;
        break;
      }
    }
    if (!found) break;
    if (!found->getName().empty()) {
      named.text =
          isPointer ? base + "->" + found->getName().str() : named.text + '.' + found->getName().str();
      isPointer = false;
    }
    offset -= static_cast<int64_t>(found->getOffsetInBits() / 8);
    named.type = found->getBaseType();
  }
  if (isPointer) named.text = '*' + base;
  return named;
}

std::optional<AccessName> PointerNames::nameOf(const llvm::Value& address) const {
  std::optional<Spot> spot = spotOf(address, 0);
  if (!spot || spot->isDirect) return std::nullopt;
  return AccessName{std::move(spot->base), module_.type(spot->type), spot->offset, !spot->indices.empty(),
                    spot->isSubscript};
}

void PointerNames::note(const llvm::Instruction& instruction, const llvm::Value& address) {
  const PlaceId place = module_.place(instruction.getDebugLoc());
  if (place == kNone) return;
  std::optional<AccessName> name = nameOf(address);
  if (!name) return;
  std::vector<AccessName>& names = module_.program.accessNames[place];
  if (std::find(names.begin(), names.end(), *name) == names.end()) names.push_back(std::move(*name));
}

void PointerNames::collect(const llvm::Function& function) {
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block) {
      if (const llvm::Value* address = llvm::getLoadStorePointerOperand(&instruction)) {
        note(instruction, *address);
      } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        note(instruction, *update->getPointerOperand());
      } else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        note(instruction, *exchange->getPointerOperand());
      } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        const llvm::Function* callee = call->getCalledFunction();
        if (callee && !callee->isDeclaration()) continue;  // its body names what it accesses
        for (const llvm::Use& argument : call->args())
          if (argument->getType()->isPointerTy()) note(instruction, *argument);
      }
    }
}

std::optional<AccessName> PointerNames::resultOf(const llvm::CallBase& call) const {
  const auto named = [&](const std::string& text, const llvm::DIType* type) -> std::optional<AccessName> {
    const llvm::DIType* pointee = pointeeOf(type);
    if (!pointee) return std::nullopt;
    // Characters are counted from where they begin.
    AccessName name{text, module_.type(pointee)};
    name.isIndexed = name.isSubscript = !llvm::isa<llvm::DICompositeType>(plain(pointee));
    return name;
  };
  if (const llvm::DILocalVariable* variable = holderOf(call))
    if (auto name = named(variable->getName().str(), variable->getType())) return name;
  for (const llvm::User* user : call.users()) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store && store->getValueOperand() == &call)
      if (const std::optional<Spot> spot = spotOf(*store->getPointerOperand(), 0)) {
        const Named target = memberOf(*spot);
        if (auto name = named(target.text, target.type)) return name;
      }
    const auto* result = llvm::dyn_cast<llvm::ReturnInst>(user);
    const llvm::DISubprogram* scope = result ? result->getFunction()->getSubprogram() : nullptr;
    if (!returned(scope)) continue;
    if (auto name = named(scope->getName().str() + "(...)", returned(scope))) return name;
  }
  return std::nullopt;
}

}  // namespace heddle::lowering
