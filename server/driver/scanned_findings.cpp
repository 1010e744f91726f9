#include "server/driver/scanned_findings.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace heddle {

namespace {

constexpr size_t kMostWaysTold = 8;  // ways in which one bug shows, that are listed

/// Where memory is freed too early; line 0: the finding is about something else.
SourcePlace earlyFreeOf(const Finding& finding) {
  if (finding.freedAt.line != 0) return finding.freedAt;
  const bool isFree = finding.message.find(" is freed here while ") != std::string::npos ||
                      (finding.kind == Property::Misuse && finding.message.starts_with("free of "));
  return isFree ? finding.place : SourcePlace();
}

/// What the finding is about, whichever harness has made it.
std::string objectsOf(const Finding& finding) {
  std::string objects;
  for (const FindingObject& object : finding.about)
    objects += ' ' + object.key.substr(0, object.key.find('#'));
  return objects;
}

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

bool isAt(const SourcePlace& a, const SourcePlace& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

}  // namespace

/// Its place among the findings; their number: it is new. A lock in what is freed tells no object.
size_t ScannedFindings::indexOf(const Finding& finding) {
  const SourcePlace freed = earlyFreeOf(finding);
  if (freed.line == 0) return known_.try_emplace(bugOf(finding), findings_.size()).first->second;
  const std::string objects = objectsOf(finding);
  // Paths of one file differ: as it was given, and as another file includes it.
  auto& here = frees_[{std::filesystem::path(freed.file).filename().string(), std::to_string(freed.line)}];
  const auto same = std::find_if(here.begin(), here.end(), [&](const auto& other) {
    return objects.empty() || other.first.empty() || other.first == objects;
  });
  if (same == here.end()) return here.emplace_back(objects, findings_.size()).second;
  if (same->first.empty()) same->first = objects;
  return same->second;
}

void ScannedFindings::add(ScannedFinding found) {
  const size_t index = indexOf(found.finding);
  if (index == findings_.size()) return findings_.push_back(std::move(found));
  Finding& listed = findings_[index].finding;
  if (listed.possible && !found.finding.possible) {
    findings_[index] = std::move(found);  // confirmed now
    return;
  }
  const SourcePlace& place = found.finding.place;
  const bool isTold = isAt(place, listed.place) ||
                      std::any_of(listed.related.begin(), listed.related.end(),
                                  [&](const RelatedPlace& related) { return isAt(related.place, place); });
  if (earlyFreeOf(found.finding).line != 0 && listed.possible == found.finding.possible && !isTold &&
      listed.related.size() < kMostWaysTold)
    listed.related.push_back({place, "also: " + found.finding.message});
}

std::vector<ScannedFinding> ScannedFindings::ranked() {
  std::stable_sort(findings_.begin(), findings_.end(), [](const ScannedFinding& a, const ScannedFinding& b) {
    return a.finding.possible < b.finding.possible;
  });
  known_.clear();
  frees_.clear();
  return std::move(findings_);
}

}  // namespace heddle
