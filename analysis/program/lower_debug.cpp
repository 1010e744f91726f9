#include "analysis/program/module_lowering.h"

namespace heddle::lowering {

PlaceId ModuleLowering::place(const llvm::DIFile* file, unsigned line, unsigned column,
                              llvm::StringRef function) {
  const char*& name = files_[file];
  if (!name) {
    std::string path;
    if (file) {
      path = file->getFilename().str();
      if (!path.empty() && path[0] != '/' && !file->getDirectory().empty())
        path = file->getDirectory().str() + '/' + path;
    }
    name = program.intern(path).data();
  }
  const char* functionName = program.intern({function.data(), function.size()}).data();
  const auto [it, inserted] =
      places_.try_emplace({name, line, column, functionName}, static_cast<PlaceId>(program.places.size()));
  if (inserted) program.places.push_back({name, line, column, functionName});
  return it->second;
}

PlaceId ModuleLowering::place(const llvm::DILocation* location) {
  if (!location) return kNone;
  const auto found = locationPlaces_.find(location);
  if (found != locationPlaces_.end()) return found->second;
  const llvm::DISubprogram* function = location->getScope()->getSubprogram();
  const PlaceId id = place(location->getFile(), location->getLine(), location->getColumn(),
                           function ? function->getName() : llvm::StringRef());
  locationPlaces_[location] = id;
  return id;
}

TypeIndex ModuleLowering::type(const llvm::DIType* type) {
  if (!type) return kNoType;
  const auto found = types_.find(type);
  if (found != types_.end()) return found->second;
  TypeIndex index = kNoType;
  TypeNode node;
  node.size = type->getSizeInBits() / 8;
  node.name = type->getName().str();
  if (auto* basic = llvm::dyn_cast<llvm::DIBasicType>(type)) {
    switch (basic->getEncoding()) {
      case llvm::dwarf::DW_ATE_signed:
        node.kind = TypeKind::Signed;
        break;
      case llvm::dwarf::DW_ATE_unsigned:
        node.kind = TypeKind::Unsigned;
        break;
      case llvm::dwarf::DW_ATE_boolean:
        node.kind = TypeKind::Boolean;
        break;
      case llvm::dwarf::DW_ATE_signed_char:
      case llvm::dwarf::DW_ATE_unsigned_char:
        node.kind = TypeKind::Character;
        break;
      case llvm::dwarf::DW_ATE_float:
        node.kind = TypeKind::Floating;
        break;
      default:
        break;
    }
    node.name = basic->getName().str();
    index = program.types.add(node);
  } else if (auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case llvm::dwarf::DW_TAG_pointer_type:
        node.kind = TypeKind::Pointer;
        index = program.types.add(node);
        if (!withStatements) break;
        types_[type] = index;  // before what it points to, which may point back
        if (const llvm::DIType* pointee = derived->getBaseType()) {
          const TypeIndex element = this->type(pointee);
          program.types.at(index).element = element;
        }
        return index;
      case llvm::dwarf::DW_TAG_typedef: {
        // Types of the thread library are one thing to a reader, not their insides.
        const llvm::StringRef name = derived->getName();
        if ((name.starts_with("pthread_") && name != "pthread_t") || name == "sem_t" || name == "mtx_t" ||
            name == "cnd_t") {
          if (auto* base = derived->getBaseType()) node.size = base->getSizeInBits() / 8;
          node.name = name.str();
          index = program.types.add(node);
        } else {
          index = this->type(derived->getBaseType());
          if (index != kNoType && program.types.at(index).name.empty() &&
              program.types.at(index).kind != TypeKind::Pointer &&
              program.types.at(index).kind != TypeKind::Array)
            program.types.at(index).name = name.str();
        }
        break;
      }
      default:  // const, volatile, _Atomic, restrict
        index = this->type(derived->getBaseType());
        break;
    }
  } else if (auto* composed = llvm::dyn_cast<llvm::DICompositeType>(type)) {
    index = composite(*composed);
  }
  types_[type] = index;
  return index;
}

TypeIndex ModuleLowering::composite(const llvm::DICompositeType& type) {
  TypeNode node;
  node.size = type.getSizeInBits() / 8;
  const auto tagged = [&](const char* tag) {
    return type.getName().empty() ? std::string() : tag + (' ' + type.getName().str());
  };
  switch (type.getTag()) {
    case llvm::dwarf::DW_TAG_enumeration_type:
      node.kind = TypeKind::Signed;
      node.name = tagged("enum");
      for (const llvm::DINode* element : type.getElements())
        if (auto* one = llvm::dyn_cast_if_present<llvm::DIEnumerator>(element))
          node.enumerators.emplace_back(one->getValue().getSExtValue(), one->getName().str());
      return program.types.add(node);
    case llvm::dwarf::DW_TAG_structure_type:
    case llvm::dwarf::DW_TAG_union_type: {
      node.kind = type.getTag() == llvm::dwarf::DW_TAG_union_type ? TypeKind::Union : TypeKind::Record;
      node.name = tagged(node.kind == TypeKind::Union ? "union" : "struct");
      const TypeIndex index = program.types.add(node);
      types_[&type] = index;  // before its members, which may point back
      for (const llvm::DINode* element : type.getElements()) {
        auto* member = llvm::dyn_cast<llvm::DIDerivedType>(element);
        if (!member || member->getTag() != llvm::dwarf::DW_TAG_member || member->isStaticMember()) continue;
        TypeMember lowered;
        lowered.name = member->getName().str();
        lowered.offset = member->getOffsetInBits() / 8;
        lowered.size = (member->getOffsetInBits() % 8 + member->getSizeInBits() + 7) / 8;
        lowered.type = this->type(member->getBaseType());
        if (member->isBitField()) {
          lowered.bits = static_cast<uint8_t>(member->getSizeInBits());
          lowered.shift = static_cast<uint8_t>(member->getOffsetInBits() % 8);
        }
        node.members.push_back(std::move(lowered));
      }
      program.types.at(index).members = std::move(node.members);
      return index;
    }
    case llvm::dwarf::DW_TAG_array_type: {
      // One node a dimension, innermost first.
      TypeIndex element = this->type(type.getBaseType());
      if (element == kNoType) return kNoType;
      const auto dimensions = type.getElements();
      for (size_t i = dimensions.size(); i-- > 0;) {
        uint64_t count = 0;
        if (auto* range = llvm::dyn_cast<llvm::DISubrange>(dimensions[i]))
          if (auto* constant = llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()))
            count = constant->getSExtValue() > 0 ? constant->getZExtValue() : 0;
        TypeNode array;
        array.kind = TypeKind::Array;
        array.element = element;
        array.size = count * program.types.at(element).size;
        element = program.types.add(array);
      }
      return element;
    }
    default:
      return program.types.add(node);
  }
}

}  // namespace heddle::lowering
