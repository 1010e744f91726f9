// What `heddle bench` was asked for, as plain data.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

enum class BenchFormat : uint8_t { Text, Json, Markdown };

struct BenchCommand {
  std::vector<std::string> names;  // of rows; empty: all
  std::string suite;               // empty: the one of the source tree
  std::string output;              // empty: stdout
  std::string plot;                // an SVG file; empty: none
  BenchFormat format = BenchFormat::Text;
  Options options;  // the properties come from the rows
  std::chrono::milliseconds budget{60'000};
  bool list = false;
  std::shared_ptr<const Tuning> tuning;  // null: the table's own numbers
  bool costOfDefaults = false;           // a column of its own, for seven runs of each row
};

}  // namespace heddle
