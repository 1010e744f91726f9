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

std::string TypeTable::spelling(TypeIndex type) const {
  std::string dimensions, stars;
  while (type != kNoType) {
    const TypeNode& node = nodes_[type];
    if (!node.name.empty()) break;
    if (node.kind == TypeKind::Array) {
      const uint64_t each = node.element == kNoType ? 0 : nodes_[node.element].size;
      dimensions += '[' + (each ? std::to_string(node.size / each) : std::string()) + ']';
    } else if (node.kind == TypeKind::Pointer) {
      stars += '*';
    } else {
      break;
    }
    type = node.element;
  }
  std::string out = "void";
  if (type != kNoType) {
    const TypeNode& node = nodes_[type];
    out = !node.name.empty()              ? node.name
          : node.kind == TypeKind::Record ? "struct {…}"
          : node.kind == TypeKind::Union  ? "union {…}"
          : !node.enumerators.empty()     ? "enum {…}"
                                          : "(unnamed)";
  }
  if (!stars.empty()) out += ' ' + stars;
  if (!dimensions.empty()) out += ' ' + dimensions;
  return out;
}

const TypeNode* TypeTable::scalarAt(TypeIndex type, uint64_t offset) const {
  while (type != kNoType) {
    const TypeNode& node = nodes_[type];
    if (node.kind == TypeKind::Array && node.element != kNoType && nodes_[node.element].size > 0) {
      offset %= nodes_[node.element].size;
      type = node.element;
      continue;
    }
    if (node.kind != TypeKind::Record && node.kind != TypeKind::Union) return &node;
    const TypeMember* found = nullptr;
    for (const TypeMember& member : node.members)
      if (offset >= member.offset && offset < member.offset + member.size) {
        found = &member;
        break;
      }
    if (!found) return nullptr;
    offset -= found->offset;
    type = found->type;
  }
  return nullptr;
}

}  // namespace heddle
