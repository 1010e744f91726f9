// How long an analysis goes on after it was told to stop: cancellations at random times of explorations that
// would take long (a counting proof with inputs, mostly solver; unlocked updates, many executions and joint
// states; a long loop, mostly interpreter), with both solvers.
// Prints percentiles; no pass or fail.
//
//   cancel_latency [CANCELLATIONS]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "analysis/pipeline/pipeline.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kHeaders =
    "#include <pthread.h>\n#include <assert.h>\nint heddle_input_int(void);\n"
    "int n; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";

std::string countingProof() {
  return std::string(kHeaders) +
         "void *t(void *p) { int v = heddle_input_int() & 1;\n"
         "  for (int i = 0; i < 6; i++) { pthread_mutex_lock(&m); n += 1 + v; pthread_mutex_unlock(&m); }\n"
         "  return p; }\n"
         "int main(void) { pthread_t a[3]; for (int i = 0; i < 3; i++) pthread_create(a + i, 0, t, 0);\n"
         "  for (int i = 0; i < 3; i++) pthread_join(a[i], 0); assert(n <= 36); return 0; }\n";
}

std::string unlockedUpdates() {
  return std::string(kHeaders) +
         "unsigned w, x;\n"
         "void *t(void *p) { for (unsigned i = 0; i < 40; i++) {\n"
         "  w = w + 1; if (w % 3 == 0) x = x + w; else w = w ^ 1; } return p; }\n"
         "int main(void) { pthread_t a[3]; for (int i = 0; i < 3; i++) pthread_create(a + i, 0, t, 0);\n"
         "  for (int i = 0; i < 3; i++) pthread_join(a[i], 0); assert(w <= 1000); return 0; }\n";
}

std::string longLoop() {
  return std::string(kHeaders) +
         "void *t(void *p) { unsigned long s = 0; for (unsigned long i = 0; i < 4000000000ul; i++) s += i * "
         "s;\n"
         "  n = (int)s; return p; }\n"
         "int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); n = 1; pthread_join(a, 0); return 0; "
         "}\n";
}

/// Milliseconds from the stop request to the return of analyze(); negative if it had ended before.
double cancelOnce(const std::string& text, const std::string& solver, std::chrono::microseconds after) {
  Snapshot snapshot;
  snapshot.path = "/nowhere/cancel.c";
  snapshot.text = text;
  snapshot.command = commandFromFlags(snapshot.path, {});
  Options options;
  options.solver = solver;
  std::stop_source stop;
  Budget budget;
  budget.withStop(stop.get_token());
  Clock::time_point ended;
  std::thread worker([&] {
    analyze(snapshot, options, budget);
    ended = Clock::now();
  });
  std::this_thread::sleep_for(after);
  const Clock::time_point asked = Clock::now();
  stop.request_stop();
  worker.join();
  return std::chrono::duration<double, std::milli>(ended - asked).count();
}

void measure(const char* name, const std::string& text, const std::string& solver, int times) {
  std::mt19937_64 random(1);
  std::vector<double> latencies;
  for (int i = 0; i < times; ++i) {
    const double ms = cancelOnce(text, solver, std::chrono::microseconds(random() % 200'000));
    if (ms >= 0) latencies.push_back(ms);
  }
  if (latencies.empty()) return;
  std::sort(latencies.begin(), latencies.end());
  const auto at = [&](double share) {
    return latencies[static_cast<size_t>(share * static_cast<double>(latencies.size() - 1))];
  };
  std::printf("  %-28s %-4s %5zu cancelled   p50 %7.2f ms   p95 %7.2f ms   max %7.2f ms\n", name,
              solver.c_str(), latencies.size(), at(0.5), at(0.95), latencies.back());
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  const int times = argc > 1 ? std::max(1, std::atoi(argv[1])) : 100;
  std::printf("from a stop request at a random time (0 to 200 ms) to the end of the analysis\n");
  for (const char* solver : {"sat", "z3"})
    heddle::measure("counting proof", heddle::countingProof(), solver, times);
  heddle::measure("unlocked updates", heddle::unlockedUpdates(), "sat", times);
  heddle::measure("loop of 4e9 rounds", heddle::longLoop(), "sat", times);
}
