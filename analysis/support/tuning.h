// Tuning: how the effort of an analysis is spent, as one table (tuning.def): the shares of a budget that
// phases may take, and the sizes at which one begins or ends. A Budget carries it to all of them.
//
// Threading: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heddle {

struct Tuning {
#define HEDDLE_SHARE(name, value, meaning) double name = value;
#define HEDDLE_LIMIT(name, value, least, most, meaning) uint64_t name = value;
#include "analysis/support/tuning.def"

  /// Sets one number, as in "withoutBounds=0.5". Returns one line that says what is wrong; nothing if it was
  /// set.
  std::optional<std::string> set(std::string_view nameAndValue);
  /// The numbers of the table itself.
  static const Tuning& standard();
};

struct TuningRow {
  std::string_view name;
  double Tuning::*share;  // null: a limit
  uint64_t Tuning::*limit;
  uint64_t least, most;  // of a limit; a share is from 0 to 1
  std::string_view meaning;
};

/// All rows, in the table's order.
std::span<const TuningRow> tuningRows();

}  // namespace heddle
