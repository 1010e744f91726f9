// Newest wins, shown with workers that are held at known points.
#include "server/schedule/analysis_queue.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <stop_token>
#include <vector>

#include "held.h"
#include "sample_reports.h"
#include "server/schedule/debounce.h"

namespace heddle {
namespace {

using testing::Notification;
using testing::sampleFinding;

class Recorder : public AnalysisListener {
 public:
  std::vector<std::string> heard;
  std::function<void(const std::string&)> then = [](const std::string&) {};

  void onStarted(const AnalysisRequest& request) override { hear("start " + name(request)); }
  void onFinding(const AnalysisRequest& request, const Finding& finding, const FileTexts& texts) override {
    hear("finding " + name(request) + " " + finding.id + (texts.empty() ? "" : " +texts"));
  }
  void onProgress(const AnalysisRequest& request, const Progress& progress) override {
    hear("progress " + name(request) + " " + std::to_string(progress.executions));
  }
  void onDone(const AnalysisRequest& request, const Report& report, const FileTexts&,
              const std::string& problem) override {
    hear("done " + name(request) + " " + toString(report.verdict) + (problem.empty() ? "" : " " + problem) +
         (report.problem.empty() ? "" : " " + report.problem));
  }

 private:
  static std::string name(const AnalysisRequest& request) {
    return request.key + std::to_string(request.version);
  }
  void hear(const std::string& what) {
    heard.push_back(what);
    then(what);
  }
};

class AnalysisQueueTest : public ::testing::Test {
 protected:
  AnalysisQueueTest() {
    engine.findCommand = [](const std::string&, std::string*) { return CompileCommand{}; };
    recorder.then = [this](const std::string& what) {
      if (what == last) loop.stop();
    };
  }

  AnalysisRequest request(const std::string& key, int64_t version) {
    AnalysisRequest result;
    result.key = key;
    result.version = version;
    result.snapshot.path = "/" + key + ".c";
    result.snapshot.text = std::to_string(version);
    return result;
  }

  /// Runs the loop until `what` is heard.
  void runUntil(const std::string& what) {
    last = what;
    const auto guard = boost::asio::make_work_guard(loop);
    loop.restart();
    loop.run();
  }

  static Report waitForStop(const Budget& budget) {
    Notification stopped;
    const std::stop_callback wake(budget.stopToken(), [&] { stopped.notify(); });
    stopped.wait();
    Report report;
    report.verdict = Verdict::Cancelled;
    return report;
  }

  boost::asio::io_context loop;
  Engine engine;
  Recorder recorder;
  std::string last;
};

TEST_F(AnalysisQueueTest, NewestWinsAndTheOnesBetweenNeverRun) {
  Notification running;
  std::vector<std::string> analysed;  // one worker, so no lock
  engine.analyze = [&](const Snapshot& snapshot, const Options&, const Budget& budget,
                       const Observer& observer) {
    analysed.push_back(snapshot.text);
    if (snapshot.text == "1") {
      running.notify();
      const Report report = waitForStop(budget);
      observer.finding(sampleFinding("/a.c"));  // too late: the loop must drop it
      return report;
    }
    Report report;
    report.verdict = Verdict::Verified;
    return report;
  };
  ThreadPool pool(1);
  AnalysisQueue queue(loop.get_executor(), pool, engine, recorder);
  queue.submit(request("a", 1));
  running.wait();
  queue.submit(request("a", 2));
  queue.submit(request("a", 3));
  queue.submit(request("a", 4));
  runUntil("done a4 verified");
  EXPECT_EQ(recorder.heard, (std::vector<std::string>{"start a1", "start a4", "done a4 verified"}));
  EXPECT_EQ(analysed, (std::vector<std::string>{"1", "4"}));
  EXPECT_FALSE(queue.busy("a"));
}

TEST_F(AnalysisQueueTest, ARunThatDoesNotStopHoldsUpNobodyForLong) {
  Notification running, release;
  engine.analyze = [&](const Snapshot& snapshot, const Options&, const Budget&, const Observer& observer) {
    if (snapshot.text == "1") {
      running.notify();
      release.wait();  // deaf to the stop
      observer.finding(sampleFinding("/a.c"));
    }
    Report report;
    report.verdict = Verdict::Verified;
    return report;
  };
  {
    ThreadPool pool(1);
    AnalysisQueue queue(loop.get_executor(), pool, engine, recorder, std::chrono::milliseconds(0));
    queue.submit(request("a", 1));
    running.wait();
    queue.submit(request("a", 2));
    runUntil("done a2 verified");
    release.notify();
    queue.submit(request("a", 3));
    runUntil("done a3 verified");
  }
  loop.restart();
  loop.poll();
  EXPECT_EQ(recorder.heard, (std::vector<std::string>{"start a1", "start a2", "done a2 verified", "start a3",
                                                      "done a3 verified"}));
}

TEST_F(AnalysisQueueTest, FilesDoNotDisturbEachOther) {
  Notification runningA;
  engine.analyze = [&](const Snapshot& snapshot, const Options&, const Budget& budget, const Observer&) {
    if (snapshot.path == "/a.c") {
      runningA.notify();
      return waitForStop(budget);
    }
    Report report;
    report.verdict = Verdict::Verified;
    return report;
  };
  ThreadPool pool(2);
  AnalysisQueue queue(loop.get_executor(), pool, engine, recorder);
  queue.submit(request("a", 1));
  runningA.wait();
  queue.submit(request("b", 1));
  runUntil("done b1 verified");
  EXPECT_TRUE(queue.busy("a"));
  queue.stop("a");
  runUntil("done a1 cancelled");
  EXPECT_EQ(recorder.heard,
            (std::vector<std::string>{"start a1", "start b1", "done b1 verified", "done a1 cancelled"}));
}

TEST_F(AnalysisQueueTest, DroppedFilesAreNotHeardOfAndCanComeBack) {
  Notification running;
  engine.analyze = [&](const Snapshot& snapshot, const Options&, const Budget& budget,
                       const Observer& observer) {
    if (snapshot.text != "1") return Report{};
    running.notify();
    const Report report = waitForStop(budget);
    observer.progress({5, 5, 5});
    return report;
  };
  ThreadPool pool(1);
  AnalysisQueue queue(loop.get_executor(), pool, engine, recorder);
  queue.submit(request("a", 1));
  running.wait();
  queue.submit(request("a", 2));
  queue.drop("a");
  queue.drop("unknown");
  queue.submit(request("a", 3));
  runUntil("done a3 incomplete");
  EXPECT_EQ(recorder.heard, (std::vector<std::string>{"start a1", "start a3", "done a3 incomplete"}));
}

TEST_F(AnalysisQueueTest, FindingsComeInOrderAndProgressIsTheLatest) {
  engine.findCommand = [](const std::string&, std::string* problem) {
    *problem = "damaged database";
    return CompileCommand{};
  };
  engine.analyze = [&](const Snapshot&, const Options&, const Budget&, const Observer& observer) {
    Finding first = sampleFinding("/a.c"), second = first;
    second.id = "second";
    observer.finding(first);
    for (uint64_t i = 1; i <= 1000; i++) observer.progress({i, i, 0});
    observer.finding(second);
    Report report;
    report.verdict = Verdict::Violated;
    return report;
  };
  {
    ThreadPool pool(1);
    AnalysisQueue queue(loop.get_executor(), pool, engine, recorder);
    queue.submit(request("a", 1));
    // The loop only runs once the worker has handed everything over: posts keep their order, progress is
    // merged.
    Notification flushed;
    pool.run([&] { flushed.notify(); });
    flushed.wait();
    runUntil("done a1 violated damaged database");
  }
  EXPECT_EQ(recorder.heard,
            (std::vector<std::string>{"start a1", "finding a1 assert-1a2b", "progress a1 1000",
                                      "finding a1 second", "done a1 violated damaged database"}));
}

TEST_F(AnalysisQueueTest, AnalysesThatThrowAreReported) {
  engine.analyze = [&](const Snapshot&, const Options&, const Budget&, const Observer&) -> Report {
    throw std::runtime_error("oops");
  };
  ThreadPool pool(1);
  AnalysisQueue queue(loop.get_executor(), pool, engine, recorder);
  queue.submit(request("a", 1));
  runUntil("done a1 incomplete internal: oops");
  EXPECT_EQ(recorder.heard.size(), 2u);
}

TEST_F(AnalysisQueueTest, ListenersMaySubmitAgainFromOnDone) {
  engine.analyze = [](const Snapshot&, const Options&, const Budget&, const Observer&) { return Report{}; };
  ThreadPool pool(1);
  AnalysisQueue queue(loop.get_executor(), pool, engine, recorder);
  recorder.then = [&](const std::string& what) {
    if (what == "done a1 incomplete") queue.submit(request("a", 2));
    if (what == "done a2 incomplete") loop.stop();
  };
  queue.submit(request("a", 1));
  runUntil("");
  EXPECT_EQ(recorder.heard.back(), "done a2 incomplete");
}

TEST_F(AnalysisQueueTest, EndsWithRunsOpen) {
  Notification running;
  engine.analyze = [&](const Snapshot&, const Options&, const Budget& budget, const Observer&) {
    running.notify();
    return waitForStop(budget);
  };
  {
    ThreadPool pool(1);
    AnalysisQueue queue(loop.get_executor(), pool, engine, recorder);
    queue.submit(request("a", 1));
    running.wait();
  }  // must not hang
  loop.poll();
  EXPECT_EQ(recorder.heard, std::vector<std::string>{"start a1"});
}

TEST(Debounce, FollowsRecentRunsWithinLimits) {
  using namespace std::chrono_literals;
  const Debounce::TimePoint now{1h};
  Debounce debounce({20ms, 50ms});
  EXPECT_EQ(debounce.delay(now), 20ms);
  debounce.record(60ms);
  EXPECT_EQ(debounce.delay(now), 30ms);
  for (int i = 0; i < 5; i++) debounce.record(2s);
  EXPECT_EQ(debounce.delay(now), 50ms);
  for (int i = 0; i < 3; i++) debounce.record(1ms);
  EXPECT_EQ(debounce.delay(now), 20ms) << "the median has moved";
}

TEST(Debounce, RestsAsLongAsARunTookThatWasThrownAway) {
  using namespace std::chrono_literals;
  const Debounce::TimePoint now{1h};
  Debounce debounce({20ms, 50ms, 500ms});
  debounce.overtaken(now, 130ms);
  EXPECT_EQ(debounce.delay(now), 130ms);
  EXPECT_EQ(debounce.delay(now + 80ms), 50ms);
  EXPECT_EQ(debounce.delay(now + 125ms), 20ms) << "never less than usual";
  EXPECT_EQ(debounce.delay(now + 1s), 20ms);
  debounce.overtaken(now, 9s);
  EXPECT_EQ(debounce.delay(now), 500ms) << "who pauses does not wait";
}

}  // namespace
}  // namespace heddle
