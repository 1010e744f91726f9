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

}  // namespace

uint64_t costOf(const Prefix& prefix) {
  constexpr uint64_t kThread = 100, kWait = 1;
  std::set<std::string> waiting;
  // A wait whose first event comes before the thread has done anything is over soon, or holds it where it is
  // in nobody's way.
  std::map<std::string, std::set<SiteEvent>> waits;
  for (const Constraint& constraint : prefix.constraints) {
    waiting.insert(constraint.then.thread);
    waits[constraint.then.thread].insert(constraint.then);
  }
  uint64_t cost = kThread * waiting.size();
  for (const auto& [thread, events] : waits) cost += kWait * events.size();
  return cost;
}

std::string describe(const Constraint& constraint, const std::vector<Site>& sites) {
  return constraint.then.thread + " waits before the " + describe(constraint.then, sites) + " until " +
         constraint.first.thread + " is past the " + describe(constraint.first, sites);
}

std::string prefixHeader(uint64_t fingerprint) {
  char text[64];
  std::snprintf(text, sizeof text, "heddle constraints 1 %016" PRIx64, fingerprint);
  return text;
}

std::string prefixLine(const Constraint& c) {
  return c.first.thread + " " + std::to_string(c.first.site) + " " + std::to_string(c.first.pass) + " " +
         c.then.thread + " " + std::to_string(c.then.site) + " " + std::to_string(c.then.pass) + "  ";
}

std::string prefixText(const Prefix& prefix, uint64_t fingerprint, const std::vector<Site>& sites) {
  std::string out = prefixHeader(fingerprint) + "\n";
  for (const Constraint& c : prefix.constraints) out += prefixLine(c) + "# " + describe(c, sites) + "\n";
  return out;
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
  while (std::getline(lines, line)) {
    std::istringstream words(line.substr(0, line.find('#')));
    Constraint c;
    if (words >> c.first.thread >> c.first.site >> c.first.pass >> c.then.thread >> c.then.site >>
        c.then.pass) {
      prefix.constraints.push_back(c);
    } else if (line.find_first_not_of(" \t\r") != std::string::npos) {
      problem = "a line in it is no constraint: " + line;
      return std::nullopt;
    }
  }
  return prefix;
}

}  // namespace heddle
