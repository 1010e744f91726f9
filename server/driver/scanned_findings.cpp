#include "server/driver/scanned_findings.h"

#include <algorithm>
#include <set>

#include "analysis/same_bug.h"

namespace heddle {

namespace {

std::pair<std::string, std::string> bugOf(const Finding& finding) {
  if (finding.kind != Property::Race || finding.about.empty() || finding.related.empty())
    return {finding.place.file, finding.id + std::to_string(finding.place.line)};
  std::set<std::string> functions = {finding.place.function};
  for (const RelatedPlace& related : finding.related) functions.insert(related.place.function);
  std::string key = "race";
  for (const FindingObject& object : finding.about) key += ' ' + object.key;
  for (const std::string& function : functions) key += ' ' + function;
  return {finding.place.file, key};
}

/// The file whose code takes something down too early, or fails. Functions of two programs may have one name.
const std::string& fileOf(const Finding& finding) {
  return finding.freedAt.line != 0 ? finding.freedAt.file : finding.place.file;
}

}  // namespace

void ScannedFindings::add(ScannedFinding found) {
  const Finding& finding = found.finding;
  const auto [known, isNew] = known_.try_emplace(bugOf(finding), findings_.size());
  if (!isNew) {
    ScannedFinding& listed = findings_[known->second];
    if (listed.finding.possible && !finding.possible) listed = std::move(found);  // confirmed now
    return;
  }
  const auto same = std::find_if(findings_.begin(), findings_.end(), [&](const ScannedFinding& other) {
    return fileOf(other.finding) == fileOf(finding) && isSameBug(other.finding, finding);
  });
  if (same == findings_.end()) return findings_.push_back(std::move(found));
  known->second = static_cast<size_t>(same - findings_.begin());
  constexpr ptrdiff_t kMostNamed = 3;  // of what is only possible
  std::vector<RelatedPlace>& related = same->finding.related;
  const ptrdiff_t named = std::count_if(related.begin(), related.end(), [](const RelatedPlace& place) {
    return place.message.starts_with("also: ");
  });
  if (!finding.possible || named < kMostNamed) related.push_back({finding.place, "also: " + finding.message});
}

std::vector<ScannedFinding> ScannedFindings::ranked() {
  std::stable_sort(findings_.begin(), findings_.end(), [](const ScannedFinding& a, const ScannedFinding& b) {
    return a.finding.possible < b.finding.possible;
  });
  known_.clear();
  return std::move(findings_);
}

}  // namespace heddle
