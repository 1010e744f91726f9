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
  if (harness != kNone && p.file == place(harness).file && p.line >= place(harness).line)
    return "a line of the harness";
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

std::string Program::functionAround(uint32_t pc) const {
  for (const Function& function : functions)
    if (function.defined && function.entry <= pc && pc < function.end) return function.name;
  return "a function";
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

ObjectName Program::ownerOf(const ObjectName& hidden) const {
  ObjectName owner = hidden;
  owner.site -= kFirstLife;
  const bool isThreadLocal = hidden.ordinal == ~0u || owner.site >= code.size();
  owner.kind = isThreadLocal                           ? ObjectKind::ThreadLocal
               : code[owner.site].op == Opcode::Alloca ? ObjectKind::Stack
                                                       : ObjectKind::Heap;
  // How large it is, its own name says; enough for all members of what was allocated.
  owner.size = ~0u;
  return owner;
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
      if (object.site < code.size()) {
        // In a library model, which has no places.
        if (code[object.site].place == kNone) return "object of " + functionAround(object.site);
        const TypeIndex type = allocatedType(object);
        const std::string name = type == kNoType ? "" : types.at(type).name;
        return (name.empty() ? "heap object" : name) + " allocated at " + shortPlace(code[object.site].place);
      }
      break;
    case ObjectKind::Stack:
      if (object.site < code.size()) {
        const Instruction& in = code[object.site];
        if (in.op == Opcode::Alloca && !stackVariables[in.a].name.empty()) return stackVariables[in.a].name;
        if (in.place == kNone) return "variable of " + functionAround(object.site);
        return "temporary at " + shortPlace(in.place);
      }
      break;
    case ObjectKind::Library:
      if (object.site >= kFirstLife && object.site - kFirstLife < code.size()) {
        if (object.size == kChannelBytes)
          return "pipe made at " + shortPlace(code[object.site - kFirstLife].place);
        return (object.size == 1 ? "life of " : "allocation of ") + describe(ownerOf(object));
      }
      if (object.site == 0) return "result of a thread";
      if (object.owner != kNone && object.site == 1) return "argv[" + std::to_string(object.ordinal) + "]";
      if (object.owner != kNone && object.site == 2) return "argv";
      if (object.owner != kNone && object.site == 11) return "the text of an environment variable";
      if (object.site == 7) return "hidden variable of strtok";
      break;
  }
  return "library object";
}

std::string Program::describe(const ObjectName& object, uint64_t offset, uint64_t size) const {
  std::string out = describe(object);
  const TypeIndex type = typeOf(object);
  if (type != kNoType) return out + types.path(type, offset, size);
  if (const TypeIndex allocated = allocatedType(object); allocated != kNoType) {
    AccessName name = allocations.at(object.site);
    name.isIndexed = true;
    name.isSubscript = name.isSubscript || object.size >= 2 * types.at(allocated).size;
    return nameText(types, name, offset, size);
  }
  if (offset) out += " + " + std::to_string(offset);
  return out;
}

std::string Program::describeWithoutPlace(const ObjectName& object, uint64_t offset, uint64_t size) const {
  if (object.kind == ObjectKind::Library && object.site >= kFirstLife &&
      object.site - kFirstLife < code.size()) {
    if (object.size == kChannelBytes) return "pipe";
    const ObjectName owner = ownerOf(object);
    const TypeIndex type = allocatedType(owner);
    const bool isNamed = type != kNoType && !types.at(type).name.empty();
    return (object.size == 1 ? "life of " : "allocation of ") +
           (isNamed ? types.at(type).name : describeWithoutPlace(owner, 0));
  }
  if (object.kind != ObjectKind::Heap) return describe(object, offset, size);
  const TypeIndex type = allocatedType(object);
  if (type == kNoType || types.at(type).name.empty()) return "heap object";
  AccessName name;
  name.pointer = types.at(type).name;
  name.pointee = type;
  name.isIndexed = true;
  return nameText(types, name, offset, size);
}

TypeIndex Program::allocatedType(const ObjectName& object) const {
  if (object.kind != ObjectKind::Heap) return kNoType;
  const auto found = allocations.find(object.site);
  if (found == allocations.end() || found->second.pointee == kNoType) return kNoType;
  const uint64_t size = types.at(found->second.pointee).size;
  return size == 0 || size > object.size ? kNoType : found->second.pointee;
}

const AccessName* Program::accessName(PlaceId place, const ObjectName& object, uint64_t offset) const {
  if (object.kind != ObjectKind::Heap) return nullptr;
  const auto found = accessNames.find(place);
  if (found == accessNames.end()) return nullptr;
  return bestName(types, found->second, offset, object.size, allocatedType(object));
}

std::string Program::describeAt(PlaceId place, const ObjectName& object, uint64_t offset,
                                uint64_t size) const {
  const AccessName* name = accessName(place, object, offset);
  return name ? nameText(types, *name, offset, size) : describe(object, offset, size);
}

std::string Program::describeAt(PlaceId place, const ObjectName& object) const {
  const AccessName* name = accessName(place, object, 0);
  return name ? name->pointer : describe(object);
}

std::pair<uint64_t, uint64_t> Program::elements(const ObjectName& object) const {
  const TypeIndex type = typeOf(object);
  if (type == kNoType || types.at(type).kind != TypeKind::Array) return {0, 0};
  const TypeNode& array = types.at(type);
  const uint64_t stride = array.element == kNoType ? 0 : types.at(array.element).size;
  return {stride, stride ? array.size / stride : 0};
}

const TypeNode* Program::scalarAt(PlaceId place, const ObjectName& object, uint64_t offset) const {
  if (const TypeIndex type = typeOf(object); type != kNoType) return types.scalarAt(type, offset);
  const AccessName* name = accessName(place, object, offset);
  const TypeIndex type = name ? name->pointee : allocatedType(object);
  const uint64_t unit = type == kNoType ? 0 : types.at(type).size;
  if (unit == 0) return nullptr;
  const int64_t at = name && !name->isIndexed ? name->offset : static_cast<int64_t>(offset);
  return at < 0 ? nullptr : types.scalarAt(type, static_cast<uint64_t>(at) % unit);
}

}  // namespace heddle
