#include "server/driver/scan_ledger.h"

#include <algorithm>

namespace heddle {

static constexpr const char* kDoesNotCompile = "does not compile";

const char* toString(Known known) {
  switch (known) {
    case Known::Unknown:
      return "unknown";
    case Known::Explored:
      return "explored";
    case Known::Proven:
      return "proven";
    case Known::Possible:
      return "possible";
    case Known::Violated:
      return "violated";
  }
  return "";
}

const char* toString(ScannedSuspect::State state) {
  switch (state) {
    case ScannedSuspect::State::Open:
      return "open";
    case ScannedSuspect::State::Refuted:
      return "refuted";
    case ScannedSuspect::State::Possible:
      return "possible";
    case ScannedSuspect::State::Confirmed:
      return "confirmed";
  }
  return "";
}

void ScanLedger::addFile(const std::string& file, const HarnessPlan& plan) {
  for (const SurveyFunction& function : plan.functions) {
    ScannedFunction scanned;
    scanned.name = function.name;
    scanned.place = function.place;
    scanned.place.file = file;
    scanned.isPublic = !function.isStatic;
    callees_[{file, function.name}] = function.callees;
    if (scanned.isPublic) ofOtherFiles_[function.name].emplace_back(file, function.name);
    functions_[{file, function.name}] = std::move(scanned);
  }
  for (const SourcePlace& place : plan.leftOut) {
    ScannedFunction& scanned = functions_[{file, place.function}];
    scanned.name = place.function;
    scanned.place = place;
    scanned.place.file = file;
    scanned.why = kDoesNotCompile;
  }
  for (const GeneratedHarness& harness : plan.harnesses)
    for (const Suspect& suspect : harness.suspects) {
      ScannedSuspect& scanned = suspects_[{file, suspect.data}];
      scanned.file = file;
      scanned.data = suspect.data;
      scanned.lines.insert(suspect.lines.begin(), suspect.lines.end());
      if (!scanned.lines.empty()) scanned.line = *scanned.lines.begin();
      ++scanned.harnesses;
    }
  // Those of members are of all files.
  for (const LockHabit& habit : plan.habits)
    if (habit.data.find('.') == std::string::npos)
      for (const auto& [path, line] : habit.without) addHabit(file, line, habit);
  for (const LockGuess& guess : plan.guesses)
    if (!guess.isOfStatic) addGuess(file, guess);  // most functions of a program are those of one thread
  for (const SurveyFunction& function : plan.functions) addOrders(file, function);
  for (const auto& [name, why] : plan.skipped) {
    const auto found = functions_.find({file, name});
    if (found != functions_.end()) found->second.why = why;
    blocked_[why].insert(file + ": " + name);
  }
}

void ScanLedger::addGuess(const std::string& file, const LockGuess& guess) {
  ScannedSuspect& scanned =
      suspects_[{file, guess.lock + ' ' + guess.function + ' ' + std::to_string(guess.line)}];
  scanned.file = file;
  scanned.data = guess.lock;
  scanned.lines = guess.lines;
  scanned.line = guess.line;
  scanned.why = guess.why;
  scanned.isOfLocks = true;
  scanned.isOfFailure = guess.isOfFailure;
}

void ScanLedger::addHabit(const std::string& file, uint32_t line, const LockHabit& habit) {
  ScannedSuspect& scanned = suspects_[{file, habit.data}];
  if (scanned.why.empty()) scanned.lines.clear();
  scanned.file = file;
  scanned.data = habit.data;
  scanned.lines.insert(line);
  scanned.line = *scanned.lines.begin();
  scanned.why = toText(habit);
}

void ScanLedger::addHabits(const std::vector<LockHabit>& habits,
                           const std::map<std::string, std::string>& named) {
  for (const LockHabit& habit : habits)
    if (habit.data.find('.') != std::string::npos)
      for (const auto& [path, line] : habit.without)
        if (const auto file = named.find(path); file != named.end()) addHabit(file->second, line, habit);
}

void ScanLedger::addBroken(const std::string& file, const std::string& problem,
                           const std::vector<MissingHeader>& missing) {
  if (missing.empty()) broken_[problem].insert(file);
  for (const MissingHeader& header : missing) {
    std::string text = "header '" + header.name + "' is missing";
    if (!header.candidates.empty()) text += " (in the tree: " + header.candidates.front() + ")";
    broken_[text].insert(file);
  }
}

void ScanLedger::addLeftOut(const std::string& file, size_t linked) {
  broken_["linked with the nearest " + std::to_string(linked) +
          " files that it needs, not with all: the rest is unknown (`check` links all that are named)"]
      .insert(file);
}

void ScanLedger::addReport(const Report& report, bool isAlone) {
  for (const UnknownCall& call : report.unknownCalls)
    if (call.effect == "refused" && report.verdict == Verdict::Unsupported)
      blocked_["'" + call.name + "' is not supported"].insert(report.file + ": " + report.harness);
  if (report.verdict == Verdict::Unsupported)
    blocked_[report.problem].insert(report.file + ": " + report.harness);
  for (const UnknownCall& call : report.unknownCalls) unknown_.insert(call.name);
  if (!report.reach) return;
  std::set<std::string> unreached;
  for (const Unreached& what : report.reach->unreached)
    if (what.kind == Unreached::Kind::Function) unreached.insert(what.function);
  // All was explored; what is wrong is among the findings.
  const bool isDecided =
      std::all_of(report.properties.begin(), report.properties.end(), [](const auto& property) {
        return property.second == Verdict::Verified || property.second == Verdict::VerifiedWithinBounds ||
               property.second == Verdict::Violated;
      });
  for (const SourcePlace& place : report.reached) {
    const auto found = functions_.find({place.file, place.function});
    if (found == functions_.end() || unreached.contains(place.function)) continue;
    Known& known = found->second.known;
    const Known told = isDecided && !isAlone ? Known::Proven : Known::Explored;
    noteReached(found->first, *report.reach, told == Known::Proven);
    // One exploration that did not end leaves it open; one of a call alone says nothing of threads.
    if (known == Known::Unknown)
      known = told;
    else if (!isAlone && known == Known::Proven && told == Known::Explored)
      known = told;
  }
  const auto note = [&](const Finding& finding, Known told) {
    const auto mark = [&](const SourcePlace& place) {
      const auto found = functions_.find({place.file, place.function});
      if (found != functions_.end()) found->second.known = std::max(found->second.known, told);
    };
    mark(finding.place);
    for (const RelatedPlace& related : finding.related) mark(related.place);
    noteFinding(finding, told);
  };
  for (const Finding& finding : report.findings) note(finding, Known::Violated);
  for (const Finding& warning : report.warnings)
    if (warning.possible) note(warning, Known::Possible);
}

/// A function that an exploration enters, and leaves at its first condition, is not proven by it.
void ScanLedger::noteReached(const Key& key, const Reach& reach, bool isProof) {
  Missed missed;
  for (const Unreached& what : reach.unreached)
    if (what.kind == Unreached::Kind::BranchSide && what.place.file == key.first &&
        what.function == key.second)
      missed.emplace(what.place.line, what.place.column, what.text);
  for (const SourcePlace& call : reach.callsNotMade)
    if (call.file == key.first && call.function == key.second)
      missed.emplace(call.line, call.column, "the call in line " + std::to_string(call.line));
  for (std::map<Key, Missed>* all : {&missed_, &unproven_}) {
    if (all == &unproven_ && !isProof) continue;
    const auto [known, isFirst] = all->try_emplace(key, missed);
    if (!isFirst) std::erase_if(known->second, [&](const auto& what) { return !missed.contains(what); });
  }
}

std::string ScanLedger::missedIn(const Key& key, bool isProof) const {
  const std::map<Key, Missed>& all = isProof ? unproven_ : missed_;
  std::vector<Key> open = {key};
  std::set<Key> seen = {key};
  while (!open.empty()) {
    const Key one = std::move(open.back());
    open.pop_back();
    if (const auto missed = all.find(one); missed != all.end() && !missed->second.empty()) {
      const Missed& what = missed->second;
      std::string text = "not reached: " + std::get<std::string>(*what.begin());
      if (one != key) text += ", in '" + one.second + "'";
      return what.size() == 1 ? text : text + ", " + std::to_string(what.size() - 1) + " more";
    }
    if (const auto found = functions_.find(one); one != key && found->second.why == kDoesNotCompile)
      return "'" + one.second + "' does not compile";
    const auto callees = callees_.find(one);
    if (!isProof || callees == callees_.end()) continue;
    for (const std::string& name : callees->second) {
      if (unknown_.contains(name)) return "'" + name + "' is not known";
      const Key own = {one.first, name};
      const auto others = ofOtherFiles_.find(name);
      if (functions_.contains(own)) {
        if (seen.insert(own).second) open.push_back(own);
      } else if (others != ofOtherFiles_.end()) {
        for (const Key& other : others->second)
          if (seen.insert(other).second) open.push_back(other);
      }
    }
  }
  return "";
}

ScannedFunction ScanLedger::described(const Key& key, const ScannedFunction& function) const {
  ScannedFunction told = function;
  if (told.known != Known::Proven && told.known != Known::Explored) return told;
  told.why = missedIn(key, told.known == Known::Proven);
  if (told.why.empty() && told.known == Known::Proven) told.why = suspectedIn(key);
  if (!told.why.empty()) told.known = Known::Explored;
  return told;
}

const ScannedFunction* ScanLedger::functionAt(const std::string& file, uint32_t line) const {
  const ScannedFunction* at = nullptr;
  for (auto one = functions_.lower_bound({file, ""}); one != functions_.end() && one->first.first == file;
       ++one)
    if (one->second.place.line <= line && (!at || at->place.line < one->second.place.line)) at = &one->second;
  return at;
}

std::string ScanLedger::suspectedIn(const Key& key) const {
  for (auto one = suspects_.lower_bound({key.first, ""});
       one != suspects_.end() && one->first.first == key.first; ++one) {
    const ScannedSuspect& suspect = one->second;
    // What explorations take not to fail is a bound that they name.
    if (suspect.why.empty() || suspect.isOfFailure || suspect.state == ScannedSuspect::State::Refuted)
      continue;
    // Of a guess, the further lines say why; those of a habit each break it.
    for (const uint32_t line : suspect.isOfLocks ? std::set<uint32_t>{suspect.line} : suspect.lines)
      if (const ScannedFunction* at = functionAt(key.first, line); at && at->name == key.second)
        return "'" + suspect.data + "' in line " + std::to_string(line) + " looks wrong";
  }
  return "";
}

bool ScanLedger::isReachedAt(const std::string& file, const std::set<uint32_t>& lines,
                             const Report& report) const {
  if (!report.reach) return false;
  std::set<std::string> names;
  for (const uint32_t line : lines)
    if (const ScannedFunction* at = functionAt(file, line)) names.insert(at->name);
  return std::none_of(
      report.reach->unreached.begin(), report.reach->unreached.end(), [&](const Unreached& what) {
        const bool isPart =
            what.kind == Unreached::Kind::Function || what.kind == Unreached::Kind::BranchSide;
        return isPart && what.place.file == file && names.contains(what.function);
      });
}

/// Files whose functions take two locks in both orders; within one file its plan tells them.
void ScanLedger::addOrders(const std::string& file, const SurveyFunction& function) {
  for (const auto& [locks, line] : function.order) {
    // Of variables, files may have their own of one name.
    if (locks.first.find('.') == std::string::npos || locks.second.find('.') == std::string::npos) continue;
    const SourcePlace here{file, line, 1, function.name};
    orders_.try_emplace(locks, here);
    const auto other = orders_.find({locks.second, locks.first});
    if (other == orders_.end() || other->second.file == file) continue;
    const SourcePlace& there = other->second;
    ScannedSuspect& scanned = suspects_[{file, locks.first + ' ' + locks.second}];
    scanned.file = file;
    scanned.data = locks.second;
    scanned.lines = {line};
    scanned.line = line;
    scanned.why =
        orderText(locks.first, there.file + ':' + std::to_string(there.line) + " ('" + there.function + "')");
    scanned.isOfLocks = true;
  }
}

void ScanLedger::noteFinding(const Finding& finding, Known told) {
  using State = ScannedSuspect::State;
  const bool isOfLocks = finding.kind == Property::Deadlock || finding.kind == Property::Misuse;
  if (!isRace(finding) && !isOfLocks) return;
  for (auto& [key, suspect] : suspects_) {
    const auto isAt = [&, &file = key.first, &lines = suspect.lines](const SourcePlace& place) {
      return place.file == file && lines.contains(place.line);
    };
    const bool isMeant =
        isAt(finding.place) || std::any_of(finding.related.begin(), finding.related.end(),
                                           [&](const RelatedPlace& related) { return isAt(related.place); });
    if (!suspect.why.empty() && suspect.isOfLocks == isOfLocks && isMeant)
      suspect.state = std::max(suspect.state, told == Known::Violated ? State::Confirmed : State::Possible);
  }
}

void ScanLedger::addSuspects(const std::string& file, const std::vector<Suspect>& suspects,
                             const Report& report) {
  using State = ScannedSuspect::State;
  const auto race = report.properties.find(Property::Race);
  const bool isDecided = race != report.properties.end() &&
                         (race->second == Verdict::Verified || race->second == Verdict::VerifiedWithinBounds);
  for (const Suspect& suspect : suspects) {
    ScannedSuspect& scanned = suspects_[{file, suspect.data}];
    const auto isOn = [&](const Finding& finding) {
      const auto isAt = [&](const SourcePlace& place) {
        return place.file == file && suspect.lines.contains(place.line);
      };
      return isRace(finding) && isAt(finding.place) &&
             std::any_of(finding.related.begin(), finding.related.end(),
                         [&](const RelatedPlace& related) { return isAt(related.place); });
    };
    if (std::any_of(report.findings.begin(), report.findings.end(), isOn))
      scanned.state = State::Confirmed;
    else if (std::any_of(report.warnings.begin(), report.warnings.end(), isOn))
      scanned.state = std::max(scanned.state, State::Possible);
    else if (isDecided && isReachedAt(file, suspect.lines, report) && ++scanned.decided == scanned.harnesses)
      scanned.state = std::max(scanned.state, State::Refuted);
  }
}

std::vector<ScannedSuspect> ScanLedger::suspects() const {
  std::vector<ScannedSuspect> all;
  for (const auto& [key, suspect] : suspects_) all.push_back(suspect);
  // What is refuted needs nobody's eyes.
  const auto rank = [](const ScannedSuspect& suspect) {
    using State = ScannedSuspect::State;
    return std::tuple(suspect.state != State::Refuted, suspect.state, !suspect.why.empty());
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const ScannedSuspect& a, const ScannedSuspect& b) { return rank(a) > rank(b); });
  return all;
}

std::vector<ScannedFunction> ScanLedger::functions() const {
  std::vector<ScannedFunction> all;
  for (const auto& [key, function] : functions_) all.push_back(described(key, function));
  std::sort(all.begin(), all.end(), [](const ScannedFunction& a, const ScannedFunction& b) {
    return std::tie(a.place.file, a.place.line, a.name) < std::tie(b.place.file, b.place.line, b.name);
  });
  return all;
}

size_t ScanLedger::count(Known known) const {
  return static_cast<size_t>(std::count_if(functions_.begin(), functions_.end(), [&](const auto& entry) {
    return described(entry.first, entry.second).known == known;
  }));
}

std::vector<Obstacle> ScanLedger::obstacles() const {
  std::vector<Obstacle> all;
  for (const auto& [text, functions] : blocked_) {
    Obstacle obstacle{text, functions.size(), {}};
    for (const std::string& name : functions) obstacle.files.push_back(name);
    all.push_back(std::move(obstacle));
  }
  for (const auto& [text, files] : broken_) all.push_back({text, 0, {files.begin(), files.end()}});
  std::stable_sort(all.begin(), all.end(),
                   [](const Obstacle& a, const Obstacle& b) { return a.files.size() > b.files.size(); });
  return all;
}

}  // namespace heddle
