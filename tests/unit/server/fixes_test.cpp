// Quick fixes in a session with the real analysis: asked for, resolved, applied, and the finding is gone; and
// what happens when the document or the file is in the way.
#include "fixes_fixture.h"
#include "held.h"

namespace heddle::testing {
namespace {

TEST_F(Fixes, AreResolvedAppliedAndCureAllFindings) {
  const std::string uri = lsp::uriFromPath(write("a.c", kCounter));
  LspClient client(optionsWith(pipelineEngine()));
  const json answer = client.initialize(withFixes(), kSettings);
  EXPECT_EQ(answer["result"]["capabilities"]["codeActionProvider"]["resolveProvider"], true);
  client.open(uri, kCounter, 3);
  const json diagnostics = finalDiagnostics(client, uri);
  ASSERT_GE(diagnostics.size(), 2u);

  const json found = actions(client, uri, diagnostics[0])["result"];
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0]["isPreferred"], true);
  EXPECT_EQ(found[0]["kind"], "quickfix");
  EXPECT_FALSE(found[0].contains("edit"));
  EXPECT_NE(found[0]["title"].get<std::string>().find("verified: "), std::string::npos) << found[0];
  const std::string all = "Heddle: fix all " + std::to_string(diagnostics.size()) + " findings of '";
  EXPECT_TRUE(found[0]["title"].get<std::string>().starts_with(all)) << found[0];
  for (size_t i = 1; i < found.size(); ++i) EXPECT_NE(found[i].value("isPreferred", json()), json(true));

  const json resolved = client.call("codeAction/resolve", found[0])["result"];
  const json changes = resolved["edit"]["documentChanges"];
  ASSERT_EQ(changes.size(), 1u) << resolved;
  EXPECT_EQ(changes[0]["textDocument"], (json{{"uri", uri}, {"version", 3}}));
  const std::string text = edited(kCounter, changes[0]["edits"]);
  client.replaceAll(uri, text, 4);
  EXPECT_EQ(finalDiagnostics(client, uri), json::array()) << text;
  EXPECT_EQ(client.exit(), 0);
}

TEST_F(Fixes, CostNothingWhileTheCursorPassesBy) {
  const std::string uri = lsp::uriFromPath(write("a.c", kCounter));
  Engine engine = pipelineEngine();
  auto repairs = std::make_shared<std::atomic<int>>(0);
  engine.repair = [inner = engine.repair, repairs](const Snapshot& snapshot, const Options& options,
                                                   const Report& report, const std::string& only,
                                                   const Budget& budget) {
    ++*repairs;
    return inner(snapshot, options, report, only, budget);
  };
  LspClient client(optionsWith(engine));
  client.initialize(withFixes(), kSettings);
  client.open(uri, kCounter);
  const json diagnostics = finalDiagnostics(client, uri);
  ASSERT_FALSE(diagnostics.empty());
  const json found = actions(client, uri, diagnostics[0], 2)["result"];
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(found[0]["title"].get<std::string>().starts_with("Heddle: find and apply")) << found[0];
  EXPECT_EQ(*repairs, 0);
  // Chosen nevertheless, it is found now.
  const json resolved = client.call("codeAction/resolve", found[0])["result"];
  EXPECT_TRUE(resolved.contains("edit")) << resolved;
  EXPECT_EQ(*repairs, 1);
  EXPECT_EQ(client.exit(), 0);
}

/// The cursor comes to a finding (an editor asks for its actions by itself), or the mouse does (a hover).
TEST_F(Fixes, AreLookedForWhenTheUserLooksAtTheFinding) {
  const std::string uri = lsp::uriFromPath(write("a.c", kCounter));
  for (const bool byHover : {false, true}) {
    Engine engine = pipelineEngine();
    auto begun = std::make_shared<Notification>();
    auto repairs = std::make_shared<std::atomic<int>>(0);
    engine.repair = [inner = engine.repair, begun, repairs](const Snapshot& snapshot, const Options& options,
                                                            const Report& report, const std::string& only,
                                                            const Budget& budget) {
      EXPECT_EQ(options.workers, 1u) << "the editor needs the rest";
      ++*repairs;
      begun->notify();
      return inner(snapshot, options, report, only, budget);
    };
    ServerOptions given = optionsWith(engine);
    given.workspace.fixesAfter = std::chrono::milliseconds(1);
    LspClient client(std::move(given));
    client.initialize(withFixes(), kSettings);
    client.open(uri, kCounter);
    const json diagnostics = finalDiagnostics(client, uri);
    ASSERT_FALSE(diagnostics.empty());
    const json start = diagnostics[0]["range"]["start"];
    if (byHover)
      client.hover(uri, start["line"].get<uint32_t>(), start["character"].get<uint32_t>());
    else
      actions(client, uri, diagnostics[0], 2);
    begun->wait();  // before any menu was opened
    const json found = actions(client, uri, diagnostics[0])["result"];
    ASSERT_FALSE(found.empty());
    EXPECT_NE(found[0]["title"].get<std::string>().find("verified: "), std::string::npos) << found[0];
    EXPECT_EQ(*repairs, 1);
    EXPECT_EQ(client.exit(), 0);
  }
}

TEST_F(Fixes, AMenuOpensWithoutThoseThatAreNotFoundYet) {
  const std::string uri = lsp::uriFromPath(write("a.c", kCounter));
  Engine engine = pipelineEngine();
  auto opened = std::make_shared<testing::Notification>();
  engine.repair = [inner = engine.repair, opened](const Snapshot& snapshot, const Options& options,
                                                  const Report& report, const std::string& only,
                                                  const Budget& budget) {
    opened->wait();  // the menu does not
    return inner(snapshot, options, report, only, budget);
  };
  ServerOptions given = optionsWith(engine);
  given.workspace.menuAfter = std::chrono::milliseconds(1);
  LspClient client(std::move(given));
  client.initialize(withFixes(), kSettings);
  client.open(uri, kCounter);
  const json diagnostics = finalDiagnostics(client, uri);
  ASSERT_FALSE(diagnostics.empty());
  const json first = actions(client, uri, diagnostics[0])["result"];
  ASSERT_FALSE(first.empty());
  EXPECT_TRUE(first[0]["title"].get<std::string>().starts_with("Heddle: find and apply")) << first[0];
  opened->notify();
  EXPECT_TRUE(client.call("codeAction/resolve", first[0])["result"].contains("edit"));
  // What was found meanwhile is in the next menu.
  const json second = actions(client, uri, diagnostics[0])["result"];
  EXPECT_NE(second[0]["title"].get<std::string>().find("verified: "), std::string::npos) << second[0];
  EXPECT_EQ(client.exit(), 0);
}

/// The exploration that found the bug is not done again for its fix.
TEST_F(Fixes, StartFromTheReportOnTheScreen) {
  const std::string uri = lsp::uriFromPath(write("a.c", kCounter));
  Engine engine = pipelineEngine();
  auto explorations = std::make_shared<std::atomic<int>>(0);
  engine.analyze = [inner = engine.analyze, explorations](const Snapshot& snapshot, const Options& options,
                                                          const Budget& budget, const Observer& observer) {
    ++*explorations;
    return inner(snapshot, options, budget, observer);
  };
  LspClient client(optionsWith(engine));
  client.initialize(withFixes(), kSettings);
  client.open(uri, kCounter);
  const json diagnostics = finalDiagnostics(client, uri);
  ASSERT_FALSE(diagnostics.empty());
  const json found = actions(client, uri, diagnostics[0])["result"];
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found[0]["title"].get<std::string>().find("verified: "), std::string::npos) << found[0];
  EXPECT_EQ(*explorations, 1);
  EXPECT_EQ(client.exit(), 0);
}

TEST_F(Fixes, OfAHarnessAreFixesOfTheFile) {
  const std::string text =
      "#include <assert.h>\n// heddle: harness add() || add()\nstatic int x;\nvoid add(void) {\n  x++;\n}\n";
  const std::string uri = lsp::uriFromPath(write("a.c", text));
  LspClient client(optionsWith(pipelineEngine()));
  client.initialize(withFixes(), kSettings);
  client.open(uri, text, 3);
  const json diagnostics = finalDiagnostics(client, uri);
  ASSERT_FALSE(diagnostics.empty());
  const json found = actions(client, uri, diagnostics[0])["result"];
  ASSERT_FALSE(found.empty());
  const json resolved = client.call("codeAction/resolve", found[0])["result"];
  ASSERT_TRUE(resolved.contains("edit")) << resolved;
  const std::string after = edited(text, resolved["edit"]["documentChanges"][0]["edits"]);
  EXPECT_EQ(after.find("heddle_harness"), std::string::npos) << after;
  client.replaceAll(uri, after, 4);
  EXPECT_EQ(finalDiagnostics(client, uri), json::array()) << after;
  EXPECT_EQ(client.exit(), 0);
}

TEST_F(Fixes, OfAChangedDocumentAreRefusedWithAMessage) {
  const std::string uri = lsp::uriFromPath(write("a.c", kCounter));
  LspClient client(optionsWith(pipelineEngine()));
  client.initialize(withFixes(), kSettings);
  client.open(uri, kCounter);
  const json diagnostics = finalDiagnostics(client, uri);
  ASSERT_FALSE(diagnostics.empty());
  const json found = actions(client, uri, diagnostics[0])["result"];
  ASSERT_FALSE(found.empty());
  client.replaceAll(uri, "\n" + kCounter, 2);
  const json refused = client.call("codeAction/resolve", found[0]);
  EXPECT_TRUE(refused.contains("error")) << refused;
  EXPECT_EQ(client.exit(), 0);
}

TEST_F(Fixes, OfAReadOnlyFileAreRefusedWithAMessage) {
  const std::string path = write("a.c", kCounter);
  const std::string uri = lsp::uriFromPath(path);
  LspClient client(optionsWith(pipelineEngine()));
  client.initialize(withFixes(), kSettings);
  client.open(uri, kCounter);
  const json diagnostics = finalDiagnostics(client, uri);
  ASSERT_FALSE(diagnostics.empty());
  ASSERT_EQ(chmod(path.c_str(), 0444), 0);
  const json found = actions(client, uri, diagnostics[0])["result"];
  ASSERT_FALSE(found.empty());
  client.send(lsp::makeRequest(lsp::RequestId{int64_t{900}}, "codeAction/resolve", found[0]));
  const json message = client.waitForMethod("window/showMessage");
  EXPECT_NE(message["params"]["message"].get<std::string>().find("read-only"), std::string::npos) << message;
  const json resolved = client.waitFor([](const json& m) { return m.value("id", json()) == json(900); });
  EXPECT_FALSE(resolved["result"].contains("edit")) << resolved;
  EXPECT_EQ(client.exit(), 0);
}

TEST_F(Fixes, OfSeveralFilesAreExplained) {
  write("counter.h", "#pragma once\nextern int x;\nstatic inline void bump(void) {\n  x++;\n}\n");
  const std::string text =
      "#include <assert.h>\n#include <pthread.h>\n#include \"counter.h\"\n\nint x;\n\nstatic void *work(void "
      "*arg) {\n"
      "  int old = x;\n  x = old + 1;\n  bump();\n  return arg;\n}\n\nint main(void) {\n  pthread_t a, b;\n"
      "  pthread_create(&a, 0, work, 0);\n  pthread_create(&b, 0, work, 0);\n  pthread_join(a, 0);\n"
      "  pthread_join(b, 0);\n  assert(x == 4);\n  return 0;\n}\n";
  const std::string uri = lsp::uriFromPath(write("a.c", text));
  LspClient client(optionsWith(pipelineEngine()));
  client.initialize(withFixes(), kSettings);
  client.open(uri, text);
  const json diagnostics = finalDiagnostics(client, uri);
  ASSERT_FALSE(diagnostics.empty());
  const json found = actions(client, uri, diagnostics[0])["result"];
  ASSERT_FALSE(found.empty());
  const json edit = client.call("codeAction/resolve", found[0])["result"]["edit"];
  ASSERT_EQ(edit["documentChanges"].size(), 2u) << edit;
  ASSERT_EQ(edit["changeAnnotations"].size(), 1u) << edit;
  for (const json& change : edit["documentChanges"]) {
    EXPECT_EQ(change["textDocument"].value("version", json()).is_null(), change["textDocument"]["uri"] != uri)
        << change;
    for (const json& one : change["edits"]) EXPECT_EQ(one["annotationId"], "heddle");
  }
  EXPECT_EQ(client.exit(), 0);
}

TEST_F(RepairCommandLine, PrintsDiffsAndAppliesOne) {
  const std::string path = write("a.c", kCounter);
  std::string out, err;
  EXPECT_EQ(run({path}, out, err), kExitBug);
  EXPECT_NE(out.find("# patch 1: "), std::string::npos) << out;
  EXPECT_NE(out.find("\n--- " + path + "\n+++ " + path + "\n@@ -"), std::string::npos) << out;
  EXPECT_EQ(read(path), kCounter);

  EXPECT_EQ(run({path, "--apply", "1"}, out, err), kExitNoBug) << err;
  EXPECT_NE(read(path), kCounter);
  EXPECT_EQ(run({path}, out, err), kExitNoBug);
  EXPECT_EQ(out.find("# patch"), std::string::npos) << out;
  EXPECT_EQ(run({path, "--apply", "1"}, out, err), kExitUsage);
  EXPECT_NE(err.find("no patch 1"), std::string::npos) << err;
}

TEST_F(RepairCommandLine, PutsPatchesAndRejectionsIntoTheJson) {
  const std::string path = write("a.c", kCounter);
  std::string out, err;
  run({path, "--format", "json"}, out, err);
  const json report = json::parse(out);
  ASSERT_FALSE(report["findings"].empty());
  for (const json& finding : report["findings"]) {
    ASSERT_FALSE(finding["repairs"].empty()) << finding["message"];
    EXPECT_EQ(finding["repairs"][0]["status"], "verified");
  }
  EXPECT_TRUE(report["rejected_repairs"].is_array());
}

TEST_F(RepairCommandLine, PutsPatchesIntoSarifAsFixes) {
  const std::string path = write("a.c", kCounter);
  std::string out, err;
  EXPECT_EQ(run({path, "--format", "sarif"}, out, err), kExitBug);
  size_t failures = 0;
  const json report = json::parse(out);
  for (const json& result : report["runs"][0]["results"]) {
    if (result["kind"] != "fail") continue;
    ++failures;
    ASSERT_FALSE(result["fixes"].empty()) << result;
    const json& change = result["fixes"][0]["artifactChanges"][0];
    EXPECT_EQ(change["artifactLocation"], result["locations"][0]["physicalLocation"]["artifactLocation"]);
    EXPECT_FALSE(change["replacements"][0]["insertedContent"]["text"].get<std::string>().empty());
  }
  EXPECT_GT(failures, 0u);
}

TEST_F(RepairCommandLine, SaysInTheJsonWhyACandidateWasRejected) {
  // A mutex is there already, so another one cannot help; an order can.
  const std::string path = write(
      "a.c",
      "#include <assert.h>\n#include <pthread.h>\n\nstatic int d;\nstatic pthread_mutex_t m = "
      "PTHREAD_MUTEX_INITIALIZER;\n\nstatic void *add(void *arg) {\n  pthread_mutex_lock(&m);\n  d = 3;\n"
      "  pthread_mutex_unlock(&m);\n  return arg;\n}\n\nstatic void *check(void *arg) {\n  "
      "pthread_mutex_lock(&m);\n  assert(d < 3);\n  pthread_mutex_unlock(&m);\n  return arg;\n}\n\n"
      "int main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, add, 0);\n  pthread_create(&b, 0, check, "
      "0);\n"
      "  pthread_join(a, 0);\n  pthread_join(b, 0);\n  return 0;\n}\n");
  std::string out, err;
  run({path, "--format", "json"}, out, err);
  const json report = json::parse(out);
  ASSERT_EQ(report["findings"].size(), 1u);
  ASSERT_FALSE(report["findings"][0]["repairs"].empty());
  EXPECT_EQ(report["findings"][0]["repairs"][0]["kind"], "signal-wait");
  EXPECT_GT(report["findings"][0]["repairs"][0]["fixed_orderings"], 0);
  ASSERT_FALSE(report["rejected_repairs"].empty());
  bool stillThere = false;
  for (const json& rejected : report["rejected_repairs"]) {
    EXPECT_EQ(rejected["finding"], report["findings"][0]["id"]);
    EXPECT_NE(rejected["reason"], "");
    stillThere |= rejected["reason"].get<std::string>().starts_with("the finding is still there");
  }
  EXPECT_TRUE(stillThere) << out;
}

TEST_F(RepairCommandLine, LeavesReadOnlyAndChangedFilesAlone) {
  const std::string path = write("a.c", kCounter);
  ASSERT_EQ(chmod(path.c_str(), 0444), 0);
  std::string out, err;
  EXPECT_EQ(run({path, "--apply", "1"}, out, err), kExitUsage);
  EXPECT_NE(err.find("read-only"), std::string::npos) << err;
  EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
  EXPECT_EQ(read(path), kCounter);
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  const std::string other = write("b.c", "old");
  EXPECT_NE(
      replaceFiles({{other, "new"}, {path, "new"}}, {{other, "old"}, {path, "else"}}).find("has changed"),
      std::string::npos);
  EXPECT_EQ(read(other), "old") << "nothing half applied";
  EXPECT_EQ(replaceFiles({{other, "new"}, {path, "new"}}, {{other, "old"}}), "");
  EXPECT_EQ(read(other), "new");
  size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_)) ++files;
  EXPECT_EQ(files, 2u) << "no temporary file is left";
}

}  // namespace
}  // namespace heddle::testing
