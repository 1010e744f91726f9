// DeclaredFunction: what the text says of a function that it declares and calls but does not define: enough
// to assume what a call of it may change and return, and to write a stub for it.
//
// Threading: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

inline constexpr uint32_t kNoShape = ~0u;

/// A number or an address in an object.
struct ScalarShape {
  uint64_t offset = 0;  // bytes
  uint8_t bytes = 0;    // 1, 2, 4 or 8
  bool isSigned = false;
  bool isPointer = false;
  uint32_t target = kNoShape;  // of a pointer: the object it points to
  std::string name;            // "->size", "[3]"
};

/// An object of a type: its numbers and addresses. Locks and the like are left out.
struct ObjectShape {
  uint64_t size = 0;    // bytes; 0: not known, and the caller cannot look into it
  bool isText = false;  // characters, of which there may be more than one
  bool isWhole = true;  // all of its scalars are listed
  std::vector<ScalarShape> scalars;
};

struct DeclaredFunction {
  struct Parameter {
    bool isPointer = false;
    bool isChanged = false;      // points to something that it may write
    bool isFunction = false;     // points to a function
    uint32_t target = kNoShape;  // what it points to; kNoShape: void, or a type that is not known
  };
  std::string name;
  std::string stub;  // a definition in C, ready to be changed
  std::vector<Parameter> parameters;
  bool passesRecords = false;       // then its arguments cannot be told apart in a call
  std::vector<ScalarShape> result;  // what it returns, as it lies in memory
  std::vector<ObjectShape> shapes;
};

}  // namespace heddle
