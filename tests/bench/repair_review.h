// RepairReview: docs/repair-review.md, the best patch of each program and what was thought of it.
//
// A section is `## NAME`, the patch in a fence, and the judgement below it. What stands before the first
// section is kept as it is.
//
// Threading: plain data.
#pragma once

#include <string>
#include <vector>

namespace heddle::table1 {

class RepairReview {
 public:
  struct Section {
    std::string name, patch, judgement;
  };
  static constexpr const char* kOpen = "**Not reviewed yet.**";

  static RepairReview read(const std::string& path);
  void write(const std::string& path) const;

  /// A patch that is another one than before loses its judgement.
  void set(const std::string& name, const std::string& patch);
  const std::vector<Section>& sections() const { return sections_; }

 private:
  std::string introduction_;
  std::vector<Section> sections_;
};

}  // namespace heddle::table1
