#include "server/state/fix_desk.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "server/schedule/load_snapshot.h"

namespace heddle {
namespace {

/// The document has no harness behind its text, so its patches must have none. One that reaches into it is no
/// patch of the document.
void takeHarnessAway(Fixes& fixes, size_t added) {
  if (added == 0) return;
  std::string& text = fixes.snapshot.text;
  const std::string harness = text.substr(text.size() - added);
  text.resize(text.size() - added);
  std::erase_if(fixes.result.patches, [&](Patch& patch) {
    const auto own = patch.texts.find(fixes.snapshot.path);
    if (own == patch.texts.end()) return false;
    if (!own->second.ends_with(harness)) return true;
    own->second.resize(own->second.size() - added);
    return false;
  });
}

}  // namespace

FixDesk::FixDesk(boost::asio::any_io_executor loop, ThreadPool& pool, Engine engine)
    : loop_(std::move(loop)),
      pool_(pool),
      engine_(std::make_shared<const Engine>(std::move(engine))),
      self_(std::make_shared<FixDesk*>(this)) {}

FixDesk::~FixDesk() {
  for (const auto& [key, jobs] : files_)
    for (const auto& [finding, job] : jobs) job->stop.request_stop();
}

std::shared_ptr<const Fixes> FixDesk::find(const std::string& key, int64_t version,
                                           const std::string& finding) const {
  const auto file = files_.find(key);
  if (file == files_.end()) return nullptr;
  const auto job = file->second.find(finding);
  if (job == file->second.end() || job->second->version != version) return nullptr;
  return job->second->fixes;
}

void FixDesk::start(Request request, Done done) {
  std::shared_ptr<Job>& slot = files_[request.key][request.finding];
  if (slot && slot->version == request.version) {
    if (slot->fixes) return done(slot->fixes);
    slot->waiting.push_back(std::move(done));
    return;
  }
  if (slot) {
    slot->stop.request_stop();
    for (const Done& waiting : slot->waiting) waiting(nullptr);
  }
  slot = std::make_shared<Job>();
  slot->version = request.version;
  slot->waiting.push_back(std::move(done));
  pool_.run([loop = loop_, engine = engine_, job = slot, weakSelf = std::weak_ptr(self_),
             request = std::move(request)]() mutable {
    auto fixes = std::make_shared<Fixes>();
    fixes->finding = request.finding;
    fixes->snapshot = std::move(request.snapshot);
    loadSnapshot(fixes->snapshot, request.textFromDisk, *engine, nullptr);
    // Finding takes at most half of the time.
    const auto box = [&](std::chrono::milliseconds length) {
      Budget budget = Budget::forDuration(length);
      budget.withStop(job->stop.get_token());
      return budget;
    };
    const Budget budget = box(request.budget);
    request.options.summarizeAccesses = true;
    const auto find = [&](const Report& report) {
      return std::find_if(report.findings.begin(), report.findings.end(),
                          [&](const Finding& finding) { return finding.id == request.finding; });
    };
    Report report = request.report.value_or(Report());
    if (report.accesses.empty() || find(report) == report.findings.end())
      report = engine->analyze(fixes->snapshot, request.options, box(request.budget / 2), Observer{});
    const auto meant = find(report);
    fixes->stillThere = meant != report.findings.end();
    fixes->failsAlways = fixes->stillThere && meant->explanation && meant->explanation->failsAlways;
    if (fixes->stillThere && engine->repair)
      fixes->result = engine->repair(fixes->snapshot, request.options, report, request.finding, budget);
    takeHarnessAway(*fixes, request.added);
    boost::asio::post(loop, [weakSelf, key = request.key, job, fixes] {
      if (const auto self = weakSelf.lock()) (*self)->finish(key, job, fixes);
    });
  });
}

void FixDesk::finish(const std::string& key, const std::shared_ptr<Job>& job,
                     std::shared_ptr<const Fixes> fixes) {
  const auto file = files_.find(key);
  if (file == files_.end()) return;
  const auto slot = file->second.find(fixes->finding);
  if (slot == file->second.end() || slot->second != job) return;  // dropped, its listeners have heard
  job->fixes = std::move(fixes);
  const std::vector<Done> waiting = std::move(job->waiting);
  job->waiting.clear();
  for (const Done& done : waiting) done(job->fixes);
}

void FixDesk::drop(const std::string& key) {
  const auto file = files_.find(key);
  if (file == files_.end()) return;
  const Jobs jobs = std::move(file->second);
  files_.erase(file);
  for (const auto& [finding, job] : jobs) {
    job->stop.request_stop();
    for (const Done& done : job->waiting) done(nullptr);
  }
}

}  // namespace heddle
