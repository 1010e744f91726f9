// Sessions with what an editor offers beside diagnostics: lenses, commands, status, interleavings, pull, and
// results that outlive edits of comments.
#include <gtest/gtest.h>

#include <atomic>

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

}  // namespace
}  // namespace heddle
