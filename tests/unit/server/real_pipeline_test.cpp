// The server and the command line on the real analysis: they agree, schedules replay, edits of the bug move
// the verdict, nothing of the workspace is run.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "lsp_client.h"
#include "server/driver/check.h"
#include "server/driver/source_file.h"
#include "tests/paths/paths.h"

namespace heddle {
namespace {

using lsp::json;
using testing::isAboutProject;
using testing::LspClient;

std::string example(const std::string& name) {
  return sourceDirectory() + "/docs/examples/" + name;
}

std::string textOf(const std::string& path) {
  std::string problem;
  const auto file = readSource(path, problem);
  EXPECT_TRUE(file) << problem;
  return file ? file->text : "";
}

ServerOptions realOptions() {
  ServerOptions options;
  options.engine = pipelineEngine();
  return options;
}

const json kSettings = {{"budget", 0}, {"workers", 1}};  // no clock: the same run everywhere

json checkJson(const std::string& path, int& code) {
  const Command command = parseCommandLine({"check", path, "--budget", "0", "-j", "1", "--format", "json"});
  std::ostringstream out, err;
  code = runCheck(std::get<CheckCommand>(command), pipelineEngine(), {out, err}, {});
  EXPECT_EQ(err.str(), "");
  return json::parse(out.str());
}

/// What is published last, when the run's verdict has been logged.
json finalDiagnostics(LspClient& client, const std::string& uri) {
  json last = json::array();
  client.waitFor([&](const json& message) {
    const std::string method = message.value("method", "");
    if (method == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri)
      last = message["params"]["diagnostics"];
    return method == "window/logMessage" && !isAboutProject(message);
  });
  return last;
}

/// Whether `steps` stand in `all` in their order. A replay also shows accesses that no other thread can see.
bool isPartOf(const json& steps, const json& all) {
  size_t next = 0;
  for (const json& step : all)
    if (next < steps.size() && step == steps[next]) next++;
  return next == steps.size();
}

class Example : public ::testing::TestWithParam<const char*> {};

TEST_P(Example, CommandLineAndServerAgreeAndSchedulesReplay) {
  const std::string path = example(GetParam());
  int code = -1;
  const json report = checkJson(path, code);
  EXPECT_EQ(code == kExitBug, !report["findings"].empty());

  LspClient client(realOptions());
  client.initialize(LspClient::fullCapabilities(), kSettings);
  const std::string uri = lsp::uriFromPath(path);
  client.open(uri, textOf(path));
  std::multiset<std::string> byCommandLine, byServer;
  for (const char* list : {"findings", "warnings"})
    for (const json& finding : report[list])
      byCommandLine.insert(finding["id"].get<std::string>() + " " + finding["message"].get<std::string>());
  for (const json& diagnostic : finalDiagnostics(client, uri))
    byServer.insert(diagnostic["data"]["finding"].get<std::string>() + " " +
                    diagnostic["message"].get<std::string>());
  EXPECT_EQ(byCommandLine, byServer);
  EXPECT_EQ(client.exit(), 0);

  for (const json& finding : report["findings"]) {
    const Command command =
        parseCommandLine({"replay", path, finding["schedule"].get<std::string>(), "--format", "json"});
    std::ostringstream out, err;
    EXPECT_EQ(runReplay(std::get<ReplayCommand>(command), pipelineEngine(), {out, err}, {}), kExitBug);
    EXPECT_EQ(err.str(), "");
    const json replayed = json::parse(out.str());
    EXPECT_EQ(replayed["ok"], true);
    EXPECT_TRUE(std::any_of(replayed["failures"].begin(), replayed["failures"].end(),
                            [&](const json& failure) { return failure["kind"] == finding["kind"]; }))
        << finding["schedule"];
    EXPECT_TRUE(isPartOf(finding["steps"], replayed["steps"]))
        << "the replay shows the interleaving, and more: " << finding["schedule"];
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, Example,
                         ::testing::Values("mpc_figure2.c", "mpc_figure2_fixed.c", "bank_transfer.c",
                                           "bank_transfer_fixed.c", "lazy_init.c", "reference_count.c"));

TEST(RealServer, TheBugGoesWithTheEditAndComesBack) {
  const std::string path = example("mpc_figure2.c");
  const std::string uri = lsp::uriFromPath(path);
  const std::string buggy = textOf(path);
  std::string fixed = buggy;
  fixed.replace(fixed.find("j <= 2"), 6, "j <= 1");
  const auto assertions = [](const json& params, bool stale) {
    size_t count = 0;
    for (const json& diagnostic : params["diagnostics"])
      if (diagnostic["code"] == "heddle-assert" && diagnostic["data"]["stale"] == stale) count++;
    return count;
  };
  const auto all = [&](const json& params) { return assertions(params, false) + assertions(params, true); };
  LspClient client(realOptions());
  client.initialize(LspClient::fullCapabilities(), kSettings);
  client.open(uri, buggy);
  client.waitForDiagnostics([&](const json& params) { return assertions(params, false) == 1; });
  client.replaceAll(uri, fixed, 2);
  client.waitForDiagnostics([&](const json& params) { return assertions(params, true) == 1; });
  client.waitForDiagnostics([&](const json& params) { return params["version"] == 2 && all(params) == 0; });
  client.replaceAll(uri, buggy, 3);
  const json last =
      client.waitForDiagnostics([&](const json& params) { return assertions(params, false) == 1; });
  EXPECT_EQ(last["version"], 3);
  EXPECT_EQ(client.exit(), 0);
}

TEST(RealServer, AnUpdateThatCanBeLostIsAWarningAndNoVerdictDependsOnIt) {
  LspClient client(realOptions());
  client.initialize(LspClient::fullCapabilities(), kSettings);
  client.open("file:///p/deposit.c",
              "#include <pthread.h>\n"
              "static _Atomic long balance;\n"
              "static void *deposit(void *p) {\n"
              "  long old = balance;\n"
              "  balance = old + 1;\n"
              "  return p;\n"
              "}\n"
              "int main(void) {\n"
              "  pthread_t t;\n"
              "  pthread_create(&t, 0, deposit, 0);\n"
              "  deposit(0);\n"
              "  return pthread_join(t, 0);\n"
              "}\n");
  json warnings = json::array();
  client.waitFor([&](const json& message) {
    const std::string method = message.value("method", "");
    if (method == "textDocument/publishDiagnostics") {
      warnings = json::array();
      for (const json& diagnostic : message["params"]["diagnostics"])
        if (diagnostic["code"] == "heddle-atomicity") warnings.push_back(diagnostic);
    }
    return method == "window/logMessage" && !isAboutProject(message);
  });
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0]["severity"], 2);
  EXPECT_EQ(warnings[0]["range"]["start"]["line"], 4);
  EXPECT_EQ(client.exit(), 0);
}

/// A folder that goes with the test.
class RealFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "heddle-real-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
    return folder_ + "/" + name;
  }
  std::string folder_;
};

TEST_F(RealFolder, OpeningAFileRunsNothingThatItsCompileCommandNames) {
  const std::string compiler = write("cc.sh", "#!/bin/sh\ntouch '" + folder_ + "/ran'\n");
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  write("plugin.so", "not a library");
  write("options.rsp", "-DFROM_RESPONSE_FILE -fplugin=" + folder_ + "/plugin.so");
  const std::string file =
      write("a.c",
            "#include <assert.h>\nint main(void) {\n#ifdef FROM_RESPONSE_FILE\n  assert(0);\n#endif\n"
            "#ifdef KEPT\n  assert(1 == 2);\n#endif\n  return 0;\n}\n");
  const json database = {
      {{"directory", folder_},
       {"file", file},
       {"arguments",
        {compiler, "-DKEPT", "-fplugin=" + folder_ + "/plugin.so", "-Xclang", "-load", "-Xclang",
         folder_ + "/plugin.so", "-B" + folder_, "-specs=" + folder_ + "/options.rsp",
         "@" + folder_ + "/options.rsp", "-wrapper", compiler, "-o", folder_ + "/out.o", "-MD", "-MF",
         folder_ + "/deps.d", "-c", file}}}};
  write("compile_commands.json", database.dump());
  LspClient client(realOptions());
  client.initialize(LspClient::fullCapabilities(), kSettings);
  client.open(lsp::uriFromPath(file), textOf(file));
  const json diagnostics = finalDiagnostics(client, lsp::uriFromPath(file));
  ASSERT_EQ(diagnostics.size(), 1u) << diagnostics;
  EXPECT_EQ(diagnostics[0]["code"], "heddle-assert") << diagnostics;
  EXPECT_EQ(diagnostics[0]["range"]["start"]["line"], 6) << "the harmless part of the command holds";
  for (const char* trace : {"ran", "out.o", "deps.d"})
    EXPECT_FALSE(std::filesystem::exists(folder_ + "/" + trace)) << trace;
}

TEST_F(RealFolder, RegularFilesAsStdinAndStdout) {
  const std::string uri = "file:///p/a.c";
  std::string session = lsp::frame(
      lsp::makeRequest(lsp::RequestId{int64_t{1}}, "initialize", {{"capabilities", json::object()}}));
  session += lsp::frame(lsp::makeNotification("initialized", json::object()));
  session += lsp::frame(lsp::makeRequest(lsp::RequestId{int64_t{2}}, "shutdown", nullptr));
  session += lsp::frame(lsp::makeNotification("exit", nullptr));
  const int input = open(write("in", session).c_str(), O_RDONLY | O_CLOEXEC);
  const int output = open(write("out", "").c_str(), O_WRONLY | O_CLOEXEC);
  EXPECT_EQ(serve(input, output, realOptions()), 0);
  ::close(input);
  ::close(output);
  lsp::FrameReader frames;
  frames.feed(textOf(folder_ + "/out"));
  std::vector<int> answered;
  for (auto next = frames.next(); std::holds_alternative<std::string>(next); next = frames.next())
    answered.push_back(json::parse(std::get<std::string>(next))["id"].get<int>());
  EXPECT_EQ(answered, (std::vector<int>{1, 2}));
}

TEST_F(RealFolder, CancellingARealExplorationEndsIt) {
  // Sixteen branches on inputs that race: far more than a test should wait for.
  std::string source =
      "#include <assert.h>\n#include <pthread.h>\nint __VERIFIER_nondet_int(void);\nint x[16], y;\n"
      "void *w(void *p) {\n  for (int i = 0; i < 16; i++) { int n = __VERIFIER_nondet_int(); if (n > x[i]) "
      "x[i] = n; "
      "else y += n; if (y * n == 123457) x[i]++; }\n  return p;\n}\n"
      "int main(void) {\n  pthread_t a, b, c;\n  pthread_create(&a, 0, w, 0);\n  pthread_create(&b, 0, w, "
      "0);\n"
      "  pthread_create(&c, 0, w, 0);\n  pthread_join(a, 0);\n  pthread_join(b, 0);\n  pthread_join(c, 0);\n "
      " return 0;\n}\n";
  LspClient client(realOptions());
  client.initialize(LspClient::fullCapabilities(), kSettings);
  client.open(lsp::uriFromPath(folder_ + "/heavy.c"), source);
  const json create = client.waitForMethod("window/workDoneProgress/create");
  client.waitForMethod("$/progress");
  client.notify("window/workDoneProgress/cancel", {{"token", create["params"]["token"]}});
  const json end = client.waitFor([](const json& message) {
    return message.value("method", "") == "$/progress" && message["params"]["value"]["kind"] == "end";
  });
  const std::string message = end["params"]["value"].value("message", "");
  EXPECT_TRUE(message.starts_with("cancelled") || message.starts_with("violated")) << message;
  EXPECT_EQ(client.exit(), 0);
}

/// How often an engine explores.
struct Counted {
  std::shared_ptr<std::atomic<int>> explorations = std::make_shared<std::atomic<int>>(0);
  ServerOptions options() const {
    ServerOptions given = realOptions();
    given.engine.analyze = [inner = given.engine.analyze, count = explorations](
                               const Snapshot& snapshot, const Options& options, const Budget& budget,
                               const Observer& observer) {
      ++*count;
      return inner(snapshot, options, budget, observer);
    };
    return given;
  }
};

const std::string kWithHelper =
    "#include <pthread.h>\n"
    "static int x;\n"
    "int unused(int a) { return a + 1; }\n"
    "static int alsoUnused(int a) { return a; }\n"
    "void *work(void *a) { x++; return a; }\n"
    "int main(void) {\n"
    "  pthread_t a, b;\n"
    "  pthread_create(&a, 0, work, 0);\n"
    "  pthread_create(&b, 0, work, 0);\n"
    "  pthread_join(a, 0);\n"
    "  return pthread_join(b, 0);\n"
    "}\n";

std::string withReplaced(std::string text, const std::string& before, const std::string& after) {
  const size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return at == std::string::npos ? text : text.replace(at, before.size(), after);
}

TEST(RealServer, AnEditOfAFunctionThatNoThreadReachesKeepsResults) {
  const Counted counted;
  LspClient client(counted.options());
  client.initialize(LspClient::fullCapabilities(), kSettings);
  client.open("file:///p/a.c", kWithHelper, 1);
  EXPECT_EQ(finalDiagnostics(client, "file:///p/a.c").size(), 1u);
  const auto fresh = [&](int version, int line) {
    client.waitForDiagnostics([&](const json& p) {
      return p["version"] == version && p["diagnostics"].size() == 1 &&
             p["diagnostics"][0]["data"]["stale"] == false &&
             p["diagnostics"][0]["range"]["start"]["line"] == line;
    });
  };
  std::string text = withReplaced(kWithHelper, "{ return a + 1; }", "{\n  a *= 2;\n  return a;\n}");
  client.replaceAll("file:///p/a.c", text, 2);
  fresh(2, 7);
  text = withReplaced(text, "{ return a; }", "{ return a - 7; }");
  client.replaceAll("file:///p/a.c", text, 3);
  fresh(3, 7);
  EXPECT_EQ(*counted.explorations, 1);
  // What a thread reaches is explored again.
  text = withReplaced(text, "x++;", "x += 2;");
  client.replaceAll("file:///p/a.c", text, 4);
  fresh(4, 7);
  finalDiagnostics(client, "file:///p/a.c");
  EXPECT_EQ(*counted.explorations, 2);
  // So is a function that becomes reached, and one that a macro defines.
  text = withReplaced(text, "x += 2;", "x += unused(1);");
  client.replaceAll("file:///p/a.c", text, 5);
  finalDiagnostics(client, "file:///p/a.c");
  EXPECT_EQ(*counted.explorations, 3);
  text = withReplaced(text, "return a;\n", "return a + 3;\n");
  client.replaceAll("file:///p/a.c", text, 6);
  finalDiagnostics(client, "file:///p/a.c");
  EXPECT_EQ(*counted.explorations, 4);
}

TEST(RealServer, AMacroThatMakesAFunctionHidesNoEdit) {
  const Counted counted;
  LspClient client(counted.options());
  client.initialize(LspClient::fullCapabilities(), kSettings);
  const std::string text = withReplaced("#define THREAD(name) void *name(void *a)\n" + kWithHelper,
                                        "void *work(void *a) {", "extern THREAD(work) {");
  client.open("file:///p/a.c", text, 1);
  EXPECT_EQ(finalDiagnostics(client, "file:///p/a.c").size(), 1u);
  client.replaceAll("file:///p/a.c", withReplaced(text, "x++;", "(void)x;"), 2);
  EXPECT_EQ(finalDiagnostics(client, "file:///p/a.c").size(), 0u);
  EXPECT_EQ(*counted.explorations, 2);
}

// The sanitizers need far larger frames and report a full stack in their own way.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(RealPipeline, ACrashOfClangIsNamedAndTheNextTextIsExplored) {
  std::string crashing = "int f(int a) { return ";
  for (int i = 0; i < 1'000'000; i++) crashing += "-~";
  crashing += "a; }\nint main(void) { return 0; }\n";
  const std::string uri = "file:///nowhere/crash.c";
  LspClient client(realOptions());
  client.initialize(LspClient::fullCapabilities(), kSettings);
  client.open(uri, crashing);
  const json diagnostics = finalDiagnostics(client, uri);
  ASSERT_EQ(diagnostics.size(), 1u) << diagnostics;
  EXPECT_EQ(diagnostics[0]["code"], "heddle-compiler");
  const auto message = diagnostics[0]["message"].get<std::string>();
  EXPECT_TRUE(message.starts_with("not explored: Clang crashed on this file")) << message;
  EXPECT_EQ(message.find("does not compile"), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << "one line";
  client.replaceAll(uri, textOf(example("mpc_figure2.c")), 2);
  EXPECT_FALSE(finalDiagnostics(client, uri).empty());
  client.replaceAll(uri, "int main(void) { return 0 }\n", 3);
  const json broken = finalDiagnostics(client, uri);
  ASSERT_EQ(broken.size(), 1u) << broken;
  EXPECT_EQ(broken[0]["code"], "heddle-compile") << "an error of the text is one";
  EXPECT_EQ(client.exit(), 0);
}
#endif

TEST(RealPipeline, ABufferThatWasNeverSavedIsExplored) {
  LspClient client(realOptions());
  client.initialize(LspClient::fullCapabilities(), kSettings);
  const std::string uri = "untitled:Untitled-1";
  client.open(uri, textOf(sourceDirectory() + "/tests/editors/vscode/tickets.c"));
  const json shown = finalDiagnostics(client, uri);
  ASSERT_GE(shown.size(), 1u);
  for (const json& each : shown) {
    EXPECT_TRUE(each["code"] == "heddle-assert" || each["code"] == "heddle-race") << each;
    for (const json& related : each.value("relatedInformation", json::array())) {
      EXPECT_EQ(related["location"]["uri"], uri);
    }
  }
}

/// Explored under C11, for an atomic operation is weaker than sequentially consistent.
Report exploredWeakly(const std::string& allocation) {
  Snapshot snapshot;
  snapshot.path = "/unknown/file.c";
  snapshot.text =
      "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#include <string.h>\n"
      "void *allocate(unsigned long size);\nstatic atomic_int flag;\n"
      "static void *body(void *unused) { atomic_store_explicit(&flag, 1, memory_order_relaxed);"
      " return unused; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, body, 0);\n  char *p = " +
      allocation + ";\n  memset(p, 0, 64);\n  pthread_join(t, 0); return 0; }\n";
  snapshot.command = commandFromFlags(snapshot.path, {});
  return pipelineEngine().analyze(snapshot, Options{}, Budget().withSteps(200'000), Observer{});
}

TEST(RealPipeline, WhatAWeakExecutionOwesToAnUnknownFunctionIsOnlyPossible) {
  // It is taken to be as large as it is asked for, which nobody has said.
  const Report report = exploredWeakly("allocate(16)");
  EXPECT_TRUE(report.findings.empty());
  ASSERT_EQ(report.warnings.size(), 1u) << report.problem;
  EXPECT_TRUE(report.warnings[0].possible);
  EXPECT_EQ(report.warnings[0].kind, Property::Memory);
  ASSERT_FALSE(report.warnings[0].assumes.empty());
  EXPECT_TRUE(report.warnings[0].assumes[0].starts_with("'allocate', defined elsewhere,"));

  const Report twin = exploredWeakly("malloc(16)");
  ASSERT_EQ(twin.findings.size(), 1u);
  EXPECT_FALSE(twin.findings[0].possible);
}

}  // namespace
}  // namespace heddle
