// File texts: the other files that the places of a result lie in, as the exploration had them. Unsaved texts
// come before those on disk.
//
// Threading: one reader belongs to one worker, which may wait for the disk; what it read may go anywhere.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "analysis/pipeline/pipeline.h"
#include "server/convert/position_map.h"

namespace heddle {

/// By path.
using FileTexts = std::map<std::string, std::shared_ptr<const PositionMap>>;

/// Reads each file once.
class TextReader {
 public:
  /// `snapshot` must outlive it; its own file is not read.
  explicit TextReader(const Snapshot& snapshot) : snapshot_(snapshot) {}

  /// Nothing, for a file that cannot be read.
  void add(const std::string& path, FileTexts& found);

 private:
  std::shared_ptr<const PositionMap> read(const std::string& path) const;

  const Snapshot& snapshot_;
  FileTexts known_;
};

}  // namespace heddle
