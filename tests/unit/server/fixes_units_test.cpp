// Quick fixes of a program of several .c files: one edit over all of them, explained, of the texts as they
// stand in the editor; applied it cures, and with one file in the way nothing is edited.
#include "fixes_fixture.h"
#include "protocol/uri.h"

namespace heddle::testing {
namespace {

const std::string kHeader = "#pragma once\nextern int total;\nvoid add_two(void);\n";
const std::string kMain =
    "#include <assert.h>\n#include <pthread.h>\n#include \"total.h\"\n\nint total;\n\nstatic void *one(void "
    "*arg) {\n  int seen = total;\n  total = seen + 1;\n  return arg;\n}\n\nstatic void *two(void *arg) {\n"
    "  add_two();\n  return arg;\n}\n\nint main(void) {\n  pthread_t a, b;\n"
    "  pthread_create(&a, 0, one, 0);\n  pthread_create(&b, 0, two, 0);\n  pthread_join(a, 0);\n"
    "  pthread_join(b, 0);\n  assert(total == 3);\n  return 0;\n}\n";
const std::string kOther =
    "#include \"total.h\"\n\nvoid add_two(void) {\n  int seen = total;\n  total = seen + 2;\n}\n";

/// A project of two .c files and their header, with its compile database.
class FixesOfUnits : public Fixes {
 protected:
  void SetUp() override {
    Fixes::SetUp();
    uris["total.h"] = lsp::uriFromPath(write("total.h", kHeader));
    uris["main.c"] = lsp::uriFromPath(write("main.c", kMain));
    uris["other.c"] = lsp::uriFromPath(write("other.c", kOther));
    json commands = json::array();
    for (const char* name : {"main.c", "other.c"})
      commands.push_back(
          {{"directory", folder_.string()}, {"file", name}, {"command", std::string("cc -c ") + name}});
    write("compile_commands.json", commands.dump());
  }

  std::string read(const std::string& name) const {
    std::ifstream stream(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// What is shown of the file once it has been explored with the other one.
  json findingsOf(LspClient& client, const std::string& name, int version) const {
    const json shown = client.waitForDiagnostics([&](const json& params) {
      return params["uri"] == uris.at(name) && params["version"] == version &&
             std::any_of(params["diagnostics"].begin(), params["diagnostics"].end(), [](const json& d) {
               return d["code"] == "heddle-race" && d["data"]["stale"] == false;
             });
    });
    for (const json& diagnostic : shown["diagnostics"])
      if (diagnostic["code"] == "heddle-race") return diagnostic;
    return json();
  }

  /// The edit of the best fix of the file's race.
  json fixOf(LspClient& client, const std::string& name, int version) const {
    const json diagnostic = findingsOf(client, name, version);
    const json found = actions(client, uris.at(name), diagnostic)["result"];
    EXPECT_FALSE(found.empty());
    if (found.empty()) return json();
    EXPECT_NE(found[0]["title"].get<std::string>().find("verified: "), std::string::npos) << found[0];
    return client.call("codeAction/resolve", found[0])["result"].value("edit", json());
  }

  /// The texts of the changed files after the edit, which names each by its URI.
  std::map<std::string, std::string> applied(const json& edit,
                                             const std::map<std::string, std::string>& texts) const {
    std::map<std::string, std::string> after = texts;
    for (const json& change : edit["documentChanges"])
      for (const auto& [name, uri] : uris)
        if (change["textDocument"]["uri"] == uri) after[name] = edited(texts.at(name), change["edits"]);
    return after;
  }

  std::map<std::string, std::string> uris;
};

TEST_F(FixesOfUnits, EditAllFilesTogetherAndAreExplained) {
  LspClient client(optionsWith(pipelineEngine()));
  client.initialize(withFixes(), kSettings);
  client.open(uris["main.c"], kMain);
  const json edit = fixOf(client, "main.c", 1);
  ASSERT_EQ(edit["documentChanges"].size(), 3u) << edit;
  ASSERT_EQ(edit["changeAnnotations"].size(), 1u) << edit;
  for (const json& change : edit["documentChanges"]) {
    const json version = change["textDocument"]["uri"] == uris["main.c"] ? json(1) : json();
    EXPECT_EQ(change["textDocument"].value("version", json()), version) << "of what is open: " << change;
    for (const json& one : change["edits"])
      EXPECT_TRUE(edit["changeAnnotations"].contains(one["annotationId"]));
  }
  const auto after = applied(edit, {{"main.c", kMain}, {"other.c", kOther}, {"total.h", kHeader}});
  EXPECT_NE(after.at("other.c").find("pthread_mutex_lock(&total_mutex);"), std::string::npos)
      << after.at("other.c");
  EXPECT_NE(after.at("total.h").find("extern pthread_mutex_t total_mutex;"), std::string::npos);
  EXPECT_NE(after.at("main.c").find("total_mutex = PTHREAD_MUTEX_INITIALIZER;"), std::string::npos);

  // What an editor does: the open file changes in the editor, the others are opened or written.
  write("other.c", after.at("other.c"));
  write("total.h", after.at("total.h"));
  client.notify("workspace/didChangeWatchedFiles", {{"changes", {{{"uri", uris["other.c"]}, {"type", 2}}}}});
  client.replaceAll(uris["main.c"], after.at("main.c"), 2);
  client.waitFor([](const json& message) {
    return message.value("method", "") == "window/logMessage" &&
           message["params"]["message"].get<std::string>().starts_with("main.c: verified");
  });
  EXPECT_EQ(client.exit(), 0);
}

TEST_F(FixesOfUnits, StartFromAFileWithoutMainAndFromUnsavedTexts) {
  LspClient client(optionsWith(pipelineEngine()));
  client.initialize(withFixes(), kSettings);
  const std::string unsaved = "/* not saved */\n" + kMain;
  client.open(uris["main.c"], unsaved, 7);
  findingsOf(client, "main.c", 7);
  client.open(uris["other.c"], kOther, 3);
  const json edit = fixOf(client, "other.c", 3);
  ASSERT_EQ(edit["documentChanges"].size(), 3u) << edit;
  std::map<std::string, json> versions;
  for (const json& change : edit["documentChanges"])
    versions[change["textDocument"]["uri"].get<std::string>()] =
        change["textDocument"].value("version", json());
  EXPECT_EQ(versions[uris["main.c"]], 7);
  EXPECT_EQ(versions[uris["other.c"]], 3);
  EXPECT_EQ(versions[uris["total.h"]], json());
  const auto after = applied(edit, {{"main.c", unsaved}, {"other.c", kOther}, {"total.h", kHeader}});
  EXPECT_TRUE(after.at("main.c").starts_with("/* not saved */\n"));
  EXPECT_NE(after.at("main.c").find("int total;\npthread_mutex_t total_mutex ="), std::string::npos)
      << after.at("main.c");
  EXPECT_EQ(client.exit(), 0);
}

TEST_F(FixesOfUnits, AreRefusedWhenOneOfTheFilesIsInTheWay) {
  LspClient client(optionsWith(pipelineEngine()));
  client.initialize(withFixes(), kSettings);
  client.open(uris["main.c"], kMain);
  const json found = actions(client, uris["main.c"], findingsOf(client, "main.c", 1))["result"];
  ASSERT_FALSE(found.empty());
  const auto problemOfResolving = [&](int64_t id) {
    client.send(lsp::makeRequest(lsp::RequestId{id}, "codeAction/resolve", found[0]));
    const auto said = client.waitForMethod("window/showMessage")["params"]["message"].get<std::string>();
    const json resolved = client.waitFor([&](const json& m) { return m.value("id", json()) == json(id); });
    EXPECT_FALSE(resolved["result"].contains("edit")) << "nothing half applied: " << resolved;
    return said;
  };
  ASSERT_EQ(chmod((folder_ / "other.c").c_str(), 0444), 0);
  EXPECT_NE(problemOfResolving(900).find("other.c is read-only"), std::string::npos);
  ASSERT_EQ(chmod((folder_ / "other.c").c_str(), 0644), 0);
  write("other.c", kOther + "\n");
  EXPECT_NE(problemOfResolving(901).find("other.c has changed"), std::string::npos);
  std::filesystem::remove(folder_ / "other.c");
  EXPECT_NE(problemOfResolving(902).find("other.c has changed"), std::string::npos);
  EXPECT_EQ(client.exit(), 0);
}

}  // namespace
}  // namespace heddle::testing
