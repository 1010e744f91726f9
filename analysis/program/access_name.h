// AccessName: how the text of the program names memory that a pointer leads to, "pool->stop" or
// "cache->buckets[1]": the expression of the pointer, and by its type the member at the offset.
//
// An address that a run meets fits a name where the pointer leads to the start of the object, or, of a fixed
// offset, anywhere into it: the member is the same one then.
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
  int64_t offset = 0;        // bytes behind where the pointer leads to, without indices that are no constants
  bool isIndexed = false;    // such an index is part of the address
  bool isSubscript = false;  // written pointer[index]
  bool operator==(const AccessName&) const = default;
};

/// The bytes [offset, offset + size) of the object, as the name has it: "pool->stop", "items[3]", "*counter".
std::string nameText(const TypeTable& types, const AccessName& name, uint64_t offset, uint64_t size);

/// Of the names that an access goes by at its place, the one that fits; null: none does. `objectSize` in
/// bytes; `type`: of what was allocated, if that is known.
const AccessName* bestName(const TypeTable& types, const std::vector<AccessName>& names, uint64_t offset,
                           uint64_t objectSize, TypeIndex type);

}  // namespace heddle
