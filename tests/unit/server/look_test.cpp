// Looking at a finding: actions and lenses in any client, the deadlock in its own table, and the words that
// replay it whatever its program is.
#include "fixes_fixture.h"

namespace heddle::testing {
namespace {

const std::string kAbba =
    "#include <pthread.h>\n"
    "static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n"
    "static void *one(void *p) {\n"
    "  pthread_mutex_lock(&a);\n"
    "  pthread_mutex_lock(&b);\n"
    "  pthread_mutex_unlock(&b);\n"
    "  pthread_mutex_unlock(&a);\n"
    "  return p;\n"
    "}\n"
    "int main(void) {\n"
    "  pthread_t t;\n"
    "  pthread_create(&t, 0, one, 0);\n"
    "  pthread_mutex_lock(&b);\n"
    "  pthread_mutex_lock(&a);\n"
    "  pthread_mutex_unlock(&a);\n"
    "  pthread_mutex_unlock(&b);\n"
    "  pthread_join(t, 0);\n"
    "  return 0;\n"
    "}\n";

class Look : public Fixes {
 protected:
  json actionsAt(LspClient& client, const json& range) const {
    const json answer = client.call("textDocument/codeAction",
                                    {{"textDocument", {{"uri", uri_}}},
                                     {"range", range},
                                     {"context", {{"diagnostics", json::array()}, {"only", {"refactor"}}}}});
    return answer["result"];
  }
  static json named(const json& actions, const std::string& command) {
    for (const json& action : actions)
      if (action["command"]["command"] == command) return action;
    return json();
  }
  json firstFinding(LspClient& client, const std::string& text) {
    client.open(uri_, text);
    const json diagnostics = finalDiagnostics(client, uri_);
    EXPECT_FALSE(diagnostics.empty());
    return diagnostics.empty() ? json() : diagnostics[0];
  }

  std::string uri_ = "file:///nowhere/a.c";
};

TEST_F(Look, ADeadlockShowsWhoWaitsForWhat) {
  LspClient client(optionsWith(pipelineEngine()));
  client.initialize(withFixes(), kSettings);
  firstFinding(client, kAbba);
  const json answer = client.call("workspace/executeCommand", {{"command", "heddle.server.interleaving"},
                                                               {"arguments", {{{"uri", uri_}}}}});
  const json& steps = answer["result"]["executions"][0]["steps"];
  ASSERT_GE(steps.size(), 4u);
  std::map<uint32_t, std::string> blocked;  // by line
  for (size_t i = steps.size() - 2; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i]["kind"], "blocked");
    blocked[steps[i]["location"]["range"]["start"]["line"].get<uint32_t>()] =
        steps[i]["text"].get<std::string>();
  }
  EXPECT_EQ(blocked,
            (std::map<uint32_t, std::string>{{4, "waits for ever for 'b'"}, {13, "waits for ever for 'a'"}}));
  EXPECT_NE(steps[steps.size() - 1]["thread"], steps[steps.size() - 2]["thread"]);
  const auto text = answer["result"]["text"].get<std::string>();
  EXPECT_NE(text.find("waits for ever for 'a'"), std::string::npos) << text;
}

TEST_F(Look, ALockThatAWaitTakesAgainKeepsItsName) {
  const std::string text =
      "#include <assert.h>\n#include <pthread.h>\n"
      "static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;\n"
      "static pthread_cond_t rung = PTHREAD_COND_INITIALIZER;\n"
      "static int told;\n"
      "static void *ring(void *p) {\n"
      "  pthread_mutex_lock(&gate);\n  told = 1;\n  pthread_cond_signal(&rung);\n"
      "  pthread_mutex_unlock(&gate);\n  return p;\n}\n"
      "int main(void) {\n  pthread_t t;\n  pthread_mutex_lock(&gate);\n  pthread_create(&t, 0, ring, 0);\n"
      "  while (!told)\n    pthread_cond_wait(&rung, &gate);\n  assert(told != 1);\n  return 0;\n}\n";
  LspClient client(optionsWith(pipelineEngine()));
  client.initialize(withFixes(), kSettings);
  firstFinding(client, text);
  const json answer = client.call("workspace/executeCommand", {{"command", "heddle.server.interleaving"},
                                                               {"arguments", {{{"uri", uri_}}}}});
  const json& steps = answer["result"]["executions"][0]["steps"];
  const auto again = std::find_if(steps.begin(), steps.end(), [](const json& step) {
    return step["kind"] == "lock" && step["text"].get<std::string>().ends_with(" again");
  });
  ASSERT_NE(again, steps.end()) << steps;
  EXPECT_EQ((*again)["object"], "gate");
}

TEST_F(Look, APlainClientIsShownTheTableInAMessage) {
  LspClient client(optionsWith(pipelineEngine()));
  client.initialize(withFixes(), kSettings);
  const json finding = firstFinding(client, kAbba);
  const json actions = actionsAt(client, finding["range"]);
  const json show = named(actions, "heddle.server.show");
  ASSERT_TRUE(show.is_object()) << actions;
  EXPECT_EQ(show["isPreferred"], false);
  EXPECT_FALSE(named(actions, "heddle.debug").is_object()) << "it has none";
  client.send(lsp::makeRequest(lsp::RequestId{901}, "workspace/executeCommand", show["command"]));
  const json told = client.waitForMethod("window/showMessage");
  const auto message = told["params"]["message"].get<std::string>();
  EXPECT_NE(message.find("waits for ever for 'b'"), std::string::npos) << message;
  EXPECT_NE(message.find("heddle replay "), std::string::npos) << message;
  json wrong = show["command"];
  wrong["arguments"][0]["finding"] = "none";
  EXPECT_TRUE(client.call("workspace/executeCommand", wrong).contains("error"));
}

TEST_F(Look, AClientThatShowsDocumentsIsShownOne) {
  ServerOptions options = optionsWith(pipelineEngine());
  options.workspace.cacheFolder = folder_.string();
  LspClient client(std::move(options));
  json capabilities = withFixes();
  capabilities["window"]["showDocument"] = {{"support", true}};
  client.initialize(capabilities, kSettings);
  const json finding = firstFinding(client, kAbba);
  const json show = named(actionsAt(client, finding["range"]), "heddle.server.show");
  client.send(lsp::makeRequest(lsp::RequestId{901}, "workspace/executeCommand", show["command"]));
  const json asked = client.waitForMethod("window/showDocument");
  const auto path = lsp::pathFromUri(asked["params"]["uri"].get<std::string>());
  ASSERT_TRUE(path && path->starts_with(folder_.string())) << asked;
  std::ifstream file(*path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(text.find("waits for ever for 'a'"), std::string::npos) << text;
}

TEST_F(Look, AClientWithADebuggerIsOfferedIt) {
  LspClient client(optionsWith(pipelineEngine()));
  json capabilities = withFixes();
  capabilities["experimental"] = {{"heddle", {{"debugger", true}, {"interleavingPanel", true}}}};
  client.initialize(capabilities, kSettings);
  const json finding = firstFinding(client, kAbba);
  const json actions = actionsAt(client, finding["range"]);
  EXPECT_TRUE(named(actions, "heddle.debug").is_object()) << actions;
  EXPECT_TRUE(named(actions, "heddle.showInterleaving").is_object());
  const json lenses = client.call("textDocument/codeLens", {{"textDocument", {{"uri", uri_}}}});
  EXPECT_TRUE(named(lenses["result"], "heddle.debug").is_object()) << lenses;
}

/// What the panel runs is the answer's words: of a harness, of another entry point.
TEST_F(Look, TheWordsOfTheAnswerReplayWhateverTheProgramIs) {
  const std::string harness =
      "#include <pthread.h>\nstatic int n;\nvoid up(void) { n++; }\n// heddle: harness up() || up()\n";
  const std::string other =
      "#include <pthread.h>\nstatic int n;\nstatic void *work(void *p) { n++; return p; }\n"
      "int start(void) { pthread_t t; pthread_create(&t, 0, work, 0); n++; pthread_join(t, 0); return n; }\n";
  for (const auto& [text, entry] : {std::pair{harness, "main"}, {other, "start"}}) {
    SCOPED_TRACE(text);
    uri_ = lsp::uriFromPath(write("program.c", text));
    LspClient client(optionsWith(pipelineEngine()));
    json settings = kSettings;
    settings["entry"] = entry;
    client.initialize(withFixes(), settings);
    firstFinding(client, text);
    const json answer = client.call("workspace/executeCommand", {{"command", "heddle.server.interleaving"},
                                                                 {"arguments", {{{"uri", uri_}}}}});
    const json& shown = answer["result"];
    EXPECT_EQ(shown["files"], json::array({(folder_ / "program.c").string()}));
    const auto words = shown["arguments"].get<std::vector<std::string>>();
    const Command command = parseCommandLine(words);
    const auto* replayed = std::get_if<ReplayCommand>(&command);
    ASSERT_TRUE(replayed) << shown["arguments"];
    std::ostringstream out, err;
    EXPECT_EQ(runReplay(*replayed, pipelineEngine(), {out, err}, {}), kExitBug) << out.str() << err.str();
  }
}

}  // namespace
}  // namespace heddle::testing
