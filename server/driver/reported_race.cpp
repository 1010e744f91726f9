#include "server/driver/reported_race.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>

namespace heddle {
namespace {

/// "    #1 one /src/r.c:8:3 (r+0x1238)": a column, and what stands in brackets, may be missing.
std::optional<ReportedFrame> frameIn(std::string_view line) {
  const size_t hash = line.find_first_not_of(' ');
  if (hash == std::string_view::npos || line[hash] != '#') return std::nullopt;
  const size_t name = line.find(' ', hash);
  if (name == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(name + 1);
  for (size_t module; rest.ends_with(')') && (module = rest.rfind(" (")) != std::string_view::npos;)
    rest = rest.substr(0, module);
  const size_t blank = rest.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  ReportedFrame frame;
  frame.function = rest.substr(0, blank);
  std::string_view place = rest.substr(blank + 1);
  // The last number is a column where there is one before it.
  std::vector<uint32_t> numbers;
  for (size_t colon; (colon = place.rfind(':')) != std::string_view::npos;) {
    const std::string_view digits = place.substr(colon + 1);
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) break;
    numbers.push_back(number);
    place = place.substr(0, colon);
  }
  if (numbers.empty() || place.empty()) return std::nullopt;
  frame.file = place;
  frame.line = numbers.back();
  return frame;
}

/// "  Previous atomic write of size 4 at …".
bool isAccess(std::string_view line) {
  if (!line.starts_with("  ") || line.starts_with("   ")) return false;
  const size_t size = line.find(" of size ");
  if (size == std::string_view::npos) return false;
  const std::string_view what = line.substr(2, size - 2);
  return what.ends_with("ead") || what.ends_with("rite");
}

struct LineOf {
  std::string file;
  uint32_t line = 0;
};

/// How many names at the ends of the paths are the same: what was built elsewhere lies in other folders.
size_t sharedEnd(const std::filesystem::path& a, const std::filesystem::path& b) {
  const size_t least =
      static_cast<size_t>(std::min(std::distance(a.begin(), a.end()), std::distance(b.begin(), b.end())));
  size_t shared = 0;
  for (auto left = a.end(), right = b.end(); shared < least && *--left == *--right;) ++shared;
  return shared;
}

/// The same file, though one of the names may be shorter.
bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b) {
  const size_t shared = sharedEnd(a, b);
  return shared ==
         static_cast<size_t>(std::min(std::distance(a.begin(), a.end()), std::distance(b.begin(), b.end())));
}

std::optional<LineOf> lineOf(const std::vector<ReportedFrame>& stack, const std::vector<std::string>& files) {
  for (const ReportedFrame& frame : stack) {
    const auto best = std::max_element(files.begin(), files.end(), [&](const auto& a, const auto& b) {
      return sharedEnd(frame.file, a) < sharedEnd(frame.file, b);
    });
    if (best != files.end() && sharedEnd(frame.file, *best) != 0) return LineOf{*best, frame.line};
  }
  return std::nullopt;
}

bool isAt(const SourcePlace& place, const LineOf& at, const Report& report) {
  return place.line == at.line && isSameFile(place.file.empty() ? report.file : place.file, at.file);
}

/// Where the two accesses of a race are.
std::vector<SourcePlace> placesOf(const Finding& race) {
  std::vector<SourcePlace> places = {race.place};
  for (const RelatedPlace& related : race.related) places.push_back(related.place);
  return places;
}

std::set<std::string> dataAt(const Report& report, const LineOf& at) {
  std::set<std::string> data;
  for (const SharedAccess& access : report.accesses)
    if (isAt(access.access.place, at, report)) data.insert(access.data);
  return data;
}

/// The race that has both lines; else one on data that both lines access.
const Finding* raceOf(const Report& report, const LineOf& one, const LineOf& other, bool& isExact) {
  const std::set<std::string> first = dataAt(report, one), second = dataAt(report, other);
  const Finding* near = nullptr;
  for (const std::vector<Finding>* findings : {&report.findings, &report.warnings}) {
    for (const Finding& finding : *findings) {
      if (finding.kind != Property::Race) continue;
      const std::vector<SourcePlace> places = placesOf(finding);
      const auto has = [&](const LineOf& at) {
        return std::any_of(places.begin(), places.end(),
                           [&](const auto& place) { return isAt(place, at, report); });
      };
      isExact = has(one) && has(other);
      if (isExact) return &finding;
      const std::set<std::string> own =
          dataAt(report, {finding.place.file.empty() ? report.file : finding.place.file, finding.place.line});
      const bool isSameData = std::any_of(own.begin(), own.end(), [&](const std::string& data) {
        return first.contains(data) && second.contains(data);
      });
      if (isSameData && near == nullptr) near = &finding;
    }
  }
  return near;
}

std::string nameOf(const LineOf& at) {
  return std::filesystem::path(at.file).filename().string() + ":" + std::to_string(at.line);
}

std::string whyNotFound(const Report& report) {
  const auto race = report.properties.find(Property::Race);
  if (race == report.properties.end() && !report.properties.empty())
    return "data races were not asked for: leave --property away, or name race";
  const Verdict verdict = race == report.properties.end() ? Verdict::Incomplete : race->second;
  switch (verdict) {
    case Verdict::Verified:
      return "no schedule and no input of this program shows it";
    case Verdict::VerifiedWithinBounds:
      return "no schedule and no input shows it, within the bounds and assumptions below";
    case Verdict::Violated:
      return "other races were found, and not this one; mend them first";
    default:
      return "not found, and not everything was explored";
  }
}

}  // namespace

std::vector<ReportedRace> racesIn(std::string_view text) {
  std::vector<ReportedRace> races;
  ReportedRace race;
  size_t accesses = 0;
  bool isRace = false, isStack = false;
  const auto end = [&] {
    const bool isWhole = isRace && accesses == 2 && !race.stacks[0].empty() && !race.stacks[1].empty();
    if (isWhole && std::find(races.begin(), races.end(), race) == races.end()) races.push_back(race);
    race = {};
    accesses = 0;
    isRace = isStack = false;
  };
  while (!text.empty()) {
    const size_t newline = text.find('\n');
    std::string_view line = text.substr(0, newline);
    text = newline == std::string_view::npos ? std::string_view() : text.substr(newline + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find("WARNING: ThreadSanitizer:") != std::string_view::npos) {
      end();
      isRace = line.find("data race") != std::string_view::npos;
    } else if (line.starts_with("SUMMARY:") || line.starts_with("=====")) {
      end();
    } else if (isRace && isAccess(line)) {
      isStack = accesses < race.stacks.size();
      ++accesses;
    } else if (const auto frame = frameIn(line)) {
      if (isRace && isStack) race.stacks[accesses - 1].push_back(*frame);
    } else if (line.find('#') == std::string_view::npos) {
      isStack = false;  // an empty line, or what else is told of the race
    }
  }
  end();
  return races;
}

std::vector<ConfirmedRace> lookFor(const std::vector<ReportedRace>& races, const Report& report,
                                   const std::vector<std::string>& files) {
  std::vector<ConfirmedRace> looked;
  for (const ReportedRace& race : races) {
    ConfirmedRace& one = looked.emplace_back();
    const auto first = lineOf(race.stacks[0], files), second = lineOf(race.stacks[1], files);
    if (!first || !second) {
      const ReportedFrame& frame = race.stacks[first ? 1 : 0].front();
      one.name = nameOf({frame.file, frame.line});
      one.why = "not of this program: name the file with the others";
      continue;
    }
    one.name = nameOf(*first) + " and " + nameOf(*second);
    bool isExact = false;
    const Finding* found = raceOf(report, *first, *second, isExact);
    if (found == nullptr) {
      one.why = whyNotFound(report);
      continue;
    }
    one.state = isExact ? RaceState::Shown : RaceState::SameData;
    one.schedule = found->schedule;
    one.why = found->message;
    if (isExact) continue;
    one.why += ", shown at";
    std::set<std::string> names;
    for (const SourcePlace& place : placesOf(*found))
      names.insert(nameOf({place.file.empty() ? report.file : place.file, place.line}));
    for (const std::string& name : names) one.why += (name == *names.begin() ? " " : " and ") + name;
  }
  return looked;
}

}  // namespace heddle
