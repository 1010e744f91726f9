#include "server/driver/project_survey.h"

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <utility>

#include "analysis/compile/inferred_flags.h"
#include "analysis/pipeline/unknown_calls.h"
#include "analysis/support/in_parallel.h"
#include "server/project/c_files.h"

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
    if (!files_[i].isLooked) continue;
    auto& definers = plan.hasEntry ? inPrograms_ : definers_;
    // Who defines pthread_mutex_lock wraps the library's own: a program is not linked to that by itself.
    for (const SurveyFunction& function : plan.functions)
      if (!function.isStatic && !hasModel(function.name)) definers[function.name].push_back(i);
    for (const std::string& variable : plan.variables) definers[variable].push_back(i);
  }
}

const SurveyedFile* ProjectSurvey::definerOf(const std::string& name, const SurveyedFile& user,
                                             bool isProgram) const {
  auto known = definers_.find(name);
  if (known == definers_.end()) {
    known = inPrograms_.find(name);
    const bool isOnly = known != inPrograms_.end() && known->second.size() == 1;
    if (isProgram || !isOnly || name == "main") return nullptr;
  }
  if (known->second.size() == 1) return &files_[known->second.front()];
  const SurveyedFile* best = nullptr;
  std::pair<bool, size_t> most;
  for (const size_t i : known->second) {
    const std::string& path = files_[i].file->absolute;
    const std::pair<bool, size_t> near = {!isOfOtherSystem(path), commonLength(path, user.file->absolute)};
    if (best && near <= most) continue;
    best = &files_[i];
    most = near;
  }
  return best;
}

/// The files of one program, as they are found.
class ProjectSurvey::Linking {
 public:
  Linking(const ProjectSurvey& survey, const SurveyedFile& first, const Limit& limit)
      : survey_(survey), limit_(limit), files_{&first}, seen_{&first} {}

  /// The files of what the program comes to, by calls.
  void followCalls() {
    const SurveyedFile& first = *files_.front();
    const SurveyFunction* const entry = first.plan.hasEntry ? find(first.plan, "main") : nullptr;
    for (const SurveyFunction& function : first.plan.functions)
      if (!entry || entry == &function) reach(first, function);
    // Without these no harness comes to any call.
    for (const std::string& name : first.plan.elsewhere) follow(first, name);
    while (!open_.empty()) {
      const auto [file, function] = open_.front();
      open_.pop_front();
      for (const std::set<std::string>* names :
           {&function->callees, &function->addressed, &function->starts, &function->uses})
        for (const std::string& name : *names) follow(*file, name);
    }
  }

  /// The files of all else that these name.
  void followNames() {
    for (size_t i = 0; i < files_.size(); ++i) {
      const SurveyedFile& user = *files_[i];
      std::set<std::string> names;
      for (const SurveyFunction& function : user.plan.functions)
        names.insert(function.uses.begin(), function.uses.end());
      for (const std::string& name : names)
        if (!functionOf(user, name)) definer(name, user);
    }
  }

  Units units() const {
    Units units;
    for (size_t i = 1; i < files_.size(); ++i) units.linked.push_back(files_[i]->file);
    units.leftOut = seen_.size() - files_.size();
    return units;
  }

 private:
  void reach(const SurveyedFile& file, const SurveyFunction& function) {
    if (reached_.insert(&function).second) open_.emplace_back(&file, &function);
  }

  void follow(const SurveyedFile& user, const std::string& name) {
    const SurveyedFile* in = &user;
    const SurveyFunction* function = functionOf(user, name);
    if (!function) {
      in = definer(name, user);
      function = in ? functionOf(*in, name) : nullptr;
    }
    if (function) reach(*in, *function);
  }

  /// Links it where there is room; null: it is not linked.
  const SurveyedFile* definer(const std::string& name, const SurveyedFile& user) {
    const SurveyedFile* const found = survey_.definerOf(name, user, files_.front()->plan.hasEntry);
    if (!found) return nullptr;
    if (!seen_.insert(found).second) return functions_.contains(found) ? found : nullptr;
    const size_t size = found->file->text.size();
    if (files_.size() > limit_.files || bytes_ + size > limit_.bytes) return nullptr;
    bytes_ += size;
    files_.push_back(found);
    functionOf(*found, name);
    return found;
  }

  const SurveyFunction* functionOf(const SurveyedFile& file, const std::string& name) {
    const auto [known, isNew] = functions_.try_emplace(&file);
    if (isNew)
      for (const SurveyFunction& function : file.plan.functions)
        known->second.emplace(function.name, &function);
    const auto function = known->second.find(name);
    return function == known->second.end() ? nullptr : function->second;
  }

  const ProjectSurvey& survey_;
  const Limit& limit_;
  std::vector<const SurveyedFile*> files_;  // the first one, then those that are linked
  std::set<const SurveyedFile*> seen_;
  size_t bytes_ = 0;
  std::map<const SurveyedFile*, std::map<std::string_view, const SurveyFunction*>> functions_;  // of files_
  std::set<const SurveyFunction*> reached_;
  std::deque<std::pair<const SurveyedFile*, const SurveyFunction*>> open_;
};

ProjectSurvey::Units ProjectSurvey::unitsOf(const SurveyedFile& first, const Limit& limit) const {
  Linking linking(*this, first, limit);
  linking.followCalls();
  linking.followNames();
  return linking.units();
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
      in = definerOf(name, file, true);
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
