// An edit overtakes a running exploration, with the real analysis: how soon the old run has ended and the new
// one has begun, whether it is solving or executing; and that typing takes part of the processor only.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <sstream>
#include <vector>

#include "lsp_client.h"
#include "tests/paths/paths.h"

namespace heddle {
namespace {

using lsp::json;
using testing::LspClient;
using Clock = std::chrono::steady_clock;

/// When explorations begin, have made progress and end.
class Times {
 public:
  struct Run {
    Clock::time_point begin, end;
    unsigned workers = 0;
    bool progressed = false, ended = false;
  };

  Engine engine() {
    Engine engine = pipelineEngine();
    engine.replay = nullptr;  // an exploration is what is to be overtaken
    engine.analyze = [this, inner = engine.analyze](const Snapshot& snapshot, const Options& options,
                                                    const Budget& budget, const Observer& observer) {
      size_t own = 0;
      {
        const std::lock_guard lock(mutex_);
        own = runs_.size();
        runs_.push_back({Clock::now(), {}, options.workers});
      }
      changed_.notify_all();
      Observer watched = observer;
      watched.progress = [&](const Progress& progress) {
        note([&] { runs_[own].progressed = true; });
        observer.progress(progress);
      };
      Report report = inner(snapshot, options, budget, watched);
      note([&] {
        runs_[own].end = Clock::now();
        runs_[own].ended = true;
      });
      return report;
    };
    return engine;
  }

  Run waitFor(size_t run, bool Run::*what) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(60), [&] {
      return runs_.size() > run && (what == nullptr || runs_[run].*what);
    }));
    return runs_.size() > run ? runs_[run] : Run{};
  }

 private:
  template <class F>
  void note(F change) {
    {
      const std::lock_guard lock(mutex_);
      change();
    }
    changed_.notify_all();
  }

  std::mutex mutex_;  // guards runs_
  std::condition_variable changed_;
  std::vector<Run> runs_;
};

// Each would take minutes.
const char* const kSolving =
    "#include <assert.h>\n#include <pthread.h>\n"
    "int __VERIFIER_nondet_int(void);\n"
    "int a[8], b;\n"
    "void *t(void *p) { int n = __VERIFIER_nondet_int(); for (int i = 0; i < 24; i++) a[(i * 3) % 8] += (a[i "
    "% 8] ^ n) * i; b += n; return p; }\n"
    "int main(void) {\n  pthread_t h[4];\n"
    "  for (int i = 0; i < 4; i++) pthread_create(&h[i], 0, t, 0);\n"
    "  for (int i = 0; i < 4; i++) pthread_join(h[i], 0);\n"
    "  assert(a[0] * a[1] + a[2] != 123456789);\n  return 0;\n}\n";
const char* const kExecuting =
    "#include <assert.h>\n#include <pthread.h>\n"
    "int x;\n"
    "void *t(void *p) { volatile long sum = 0; for (long i = 0; i < 3000000; i++) sum += i ^ x; if (sum & 1) "
    "x++; return p; }\n"
    "int main(void) {\n  pthread_t h[3];\n"
    "  for (int i = 0; i < 3; i++) pthread_create(&h[i], 0, t, 0);\n"
    "  for (int i = 0; i < 3; i++) pthread_join(h[i], 0);\n"
    "  assert(x < 3);\n  return 0;\n}\n";

/// The aims are 50 and 100 ms on a quiet machine, which is printed. What fails the test is waiting out a step
/// that should have been cut short, whatever else the machine does.
constexpr double kBusy = 20;

/// Of several measurements one of the better: other tests run beside this one.
double typical(std::vector<double> waits, const char* what) {
  std::sort(waits.begin(), waits.end());
  std::printf("%s: %.1f ms (median), %.1f ms (worst)\n", what, waits[waits.size() / 2], waits.back());
  return waits[waits.size() / 3];
}

/// Milliseconds from an edit to the end of the run that it overtakes.
double supersedeAfter(const std::string& text, bool untilProgress) {
  Times times;
  ServerOptions options;
  options.engine = times.engine();
  LspClient client(std::move(options));
  client.initialize(LspClient::fullCapabilities(), {{"budget", 0}, {"workers", 2}});
  client.open("file:///p/a.c", text, 1);
  std::vector<double> waits;
  constexpr size_t kEdits = 7;
  for (size_t run = 0; run < kEdits; run++) {
    times.waitFor(run, untilProgress ? &Times::Run::progressed : nullptr);
    const Clock::time_point typed = Clock::now();
    client.replaceAll("file:///p/a.c", "int more" + std::to_string(run) + ";\n" + text,
                      static_cast<int>(run) + 2);
    const Times::Run old = times.waitFor(run, &Times::Run::ended);
    const Times::Run next = times.waitFor(run + 1, nullptr);
    EXPECT_EQ(next.workers, 1u) << "half of the processor is left to the editor";
    waits.push_back(std::chrono::duration<double, std::milli>(std::max(old.end, next.begin) - typed).count());
  }
  return typical(waits, "superseded after");
}

TEST(Supersede, AtOnceWhileSolving) {
  EXPECT_LT(supersedeAfter(kSolving, true), 50 * kBusy);
}

TEST(Supersede, AtOnceWhileExecuting) {
  EXPECT_LT(supersedeAfter(kExecuting, false), 50 * kBusy);
}

TEST(Supersede, ABugThatIsStillThereIsConfirmedAtOnce) {
  std::ifstream stream(sourceDirectory() + "/docs/examples/mpc_figure2.c");
  std::ostringstream text;
  text << stream.rdbuf();
  ServerOptions options;
  options.engine = pipelineEngine();
  LspClient client(std::move(options));
  client.initialize(LspClient::fullCapabilities(), {{"budget", 0}, {"workers", 2}});
  const std::string uri = "file://" + sourceDirectory() + "/docs/examples/mpc_figure2.c";
  client.open(uri, text.str(), 1);
  client.waitForMethod("window/logMessage");
  std::vector<double> waits;
  for (int version = 2; version < 11; version++) {
    const Clock::time_point typed = Clock::now();
    client.replaceAll(uri, "int edited" + std::to_string(version) + ";\n" + text.str(), version);
    client.waitForDiagnostics([&](const json& params) {
      return std::any_of(params["diagnostics"].begin(), params["diagnostics"].end(), [&](const json& d) {
        return d.contains("data") && d["data"]["version"] == version && d["data"]["stale"] == false;
      });
    });
    waits.push_back(std::chrono::duration<double, std::milli>(Clock::now() - typed).count());
    client.waitForMethod("window/logMessage");
  }
  EXPECT_LT(typical(waits, "confirmed after"), 100 * kBusy);
}

}  // namespace
}  // namespace heddle
