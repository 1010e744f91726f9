#include "analysis/debug/value_view.h"

#include <bit>
#include <cstdio>

namespace heddle {

namespace {

constexpr uint64_t kMostShown = 8;       // children in a line
constexpr unsigned kMostShownDepth = 2;  // of aggregates in a line
constexpr uint64_t kMostCharacters = 64;

std::string hexadecimal(uint64_t bits) {
  char buffer[24];
  std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(bits));
  return buffer;
}

std::string characterText(uint64_t bits) {
  const auto c = static_cast<unsigned char>(bits);
  if (c >= 32 && c < 127)
    return c == '\'' || c == '\\' ? std::string("\\") + char(c) : std::string(1, char(c));
  switch (c) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    case 0:
      return "\\0";
    default: {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\x%02x", c);
      return buffer;
    }
  }
}

std::string floatText(uint64_t bits, uint64_t size) {
  const double value = size == 4 ? static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)))
                                 : std::bit_cast<double>(bits);
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, size == 4 ? "%.9g" : "%.17g", value);
  return buffer;
}

}  // namespace

uint64_t ValueView::sizeOf(const DebugValue& value) const {
  if (value.type != kNoType) return program_.types.at(value.type).size;
  return value.scalar ? value.scalar->size : 1;
}

TypeKind ValueView::kindOf(const DebugValue& value) const {
  if (value.type != kNoType) return program_.types.at(value.type).kind;
  return value.scalar ? value.scalar->kind : TypeKind::Opaque;
}

bool ValueView::isAggregate(const DebugValue& value) const {
  const TypeKind kind = kindOf(value);
  return kind == TypeKind::Array || kind == TypeKind::Record || kind == TypeKind::Union;
}

std::string ValueView::typeText(const DebugValue& value) const {
  if (value.type != kNoType) return program_.types.spelling(value.type);
  if (!value.scalar) return "";
  switch (value.scalar->kind) {
    case TypeKind::Floating:
      return value.scalar->size == 4 ? "float" : "double";
    case TypeKind::Boolean:
      return "bool";
    case TypeKind::Pointer:
      return "void *";
    case TypeKind::Character:
      return "char";
    default:
      break;
  }
  const std::string word = value.scalar->kind == TypeKind::Unsigned ? "unsigned " : "";
  switch (value.scalar->size) {
    case 1:
      return word + "char";
    case 2:
      return word + "short";
    case 4:
      return word + "int";
    default:
      return word + "long";
  }
}

DebugValue ValueView::global(uint32_t index) const {
  DebugValue value;
  value.type = program_.globals[index].type;
  value.address = execution_.memory.globalBase(index);
  return value;
}

std::optional<std::string> ValueView::bytes(uint64_t address, uint64_t size) const {
  MemoryObject* object = execution_.memory.at(address);
  if (!object || address < object->base || !object->contains(address - object->base, size) ||
      !execution_.memory.touch(*object))
    return std::nullopt;
  return std::string(reinterpret_cast<const char*>(object->bytes) + (address - object->base), size);
}

std::optional<Scalar> ValueView::read(const DebugValue& value) const {
  Scalar scalar;
  if (!value.address) return value.scalar;
  if (value.type == kNoType && !value.scalar) return std::nullopt;
  scalar.kind = kindOf(value);
  scalar.size = sizeOf(value);
  if (isAggregate(value) || scalar.kind == TypeKind::Opaque || scalar.size == 0 || scalar.size > 8)
    return std::nullopt;
  MemoryObject* object = execution_.memory.at(*value.address);
  if (!object || *value.address < object->base) return std::nullopt;
  const uint64_t offset = *value.address - object->base;
  const uint64_t bytes = value.bits ? (value.shift + value.bits + 7u) / 8 : scalar.size;
  if (bytes > 8 || !object->contains(offset, bytes) || !execution_.memory.touch(*object)) return std::nullopt;
  const Value read = execution_.memory.read(*object, offset, static_cast<unsigned>(bytes));
  scalar.bits = read.bits;
  scalar.isUndefined = isUndefined(read);
  if (value.bits) {
    scalar.bits = (scalar.bits >> value.shift) & widthMask(value.bits);
    if (scalar.kind == TypeKind::Signed)
      scalar.bits = static_cast<uint64_t>(signExtend(scalar.bits, value.bits)) &
                    widthMask(static_cast<unsigned>(scalar.size * 8));
  }
  return scalar;
}

std::string ValueView::nameOf(uint64_t address, uint64_t size) const {
  MemoryObject* object = execution_.memory.at(address);
  if (!object || address < object->base || address >= object->base + object->size) {
    const FunctionId function = address == 0 ? kNone : execution_.memory.functionAt(address);
    return function == kNone ? "" : program_.functions[function].name;
  }
  return program_.describe(execution_.names.info(object->id).name, address - object->base, size);
}

std::string ValueView::stringAt(uint64_t address) const {
  std::string out;
  for (uint64_t i = 0; i < kMostCharacters; ++i) {
    const std::optional<std::string> byte = bytes(address + i, 1);
    if (!byte) return "";
    if ((*byte)[0] == 0) return '"' + out + '"';
    out += (*byte)[0] == '"' ? "\\\"" : characterText(static_cast<unsigned char>((*byte)[0]));
  }
  return '"' + out + "\"…";
}

std::string ValueView::pointerText(const DebugValue& value, uint64_t address) const {
  if (address == 0) return "NULL";
  const TypeIndex to = value.type == kNoType ? kNoType : program_.types.at(value.type).element;
  const uint64_t size = to == kNoType ? 1 : std::max<uint64_t>(1, program_.types.at(to).size);
  const bool isText = to != kNoType && program_.types.at(to).kind == TypeKind::Character;
  std::string name = nameOf(address, size);
  if (isText)
    if (std::string text = stringAt(address); !text.empty()) return text;
  if (name.empty()) return hexadecimal(address) + " (no object)";
  const MemoryObject* object = execution_.memory.at(address);
  if (object && object->freedAt != 0) name += ", freed";
  const bool isVariable = name.find(' ') == std::string::npos;
  return isVariable && execution_.memory.functionAt(address) == kNone ? '&' + name
         : isVariable                                                 ? name
                      : hexadecimal(address) + " (" + name + ')';
}

std::string ValueView::scalarText(const DebugValue& value, const Scalar& scalar) const {
  if (scalar.isUndefined) return "never written";
  const auto width = static_cast<unsigned>(scalar.size * 8);
  const int64_t number = signExtend(scalar.bits, width);
  switch (scalar.kind) {
    case TypeKind::Boolean:
      return scalar.bits & 0xff ? "true" : "false";
    case TypeKind::Character:
      return std::to_string(number) + " '" + characterText(scalar.bits) + '\'';
    case TypeKind::Floating:
      return scalar.size == 4 || scalar.size == 8 ? floatText(scalar.bits, scalar.size)
                                                  : hexadecimal(scalar.bits);
    case TypeKind::Pointer:
      return pointerText(value, scalar.bits);
    case TypeKind::Signed:
      if (value.type != kNoType)
        for (const auto& [enumerator, name] : program_.types.at(value.type).enumerators)
          if (enumerator == number) return name + " (" + std::to_string(number) + ')';
      return std::to_string(number);
    default:
      return std::to_string(scalar.bits & widthMask(width));
  }
}

std::string ValueView::lockText(uint64_t address) const {
  const MemoryObject* object = execution_.memory.at(address);
  if (!object) return "…";
  const auto mutex = execution_.sync.mutexes().find({object->id, address - object->base});
  if (mutex == execution_.sync.mutexes().end()) return "…";
  return mutex->second.owner == kNone ? "unlocked"
                                      : "locked by " + execution_.names.label(mutex->second.owner);
}

std::string ValueView::text(const DebugValue& value, unsigned depth) const {
  if (!value.address && !value.scalar) return "not set here";
  if (!isAggregate(value)) {
    if (const std::optional<Scalar> scalar = read(value)) return scalarText(value, *scalar);
    if (!bytes(*value.address, 1)) return "not accessible";
    return lockText(*value.address);
  }
  const TypeNode& type = program_.types.at(value.type);
  if (type.kind == TypeKind::Array && type.element != kNoType &&
      program_.types.at(type.element).kind == TypeKind::Character && value.address)
    if (std::string string = stringAt(*value.address); !string.empty()) return string;
  if (depth >= kMostShownDepth) return "{…}";
  std::string out;
  const uint64_t count = childCount(value);
  for (const NamedValue& child : children(value, 0, kMostShown)) {
    if (!out.empty()) out += ", ";
    if (type.kind != TypeKind::Array) out += child.name + " = ";
    out += text(child.value, depth + 1);
  }
  return '{' + out + (count > kMostShown ? ", …}" : "}");
}

uint64_t ValueView::childCount(const DebugValue& value) const {
  if (value.type == kNoType) return 0;
  const TypeNode& type = program_.types.at(value.type);
  switch (type.kind) {
    case TypeKind::Array: {
      const uint64_t each = type.element == kNoType ? 0 : program_.types.at(type.element).size;
      return each ? type.size / each : 0;
    }
    case TypeKind::Record:
    case TypeKind::Union:
      return type.members.size();
    case TypeKind::Pointer:
      return pointee(value) ? 1 : 0;
    default:
      return 0;
  }
}

std::optional<DebugValue> ValueView::pointee(const DebugValue& pointer) const {
  if (pointer.type == kNoType) return std::nullopt;
  const TypeNode& type = program_.types.at(pointer.type);
  if (type.kind == TypeKind::Array) return element(pointer, 0);
  const std::optional<Scalar> address = read(pointer);
  if (type.kind != TypeKind::Pointer || type.element == kNoType || !address || address->isUndefined ||
      !bytes(address->bits, 1))
    return std::nullopt;
  DebugValue value;
  value.type = type.element;
  value.address = address->bits;
  return value;
}

std::optional<DebugValue> ValueView::element(const DebugValue& array, int64_t index) const {
  if (array.type == kNoType) return std::nullopt;
  const TypeNode& type = program_.types.at(array.type);
  if (type.element == kNoType) return std::nullopt;
  std::optional<uint64_t> base = array.address;
  if (type.kind == TypeKind::Pointer) {
    const std::optional<Scalar> address = read(array);
    base = address && !address->isUndefined ? std::optional<uint64_t>(address->bits) : std::nullopt;
  } else if (type.kind != TypeKind::Array) {
    return std::nullopt;
  }
  if (!base) return std::nullopt;
  DebugValue value;
  value.type = type.element;
  value.address = *base + static_cast<uint64_t>(index) * program_.types.at(type.element).size;
  return value;
}

std::optional<DebugValue> ValueView::member(const DebugValue& record, const std::string& name) const {
  if (record.type == kNoType || !record.address) return std::nullopt;
  for (const TypeMember& member : program_.types.at(record.type).members) {
    DebugValue value;
    value.type = member.type;
    value.address = *record.address + member.offset;
    value.bits = member.bits;
    value.shift = member.shift;
    if (member.name == name) return value;
    if (!member.name.empty()) continue;
    if (std::optional<DebugValue> inner = this->member(value, name)) return inner;
  }
  return std::nullopt;
}

std::vector<NamedValue> ValueView::children(const DebugValue& value, uint64_t from, uint64_t count) const {
  std::vector<NamedValue> out;
  if (value.type == kNoType) return out;
  const TypeNode& type = program_.types.at(value.type);
  const uint64_t end = std::min(childCount(value), from + count < from ? ~uint64_t{0} : from + count);
  if (type.kind == TypeKind::Pointer) {
    if (const auto to = pointee(value); to && from == 0 && count > 0) out.push_back({"*", *to});
    return out;
  }
  for (uint64_t i = from; i < end; ++i) {
    if (type.kind == TypeKind::Array) {
      if (const auto one = element(value, static_cast<int64_t>(i)))
        out.push_back({'[' + std::to_string(i) + ']', *one});
      continue;
    }
    const TypeMember& member = type.members[i];
    DebugValue child;
    child.type = member.type;
    if (value.address) child.address = *value.address + member.offset;
    child.bits = member.bits;
    child.shift = member.shift;
    out.push_back({member.name.empty() ? "(anonymous)" : member.name, child});
  }
  return out;
}

}  // namespace heddle
