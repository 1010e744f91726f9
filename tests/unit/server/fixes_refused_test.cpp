// Quick fixes that cannot be given: each time one clear message, and nothing is edited.
#include "fixes_fixture.h"
#include "held.h"

namespace heddle::testing {
namespace {

/// A session with one open document whose findings have been published.
struct Opened {
  explicit Opened(Engine engine) : client(optionsWith(std::move(engine))) {}
  LspClient client;
  std::string uri;
  json diagnostics;
};

class Refused : public Fixes {
 protected:
  static void begin(Opened& session, const std::string& path, const std::string& text) {
    session.uri = lsp::uriFromPath(path);
    session.client.initialize(withFixes(), kSettings);
    session.client.open(session.uri, text);
    session.diagnostics = finalDiagnostics(session.client, session.uri);
    ASSERT_FALSE(session.diagnostics.empty());
  }
  static std::string reasonIn(const json& actions) {
    for (const json& action : actions)
      if (action.contains("disabled")) return action["disabled"]["reason"].get<std::string>();
    return "";
  }
  static bool offersAnEdit(const json& actions) {
    return std::any_of(actions.begin(), actions.end(), [](const json& action) {
      return action.contains("data") && action["data"].is_object() && action["data"].contains("patch");
    });
  }
};

const std::string kAlways =
    "#include <assert.h>\n#include <pthread.h>\n\nstatic int x;\n\nstatic void *work(void *arg) {\n  x = 1;\n"
    "  return arg;\n}\n\nint main(void) {\n  pthread_t a;\n  pthread_create(&a, 0, work, 0);\n"
    "  pthread_join(a, 0);\n  assert(x == 2);\n  return 0;\n}\n";

TEST_F(Refused, WhatNoOrderOfThreadsAvoids) {
  Opened session(pipelineEngine());
  begin(session, write("a.c", kAlways), kAlways);
  const json found = actions(session.client, session.uri, session.diagnostics[0])["result"];
  EXPECT_NE(reasonIn(found).find("on every schedule"), std::string::npos) << found;
  EXPECT_FALSE(offersAnEdit(found)) << found;
  EXPECT_EQ(session.client.exit(), 0);
}

TEST_F(Refused, AStaleFinding) {
  Engine engine = pipelineEngine();
  const auto changed = std::make_shared<std::atomic<bool>>(false);
  const auto release = std::make_shared<Notification>();
  // What the second text is, nobody knows yet.
  engine.analyze = [inner = engine.analyze, changed, release](const Snapshot& snapshot,
                                                              const Options& options, const Budget& budget,
                                                              const Observer& observer) {
    if (*changed) release->wait();
    return inner(snapshot, options, budget, observer);
  };
  Opened session(engine);
  begin(session, write("a.c", kCounter), kCounter);
  *changed = true;
  std::string text = kCounter;
  text.insert(text.find("  y = 1;"), "  y = 0;\n");
  session.client.replaceAll(session.uri, text, 2);
  const json found = actions(session.client, session.uri, session.diagnostics[0])["result"];
  EXPECT_FALSE(offersAnEdit(found)) << found;
  EXPECT_NE(reasonIn(found).find("the text has changed"), std::string::npos) << found;
  release->notify();
  EXPECT_EQ(session.client.exit(), 0);
}

TEST_F(Refused, ADocumentThatChangesDuringTheSynthesis) {
  Engine engine = pipelineEngine();
  const auto asked = std::make_shared<Notification>();
  engine.repair = [inner = engine.repair, asked](const Snapshot& snapshot, const Options& options,
                                                 const Report& report, const std::string& only,
                                                 const Budget& budget) {
    asked->notify();
    Notification stopped;
    const std::stop_callback wake(budget.stopToken(), [&] { stopped.notify(); });
    stopped.wait();  // the change must end it
    return inner(snapshot, options, report, only, budget);
  };
  Opened session(engine);
  begin(session, write("a.c", kCounter), kCounter);
  session.client.send(
      lsp::makeRequest(lsp::RequestId{int64_t{900}}, "textDocument/codeAction",
                       {{"textDocument", {{"uri", session.uri}}},
                        {"range", session.diagnostics[0]["range"]},
                        {"context", {{"diagnostics", {session.diagnostics[0]}}, {"triggerKind", 1}}}}));
  asked->wait();
  session.client.replaceAll(session.uri, "\n" + kCounter, 2);
  const json answer =
      session.client.waitFor([](const json& m) { return m.value("id", json()) == json(900); });
  EXPECT_TRUE(answer.contains("error")) << answer;
  EXPECT_EQ(session.client.exit(), 0);
}

TEST_F(Refused, ARegionInAMacro) {
  // The only way to hold a mutex over both would be an unlock inside the macro, and there is no place for a
  // join between the threads' creation.
  const std::string text =
      "#include <assert.h>\n#include <pthread.h>\n\n#define CHECK_AND_LEAVE(v) \\\n  do { \\\n    if (v) "
      "return "
      "0; \\\n    v = v + 1; \\\n    assert(v == 1); \\\n  } while (0)\n\nstatic int x;\n\nstatic void "
      "*work(void "
      "*arg) {\n  CHECK_AND_LEAVE(x);\n  return arg;\n}\n\nint main(void) {\n  pthread_t a, b;\n"
      "  if (pthread_create(&a, 0, work, 0) || pthread_create(&b, 0, work, 0)) return 1;\n  pthread_join(a, "
      "0);\n"
      "  pthread_join(b, 0);\n  return 0;\n}\n";
  Opened session(pipelineEngine());
  begin(session, write("a.c", text), text);
  const auto meant = std::find_if(session.diagnostics.begin(), session.diagnostics.end(), [](const json& d) {
    return d["message"].get<std::string>().starts_with("assertion");
  });
  ASSERT_NE(meant, session.diagnostics.end());
  const json found = actions(session.client, session.uri, *meant)["result"];
  EXPECT_FALSE(offersAnEdit(found)) << found;
  EXPECT_NE(reasonIn(found).find("macro"), std::string::npos) << found;
  EXPECT_EQ(session.client.exit(), 0);
}

class RefusedOnTheCommandLine : public RepairCommandLine {};

TEST_F(RefusedOnTheCommandLine, WhatNoOrderOfThreadsAvoids) {
  const std::string path = write("a.c", kAlways);
  std::string out, err;
  EXPECT_EQ(run({path}, out, err), kExitBug);
  EXPECT_NE(out.find("# no verified patch for 'assertion 'x == 2' failed': it fails on every schedule"),
            std::string::npos)
      << out;
  EXPECT_EQ(run({path, "--apply", "1"}, out, err), kExitUsage);
  EXPECT_EQ(read(path), kAlways);
}

TEST_F(RefusedOnTheCommandLine, WhenOneOfTwoFilesCannotBeReplaced) {
  const std::string path = write("a.c", "old");
  const std::string folder = (folder_ / "b").string();  // renaming a file to it fails
  std::filesystem::create_directory(folder);
  const std::string problem = replaceFiles({{path, "new"}, {folder, "new"}}, {{path, "old"}});
  EXPECT_NE(problem.find("nothing was changed"), std::string::npos) << problem;
  EXPECT_EQ(read(path), "old") << "nothing half applied";
  size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_)) ++files;
  EXPECT_EQ(files, 2u) << "no temporary file is left";
}

const std::string kTwoFilesMain =
    "#include <assert.h>\n#include <pthread.h>\n#include \"total.h\"\n\nint total;\n\nstatic void *one(void "
    "*arg) {\n"
    "  int seen = total;\n  total = seen + 1;\n  return arg;\n}\n\nstatic void *two(void *arg) {\n  "
    "add_two();\n"
    "  return arg;\n}\n\nint main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, one, 0);\n"
    "  pthread_create(&b, 0, two, 0);\n  pthread_join(a, 0);\n  pthread_join(b, 0);\n  assert(total == 3);\n"
    "  return 0;\n}\n";
const std::string kTwoFilesOther =
    "#include \"total.h\"\n\nvoid add_two(void) {\n  int seen = total;\n  total = seen + 2;\n}\n";

class SeveralFiles : public RepairCommandLine {
 protected:
  void SetUp() override {
    RepairCommandLine::SetUp();
    header = write("total.h", "#pragma once\nextern int total;\nvoid add_two(void);\n");
    main = write("a.c", kTwoFilesMain);
    other = write("b.c", kTwoFilesOther);
  }
  std::string header, main, other;
};

TEST_F(SeveralFiles, GetOneDiffAndAreAppliedTogether) {
  std::string out, err;
  EXPECT_EQ(run({main, other}, out, err), kExitBug) << err;
  const std::string first = out.substr(0, out.find("# patch 2"));
  EXPECT_NE(first.find("--- " + main + "\n"), std::string::npos) << out;
  EXPECT_NE(first.find("--- " + other + "\n"), std::string::npos) << out;
  EXPECT_EQ(run({main, other, "--apply", "1"}, out, err), kExitNoBug) << err;
  const std::string define = "\npthread_mutex_t total_mutex = PTHREAD_MUTEX_INITIALIZER;\n";
  EXPECT_NE(read(main).find(define), std::string::npos) << read(main);
  EXPECT_NE(read(header).find("\nextern pthread_mutex_t total_mutex;\n"), std::string::npos) << read(header);
  EXPECT_EQ(read(other).find("PTHREAD_MUTEX_INITIALIZER"), std::string::npos) << read(other);
  EXPECT_EQ(run({main, other}, out, err), kExitNoBug) << out;
}

TEST_F(SeveralFiles, StayAsTheyAreWhenOneIsReadOnly) {
  ASSERT_EQ(chmod(other.c_str(), 0444), 0);
  std::string out, err;
  EXPECT_EQ(run({main, other, "--apply", "1"}, out, err), kExitUsage);
  EXPECT_NE(err.find("read-only"), std::string::npos) << err;
  EXPECT_EQ(read(main), kTwoFilesMain);
  EXPECT_EQ(read(other), kTwoFilesOther);
}

}  // namespace
}  // namespace heddle::testing
