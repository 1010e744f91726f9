#include "server/driver/project_survey.h"

#include <algorithm>
#include <array>
#include <deque>

#include "analysis/compile/inferred_flags.h"
#include "analysis/pipeline/unknown_calls.h"
#include "analysis/support/in_parallel.h"

namespace heddle {
namespace {

/// How much the text speaks of threads.
size_t promiseOf(const std::string& text) {
  constexpr std::array<std::string_view, 5> kHints = {"pthread_", "mutex", "atomic", "thread", "lock("};
  constexpr size_t kEnough = 20;
  size_t promise = 0;
  for (const std::string_view hint : kHints) {
    size_t found = 0;
    for (size_t at = text.find(hint); at != std::string::npos && found < kEnough;
         at = text.find(hint, at + hint.size()))
      ++found;
    promise += found;
  }
  return promise;
}

const SurveyFunction* find(const HarnessPlan& plan, const std::string& name) {
  for (const SurveyFunction& function : plan.functions)
    if (function.name == name) return &function;
  return nullptr;
}

}  // namespace

ProjectSurvey::ProjectSurvey(const std::vector<SourceFile>& files, const Look& look, const Budget& budget,
                             unsigned workers) {
  std::vector<std::pair<size_t, const SourceFile*>> order;
  order.reserve(files.size());
  for (const SourceFile& file : files) order.emplace_back(promiseOf(file.text), &file);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [promise, file] : order) files_.emplace_back().file = file;
  inParallel(workers, files_.size(), [&](unsigned, size_t i) {
    SurveyedFile& surveyed = files_[i];
    if (budget.check() != StopReason::None) return;
    surveyed.plan = look(*surveyed.file, budget);
    // A look that the end of the time cut off says nothing of the file.
    surveyed.isLooked = surveyed.plan.problem.empty() || budget.check() == StopReason::None;
  });
  for (size_t i = 0; i < files_.size(); ++i) {
    const HarnessPlan& plan = files_[i].plan;
    if (!files_[i].isLooked || plan.hasEntry) continue;
    // Who defines pthread_mutex_lock wraps the library's own: a program is not linked to that by itself.
    for (const SurveyFunction& function : plan.functions)
      if (!function.isStatic && !hasModel(function.name)) definers_[function.name].push_back(i);
    for (const std::string& variable : plan.variables) definers_[variable].push_back(i);
  }
}

const SurveyedFile* ProjectSurvey::definerOf(const std::string& name, const SurveyedFile& user) const {
  const auto known = definers_.find(name);
  if (known == definers_.end()) return nullptr;
  const SurveyedFile* best = nullptr;
  for (const size_t i : known->second) {
    const SurveyedFile& candidate = files_[i];
    if (!best || commonLength(candidate.file->absolute, user.file->absolute) >
                     commonLength(best->file->absolute, user.file->absolute))
      best = &candidate;
  }
  return best;
}

ProjectSurvey::Units ProjectSurvey::unitsOf(const SurveyedFile& first, const Limit& limit) const {
  Units units;
  size_t bytes = 0;
  std::set<const SurveyedFile*> seen{&first};
  std::deque<const SurveyedFile*> open{&first};
  while (!open.empty()) {
    const SurveyedFile& user = *open.front();
    open.pop_front();
    std::set<std::string> own, names;
    for (const SurveyFunction& function : user.plan.functions) {
      own.insert(function.name);
      names.insert(function.uses.begin(), function.uses.end());
    }
    for (const std::string& name : names) {
      if (own.contains(name)) continue;
      const SurveyedFile* definer = definerOf(name, user);
      if (!definer || !seen.insert(definer).second) continue;
      bytes += definer->file->text.size();
      if (units.linked.size() == limit.files || bytes > limit.bytes) {
        bytes -= definer->file->text.size();
        ++units.leftOut;
        continue;
      }
      units.linked.push_back(definer->file);
      open.push_back(definer);
    }
  }
  return units;
}

std::optional<size_t> ProjectSurvey::callsToThreads(const SurveyedFile& program,
                                                    const std::string& entry) const {
  using FunctionPlace = std::pair<const SurveyedFile*, const SurveyFunction*>;
  std::set<const SurveyFunction*> seen;
  std::deque<std::pair<FunctionPlace, size_t>> open;
  const auto reach = [&](const SurveyedFile& file, const std::string& name, size_t calls) {
    const SurveyedFile* in = &file;
    const SurveyFunction* function = find(file.plan, name);
    if (!function) {
      in = definerOf(name, file);
      function = in ? find(in->plan, name) : nullptr;
    }
    if (function && seen.insert(function).second) open.push_back({{in, function}, calls});
  };
  reach(program, entry, 0);
  while (!open.empty()) {
    const auto [place, calls] = open.front();
    open.pop_front();
    const auto& [file, function] = place;
    if (!function->starts.empty()) return calls;
    for (const std::string& callee : function->callees) reach(*file, callee, calls + 1);
  }
  return std::nullopt;
}

}  // namespace heddle
