// ValueView: the values of a program that stands still, as its types show them.
//
// A DebugValue says what is shown, not what it holds: a place in memory with a type, or a number. Reading
// never fails; what cannot be read says why in its text.
//
// Threading: as the execution, which must outlive the view and stand still.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/interp/core/execution.h"

namespace heddle {

/// A number as C sees it.
struct Scalar {
  TypeKind kind = TypeKind::Signed;
  uint64_t size = 4;  // bytes, 1..8
  uint64_t bits = 0;
  bool isUndefined = false;  // was never written
};

struct DebugValue {
  TypeIndex type = kNoType;  // kNoType: a number of `scalar`'s kind, or bytes of which nothing is known
  std::optional<uint64_t> address;  // where it lies; none: `scalar` holds it
  std::optional<Scalar> scalar;     // neither: it has no value here
  uint8_t bits = 0, shift = 0;      // of a bit-field, see TypeMember
};

struct NamedValue {
  std::string name;
  DebugValue value;
};

class ValueView {
 public:
  explicit ValueView(Execution& execution) : execution_(execution), program_(execution.program) {}

  /// One line: "100", "'a' (97)", "{balance = 100, owner = 1}", "&acc[1]", "never written".
  std::string text(const DebugValue& value) const { return text(value, 0); }
  std::string typeText(const DebugValue& value) const;
  /// How many children it has: fields, elements, what a pointer points to.
  uint64_t childCount(const DebugValue& value) const;
  std::vector<NamedValue> children(const DebugValue& value, uint64_t from, uint64_t count) const;

  /// What it holds; nullopt: it is no number, or cannot be read.
  std::optional<Scalar> read(const DebugValue& value) const;
  /// The bytes; nullopt where there are none. For comparisons, not for display.
  std::optional<std::string> bytes(uint64_t address, uint64_t size) const;
  std::optional<DebugValue> member(const DebugValue& record, const std::string& name) const;
  std::optional<DebugValue> element(const DebugValue& array, int64_t index) const;
  std::optional<DebugValue> pointee(const DebugValue& pointer) const;
  uint64_t sizeOf(const DebugValue& value) const;
  TypeKind kindOf(const DebugValue& value) const;
  bool isAggregate(const DebugValue& value) const;

  DebugValue global(uint32_t index) const;
  /// "acc[1].balance", "heap object allocated at a.c:12 + 8"; empty: nothing lies there.
  std::string nameOf(uint64_t address, uint64_t size = 1) const;

 private:
  std::string text(const DebugValue& value, unsigned depth) const;
  std::string scalarText(const DebugValue& value, const Scalar& scalar) const;
  std::string pointerText(const DebugValue& value, uint64_t address) const;
  std::string lockText(uint64_t address) const;
  std::string stringAt(uint64_t address) const;

  Execution& execution_;
  const Program& program_;
};

}  // namespace heddle
