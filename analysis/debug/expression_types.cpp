#include "analysis/debug/expression_types.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace heddle {

namespace {

std::optional<Scalar> fixedType(const std::string& name) {
  static constexpr std::array<std::pair<std::string_view, int>, 13> kTypes = {{{"int8_t", -1},
                                                                               {"int16_t", -2},
                                                                               {"int32_t", -4},
                                                                               {"int64_t", -8},
                                                                               {"uint8_t", 1},
                                                                               {"uint16_t", 2},
                                                                               {"uint32_t", 4},
                                                                               {"uint64_t", 8},
                                                                               {"size_t", 8},
                                                                               {"ssize_t", -8},
                                                                               {"intptr_t", -8},
                                                                               {"uintptr_t", 8},
                                                                               {"ptrdiff_t", -8}}};
  for (const auto& [word, size] : kTypes)
    if (name == word)
      return Scalar{size < 0 ? TypeKind::Signed : TypeKind::Unsigned,
                    static_cast<uint64_t>(size < 0 ? -size : size), 0, false};
  return std::nullopt;
}

}  // namespace

bool isArithmeticWord(const std::string& word) {
  static constexpr std::array<std::string_view, 11> kWords = {
      "int", "char", "short", "long", "unsigned", "signed", "_Bool", "bool", "float", "double", "void"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end() || fixedType(word);
}

NamedType arithmeticType(const std::vector<std::string>& words) {
  NamedType out;
  Scalar& type = out.scalar;
  type = {TypeKind::Signed, 4, 0, false};
  bool isUnsigned = false;
  for (const std::string& word : words) {
    if (const std::optional<Scalar> fixed = fixedType(word)) type = *fixed;
    if (word == "unsigned") isUnsigned = true;
    if (word == "char") type = {TypeKind::Character, 1, 0, false};
    if (word == "short") type.size = 2;
    if (word == "long") type.size = 8;
    if (word == "_Bool" || word == "bool") type = {TypeKind::Boolean, 1, 0, false};
    if (word == "float") type = {TypeKind::Floating, 4, 0, false};
    if (word == "double") type = {TypeKind::Floating, 8, 0, false};
    if (word == "void") out.isVoid = true;
  }
  if (isUnsigned && type.kind != TypeKind::Floating) type.kind = TypeKind::Unsigned;
  return out;
}

ExpressionTypes::ExpressionTypes(const Program& program) : program_(program) {
  for (const GlobalVariable& global : program.globals) add(global.type);
  for (const LocalVariable& local : program.localVariables) add(local.type);
}

void ExpressionTypes::add(TypeIndex type) {
  std::vector<TypeIndex> open = {type};  // a list may be long
  while (!open.empty()) {
    const TypeIndex next = open.back();
    open.pop_back();
    if (next == kNoType || !types_.insert(next).second) continue;
    const TypeNode& node = program_.types.at(next);
    if (!node.name.empty()) names_.emplace(node.name, next);
    open.push_back(node.element);
    for (const TypeMember& member : node.members) open.push_back(member.type);
  }
}

std::optional<TypeIndex> ExpressionTypes::named(const std::string& name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? std::nullopt : std::optional(found->second);
}

TypeIndex ExpressionTypes::arithmetic(const Scalar& scalar) const {
  const auto found = std::find_if(types_.begin(), types_.end(), [&](TypeIndex type) {
    const TypeNode& node = program_.types.at(type);
    return node.kind == scalar.kind && node.size == scalar.size && node.enumerators.empty();
  });
  return found == types_.end() ? kNoType : *found;
}

TypeIndex ExpressionTypes::pointerTo(TypeIndex type) const {
  const auto found = std::find_if(types_.begin(), types_.end(), [&](TypeIndex pointer) {
    const TypeNode& node = program_.types.at(pointer);
    return node.kind == TypeKind::Pointer && node.element == type && type != kNoType;
  });
  return found == types_.end() ? kNoType : *found;
}

}  // namespace heddle
