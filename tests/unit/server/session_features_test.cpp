// Sessions with what an editor offers beside diagnostics: lenses, commands, status, interleavings, pull, and
// results that outlive edits of comments.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>

#include "lsp_client.h"
#include "scripted_engine.h"

namespace heddle {
namespace {

using lsp::json;
using testing::LspClient;

const char* const kUri = "file:///p/a.c";

struct Fixture {
  std::atomic<int> runs{0};
  LspClient client{options()};

  ServerOptions options() {
    ServerOptions result;
    testing::EngineHooks hooks;
    hooks.started = [this](const Snapshot&, const Options& given) {
      runs++;
      lastEntry = given.entry;
    };
    result.engine = testing::scriptedEngine(hooks);
    return result;
  }
  std::string lastEntry;  // read after the run's result has arrived

  json diagnosticsOf(int version, size_t findings) {
    return client.waitForDiagnostics([&](const json& params) {
      size_t fresh = 0;
      for (const json& diagnostic : params["diagnostics"])
        fresh += diagnostic.contains("data") && diagnostic["data"]["stale"] == false;
      return params["version"] == version && fresh == findings;
    });
  }
  json done() { return client.waitForMethod("window/logMessage"); }
  json execute(const std::string& command, const json& argument) {
    return client.call("workspace/executeCommand", {{"command", command}, {"arguments", {argument}}});
  }
};

json withHeddle() {
  json capabilities = LspClient::fullCapabilities();
  capabilities["experimental"] = {{"heddle", {{"status", true}, {"interleavingPanel", true}}}};
  return capabilities;
}

TEST(SessionFeatures, SharedDataHasItsAccessesHighlightedUntilTheTextChanges) {
  Fixture f;
  f.client.initialize();
  f.client.open(kUri, "int x;\nSHARED x\n");
  f.done();
  const json at = {{"textDocument", {{"uri", kUri}}}, {"position", {{"line", 1}, {"character", 8}}}};
  const json found = f.client.call("textDocument/documentHighlight", at)["result"];
  ASSERT_EQ(found.size(), 1u) << found.dump();
  EXPECT_EQ(found[0]["kind"], 3);
  EXPECT_EQ(found[0]["range"]["start"], (json{{"line", 1}, {"character", 7}}));
  const json hover = f.client.call("textDocument/hover", at)["result"];
  EXPECT_NE(hover.dump().find("no lock is held at any of them"), std::string::npos) << hover.dump();
  f.client.replaceAll(kUri, "int x;\n  SHARED x HANG\n", 2);
  EXPECT_TRUE(f.client.call("textDocument/documentHighlight", at)["result"].empty());
}

TEST(SessionFeatures, EditsThatComeTogetherAreLookedAtOnce) {
  Fixture f;
  f.client.initialize();
  f.client.open(kUri, "int main(void) { BUG(); }\n");
  f.diagnosticsOf(1, 1);
  f.done();
  // The second takes the first back: together they change nothing, so nothing is explored again.
  const auto edit = [&](int version, int end, const char* text) {
    f.client.notify(
        "textDocument/didChange",
        {{"textDocument", {{"uri", kUri}, {"version", version}}},
         {"contentChanges",
          {{{"range",
             {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 0}, {"character", end}}}}},
            {"text", text}}}}});
  };
  edit(2, 0, "x");
  edit(3, 1, "");
  // A question settles them at once.
  const json hover = f.client.hover(kUri, 0, 18);
  EXPECT_NE(hover.dump().find("See it again"), std::string::npos) << hover.dump();
  EXPECT_EQ(hover.dump().find("stale"), std::string::npos) << hover.dump();
  EXPECT_EQ(f.runs, 1);
}

TEST(SessionFeatures, InlayHintsAreThereForWhoAsksForThem) {
  Fixture f;
  f.client.initialize();
  f.client.open(kUri, "int main(void) { BUG(); }\n");
  f.done();
  const json hints = f.client.call(
      "textDocument/inlayHint",
      {{"textDocument", {{"uri", kUri}}},
       {"range", {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 9}, {"character", 0}}}}}});
  EXPECT_EQ(hints["result"], json::array());
}

TEST(SessionFeatures, AnEditOfACommentKeepsResultsAndExploresNothing) {
  Fixture f;
  f.client.initialize();
  f.client.open(kUri, "int a; BUG;\n", 1);
  f.done();
  f.client.replaceAll(kUri, "// why\nint a;\n  BUG;\n", 2);
  const json moved = f.diagnosticsOf(2, 1);
  EXPECT_EQ(moved["diagnostics"][0]["range"]["start"], (json{{"line", 2}, {"character", 2}}));
  EXPECT_EQ(moved["diagnostics"][0]["data"]["version"], 2);
  f.client.replaceAll(kUri, "int a; ok;\n", 3);
  f.done();
  EXPECT_EQ(f.runs, 2);
}

TEST(SessionFeatures, UndoingAnEditBringsResultsBackAtOnce) {
  Fixture f;
  f.client.initialize();
  f.client.open(kUri, "int a; BUG;\n", 1);
  f.done();
  f.client.replaceAll(kUri, "int a; BUG HANG;\n", 2);
  f.diagnosticsOf(2, 1);
  f.client.replaceAll(kUri, "int a; BUG;\n", 3);
  f.diagnosticsOf(3, 1);
  EXPECT_EQ(f.runs, 2) << "what is known of this text is not explored again";
  f.client.replaceAll(kUri, "int a; BUG BROKEN\n", 4);
  f.client.replaceAll(kUri, "int a; BUG; // again\n", 5);
  f.diagnosticsOf(5, 1);
  EXPECT_EQ(f.execute("heddle.server.interleaving", {{"uri", kUri}})["result"]["finding"], "BUG");
}

TEST(SessionFeatures, ARunGoesOnUnderAnEditOfAComment) {
  Fixture f;
  f.client.initialize();
  f.client.open(kUri, "BUG HANG\n", 1);
  f.diagnosticsOf(1, 1);
  f.client.replaceAll(kUri, "/* note */ BUG HANG\n", 2);
  const json moved = f.diagnosticsOf(2, 1);
  EXPECT_EQ(f.runs, 1);
  f.execute("heddle.server.stop", {{"uri", kUri}});
  const json message = f.done();
  EXPECT_NE(message["params"]["message"].get<std::string>().find("cancelled"), std::string::npos) << message;
  EXPECT_EQ(f.runs, 1);
}

TEST(SessionFeatures, LensesOverTheEntryPoint) {
  Fixture f;
  const json result = f.client.initialize(withHeddle())["result"];
  EXPECT_TRUE(result["capabilities"].contains("codeLensProvider"));
  f.client.open(kUri, "int main(void) { BUG; }\n", 1);
  f.done();
  const json lenses = f.client.call("textDocument/codeLens", {{"textDocument", {{"uri", kUri}}}})["result"];
  ASSERT_EQ(lenses.size(), 3u) << lenses;
  EXPECT_NE(lenses[0]["command"]["title"].get<std::string>().find("violated"), std::string::npos);
  EXPECT_EQ(lenses[2]["command"]["command"], "heddle.showInterleaving");
  EXPECT_EQ(lenses[2]["command"]["arguments"][0], (json{{"uri", kUri}, {"finding", "BUG"}}));
}

TEST(SessionFeatures, TheLensOfAThreadFunctionNamesItsThreadsInOrder) {
  Fixture f;
  f.client.initialize(withHeddle());
  f.client.open(kUri,
                "void *worker(void *p) { return p; }\nint main(void) { pthread_create(&t, 0, worker, 0); "
                "BUG; }  // CROWD\n",
                1);
  f.done();
  const json lenses = f.client.call("textDocument/codeLens", {{"textDocument", {{"uri", kUri}}}})["result"];
  const bool named = std::any_of(lenses.begin(), lenses.end(), [](const json& lens) {
    return lens["command"]["title"] == "thread T1, T2, T10: takes part in 1 finding";
  });
  EXPECT_TRUE(named) << lenses;
}

TEST(SessionFeatures, CommandsVerifyStopAndClear) {
  Fixture f;
  f.client.initialize(LspClient::fullCapabilities(), {{"trigger", "manual"}});
  f.client.open(kUri, "BUG\n", 1);
  EXPECT_TRUE(f.execute("heddle.server.interleaving", {{"uri", kUri}})["result"].is_null());
  EXPECT_EQ(f.runs, 0);
  f.execute("heddle.server.verify", {{"uri", kUri}, {"function", "start"}});
  f.done();
  EXPECT_EQ(f.lastEntry, "start");
  EXPECT_EQ(f.execute("heddle.server.interleaving", {{"uri", kUri}, {"finding", "BUG"}})["result"]["kind"],
            "assert");
  f.execute("heddle.server.clear", {{"uri", kUri}});
  EXPECT_TRUE(f.client.call("heddle/interleaving", {{"textDocument", {{"uri", kUri}}}})["result"].is_null());
  EXPECT_EQ(f.execute("heddle.server.verify", {{"uri", "file:///p/other.c"}})["error"]["code"], -32602);
  EXPECT_EQ(f.execute("heddle.server.verify", 3)["error"]["code"], -32602);
  EXPECT_EQ(f.execute("heddle.server.unknown", {{"uri", kUri}})["error"]["code"], -32602);
}

TEST(SessionFeatures, StatusTellsCompilingThenTheVerdict) {
  Fixture f;
  f.client.initialize(withHeddle());
  f.client.open(kUri, "BUG\n", 1);
  std::vector<std::string> states;
  f.client.waitFor([&](const json& message) {
    if (message.value("method", "") != "heddle/status") return false;
    states.push_back(message["params"]["state"].get<std::string>());
    if (states.back() != "violated") return false;
    EXPECT_EQ(message["params"]["findings"], 1);
    EXPECT_EQ(message["params"]["commandGuessed"], true);
    return true;
  });
  EXPECT_EQ(states.front(), "compiling");
  f.client.notify("textDocument/didClose", {{"textDocument", {{"uri", kUri}}}});
  f.client.waitFor([&](const json& message) {
    return message.value("method", "") == "heddle/status" && message["params"]["state"] == "closed";
  });
}

TEST(SessionFeatures, DiagnosticsArePulledByWhoAsksForThat) {
  Fixture f;
  json capabilities = LspClient::fullCapabilities();
  capabilities["textDocument"]["diagnostic"] = json::object();
  capabilities["workspace"]["diagnostics"]["refreshSupport"] = true;
  const json result = f.client.initialize(capabilities, {{"heddle", {{"diagnostics", "pull"}}}})["result"];
  EXPECT_TRUE(result["capabilities"].contains("diagnosticProvider"));
  f.client.open(kUri, "BUG\n", 1);
  const json message = f.client.waitFor([](const json& m) {
    const std::string method = m.value("method", "");
    return method == "workspace/diagnostic/refresh" || method == "textDocument/publishDiagnostics";
  });
  EXPECT_EQ(message["method"], "workspace/diagnostic/refresh") << "never both ways";
  f.done();
  const auto pull = [&](const json& previous) {
    return f.client.call("textDocument/diagnostic",
                         {{"textDocument", {{"uri", kUri}}}, {"previousResultId", previous}})["result"];
  };
  const json full = pull(nullptr);
  EXPECT_EQ(full["kind"], "full");
  EXPECT_EQ(full["items"].size(), 1u);
  EXPECT_EQ(pull(full["resultId"]), (json{{"kind", "unchanged"}, {"resultId", full["resultId"]}}));
}

TEST(SessionFeatures, ASuppressedFindingIsAHint) {
  Fixture f;
  f.client.initialize();
  f.client.open(kUri, "BUG\n", 1);
  f.done();
  f.client.replaceAll(kUri, "BUG // heddle: ignore[assert] known since May\n", 2);
  const json params = f.client.waitForDiagnostics(
      [](const json& p) { return p["version"] == 2 && p["diagnostics"][0]["severity"] == 4; });
  EXPECT_EQ(params["diagnostics"][0]["message"].get<std::string>().find("suppressed (known since May): "),
            0u);
}

TEST(SessionFeatures, SuppressingIsOfferedAndLeavesTheReasonToTheUser) {
  Fixture f;
  json capabilities = LspClient::fullCapabilities();
  capabilities["textDocument"]["codeAction"]["codeActionLiteralSupport"] = json::object();
  EXPECT_TRUE(f.client.initialize(capabilities)["result"]["capabilities"].contains("codeActionProvider"));
  f.client.open(kUri, "int a;\n  BUG\n", 1);
  f.done();
  const json at = {{"start", {{"line", 1}, {"character", 3}}}, {"end", {{"line", 1}, {"character", 3}}}};
  const auto ask = [&] {
    return f.client.call("textDocument/codeAction",
                         {{"textDocument", {{"uri", kUri}}},
                          {"range", at},
                          {"context", {{"diagnostics", json::array()}}}})["result"];
  };
  const json actions = ask();
  ASSERT_EQ(actions.size(), 2u) << actions;
  EXPECT_EQ(actions[1]["command"]["command"], "heddle.server.show") << "suppressing is never all";
  EXPECT_EQ(actions[0]["edit"]["changes"][kUri][0]["newText"], "  // heddle: ignore[assert] \n");
  f.client.replaceAll(kUri, "int a;\n  // heddle: ignore[assert] \n  BUG\n", 2);
  const json told = f.client.waitForDiagnostics(
      [](const json& params) { return params["version"] == 2 && params["diagnostics"].size() == 2; });
  EXPECT_NE(told["diagnostics"][1]["message"].get<std::string>().find("give a reason"), std::string::npos);
  f.client.replaceAll(kUri, "int a;\n  // heddle: ignore[assert] known\n  BUG\n", 3);
  f.client.waitForDiagnostics([](const json& params) {
    return params["version"] == 3 && params["diagnostics"].size() == 1 &&
           params["diagnostics"][0]["severity"] == 4;
  });
}

TEST(SessionFeatures, TheProjectsFileCountsMoreThanTheEditorAndItsMistakesAreShownThere) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("heddle-session-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / ".heddle.yaml") << "entry: fromProject\nbudgett: 1s\n";
  const std::string uri = lsp::uriFromPath((folder / "a.c").string());
  const std::string configUri = lsp::uriFromPath((folder / ".heddle.yaml").string());
  Fixture f;
  f.client.initialize(LspClient::fullCapabilities(), {{"entry", "fromEditor"}});
  f.client.open(uri, "ok\n", 1);
  const json wrong =
      f.client.waitForDiagnostics([&](const json& params) { return params["uri"] == configUri; });
  ASSERT_EQ(wrong["diagnostics"].size(), 1u);
  EXPECT_EQ(wrong["diagnostics"][0]["code"], "heddle-config");
  EXPECT_EQ(wrong["diagnostics"][0]["range"]["start"]["line"], 1);
  f.done();
  EXPECT_EQ(f.lastEntry, "fromProject");

  std::ofstream(folder / ".heddle.yaml") << "budget: 1s\n";
  f.client.notify("workspace/didChangeWatchedFiles", {{"changes", {{{"uri", configUri}, {"type", 2}}}}});
  f.client.waitForDiagnostics(
      [&](const json& params) { return params["uri"] == configUri && params["diagnostics"].empty(); });
  f.done();
  EXPECT_EQ(f.lastEntry, "fromEditor");
  std::filesystem::remove_all(folder);
}

TEST(SessionFeatures, WhatIsSetForAFolderIsAskedFor) {
  Fixture f;
  f.client.answerRequests = false;
  f.client.initialize({{"workspace", {{"configuration", true}}}}, {{"entry", "fromWindow"}});
  const auto answer = [&](const json& settings) {
    const json request = f.client.waitForMethod("workspace/configuration");
    EXPECT_EQ(request["params"]["items"][0]["section"], "heddle");
    lsp::RequestId id;
    lsp::from_json(request["id"], id);
    f.client.send(lsp::makeResult(id, json::array({settings})));
    return request["params"]["items"][0]["scopeUri"];
  };
  f.client.open("file:///one/a.c", "ok\n", 1);
  EXPECT_EQ(answer({{"entry", "fromFolder"}}), "file:///one/a.c");
  f.client.waitFor([&](const json&) { return f.lastEntry == "fromFolder"; });

  // What is set for the window as well is no reason to run again.
  const int before = f.runs;
  f.client.open("file:///two/b.c", "ok\n", 1);
  EXPECT_EQ(answer({{"entry", "fromWindow"}}), "file:///two/b.c");
  f.done();
  EXPECT_EQ(f.lastEntry, "fromWindow");
  EXPECT_EQ(f.runs, before + 1);
}

/// An engine whose replay confirms everything; explorations hang, so that only a replay can have shown it.
TEST(SessionFeatures, ABugThatIsStillThereIsConfirmedBeforeTheExploration) {
  ServerOptions given;
  given.engine = testing::scriptedEngine();
  given.engine.replay = [](const Snapshot& snapshot, const Options&, const std::string& schedule,
                           const Budget&) {
    ReplayResult result;
    result.ok = snapshot.text.find("HERE") != std::string::npos;
    if (!result.ok) return result;
    Finding failure = testing::sampleFinding(snapshot.path);
    failure.place = testing::placeOf(snapshot, "HERE");
    result.failures.push_back(failure);
    EXPECT_EQ(schedule, failure.schedule);
    return result;
  };
  LspClient client(std::move(given));
  client.initialize();
  client.open(kUri, "BUG HERE\n", 1);
  client.waitForMethod("window/logMessage");
  client.replaceAll(kUri, "int more;\nHANG HERE\n", 2);
  const json params = client.waitForDiagnostics([](const json& p) {
    return p["version"] == 2 && p["diagnostics"].size() == 1 && p["diagnostics"][0]["data"]["stale"] == false;
  });
  EXPECT_EQ(params["diagnostics"][0]["range"]["start"], (json{{"line", 1}, {"character", 5}}));
  client.replaceAll(kUri, "int more; GONE\n", 3);
  client.waitForDiagnostics([](const json& p) { return p["version"] == 3 && p["diagnostics"].empty(); });
}

}  // namespace
}  // namespace heddle
