// TypeTable: as much of the source types as it takes to write "acc[2].balance" for a byte of an object, and
// to print a value as its type wants it. Pointers end the description, so the graph has no cycles.
//
// Threading: immutable once lowered.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

using TypeIndex = uint32_t;
inline constexpr TypeIndex kNoType = ~0u;

enum class TypeKind : uint8_t {
  Signed,
  Unsigned,
  Boolean,
  Character,
  Floating,
  Pointer,
  Array,
  Record,
  Union,
  Opaque
};

struct TypeMember {
  std::string name;     // empty for anonymous members
  uint64_t offset = 0;  // bytes
  uint64_t size = 0;
  TypeIndex type = kNoType;
};

struct TypeNode {
  TypeKind kind = TypeKind::Opaque;
  uint64_t size = 0;  // bytes
  TypeIndex element = kNoType;
  std::vector<TypeMember> members;
  bool named = true;  // Opaque: a library type whose inside is not shown (pthread_mutex_t)
};

class TypeTable {
 public:
  TypeIndex add(TypeNode node);
  TypeNode& at(TypeIndex index) { return nodes_[index]; }
  const TypeNode& at(TypeIndex index) const { return nodes_[index]; }

  /// ".balance", "[3]", "[1].x" for the innermost part of `type` that holds [offset, offset+size).
  std::string path(TypeIndex type, uint64_t offset, uint64_t size) const;
  /// The type of the scalar at `offset`, or Opaque.
  TypeKind scalarAt(TypeIndex type, uint64_t offset) const;

 private:
  std::vector<TypeNode> nodes_;
};

}  // namespace heddle
