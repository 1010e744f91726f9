// Native programs from the editor: reproducers, constraints to run safely under, and that nothing is built
// before the user says so.
#include <atomic>
#include <fstream>

#include "fixes_fixture.h"
#include "scripted_engine.h"

namespace heddle::testing {
namespace {

/// What was asked of an engine, by any thread.
struct Asked {
  std::atomic<int> reproducers = 0, constrained = 0, enforced = 0, builds = 0;
};

Engine counting(Engine engine, const std::shared_ptr<Asked>& asked) {
  const auto wrap = [asked](auto inner, std::atomic<int> Asked::*counter) {
    return [asked, inner = std::move(inner), counter](const auto&... arguments) {
      ++((*asked).*counter);
      return inner(arguments...);
    };
  };
  engine.reproducer = wrap(engine.reproducer, &Asked::reproducers);
  engine.constrain = wrap(engine.constrain, &Asked::constrained);
  engine.enforced = wrap(engine.enforced, &Asked::enforced);
  // The compiler of the system is not needed here: what it would get is written down.
  engine.build = [asked](const NativeProgram& program, const std::string& output,
                         const std::vector<std::string>&) {
    ++asked->builds;
    std::ofstream(output, std::ios::binary) << "\x7F"
                                               "ELF"
                                            << program.bitcode;
    return std::string();
  };
  return engine;
}

json execute(LspClient& client, const std::string& command, const json& argument) {
  return client.call("workspace/executeCommand", {{"command", command}, {"arguments", {argument}}});
}

class NativeCommands : public Fixes {
 protected:
  const std::shared_ptr<Asked> asked_ = std::make_shared<Asked>();

  json actionsAt(LspClient& client, const std::string& uri, const json& range) const {
    return client.call("textDocument/codeAction",
                       {{"textDocument", {{"uri", uri}}},
                        {"range", range},
                        {"context", {{"diagnostics", json::array()}, {"only", {"refactor"}}}}})["result"];
  }
};

TEST_F(NativeCommands, AReproducerIsBuiltByACommandAndByNothingElse) {
  const std::string path = write("counter.c", kCounter), uri = lsp::uriFromPath(path);
  LspClient client(optionsWith(counting(pipelineEngine(), asked_)));
  client.initialize(withFixes(), kSettings);
  client.open(uri, kCounter);
  const json diagnostics = finalDiagnostics(client, uri);
  ASSERT_FALSE(diagnostics.empty());
  const json offered = actionsAt(client, uri, diagnostics[0]["range"]);
  const auto reproduce = std::find_if(offered.begin(), offered.end(), [](const json& action) {
    return action["command"]["command"] == "heddle.server.reproduce";
  });
  ASSERT_NE(reproduce, offered.end()) << offered;
  EXPECT_EQ((*reproduce)["isPreferred"], false);
  EXPECT_EQ(asked_->reproducers + asked_->constrained + asked_->enforced + asked_->builds, 0)
      << "looking builds nothing";

  // What any client does with a chosen action.
  const json answer = client.call("workspace/executeCommand", (*reproduce)["command"]);
  ASSERT_TRUE(answer.contains("result")) << answer;
  const std::string output = answer["result"]["output"].get<std::string>();
  EXPECT_TRUE(output.starts_with(folder_.string() + "/counter-")) << output;
  EXPECT_GT(std::filesystem::file_size(output), 100u);
  EXPECT_GT(answer["result"]["steps"], 0);
  EXPECT_EQ(asked_->reproducers, 1);
  EXPECT_EQ(asked_->builds, 1);
  const json told = client.waitForMethod("window/showMessage");
  EXPECT_NE(told["params"]["message"].get<std::string>().find("fails each time"), std::string::npos) << told;
}

TEST_F(NativeCommands, ConstraintsAreFoundShownAndBuilt) {
  const std::string path = write("counter.c", kCounter), uri = lsp::uriFromPath(path);
  LspClient client(optionsWith(counting(pipelineEngine(), asked_)));
  json capabilities = withFixes();
  capabilities["experimental"] = {{"heddle", {{"status", true}}}};
  client.initialize(capabilities, kSettings);
  client.open(uri, kCounter);
  ASSERT_FALSE(finalDiagnostics(client, uri).empty());
  const json found = execute(client, "heddle.server.constrain", {{"uri", uri}});
  ASSERT_TRUE(found.contains("result")) << found;
  EXPECT_FALSE(found["result"]["constraints"].empty());
  EXPECT_EQ(found["result"]["verdict"], "verified");
  EXPECT_EQ(asked_->builds, 0) << "finding is no building";

  const json status = client.waitFor([](const json& message) {
    return message.value("method", "") == "heddle/status" && message["params"]["safeRun"] != "";
  });
  EXPECT_NE(status["params"]["text"].get<std::string>().find("; safe to run under "), std::string::npos);
  const auto lensText = [&] {
    return client.call("textDocument/codeLens", {{"textDocument", {{"uri", uri}}}})["result"].dump();
  };
  EXPECT_NE(lensText().find("safe to run under "), std::string::npos) << lensText();
  const json built = execute(client, "heddle.server.build", {{"uri", uri}, {"output", "safe"}});
  ASSERT_TRUE(built.contains("result")) << built;
  EXPECT_EQ(built["result"]["output"], (folder_ / "safe").string());
  EXPECT_EQ(asked_->constrained, 1) << "what is known is not looked for again";
  EXPECT_EQ(asked_->enforced, 1);

  client.replaceAll(uri, kCounter + "int more;\n", 2);
  EXPECT_EQ(lensText().find("safe to run"), std::string::npos) << "of another text nothing is known";
}

TEST_F(NativeCommands, AFileThatIsNoProgramIsNotOverwritten) {
  const std::string path = write("counter.c", kCounter), uri = lsp::uriFromPath(path);
  const std::string notes = write("notes.txt", "mine");
  LspClient client(optionsWith(counting(pipelineEngine(), asked_)));
  client.initialize(withFixes(), kSettings);
  client.open(uri, kCounter);
  const json diagnostics = finalDiagnostics(client, uri);
  ASSERT_FALSE(diagnostics.empty());
  const json refused =
      execute(client, "heddle.server.reproduce",
              {{"uri", uri}, {"finding", diagnostics[0]["data"]["finding"]}, {"output", notes}});
  ASSERT_TRUE(refused.contains("error")) << refused;
  EXPECT_EQ(std::filesystem::file_size(notes), 4u);
  EXPECT_EQ(asked_->builds, 0);
  EXPECT_TRUE(
      execute(client, "heddle.server.reproduce", {{"uri", uri}, {"finding", "none"}}).contains("error"));
  EXPECT_TRUE(execute(client, "heddle.server.build", {{"uri", "file:///nowhere.c"}}).contains("error"));
}

}  // namespace
}  // namespace heddle::testing
