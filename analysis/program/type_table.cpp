#include "analysis/program/type_table.h"

namespace heddle {

TypeIndex TypeTable::add(TypeNode node) {
  nodes_.push_back(std::move(node));
  return static_cast<TypeIndex>(nodes_.size() - 1);
}

std::string TypeTable::path(TypeIndex type, uint64_t offset, uint64_t size) const {
  std::string out;
  while (type != kNoType) {
    const TypeNode& node = nodes_[type];
    if (node.kind == TypeKind::Array && node.element != kNoType) {
      const uint64_t stride = nodes_[node.element].size;
      if (stride == 0 || size > stride || offset % stride + size > stride) return out;
      out += '[' + std::to_string(offset / stride) + ']';
      offset %= stride;
      type = node.element;
      continue;
    }
    if (node.kind != TypeKind::Record && node.kind != TypeKind::Union) return out;
    const TypeMember* found = nullptr;
    for (const TypeMember& member : node.members)
      if (offset >= member.offset && offset + size <= member.offset + member.size) {
        found = &member;
        break;
      }
    if (!found) return out;
    if (!found->name.empty()) out += '.' + found->name;
    offset -= found->offset;
    type = found->type;
  }
  return out;
}

TypeKind TypeTable::scalarAt(TypeIndex type, uint64_t offset) const {
  while (type != kNoType) {
    const TypeNode& node = nodes_[type];
    if (node.kind == TypeKind::Array && node.element != kNoType && nodes_[node.element].size > 0) {
      offset %= nodes_[node.element].size;
      type = node.element;
      continue;
    }
    if (node.kind != TypeKind::Record && node.kind != TypeKind::Union) return node.kind;
    const TypeMember* found = nullptr;
    for (const TypeMember& member : node.members)
      if (offset >= member.offset && offset < member.offset + member.size) {
        found = &member;
        break;
      }
    if (!found) return TypeKind::Opaque;
    offset -= found->offset;
    type = found->type;
  }
  return TypeKind::Opaque;
}

}  // namespace heddle
