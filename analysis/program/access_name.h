// AccessName: how the text of the program names memory that a pointer leads to, "pool->stop" or
// "cache->buckets[1]": the expression of the pointer, and by its type the member at the offset.
//
// An address of a run fits a name if the pointer leads to the start of the object. If the offset is fixed,
// the pointer may lead anywhere into the object: the member is the same one then.
//
// Threading: immutable once lowered.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/program/type_table.h"

namespace heddle {

struct AccessName {
  std::string pointer;  // "pool", "store->current", "config_get(…)"
  TypeIndex pointee = kNoType;
  int64_t offset = 0;        // bytes from where the pointer leads to, without indices that are not constant
  bool isIndexed = false;    // such an index is part of the address
  bool isSubscript = false;  // written pointer[index]
  bool operator==(const AccessName&) const = default;
};

/// The bytes [offset, offset + size) of the object, as the name has it: "pool->stop", "items[3]", "*counter".
std::string nameText(const TypeTable& types, const AccessName& name, uint64_t offset, uint64_t size);

/// The name that fits, of those that an access has at its place; null: none does. `objectSize` in bytes;
/// `type`: of what was allocated, if that is known.
const AccessName* bestName(const TypeTable& types, const std::vector<AccessName>& names, uint64_t offset,
                           uint64_t objectSize, TypeIndex type);

}  // namespace heddle
