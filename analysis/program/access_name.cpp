#include "analysis/program/access_name.h"

namespace heddle {

namespace {

/// An expression that an operator may follow.
std::string operand(const std::string& text) {
  return text.starts_with('*') || text.starts_with('&') ? '(' + text + ')' : text;
}

}  // namespace

std::string nameText(const TypeTable& types, const AccessName& name, uint64_t offset, uint64_t size) {
  const uint64_t unit = name.pointee == kNoType ? 0 : types.at(name.pointee).size;
  int64_t at = name.isIndexed ? static_cast<int64_t>(offset) : name.offset;
  const std::string base = operand(name.pointer);
  if (unit == 0) return "*" + base;
  // An index inside a member tells nothing of which element the pointer itself leads to.
  if (name.isIndexed && !name.isSubscript) at = static_cast<int64_t>(offset % unit);
  const auto stride = static_cast<int64_t>(unit);
  const int64_t index = at >= 0 ? at / stride : -((stride - 1 - at) / stride);
  const std::string path = types.path(name.pointee, static_cast<uint64_t>(at - index * stride), size);
  if (name.isSubscript || index != 0) return base + '[' + std::to_string(index) + ']' + path;
  if (path.starts_with('.')) return base + "->" + path.substr(1);
  if (path.starts_with('[')) return "(*" + name.pointer + ')' + path;
  // A mutex or the like is called what its pointer is called.
  return types.at(name.pointee).kind == TypeKind::Opaque ? name.pointer : '*' + base;
}

const AccessName* bestName(const TypeTable& types, const std::vector<AccessName>& names, uint64_t offset,
                           uint64_t objectSize, TypeIndex type) {
  const AccessName* best = nullptr;
  int most = -1;
  for (const AccessName& name : names) {
    if (name.pointee == kNoType || types.at(name.pointee).size > objectSize) continue;
    const bool isExact = !name.isIndexed && name.offset == static_cast<int64_t>(offset);
    const int fit = (name.pointee == type ? 4 : 0) + (isExact ? 2 : 0) + (name.isIndexed ? 1 : 0);
    if (fit <= most) continue;
    best = &name;
    most = fit;
  }
  return best;
}

}  // namespace heddle
