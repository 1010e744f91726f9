#include "server/schedule/analysis_queue.h"

#include <boost/asio/post.hpp>
#include <exception>
#include <mutex>
#include <set>
#include <stop_token>
#include <utility>

#include "server/schedule/confirm_earlier.h"
#include "server/schedule/load_snapshot.h"
#include "server/sizes/fitting_sizes.h"

namespace heddle {

struct AnalysisQueue::Run {
  AnalysisRequest request;
  std::stop_source stop;
  bool wanted = true;  // main loop only: false when superseded or dropped

  std::mutex mutex;  // guards the two below: progress is posted once and then overwritten until it is read
  Progress progress;
  bool progressPosted = false;
};

namespace {

constexpr unsigned kMostLost = 4;

FileTexts textsFor(const Finding& finding, TextReader& reader) {
  FileTexts found;
  reader.add(finding.place.file, found);
  for (const RelatedPlace& related : finding.related) reader.add(related.place.file, found);
  for (const Step& step : finding.steps) reader.add(step.place.file, found);
  return found;
}

Report runGuarded(const Engine& engine, const AnalysisRequest& request, const Snapshot& snapshot,
                  const Budget& budget, const Observer& observer) {
  try {
    return analyzeWithSizes(engine, snapshot, request.options, budget, observer);
  } catch (const std::exception& error) {
    return internalError(request.snapshot.path, error.what());
  } catch (...) {
    return internalError(request.snapshot.path, "unknown exception");
  }
}

}  // namespace

AnalysisQueue::AnalysisQueue(boost::asio::any_io_executor loop, ThreadPool& pool, Engine engine,
                             AnalysisListener& listener, std::chrono::milliseconds patience,
                             ThreadPool* background)
    : loop_(std::move(loop)),
      pool_(pool),
      background_(background != nullptr ? *background : pool),
      engine_(std::make_shared<const Engine>(std::move(engine))),
      listener_(listener),
      patience_(patience),
      self_(std::make_shared<AnalysisQueue*>(this)) {}

AnalysisQueue::~AnalysisQueue() {
  for (auto& [key, file] : files_)
    if (file.running) file.running->stop.request_stop();
}

void AnalysisQueue::submit(AnalysisRequest request) {
  File& file = files_[request.key];
  if (!file.running) {
    start(std::move(request));
    return;
  }
  file.running->wanted = false;
  file.running->stop.request_stop();
  file.waiting = std::move(request);
  waitFor(file.running, file);
}

void AnalysisQueue::waitFor(const std::shared_ptr<Run>& run, File& file) {
  if (file.patience) return;
  file.patience = std::make_unique<boost::asio::steady_timer>(loop_, patience_);
  file.patience->async_wait([run, weakSelf = std::weak_ptr(self_)](boost::system::error_code error) {
    if (const auto self = weakSelf.lock(); self && !error) (*self)->giveUpOn(run);
  });
}

/// The run goes on, unheard, until it ends by itself; its worker is replaced, a few times.
void AnalysisQueue::giveUpOn(const std::shared_ptr<Run>& run) {
  const auto file = files_.find(run->request.key);
  if (file == files_.end() || file->second.running != run || !file->second.waiting || lost_ >= kMostLost)
    return;
  lost_++;
  poolOf(run->request).addThread();
  AnalysisRequest next = std::move(*file->second.waiting);
  files_.erase(file);
  start(std::move(next));
}

void AnalysisQueue::drop(const std::string& key) {
  const auto file = files_.find(key);
  if (file == files_.end()) return;
  file->second.waiting.reset();
  file->second.patience.reset();  // the next request has its own
  if (!file->second.running) return;
  file->second.running->wanted = false;
  file->second.running->stop.request_stop();
}

void AnalysisQueue::stop(const std::string& key) {
  const auto file = files_.find(key);
  if (file != files_.end() && file->second.running) file->second.running->stop.request_stop();
}

void AnalysisQueue::start(AnalysisRequest request) {
  auto run = std::make_shared<Run>();
  run->request = std::move(request);
  files_[run->request.key].running = run;
  listener_.onStarted(run->request);
  poolOf(run->request).run([run, engine = engine_, loop = loop_, weakSelf = std::weak_ptr(self_)] {
    const AnalysisRequest& asked = run->request;
    Snapshot snapshot = asked.snapshot;
    std::string commandProblem;
    if (!run->stop.stop_requested()) loadSnapshot(snapshot, asked.textFromDisk, *engine, &commandProblem);

    Budget budget = Budget::forDuration(asked.budget);
    if (asked.steps) budget.withSteps(*asked.steps);
    budget.withStop(run->stop.get_token());

    TextReader texts(snapshot);
    std::mutex observerMutex;  // with several workers, findings may come from several threads
    Observer observer;
    observer.finding = [&](const Finding& finding) {
      const std::lock_guard lock(observerMutex);
      boost::asio::post(loop, [run, weakSelf, finding, found = textsFor(finding, texts)] {
        if (const auto self = weakSelf.lock(); self && run->wanted)
          (*self)->listener_.onFinding(run->request, finding, found);
      });
    };
    observer.progress = [&](const Progress& progress) {
      const std::lock_guard lock(run->mutex);
      run->progress = progress;
      if (std::exchange(run->progressPosted, true)) return;
      boost::asio::post(loop, [run, weakSelf] {
        Progress latest;
        {
          const std::lock_guard inner(run->mutex);
          run->progressPosted = false;
          latest = run->progress;
        }
        if (const auto self = weakSelf.lock(); self && run->wanted)
          (*self)->listener_.onProgress(run->request, latest);
      });
    };

    const std::vector<Finding> confirmed = confirmEarlier(*engine, asked, snapshot, budget, observer.finding);

    Report report;
    if (run->stop.stop_requested()) {
      report.file = snapshot.path;
      report.verdict = Verdict::Cancelled;
    } else {
      report = runGuarded(*engine, asked, snapshot, budget, observer);
      keepConfirmed(report, confirmed);
    }
    FileTexts found;
    for (const Finding& finding : report.findings) found.merge(textsFor(finding, texts));
    boost::asio::post(loop,
                      [run, weakSelf, report = std::move(report), found = std::move(found), commandProblem] {
                        if (const auto self = weakSelf.lock())
                          (*self)->finish(run, report, found, commandProblem);
                      });
  });
}

void AnalysisQueue::finish(const std::shared_ptr<Run>& run, const Report& report, const FileTexts& texts,
                           const std::string& commandProblem) {
  const auto file = files_.find(run->request.key);
  if (file == files_.end() || file->second.running != run) {  // given up on
    lost_--;
    return;
  }
  std::optional<AnalysisRequest> next = std::move(file->second.waiting);
  files_.erase(file);
  // The next run begins before the listener hears of this one, which may submit again.
  const bool wanted = run->wanted;
  if (next) start(std::move(*next));
  if (wanted) listener_.onDone(run->request, report, texts, commandProblem);
}

}  // namespace heddle
