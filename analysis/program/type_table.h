// TypeTable: as much of the source types as is needed to write "acc[2].balance" for a byte of an object, and
// to print a value as its type asks. Types form cycles only through pointers, and `path` ends at a pointer.
//
// Threading: immutable once lowered.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
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
  uint8_t bits = 0;   // of a bit-field; 0: it is not one
  uint8_t shift = 0;  // its lowest bit, from that of the byte at `offset`
};

struct TypeNode {
  TypeKind kind = TypeKind::Opaque;
  uint64_t size = 0;            // bytes
  TypeIndex element = kNoType;  // of an array; what a pointer points to, kNoType: void, a function, unknown
  std::vector<TypeMember> members;
  std::string name = {};  // as the source writes it; empty: it has none
  std::vector<std::pair<int64_t, std::string>> enumerators = {};  // of an enumeration
  bool named = true;  // Opaque: a library type whose inside is not shown (pthread_mutex_t)
};

class TypeTable {
 public:
  TypeIndex add(TypeNode node);
  TypeNode& at(TypeIndex index) { return nodes_[index]; }
  const TypeNode& at(TypeIndex index) const { return nodes_[index]; }

  /// ".balance", "[3]", "[1].x" for the innermost part of `type` that holds [offset, offset+size).
  std::string path(TypeIndex type, uint64_t offset, uint64_t size) const;
  /// As a declaration would spell it: "struct account *", "int [4]".
  std::string spelling(TypeIndex type) const;
  /// The type of the scalar at `offset`; null: there is none, or it is not known.
  const TypeNode* scalarAt(TypeIndex type, uint64_t offset) const;

 private:
  std::vector<TypeNode> nodes_;
};

}  // namespace heddle
