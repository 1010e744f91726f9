#include "analysis/enforce/prefix.h"

#include <cinttypes>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>

namespace heddle {

namespace {

std::string placeOf(const Site& site) {
  const size_t slash = site.place.file.rfind('/');
  return (slash == std::string::npos ? site.place.file : site.place.file.substr(slash + 1)) + ":" +
         std::to_string(site.place.line);
}

std::string describe(const SiteEvent& event, const std::vector<Site>& sites) {
  return sites[event.site].text() + " at " + placeOf(sites[event.site]) +
         (event.pass == 1 ? "" : " (time " + std::to_string(event.pass) + ")");
}

std::optional<Constraint> constraintOf(const std::string& line) {
  std::istringstream words(line);
  Constraint c;
  const auto event = [&](SiteEvent& e) -> bool {
    return static_cast<bool>(words >> e.thread >> e.site >> e.pass);
  };
  if (!event(c.first) || !event(c.then)) return std::nullopt;
  for (std::string when; words >> when;) {
    InputRange range;
    if (when != "when" || !event(range.input) || !(words >> range.low >> range.high)) return std::nullopt;
    c.when.push_back(std::move(range));
  }
  return c;
}

/// By the labels of threads with one creator: "T1.10" after "T1.9".
bool isCreatedAfter(const std::string& later, const std::string& earlier) {
  const auto creatorOf = [](const std::string& label) {
    return label.substr(0, label.find_last_of("T.") + 1);
  };
  const std::string creator = creatorOf(later);
  if (creator != creatorOf(earlier)) return false;
  const auto ordinalOf = [&](const std::string& label) { return label.substr(creator.size()); };
  const std::string a = ordinalOf(later), b = ordinalOf(earlier);
  return a.size() != b.size() ? a.size() > b.size() : a > b;
}

}  // namespace

uint64_t costOf(const Prefix& prefix) {
  constexpr uint64_t kThread = 100, kLater = 10, kWait = 1;
  std::set<std::string> waiting, forLater;
  // A wait whose first event comes before the thread has done anything is over soon, or holds it where it is
  // in nobody's way.
  std::map<std::string, std::set<SiteEvent>> waits;
  for (const Constraint& constraint : prefix.constraints) {
    waiting.insert(constraint.then.thread);
    waits[constraint.then.thread].insert(constraint.then);
    if (isCreatedAfter(constraint.first.thread, constraint.then.thread))
      forLater.insert(constraint.then.thread);
  }
  uint64_t cost = kThread * waiting.size() + kLater * forLater.size();
  for (const auto& [thread, events] : waits) cost += kWait * events.size();
  return cost;
}

std::string describe(const Constraint& constraint, const std::vector<Site>& sites) {
  constexpr auto kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();
  std::string out = constraint.then.thread + " waits before the " + describe(constraint.then, sites) +
                    " until " + constraint.first.thread + " is past the " + describe(constraint.first, sites);
  for (const InputRange& range : constraint.when) {
    out += &range == &constraint.when.front() ? ", when the " : ", and the ";
    out += describe(range.input, sites) + " of " + range.input.thread + " gives ";
    if (range.low == range.high)
      out += std::to_string(range.low);
    else if (range.low == kLeast)
      out += std::to_string(range.high) + " or less";
    else if (range.high == kMost)
      out += std::to_string(range.low) + " or more";
    else
      out += std::to_string(range.low) + " to " + std::to_string(range.high);
  }
  return out;
}

std::string prefixHeader(uint64_t fingerprint) {
  char text[64];
  std::snprintf(text, sizeof text, "heddle constraints 1 %016" PRIx64, fingerprint);
  return text;
}

std::string prefixLine(const Constraint& c) {
  const auto event = [](const SiteEvent& e) {
    return e.thread + " " + std::to_string(e.site) + " " + std::to_string(e.pass);
  };
  std::string out = event(c.first) + " " + event(c.then);
  for (const InputRange& range : c.when)
    out += " when " + event(range.input) + " " + std::to_string(range.low) + " " + std::to_string(range.high);
  return out;
}

std::string prefixText(const Prefix& prefix, uint64_t fingerprint, const std::vector<Site>& sites) {
  std::string out = prefixHeader(fingerprint) + "\n";
  for (const Constraint& c : prefix.constraints) out += prefixLine(c) + "  # " + describe(c, sites) + "\n";
  return out + "end " + std::to_string(prefix.constraints.size()) + "\n";
}

std::optional<Prefix> parsePrefix(const std::string& text, uint64_t fingerprint, std::string& problem) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  if (line != prefixHeader(fingerprint)) {
    problem = line.starts_with("heddle constraints") ? "it was proved for another text of the program"
                                                     : "it is no file that heddle build has written";
    return std::nullopt;
  }
  Prefix prefix;
  bool isWhole = false;
  while (std::getline(lines, line)) {
    if (isWhole || line.starts_with("end ")) {
      isWhole = !isWhole && line == "end " + std::to_string(prefix.constraints.size());
      if (isWhole) continue;
      break;
    }
    if (std::optional<Constraint> constraint = constraintOf(line.substr(0, line.find('#')))) {
      prefix.constraints.push_back(std::move(*constraint));
    } else if (line.find_first_not_of(" \t\r") != std::string::npos) {
      problem = "a line in it is no constraint: " + line;
      return std::nullopt;
    }
  }
  if (isWhole) return prefix;
  problem = "it is not whole: its last line does not say how many constraints there are";
  return std::nullopt;
}

}  // namespace heddle
