// Whole sessions with a fake editor over a socket: what a user sees from initialize to exit.
#include <gtest/gtest.h>

#include <mutex>

#include "lsp_client.h"
#include "scripted_engine.h"

namespace heddle {
namespace {

using lsp::json;
using testing::EngineHooks;
using testing::LspClient;
using testing::scriptedEngine;

const char* const kFileUri = "file:///p/a.c";

ServerOptions options(EngineHooks hooks = {}) {
  ServerOptions result;
  result.engine = scriptedEngine(std::move(hooks));
  result.docs = "file:///docs/diagnostics.md";
  return result;
}

auto withCount(size_t count) {
  return [count](const json& params) { return params["diagnostics"].size() == count; };
}

TEST(Session, InitializeAnnouncesWhatIsThere) {
  LspClient client(options());
  const json result = client.initialize()["result"];
  EXPECT_EQ(result["serverInfo"]["name"], "heddle");
  EXPECT_EQ(result["capabilities"]["positionEncoding"], "utf-16");
  EXPECT_EQ(result["capabilities"]["textDocumentSync"]["change"], 2);
  EXPECT_EQ(result["capabilities"]["textDocumentSync"]["openClose"], true);
  EXPECT_EQ(result["capabilities"]["hoverProvider"], true);
  EXPECT_FALSE(result["capabilities"].contains("codeActionProvider"))
      << "nothing is announced that is not built";
  EXPECT_EQ(client.exit(), 0);
}

TEST(Session, PositionEncodingIsNegotiated) {
  {
    LspClient client(options());
    EXPECT_EQ(client.initialize(
                  {{"general",
                    {{"positionEncodings",
                      {"utf-32", "utf-16", "utf-8"}}}}})["result"]["capabilities"]["positionEncoding"],
              "utf-8");
    client.open(kFileUri, "/* \u00e9 */ BUG;\n");
    EXPECT_EQ(client.waitForDiagnostics(withCount(1))["diagnostics"][0]["range"]["start"]["character"], 9);
  }
  LspClient client(options());
  EXPECT_FALSE(client.initialize(json::object())["result"]["capabilities"].contains("positionEncoding"));
  client.open(kFileUri, "/* \u00e9 */ BUG;\n");
  EXPECT_EQ(client.waitForDiagnostics(withCount(1))["diagnostics"][0]["range"]["start"]["character"], 8);
}

TEST(Session, ADiagnosticCarriesEverything) {
  LspClient client(options());
  client.initialize();
  client.open(kFileUri, std::string(testing::kRacyText) + "BUG\n", 7);
  const json params = client.waitForDiagnostics(withCount(1));
  EXPECT_EQ(params["uri"], kFileUri);
  EXPECT_EQ(params["version"], 7);
  const json& diagnostic = params["diagnostics"][0];
  EXPECT_EQ(diagnostic["source"], "heddle");
  EXPECT_EQ(diagnostic["code"], "heddle-assert");
  EXPECT_EQ(diagnostic["codeDescription"]["href"], "file:///docs/diagnostics.md#heddle-assert");
  EXPECT_EQ(diagnostic["severity"], 1);
  EXPECT_EQ(diagnostic["message"], "assertion 'x != 3' failed");
  EXPECT_EQ(diagnostic["range"],
            json::parse(R"({"start": {"line": 14, "character": 0}, "end": {"line": 14, "character": 3}})"));
  EXPECT_EQ(diagnostic["data"], (json{{"finding", "BUG"}, {"version", 7}, {"stale", false}}));
  ASSERT_GE(diagnostic["relatedInformation"].size(), 1u);
  EXPECT_EQ(diagnostic["relatedInformation"][0]["message"], "T1 writes x = 3 here");
  EXPECT_EQ(diagnostic["relatedInformation"][0]["location"]["uri"], kFileUri);
  EXPECT_EQ(diagnostic["relatedInformation"][0]["location"]["range"]["start"]["line"], 6);
  EXPECT_FALSE(diagnostic.contains("tags"));
}

TEST(Session, ClientsGetOnlyWhatTheyCanShow) {
  LspClient client(options());
  client.initialize(json::object());
  client.open(kFileUri, "BUG\n");
  const json diagnostic = client.waitForDiagnostics(withCount(1))["diagnostics"][0];
  EXPECT_FALSE(diagnostic.contains("relatedInformation"));
  EXPECT_FALSE(diagnostic.contains("codeDescription"));
  const json hover = client.hover(kFileUri, 0, 1)["result"];
  EXPECT_EQ(hover["contents"]["kind"], "plaintext");
  EXPECT_EQ(hover["contents"]["value"].get<std::string>().find("**"), std::string::npos);
}

TEST(Session, HoverShowsInputsInterleavingScheduleAndReplay) {
  LspClient client(options());
  client.initialize();
  client.open(kFileUri, "int a; BUG;\n");
  client.waitForDiagnostics(withCount(1));
  const json hover = client.hover(kFileUri, 0, 8)["result"];
  EXPECT_EQ(hover["contents"]["kind"], "markdown");
  EXPECT_EQ(hover["range"]["start"]["character"], 7);
  const std::string text = hover["contents"]["value"].get<std::string>();
  for (const char* part :
       {"**assertion 'x != 3' failed** [heddle-assert]", "**Inputs** n = 3 (line 6, T1)", "T0 main",
        "T1 worker", "write x = 3", "heddle replay /p/a.c 'T0*1 T1*1 T0*1 | T1=3'", "```text\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_LT(text.find("write x = 3"), text.find("See it again"))
      << "the steps come before what is said of them";
  EXPECT_TRUE(client.hover(kFileUri, 0, 1)["result"].is_null()) << "plain symbols are another server's";
  EXPECT_TRUE(client.hover("file:///p/other.c", 0, 1)["result"].is_null());
  EXPECT_TRUE(client.hover(kFileUri, 999, 999)["result"].is_null());
}

TEST(Session, EditsMoveAndMarkAndThenTheBugGoesAndComesBack) {
  LspClient client(options());
  client.initialize();
  client.open(kFileUri, "BUG\n", 1);
  client.waitForDiagnostics(withCount(1));

  // HANG keeps the next run open, so that only the moved diagnostic can be there.
  client.notify(
      "textDocument/didChange",
      {{"textDocument", {{"uri", kFileUri}, {"version", 2}}},
       {"contentChanges",
        {{{"range", {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 0}, {"character", 0}}}}},
          {"text", "int y;\n\n  "}}}}});
  const json moved = client.waitForDiagnostics([](const json& params) { return params["version"] == 2; });
  ASSERT_EQ(moved["diagnostics"].size(), 1u);
  EXPECT_EQ(moved["diagnostics"][0]["range"]["start"], (json{{"line", 2}, {"character", 2}}));
  EXPECT_EQ(moved["diagnostics"][0]["data"]["stale"], true);
  EXPECT_EQ(moved["diagnostics"][0]["data"]["version"], 1);
  EXPECT_EQ(moved["diagnostics"][0]["tags"], json::array({1}));
  EXPECT_NE(moved["diagnostics"][0]["message"].get<std::string>().find("stale"), std::string::npos);

  const json fresh = client.waitForDiagnostics([](const json& params) {
    return params["version"] == 2 && params["diagnostics"].size() == 1 &&
           params["diagnostics"][0]["data"]["stale"] == false;
  });
  EXPECT_EQ(fresh["diagnostics"][0]["data"]["version"], 2);

  client.replaceAll(kFileUri, "ok\n", 3);
  EXPECT_EQ(client.waitForDiagnostics(withCount(0))["version"], 3);
  client.replaceAll(kFileUri, "BUG\n", 4);
  EXPECT_EQ(client.waitForDiagnostics(withCount(1))["version"], 4);
}

TEST(Session, VersionsAreNeverMixed) {
  LspClient client(options());
  client.initialize();
  client.open(kFileUri, "x\nBUG TWICE\n", 1);
  client.waitForDiagnostics(withCount(2));
  client.replaceAll(kFileUri, "x\nBUG TWICE HANG\n", 2);
  // Whatever is published from here on is all of version 1 and stale, or all of version 2 and fresh.
  const json last = client.waitForDiagnostics([](const json& params) {
    std::set<int> versions;
    for (const json& diagnostic : params["diagnostics"]) {
      versions.insert(diagnostic["data"]["version"].get<int>());
      EXPECT_EQ(diagnostic["data"]["stale"], diagnostic["data"]["version"] != params["version"]);
    }
    EXPECT_LE(versions.size(), 1u) << params;
    return params["diagnostics"].size() == 2 && versions == std::set<int>{2};
  });
  EXPECT_EQ(last["version"], 2);
}

TEST(Session, FindingsAppearWhileTheRunGoesOn) {
  LspClient client(options());
  client.initialize();
  client.open(kFileUri, "BUG HANG\n");
  EXPECT_EQ(client.waitForDiagnostics(withCount(1))["diagnostics"][0]["data"]["finding"], "BUG");
  EXPECT_EQ(client.exit(), 0) << "the open run ends with the session";
}

TEST(Session, ProgressWithCountsCanBeCancelled) {
  LspClient client(options());
  client.initialize();
  client.open(kFileUri, "HANG\n");
  const json create = client.waitForMethod("window/workDoneProgress/create");
  const json token = create["params"]["token"];
  const json begin = client.waitForMethod("$/progress")["params"];
  EXPECT_EQ(begin["token"], token);
  EXPECT_EQ(begin["value"]["kind"], "begin");
  EXPECT_EQ(begin["value"]["cancellable"], true);
  client.notify("window/workDoneProgress/cancel", {{"token", token}});
  const json end = client.waitFor([](const json& message) {
    return message.value("method", "") == "$/progress" && message["params"]["value"]["kind"] == "end";
  });
  EXPECT_EQ(end["params"]["value"]["message"].get<std::string>().substr(0, 9), "cancelled");
}

TEST(Session, ProgressEndsWithTheVerdict) {
  LspClient client(options());
  client.initialize();
  client.open(kFileUri, "ok\n");
  const json end = client.waitFor([](const json& message) {
    return message.value("method", "") == "$/progress" && message["params"]["value"]["kind"] == "end";
  });
  EXPECT_EQ(end["params"]["value"]["message"], "verified: all schedules and inputs, 9 paths, 12 executions");
}

TEST(Session, NoProgressForClientsWithoutItOrThatRefuse) {
  {
    LspClient client(options());
    client.initialize(json::object());
    client.open(kFileUri, "ok\n");
    client.waitFor([](const json& message) {
      EXPECT_NE(message.value("method", ""), "window/workDoneProgress/create");
      return message.value("method", "") == "window/logMessage";
    });
  }
  LspClient client(options());
  client.answerRequests = false;
  client.initialize();
  client.open(kFileUri, "ok\n");
  const json create = client.waitForMethod("window/workDoneProgress/create");
  client.send({{"jsonrpc", "2.0"}, {"id", create["id"]}, {"error", {{"code", -32601}, {"message", "no"}}}});
  EXPECT_TRUE(client.hover(kFileUri, 0, 0)["result"].is_null());
  EXPECT_EQ(client.exit(), 0);
}

TEST(Session, FindingsThatComeOneUponTheOtherArePublishedTogether) {
  ServerOptions given = options();
  given.workspace.publishEvery = std::chrono::minutes(5);
  LspClient client(std::move(given));
  client.initialize();
  client.open(kFileUri, "int x;\nBUG; TWICE; HANG;\n");
  EXPECT_EQ(client.waitForDiagnostics()["diagnostics"].size(), 1u) << "the first at once";
  // The second comes on another thread: asking is how to wait for it.
  json known;
  for (int i = 0; i < 1'000'000 && known.is_null(); ++i) known = client.hover(kFileUri, 0, 1)["result"];
  ASSERT_TRUE(known.is_object()) << "the second is known";
  EXPECT_EQ(known["range"]["start"]["line"], 0);
  client.call("workspace/executeCommand",
              {{"command", "heddle.server.stop"}, {"arguments", {{{"uri", kFileUri}}}}});
  EXPECT_EQ(client.waitForDiagnostics()["diagnostics"].size(), 2u) << "none between, and all at the end";
  EXPECT_EQ(client.exit(), 0);
}

TEST(Session, OneInformationMessageInsteadOfAVerdict) {
  LspClient client(options());
  client.initialize();
  client.open(kFileUri, "x\n  BROKEN\n");
  const json broken = client.waitForDiagnostics(withCount(1))["diagnostics"][0];
  EXPECT_EQ(broken["severity"], 3);
  EXPECT_EQ(broken["code"], "heddle-compile");
  EXPECT_EQ(broken["range"]["start"], (json{{"line", 1}, {"character", 2}}));
  EXPECT_EQ(broken["message"], "not explored: the file does not compile (first error at line 2)")
      << "clang's words are for clang's server";
  client.replaceAll(kFileUri, "x\nODD\n", 2);
  const json odd = client.waitForDiagnostics([](const json& params) {
    return params["diagnostics"].size() == 1 && params["diagnostics"][0]["code"] == "heddle-unsupported";
  })["diagnostics"][0];
  EXPECT_EQ(odd["severity"], 3);
  EXPECT_NE(odd["message"].get<std::string>().find("this is the reason"), std::string::npos);
}

TEST(Session, ClosingClearsAndStops) {
  std::mutex mutex;
  std::vector<std::string> texts;
  LspClient client(options({[&](const Snapshot& snapshot, const Options&) {
    const std::lock_guard lock(mutex);
    texts.push_back(snapshot.text);
  }}));
  client.initialize();
  client.open(kFileUri, "BUG HANG\n");
  client.waitForDiagnostics(withCount(1));
  client.notify("textDocument/didClose", {{"textDocument", {{"uri", kFileUri}}}});
  EXPECT_FALSE(client.waitForDiagnostics(withCount(0)).contains("version"));
  EXPECT_TRUE(client.hover(kFileUri, 0, 0)["result"].is_null());
  client.open(kFileUri, "ok\n", 1);
  client.waitForMethod("window/logMessage");
  const std::lock_guard lock(mutex);
  EXPECT_EQ(texts, (std::vector<std::string>{"BUG HANG\n", "ok\n"}));
}

TEST(Session, SavingRunsAgainAndHeadersRunTheirUsers) {
  std::atomic<int> runs{0};
  std::mutex mutex;
  std::map<std::string, std::string> overlays;
  LspClient client(options({[&](const Snapshot& snapshot, const Options&) {
    const std::lock_guard lock(mutex);
    overlays = snapshot.overlays;
    runs++;
  }}));
  client.initialize();
  const auto done = [&] { client.waitForMethod("window/logMessage"); };
  client.open(kFileUri, "ok\n");
  done();
  client.notify("textDocument/didSave", {{"textDocument", {{"uri", kFileUri}}}});
  done();
  EXPECT_EQ(runs, 2);
  client.notify("textDocument/didOpen",
                {{"textDocument",
                  {{"uri", "file:///p/a.h"}, {"languageId", "c"}, {"version", 1}, {"text", "int a;"}}}});
  client.replaceAll("file:///p/a.h", "int b;", 2);
  done();
  EXPECT_EQ(runs, 3) << "the header itself is not explored";
  const std::lock_guard lock(mutex);
  EXPECT_EQ(overlays, (std::map<std::string, std::string>{{"/p/a.h", "int b;"}}));
}

TEST(Session, SettingsReachTheRunAndMistakesAreTold) {
  std::mutex mutex;
  Options seen;
  Environment environment;
  LspClient client(options({[&](const Snapshot& snapshot, const Options& given) {
    const std::lock_guard lock(mutex);
    seen = given;
    environment = snapshot.environment;
  }}));
  client.initialize(LspClient::fullCapabilities(), {{"entry", "start"},
                                                    {"workers", 3},
                                                    {"properties", {"assert"}},
                                                    {"noSignals", false},
                                                    {"memoryModel", "tso"}});
  client.open(kFileUri, "ok\n");
  client.waitForMethod("window/logMessage");
  {
    const std::lock_guard lock(mutex);
    EXPECT_EQ(seen.entry, "start");
    EXPECT_EQ(seen.workers, 3u);
    EXPECT_EQ(seen.properties, std::set<Property>{Property::Assert});
    EXPECT_EQ(environment.signals, Signals::Refused);
    EXPECT_EQ(seen.memoryModel, MemoryModelKind::Tso);
  }
  client.notify("workspace/didChangeConfiguration",
                {{"settings", {{"heddle", {{"entry", "other"}, {"strategy", "magic"}, {"budget", true}}}}}});
  EXPECT_NE(
      client.waitForMethod("window/showMessage")["params"]["message"].get<std::string>().find("'budget'"),
      std::string::npos);
  EXPECT_NE(
      client.waitForMethod("window/showMessage")["params"]["message"].get<std::string>().find("'strategy'"),
      std::string::npos);
  client.waitForMethod("window/logMessage");
  const std::lock_guard lock(mutex);
  EXPECT_EQ(seen.entry, "other");
  EXPECT_EQ(seen.strategy, "forest");
}

TEST(Session, TriggersOnSaveAndNever) {
  std::atomic<int> runs{0};
  LspClient client(options({[&](const Snapshot&, const Options&) { runs++; }}));
  client.initialize(LspClient::fullCapabilities(), {{"trigger", "onSave"}});
  client.open(kFileUri, "ok\n");
  client.waitForMethod("window/logMessage");
  client.replaceAll(kFileUri, "more\n", 2);
  client.notify("textDocument/didSave", {{"textDocument", {{"uri", kFileUri}}}});
  client.waitForMethod("window/logMessage");
  EXPECT_EQ(runs, 2);
  client.notify("workspace/didChangeConfiguration", {{"settings", {{"trigger", "never"}}}});
  client.notify("textDocument/didSave", {{"textDocument", {{"uri", kFileUri}}}});
  client.hover(kFileUri, 0, 0);
  EXPECT_EQ(runs, 2);
}

TEST(Session, WarnsOnceOfADamagedCompileDatabase) {
  LspClient client(options());
  client.initialize();
  client.open("file:///p/damaged.c", "ok\n");
  EXPECT_EQ(client.waitForMethod("window/showMessage")["params"]["message"],
            "heddle: compile_commands.json is damaged");
  client.notify("textDocument/didSave", {{"textDocument", {{"uri", "file:///p/damaged.c"}}}});
  client.waitFor([](const json& message) {
    EXPECT_NE(message.value("method", ""), "window/showMessage");
    return message.value("method", "") == "window/logMessage";
  });
}

TEST(Session, ErrorsByTheSpecification) {
  LspClient client(options());
  EXPECT_EQ(client.hover(kFileUri, 0, 0)["error"]["code"], -32002);
  client.initialize();
  EXPECT_EQ(client.call("no/such", json::object())["error"]["code"], -32601);
  EXPECT_EQ(client.call("textDocument/hover", {{"position", 1}})["error"]["code"], -32602);
  client.notify("no/such", json::object());
  client.notify("$/unknown", json::object());
  client.notify("$/cancelRequest", {{"id", 12345}});
  client.notify("textDocument/didChange",
                {{"textDocument", {{"uri", "file:///never/opened.c"}, {"version", 3}}},
                 {"contentChanges", {{{"text", "x"}}}}});
  client.sendBytes("Content-Length: 5\r\n\r\n{oops");
  EXPECT_EQ(client.waitFor([](const json& message) { return message.contains("error"); })["error"]["code"],
            -32700);
  EXPECT_EQ(client.exit(), 0);
}

TEST(Session, EndsWithoutShutdownGiveOne) {
  {
    LspClient client(options());
    client.initialize();
    client.notify("exit", nullptr);
    EXPECT_EQ(client.hangUp(), 1);
  }
  LspClient client(options());
  client.initialize();
  client.open(kFileUri, "HANG\n");
  EXPECT_EQ(client.hangUp(), 1) << "the editor is gone";
}

TEST(Session, MalformedFramingEndsTheSession) {
  for (const char* bytes :
       {"GET / HTTP/1.1\r\n\r\n", "Content-Length: -1\r\n\r\n",
        "Content-Length: 99999999999999999999\r\n\r\n{}", "\r\n\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}", "Content-Length: 10\r\n\r\n{}"}) {
    LspClient client(options());
    client.initialize();
    client.open(kFileUri, "HANG\n");
    client.sendBytes(bytes);
    EXPECT_EQ(client.hangUp(), 1) << bytes;
  }
}

TEST(Session, OneByteAtATime) {
  LspClient client(options());
  const std::string bytes = lsp::frame(
      lsp::makeRequest(lsp::RequestId{int64_t{900}}, "initialize", {{"capabilities", json::object()}}));
  for (char byte : bytes) client.sendBytes({&byte, 1});
  EXPECT_TRUE(
      client.waitFor([](const json& message) { return message.value("id", 0) == 900; }).contains("result"));
}

}  // namespace
}  // namespace heddle
