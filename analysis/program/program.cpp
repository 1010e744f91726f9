#include "analysis/program/program.h"

namespace heddle {

std::string_view Program::intern(std::string_view text) {
  auto it = interned_.find(text);
  if (it != interned_.end()) return it->second;
  const std::string_view stored = strings_.emplace_back(text);
  interned_.emplace(stored, stored);
  return stored;
}

std::string Program::shortPlace(PlaceId id) const {
  const Place& p = place(id);
  if (p.file.empty()) return "an unknown place";
  const size_t slash = p.file.rfind('/');
  std::string out(slash == std::string_view::npos ? p.file : p.file.substr(slash + 1));
  if (p.line) out += ':' + std::to_string(p.line);
  return out;
}

std::optional<FunctionId> Program::findFunction(std::string_view name) const {
  for (FunctionId id = 0; id < functions.size(); ++id)
    if (functions[id].defined && functions[id].name == name) return id;
  return std::nullopt;
}

TypeIndex Program::typeOf(const ObjectName& object) const {
  switch (object.kind) {
    case ObjectKind::Global:
    case ObjectKind::ThreadLocal:
      return object.site < globals.size() ? globals[object.site].type : kNoType;
    case ObjectKind::Stack:
      if (object.site < code.size() && code[object.site].op == Opcode::Alloca)
        return stackVariables[code[object.site].a].type;
      return kNoType;
    default:
      return kNoType;
  }
}

std::string Program::describe(const ObjectName& object) const {
  switch (object.kind) {
    case ObjectKind::Global:
    case ObjectKind::ThreadLocal:
      if (object.site < globals.size()) return globals[object.site].name;
      break;
    case ObjectKind::Function:
      if (object.site < functions.size()) return "function " + functions[object.site].name;
      break;
    case ObjectKind::Heap:
      if (object.site < code.size()) return "heap object allocated at " + shortPlace(code[object.site].place);
      break;
    case ObjectKind::Stack:
      if (object.site < code.size()) {
        const Instruction& in = code[object.site];
        if (in.op == Opcode::Alloca && !stackVariables[in.a].name.empty()) return stackVariables[in.a].name;
        return "temporary at " + shortPlace(in.place);
      }
      break;
    case ObjectKind::Library:
      if (object.site >= kFirstLife && object.site - kFirstLife < code.size()) {
        ObjectName owner = object;
        owner.site -= kFirstLife;
        if (object.size == kChannelBytes) return "pipe made at " + shortPlace(code[owner.site].place);
        owner.kind = object.ordinal == ~0u                   ? ObjectKind::ThreadLocal
                     : code[owner.site].op == Opcode::Alloca ? ObjectKind::Stack
                                                             : ObjectKind::Heap;
        return (object.size == 1 ? "life of " : "allocation of ") + describe(owner);
      }
      if (object.site == 0) return "result of a thread";
      if (object.site == 7) return "hidden variable of strtok";
      break;
  }
  return "library object";
}

std::string Program::describe(const ObjectName& object, uint64_t offset, uint64_t size) const {
  std::string out = describe(object);
  const TypeIndex type = typeOf(object);
  if (type != kNoType) return out + types.path(type, offset, size);
  if (offset) out += " + " + std::to_string(offset);
  return out;
}

std::pair<uint64_t, uint64_t> Program::elements(const ObjectName& object) const {
  const TypeIndex type = typeOf(object);
  if (type == kNoType || types.at(type).kind != TypeKind::Array) return {0, 0};
  const TypeNode& array = types.at(type);
  const uint64_t stride = array.element == kNoType ? 0 : types.at(array.element).size;
  return {stride, stride ? array.size / stride : 0};
}

TypeKind Program::scalarKind(const ObjectName& object, uint64_t offset) const {
  const TypeIndex type = typeOf(object);
  return type == kNoType ? TypeKind::Opaque : types.scalarAt(type, offset);
}

}  // namespace heddle
