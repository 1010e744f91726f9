#include "server/state/cover_desk.h"

#include <boost/asio/post.hpp>
#include <utility>

#include "server/schedule/load_snapshot.h"

namespace heddle {
namespace {

FileTexts textsOf(const CoverReport& report, const Snapshot& snapshot, const std::string& document) {
  FileTexts found;
  TextReader reader(snapshot);
  for (const CoverSide& side : report.sides) reader.add(side.place.file, found);
  for (const CoverFunction& function : report.functions) reader.add(function.place.file, found);
  if (snapshot.path != document) found[snapshot.path] = std::make_shared<const PositionMap>(snapshot.text);
  return found;
}

}  // namespace

CoverDesk::CoverDesk(boost::asio::any_io_executor loop, ThreadPool& pool, Engine engine)
    : loop_(std::move(loop)),
      pool_(pool),
      engine_(std::make_shared<const Engine>(std::move(engine))),
      self_(std::make_shared<CoverDesk*>(this)) {}

CoverDesk::~CoverDesk() {
  for (const auto& [key, job] : jobs_) job->stop.request_stop();
}

void CoverDesk::start(Request request, CoverObserver progress, Done done) {
  drop(request.key);
  const auto job = std::make_shared<Job>();
  job->progress = std::move(progress);
  job->done = std::move(done);
  jobs_[request.key] = job;
  pool_.run([loop = loop_, engine = engine_, job, weakSelf = std::weak_ptr(self_),
             request = std::move(request)]() mutable {
    if (weakSelf.expired()) return;
    loadSnapshot(request.snapshot, request.textFromDisk, *engine, nullptr);
    Budget budget = Budget::forDuration(request.budget);
    budget.withStop(job->stop.get_token());
    auto outcome = std::make_shared<Outcome>();
    outcome->report = engine->cover(request.snapshot, request.options, budget, [&](const CoverProgress& now) {
      boost::asio::post(loop, [weakSelf, key = request.key, job, now] {
        const auto self = weakSelf.lock();
        if (!self) return;
        const auto current = (*self)->jobs_.find(key);
        if (current != (*self)->jobs_.end() && current->second == job) job->progress(now);
      });
    });
    takeBeyondAway(outcome->report, request.path, request.lines);
    outcome->texts = textsOf(outcome->report, request.snapshot, request.path);
    boost::asio::post(loop, [weakSelf, key = request.key, job, outcome] {
      if (const auto self = weakSelf.lock()) (*self)->finish(key, job, *outcome);
    });
  });
}

void CoverDesk::finish(const std::string& key, const std::shared_ptr<Job>& job, const Outcome& outcome) {
  const auto current = jobs_.find(key);
  if (current == jobs_.end() || current->second != job) return;  // given up; that has been said
  jobs_.erase(current);
  job->done(&outcome);
}

void CoverDesk::stop(const std::string& key) {
  if (const auto job = jobs_.find(key); job != jobs_.end()) job->second->stop.request_stop();
}

void CoverDesk::drop(const std::string& key) {
  const auto found = jobs_.find(key);
  if (found == jobs_.end()) return;
  const std::shared_ptr<Job> job = found->second;
  jobs_.erase(found);
  job->stop.request_stop();
  job->done(nullptr);
}

}  // namespace heddle
