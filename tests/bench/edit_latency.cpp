// How long a user waits: from an edit of Figure 2 (six headers) to the diagnostic, in one process, and how
// long the main loop takes over a keystroke while an exploration runs. Prints percentiles and where the time
// goes; no pass or fail.
//
//   edit_latency [EDITS] [FILE]
#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "server/lsp_server.h"
#include "tests/paths/paths.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;
using lsp::json;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void printPercentiles(const char* name, std::vector<double> values) {
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
  };
  std::printf("  %-34s p50 %8.2f ms   p95 %8.2f ms   p99 %8.2f ms   max %8.2f ms\n", name, at(0.5), at(0.95),
              at(0.99), values.back());
}

/// Three threads with many branches on inputs: explored for far longer than this bench lasts.
const char* const kHeavy =
    "#include <assert.h>\n#include <pthread.h>\nint __VERIFIER_nondet_int(void);\nint x[16], y;\n"
    "void *w(void *p) {\n  for (int i = 0; i < 16; i++) {\n    int n = __VERIFIER_nondet_int();\n    if (n > "
    "x[i]) x[i] = n; else y += n;\n"
    "    if (y * n == 123457) x[i]++;\n  }\n  return p;\n}\n"
    "int main(void) {\n  pthread_t a, b, c;\n  pthread_create(&a, 0, w, 0);\n  pthread_create(&b, 0, w, "
    "0);\n  pthread_create(&c, 0, w, 0);\n"
    "  pthread_join(a, 0);\n  pthread_join(b, 0);\n  pthread_join(c, 0);\n  assert(y != 99);\n  return "
    "0;\n}\n";

/// What the analysis says of its own time, beside what the client sees.
struct RunTimes {
  double sinceStart = 0;  // from the edit to the start of the run: handling and debounce
  double compile = 0, firstFinding = 0, whole = 0;
};

class Bench {
 public:
  explicit Bench(std::string text)
      : text_(std::move(text)),
        server_(loop_, options(), [this](const json& message) { onMessage(message); }) {
    request("initialize", {{"capabilities", json::object()}});
    notify("initialized", json::object());
  }

  /// Edits that change the program but not the bug: each is explored anew.
  void editToDiagnostic(int edits) {
    open();
    waitForFresh(1);
    std::vector<double> total, wait, compile, explore, rest;
    for (int version = 2; version < edits + 2; version++) {
      editStart_ = Clock::now();
      change(version, declaration(version));
      waitForFresh(version);
      const double milliseconds = std::chrono::duration<double, std::milli>(seen_ - editStart_).count();
      while (!idle_) loop_.run_one();
      const std::lock_guard lock(mutex_);
      total.push_back(milliseconds);
      wait.push_back(times_.sinceStart);
      compile.push_back(times_.compile);
      explore.push_back(times_.firstFinding - times_.compile);
      rest.push_back(milliseconds - times_.sinceStart - times_.firstFinding);
    }
    std::printf("edit to diagnostic, %d edits\n", edits);
    printPercentiles("total", total);
    printPercentiles("handling and debounce", wait);
    printPercentiles("compile", compile);
    printPercentiles("explore and replay to the finding", explore);
    printPercentiles("hand over and publish", rest);
  }

  /// Edits that change no token: what was found is kept and moved.
  void commentToDiagnostic(int edits) {
    std::vector<double> total;
    for (int i = 0, version = 10'000; i < edits; i++, version++) {
      const auto start = Clock::now();
      change(version, "//" + std::to_string(version) + "\n");
      waitForFresh(version);
      total.push_back(std::chrono::duration<double, std::milli>(seen_ - start).count());
    }
    std::printf("edit of a comment to diagnostic, %d edits\n", edits);
    printPercentiles("total", total);
  }

  /// Keystrokes that arrive while the exploration of the version before is under way.
  void keystrokesWhileExploring(int edits) {
    std::vector<double> handling;
    int version = 100'000;
    for (int i = 0; i < edits; i++, version++) {
      started_ = false;
      change(version, declaration(version));  // starts a run after the debounce
      while (!started_) loop_.run_one();
      const auto start = Clock::now();
      change(++version, "/* typed */");
      handling.push_back(millisecondsSince(start));
    }
    std::printf("didChange while exploring, %d keystrokes\n", edits);
    printPercentiles("message in, document and diagnostics out", handling);
  }

  /// From the edit that makes an exploration obsolete to its end, at many points of the exploration.
  void stopping(int rounds) {
    notify("textDocument/didClose", {{"textDocument", {{"uri", kUri}}}});
    text_ = kHeavy;
    started_ = false;
    open();
    std::vector<double> stop;
    int deaf = 0;  // runs that the server had to give up on
    for (int i = 0; i < rounds && deaf < 3; i++) {
      while (!started_) loop_.run_one();
      loop_.run_for(std::chrono::milliseconds(10 + 97 * i % 800));
      started_ = false;
      const auto start = Clock::now();
      change(2 + i, declaration(i));
      while (!started_) loop_.run_one();  // the next run begins when this one has ended
      const std::lock_guard lock(mutex_);
      if (ended_ < start)
        deaf++;
      else
        stop.push_back(std::chrono::duration<double, std::milli>(ended_ - start).count());
    }
    std::printf("stopping a long exploration, %d times\n", rounds);
    printPercentiles("edit to the end of the obsolete run", stop);
    if (deaf != 0) std::printf("  %d runs did not end within a second\n", deaf);
  }

 private:
  static constexpr const char* kUri = "file:///bench/figure2.c";

  static std::string declaration(int number) { return "static int unused" + std::to_string(number) + ";\n"; }

  ServerOptions options() {
    ServerOptions result;
    result.engine = pipelineEngine();
    auto analyze = result.engine.analyze;
    result.engine.analyze = [this, analyze](const Snapshot& snapshot, const Options& given,
                                            const Budget& budget, const Observer& observer) {
      const double waited = millisecondsSince(editStart_);
      boost::asio::post(loop_, [this] { started_ = true; });
      const Report report = analyze(snapshot, given, budget, observer);
      const std::lock_guard lock(mutex_);
      ended_ = Clock::now();
      times_ = {waited, report.stats.compileSeconds * 1e3, report.stats.firstFindingSeconds * 1e3,
                report.stats.wallSeconds * 1e3};
      return report;
    };
    result.workspace.threads = 2;
    return result;
  }

  void request(const char* method, const json& params) {
    server_.handleBody(lsp::printJson(lsp::makeRequest(lsp::RequestId{nextId_++}, method, params)));
  }
  void notify(const char* method, const json& params) {
    server_.handleBody(lsp::printJson(lsp::makeNotification(method, params)));
  }
  void open() {
    notify("textDocument/didOpen",
           {{"textDocument", {{"uri", kUri}, {"languageId", "c"}, {"version", 1}, {"text", text_}}}});
  }
  void change(int version, const std::string& atTop) {
    idle_ = false;
    const json start = {{"line", 0}, {"character", 0}};
    notify("textDocument/didChange",
           {{"textDocument", {{"uri", kUri}, {"version", version}}},
            {"contentChanges", {{{"range", {{"start", start}, {"end", start}}}, {"text", atTop}}}}});
  }

  void onMessage(const json& message) {
    const std::string method = message.value("method", "");
    if (method == "window/logMessage") idle_ = true;
    if (method != "textDocument/publishDiagnostics") return;
    for (const json& diagnostic : message["params"]["diagnostics"]) {
      if (diagnostic.value("code", "") != "heddle-assert" || diagnostic["data"]["stale"].get<bool>())
        continue;
      const int version = diagnostic["data"]["version"].get<int>();
      if (version > freshVersion_) seen_ = Clock::now();
      freshVersion_ = std::max(freshVersion_, version);
    }
  }

  void waitForFresh(int version) {
    const auto start = Clock::now();
    while (freshVersion_ < version) {
      loop_.run_one_for(std::chrono::seconds(1));
      if (millisecondsSince(start) > 60'000) {
        std::fprintf(stderr, "no assertion was reported for version %d within a minute\n", version);
        std::exit(1);
      }
    }
  }

  std::string text_;
  boost::asio::io_context loop_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_ =
      boost::asio::make_work_guard(loop_);
  Clock::time_point editStart_ = Clock::now();
  Clock::time_point seen_;
  int freshVersion_ = 0;
  bool started_ = false;
  bool idle_ = false;
  int64_t nextId_ = 1;
  std::mutex mutex_;  // guards times_ and ended_, which a worker writes
  RunTimes times_;
  Clock::time_point ended_;
  LspServer server_;  // last: its workers use the members above
};

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  const int edits = argc > 1 ? std::max(1, std::atoi(argv[1])) : 50;
  const std::string path = argc > 2 ? argv[2] : heddle::sourceDirectory() + "/docs/examples/mpc_figure2.c";
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) return std::fprintf(stderr, "cannot read %s\n", path.c_str()), 1;
  // The example's own header, so that the document can live anywhere.
  std::string source = text.str();
  const std::string include = "#include \"heddle.h\"\n";
  if (const size_t at = source.find(include); at != std::string::npos) {
    source.replace(
        at, include.size(),
        "#include <stddef.h>\nint __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);\n"
        "#define heddle_input_int __VERIFIER_nondet_int\n#define heddle_assume __VERIFIER_assume\n");
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  heddle::Bench bench(source);
  bench.editToDiagnostic(edits);
  bench.commentToDiagnostic(edits);
  bench.keystrokesWhileExploring(edits * 4);
  bench.stopping(edits);
  std::fflush(stdout);
  std::_Exit(0);  // a run that does not end must not hold up the bench
}
