// Sizes that fit: which constants of a program are sizes, how the search for sizes goes, and what `check`
// says of a program that its constants make too large.
#include <algorithm>

#include "lsp_client.h"
#include "project_fixture.h"
#include "server/sizes/fitting_sizes.h"
#include "server/sizes/integer_constants.h"
#include "server/sizes/size_constants.h"

namespace heddle {
namespace {

Snapshot snapshotWith(const std::string& text) {
  Snapshot snapshot;
  snapshot.path = "/p/a.c";
  snapshot.text = text;
  return snapshot;
}

std::vector<std::string> namesIn(const Snapshot& snapshot, const std::vector<std::string>& reached = {}) {
  std::vector<SourcePlace> places;
  for (const std::string& name : reached) places.push_back({"/p/a.c", 1, 1, name});
  std::vector<std::string> names;
  for (const SizeConstant& size : sizeConstants(snapshot, places)) names.push_back(size.name);
  return names;
}

std::vector<std::string> namesIn(const std::string& text, const std::vector<std::string>& reached = {}) {
  return namesIn(snapshotWith(text), reached);
}

using SizeNames = std::vector<std::string>;

TEST(SizeConstants, AreIntegersThatBoundLoops) {
  EXPECT_EQ(namesIn("#define N 16\nint f(void) { for (int i = 0; i < N; i++) g(); }"), SizeNames{"N"});
  EXPECT_EQ(namesIn("#define N (16u)\nint f(void) { int i = N; do g(); while (i < N); }"), SizeNames{"N"});
  EXPECT_EQ(namesIn("enum kind { A, N = 0x10, B };\nint f(void) { while (i < N) g(); }"), SizeNames{"N"});
  EXPECT_EQ(namesIn("static const unsigned long N = 040;\nint f(void) { while (i < N) g(); }"),
            SizeNames{"N"});
  // What is no integer, no constant, too small, or bounds nothing.
  for (const char* none : {"#define N(x) 16\nint f(void) { while (i < N) g(); }",
                           "#define N 1.5\nint f(void) { while (i < N) g(); }",
                           "#define N 2\nint f(void) { while (i < N) g(); }",
                           "static int N = 16;\nint f(void) { while (i < N) g(); }",
                           "#define N 16\nint f(void) { usleep(N); }", "#define N 16\nchar text[N];", ""})
    EXPECT_EQ(namesIn(none), SizeNames{}) << none;
}

TEST(SizeConstants, HandTheirValueOn) {
  EXPECT_EQ(namesIn("#define N 16\nint f(void) { for (i = N; i > 0; i--) g(); }"), SizeNames{"N"});
  EXPECT_EQ(namesIn("#define N 16\n#define M 4\n#define ALL (N * M)\n"
                    "int f(void) { while (i < ALL) g(); }"),
            (SizeNames{"M", "N"}));
  EXPECT_EQ(namesIn("#define N 16\nvoid run(int id, int count) { while (i < count) g(); }\n"
                    "int main(void) { run(5, N); }"),
            SizeNames{"N"});
  EXPECT_EQ(namesIn("#define N 16\nstruct s x = {.count = N};\nint f(void) { while (i < x.count) g(); }"),
            SizeNames{"N"});
  EXPECT_EQ(namesIn("#define N 16\n#define EACH(i) for (i = 0; i < N; i++)\nint f(void) { EACH(j) g(); }"),
            SizeNames{"N"});
}

TEST(SizeConstants, CountOnlyInWhatIsReached) {
  const std::string text =
      "#define N 16\n#define M 9\nvoid used(void) { while (i < N) g(); }\nvoid unused(void) { while (i < M) "
      "g(); }\n";
  EXPECT_EQ(namesIn(text), (SizeNames{"M", "N"}));
  EXPECT_EQ(namesIn(text, {"main", "used"}), SizeNames{"N"});
}

TEST(SizeConstants, AreChangedInPlace) {
  Snapshot snapshot = snapshotWith("#define N 160 /* many */\n#include \"sizes.h\"\nint x[N];\n");
  snapshot.command.arguments = {"-D", "M=12", "-D", "OTHER"};
  snapshot.overlays["/p/sizes.h"] = "enum { K = 7 };\n";
  Unit unit{"/p/b.c", "#ifndef N\n#define N 160\n#endif\n", {}};
  snapshot.units.push_back(unit);
  const auto changed = withSizes(snapshot, {{"N", 2}, {"M", 3}, {"K", 4}});
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->text, "#define N 2   /* many */\n#include \"sizes.h\"\nint x[N];\n") << "columns stay";
  EXPECT_EQ(changed->units[0].text, "#ifndef N\n#define N 2  \n#endif\n");
  EXPECT_EQ(changed->overlays.at("/p/sizes.h"), "enum { K = 4 };\n");
  EXPECT_EQ(changed->command.arguments, (std::vector<std::string>{"-D", "M=3", "-D", "OTHER"}));
  EXPECT_FALSE(withSizes(snapshot, {{"NONE", 2}}));
}

/// An engine that can decide a program of up to so many workers and jobs. `breaks`: a value of JOBS that
/// fails; `refuses`: a text that does not compile where CAPACITY is small.
Engine engineUpTo(int64_t workers, int64_t jobs, int64_t breaks, std::vector<std::string>* seen = nullptr) {
  Engine engine;
  const auto valueIn = [](const Snapshot& snapshot, const std::string& name) {
    for (const IntegerConstant& constant : integerConstants({"", snapshot.text, lexC(snapshot.text)}))
      if (constant.name == name) return constant.value;
    return int64_t{0};
  };
  engine.analyze = [=](const Snapshot& snapshot, const Options&, const Budget&, const Observer&) {
    Report report;
    const int64_t w = valueIn(snapshot, "WORKERS"), j = valueIn(snapshot, "JOBS");
    if (seen != nullptr) seen->push_back(std::to_string(w) + "/" + std::to_string(j));
    const bool fits = w <= workers && j <= jobs;
    report.verdict = fits ? Verdict::Verified : Verdict::Incomplete;
    if (!fits) report.problemKind = ProblemKind::Budget;
    if (fits && j >= breaks) {
      report.verdict = Verdict::Violated;
      report.findings.emplace_back();
    }
    if (snapshot.text.find("CHECKED") != std::string::npos && valueIn(snapshot, "CAPACITY") < 8)
      report.verdict = Verdict::Error;
    return report;
  };
  engine.definesFunction = [=](const Snapshot& snapshot, const std::string&) -> std::optional<bool> {
    if (snapshot.text.find("CHECKED") != std::string::npos && valueIn(snapshot, "CAPACITY") < 8)
      return std::nullopt;
    return true;
  };
  return engine;
}

constexpr const char* kSizedProgram =
    "#define WORKERS 10\n#define JOBS 40\n#define CAPACITY 8\n"
    "int main(void) { while (i < WORKERS) g(); while (i < JOBS) g(); while (i < CAPACITY) g(); }\n";

Report searched(const Engine& engine, const std::string& text) {
  const Budget budget = Budget::forDuration(std::chrono::seconds(60));
  return analyzeWithSizes(engine, snapshotWith(text), {}, budget, {});
}

TEST(FittingSizes, TheLargestThatAreDecidedAreNamed) {
  const Report report = searched(engineUpTo(3, 5, 100), kSizedProgram);
  EXPECT_EQ(report.verdict, Verdict::Incomplete) << "of what is written";
  ASSERT_FALSE(report.sized.empty());
  EXPECT_EQ(sizesText(report.sized.front().sizes), "with CAPACITY = 2, JOBS = 2 and WORKERS = 2");
  std::string largest;
  for (const SizedRun& run : report.sized)
    if (isDecided(run)) largest = sizesText(run.sizes);
  EXPECT_EQ(largest, "with JOBS = 5 and WORKERS = 3") << "CAPACITY costs nothing, so it is as written";
}

TEST(FittingSizes, WhatFailsIsOnlyPossibleAndTheSmallestIsKept) {
  const Report report = searched(engineUpTo(3, 9, 4), kSizedProgram);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.verdict, Verdict::Incomplete);
  size_t failed = 0;
  for (const SizedRun& run : report.sized) {
    if (run.findings.empty()) continue;
    ++failed;
    EXPECT_NE(sizesText(run.sizes).find("JOBS = 4"), std::string::npos) << sizesText(run.sizes);
    EXPECT_TRUE(run.findings[0].possible);
    EXPECT_EQ(run.findings[0].assumes.back(), "WORKERS is 2, where the text has 10");
  }
  EXPECT_EQ(failed, 1u);
}

TEST(FittingSizes, ASizeThatDoesNotCompileIsNotTaken) {
  const Report report = searched(engineUpTo(3, 5, 100), std::string("// CHECKED\n") + kSizedProgram);
  ASSERT_FALSE(report.sized.empty());
  EXPECT_EQ(sizesText(report.sized.front().sizes), "with JOBS = 2 and WORKERS = 2");
}

TEST(FittingSizes, NothingIsTriedWhereItIsNotAskedForOrNotNeeded) {
  std::vector<std::string> seen;
  EXPECT_TRUE(searched(engineUpTo(10, 40, 100, &seen), kSizedProgram).sized.empty());
  EXPECT_EQ(seen.size(), 1u) << "the program is decided";
  seen.clear();
  EXPECT_TRUE(searched(engineUpTo(10, 40, 4, &seen), kSizedProgram).sized.empty());
  EXPECT_EQ(seen.size(), 1u) << "the program fails";
  seen.clear();
  const Engine engine = engineUpTo(3, 5, 100, &seen);
  EXPECT_TRUE(analyzeWithSizes(engine, snapshotWith(kSizedProgram), {}, Budget{}, {}).sized.empty());
  EXPECT_EQ(seen.size(), 1u) << "the budget has no end";
  seen.clear();
  EXPECT_TRUE(searched(engineUpTo(1, 1, 100, &seen), kSizedProgram).sized.size() < 2) << "nothing fits";
  EXPECT_EQ(seen.size(), 2u);
}

std::string countingProgram(const std::string& lock, const std::string& unlock) {
  return "#include <assert.h>\n#include <pthread.h>\n#define THREADS 16\nenum { ROUNDS = 40 };\n"
         "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int total, last;\n"
         "static void *add(void *arg) {\n  for (int i = 0; i < ROUNDS; i++) {\n    " +
         lock + "\n    total++;\n    if (i + 1 == ROUNDS) last++;\n    " + unlock +
         "\n  }\n  return arg;\n}\n"
         "int main(void) {\n  pthread_t t[THREADS];\n"
         "  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], 0, add, 0);\n"
         "  for (int i = 0; i < THREADS; i++) pthread_join(t[i], 0);\n"
         "  assert(total == THREADS * ROUNDS && last == THREADS);\n}\n";
}

class CheckedSizes : public ProjectCommands {};

TEST_F(CheckedSizes, ALargeProgramIsDecidedWithSmallerSizes) {
  write("a.c", countingProgram("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"));
  check({"check", path("a.c"), "--budget", "3s", "--format", "json", "-j", "1"});
  const Json report = Json::parse(out_.str());
  EXPECT_NE(report["verdict"], "verified");
  EXPECT_NE(report["verdict"], "violated");
  ASSERT_TRUE(report.contains("sized")) << report.dump(1);
  const Json& run = report["sized"][0];
  EXPECT_EQ(run["verdict"], "verified") << run.dump(1);
  ASSERT_EQ(run["sizes"].size(), 2u);
  EXPECT_EQ(run["sizes"][0]["name"], "ROUNDS");
  EXPECT_EQ(run["sizes"][0]["line"], 4);
  EXPECT_EQ(run["sizes"][1]["written"], 16);
  EXPECT_EQ(run["sizes"][1]["value"], 2);

  check({"check", path("a.c"), "--budget", "3s", "-j", "1"});
  EXPECT_NE(out_.str().find("  with ROUNDS = 2 and THREADS = 2: verified in "), std::string::npos)
      << out_.str();
}

TEST_F(CheckedSizes, AFailureWithSmallerSizesIsPossibleAndReplays) {
  // Right with the sizes that are written, as far as anybody looks; wrong where the threads are few.
  std::string text = countingProgram("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);");
  text.replace(text.find("last == THREADS"), 15, "(last == THREADS && THREADS != 2)");
  write("a.c", text);
  EXPECT_NE(check({"check", path("a.c"), "--budget", "3s", "--format", "json", "-j", "1"}), kExitBug);
  const Json report = Json::parse(out_.str());
  EXPECT_EQ(report["findings"], Json::array());
  ASSERT_TRUE(report.contains("sized"));
  const Json& finding = report["sized"][0]["findings"][0];
  EXPECT_EQ(finding["possible"], true);
  EXPECT_EQ(finding["kind"], "assert");
  const auto schedule = finding["schedule"].get<std::string>();

  const auto replayed = [&](const std::vector<std::string>& sizes) {
    std::vector<std::string> arguments = {"replay"};
    arguments.insert(arguments.end(), sizes.begin(), sizes.end());
    arguments.insert(arguments.end(), {path("a.c"), schedule});
    return run<ReplayCommand>(arguments, [&](const ReplayCommand& command) {
      return runReplay(command, pipelineEngine(), {out_, err_}, {});
    });
  };
  EXPECT_EQ(replayed({"--size", "THREADS=2", "--size", "ROUNDS=2"}), kExitBug) << out_.str() << err_.str();
  EXPECT_NE(replayed({}), kExitBug);

  check({"check", path("a.c"), "--budget", "3s", "-j", "1"});
  EXPECT_NE(out_.str().find("replay: heddle replay --size ROUNDS=2 --size THREADS=2 "), std::string::npos)
      << out_.str();
}

TEST_F(CheckedSizes, AnEditorSaysItBesideTheVerdict) {
  const std::string file =
      write("a.c", countingProgram("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"));
  std::ifstream text(file);
  ServerOptions options;
  options.engine = pipelineEngine();
  testing::LspClient client(options);
  client.initialize(testing::LspClient::fullCapabilities(), {{"budget", "3s"}, {"workers", 1}});
  client.open(lsp::uriFromPath(file), std::string(std::istreambuf_iterator<char>(text), {}));
  const Json said = client.waitFor([](const Json& message) {
    return message.value("method", "") == "window/logMessage" && !testing::isAboutProject(message);
  });
  const auto line = said["params"]["message"].get<std::string>();
  EXPECT_EQ(line.find("a.c: verified:"), std::string::npos) << line;
  EXPECT_NE(line.find("; with ROUNDS = "), std::string::npos) << line;
  EXPECT_EQ(client.exit(), 0);
}

TEST_F(CheckedSizes, AChosenSizeIsAnAssumption) {
  write("a.c", countingProgram("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"));
  EXPECT_EQ(check({"check", path("a.c"), "--size", "THREADS=2", "--size=ROUNDS=2", "--format", "json"}),
            kExitNoBug);
  const Json report = Json::parse(out_.str());
  EXPECT_EQ(report["verdict"], "verified-within-bounds");
  ASSERT_EQ(report["assumptions"].size(), 2u);
  EXPECT_EQ(report["assumptions"][0]["text"], "ROUNDS is 2, as --size has it");
  check({"check", path("a.c"), "--size", "NONE=2", "--size", "THREADS=2", "--size", "ROUNDS=2"});
  EXPECT_NE(err_.str().find("--size NONE: no macro, enumerator or const variable"), std::string::npos)
      << err_.str();
}

}  // namespace
}  // namespace heddle
