#include "tests/bench/repair_review.h"

#include <algorithm>
#include <fstream>

namespace heddle::table1 {
namespace {

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of('\n'), last = text.find_last_not_of('\n');
  return first == std::string::npos ? "" : text.substr(first, last + 1 - first);
}

}  // namespace

RepairReview RepairReview::read(const std::string& path) {
  RepairReview review;
  std::ifstream stream(path, std::ios::binary);
  bool inPatch = false;
  for (std::string line; std::getline(stream, line);) {
    if (!inPatch && line.starts_with("## ")) {
      review.sections_.push_back({line.substr(3), "", ""});
    } else if (review.sections_.empty()) {
      review.introduction_ += line + "\n";
    } else if (line.starts_with("```")) {
      inPatch = !inPatch;
    } else {
      Section& section = review.sections_.back();
      (inPatch ? section.patch : section.judgement) += line + "\n";
    }
  }
  for (Section& section : review.sections_) section.judgement = trimmed(section.judgement);
  return review;
}

void RepairReview::write(const std::string& path) const {
  std::ofstream out(path, std::ios::binary);
  out << introduction_;
  for (const Section& section : sections_)
    out << "## " << section.name << "\n```diff\n" << section.patch << "```\n" << section.judgement << "\n\n";
}

void RepairReview::set(const std::string& name, const std::string& patch) {
  const auto known = std::find_if(sections_.begin(), sections_.end(),
                                  [&](const Section& section) { return section.name == name; });
  if (known == sections_.end())
    sections_.push_back({name, patch, kOpen});
  else if (known->patch != patch)
    *known = {name, patch, kOpen};
}

}  // namespace heddle::table1
