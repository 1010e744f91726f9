// A file without main in a project: explored through the program that reaches it, with the other files linked
// in memory, unsaved texts first.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "lsp_client.h"
#include "protocol/uri.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using lsp::json;
using testing::LspClient;

const char* const kCounterText =
    "#include \"counter.h\"\n"
    "static int total;\n"
    "void counter_add(int value) { total += value; }\n"
    "int counter_total(void) { return total; }\n";
const char* const kTest =
    "#include <assert.h>\n"
    "#include <pthread.h>\n"
    "#include \"counter.h\"\n"
    "static void *worker(void *arg) { counter_add(1); return arg; }\n"
    "int main(void) {\n"
    "  pthread_t a, b;\n"
    "  pthread_create(&a, 0, worker, 0);\n"
    "  pthread_create(&b, 0, worker, 0);\n"
    "  pthread_join(a, 0);\n"
    "  pthread_join(b, 0);\n"
    "  return counter_total() == 2 ? 0 : 1;\n"
    "}\n";

struct Project {
  fs::path folder = fs::temp_directory_path() / ("heddle-linked-" + std::to_string(std::random_device{}()));
  Project() {
    write("counter.h", "void counter_add(int value);\nint counter_total(void);\n");
    write("counter.c", kCounterText);
    write("test_counter.c", kTest);
    json commands = json::array();
    for (const char* name : {"counter.c", "test_counter.c"})
      commands.push_back(
          {{"directory", folder.string()}, {"file", name}, {"command", std::string("cc -c ") + name}});
    write("compile_commands.json", commands.dump());
  }
  ~Project() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  }
  std::string uri(const std::string& name) const { return lsp::uriFromPath((folder / name).string()); }
};

struct Session {
  Project project;
  LspClient client{options()};
  Session() {
    client.initialize(LspClient::fullCapabilities(), {{"budget", 0}, {"saveBudget", 0}, {"workers", 1}});
  }
  /// Both files open, and the race told in each; then an edit of one that mends it in both.
  void mendedByAnUnsavedEdit();
  static ServerOptions options() {
    ServerOptions options;
    options.engine = pipelineEngine();
    options.workspace.threads = 1;  // runs come one after the other
    return options;
  }
  json races(const std::string& name, int version, bool any) {
    return client.waitForDiagnostics([&](const json& params) {
      size_t found = 0;
      for (const json& diagnostic : params["diagnostics"])
        found += diagnostic["code"] == "heddle-race" && diagnostic["data"]["stale"] == false;
      return params["uri"] == project.uri(name) && params["version"] == version && (found > 0) == any;
    });
  }
  /// An edit that is looked at once, before what follows arrives.
  std::string settledEdit(const std::string& name, const std::string& text, int version) const {
    const json document = {{"uri", project.uri(name)}};
    const json position = {{"line", 0}, {"character", 0}};
    return edit(name, text, version) +
           lsp::frame(lsp::makeRequest(lsp::RequestId{1000 + version}, "textDocument/hover",
                                       {{"textDocument", document}, {"position", position}}));
  }
  std::string edit(const std::string& name, const std::string& text, int version) const {
    return lsp::frame(lsp::makeNotification(
        "textDocument/didChange", {{"textDocument", {{"uri", project.uri(name)}, {"version", version}}},
                                   {"contentChanges", json::array({{{"text", text}}})}}));
  }
  void verified(const std::string& name) { told(name + ": verified"); }
  void told(const std::string& line) {
    client.waitFor([&](const json& message) {
      return message.value("method", "") == "window/logMessage" &&
             message["params"]["message"].get<std::string>().starts_with(line);
    });
  }
};

TEST(ProjectSession, AFileWithoutMainIsExploredThroughTheTestThatReachesIt) {
  Session s;
  s.client.open(s.project.uri("counter.c"), kCounterText);
  const json shown = s.races("counter.c", 1, true);
  for (const json& diagnostic : shown["diagnostics"])
    if (diagnostic["code"] == "heddle-race") {
      EXPECT_EQ(diagnostic["range"]["start"]["line"], 2);
    }
  const json lenses =
      s.client.call("textDocument/codeLens", {{"textDocument", {{"uri", s.project.uri("counter.c")}}}});
  EXPECT_NE(lenses.dump().find("test_counter.c"), std::string::npos) << lenses.dump();

  // The unsaved text counts.
  s.client.replaceAll(s.project.uri("counter.c"),
                      "#include \"counter.h\"\n"
                      "#include <stdatomic.h>\n"
                      "static _Atomic int total;\n"
                      "void counter_add(int value) { total += value; }\n"
                      "int counter_total(void) { return total; }\n",
                      2);
  s.verified("counter.c");
}

TEST(ProjectSession, AnEditOfOneFileRunsTheProgramThatUsesIt) {
  Session s;
  s.client.open(s.project.uri("test_counter.c"), kTest);
  s.races("test_counter.c", 1, true);
  s.client.open(s.project.uri("counter.c"), kCounterText);
  s.races("counter.c", 1, true);
  s.client.replaceAll(s.project.uri("counter.c"),
                      "#include \"counter.h\"\n"
                      "static _Atomic int total;\n"
                      "void counter_add(int value) { total += value; }\n"
                      "int counter_total(void) { return total; }\n",
                      2);
  s.verified("test_counter.c");
}

const char* const kAtomicCounter =
    "#include \"counter.h\"\n"
    "static _Atomic int total;\n"
    "void counter_add(int value) { total += value; }\n"
    "int counter_total(void) { return total; }\n";

void Session::mendedByAnUnsavedEdit() {
  client.open(project.uri("test_counter.c"), kTest);
  told("test_counter.c: violated");
  client.open(project.uri("counter.c"), kCounterText);
  told("counter.c: violated");
  client.sendBytes(settledEdit("counter.c", kAtomicCounter, 2));
  verified("test_counter.c");
}

// The first edit's run begins with the text of the second, before anybody has looked at what the second
// means.
TEST(ProjectSession, TheSecondOfTwoQuickEditsReachesTheProgramsThatUseTheFile) {
  Session s;
  s.client.open(s.project.uri("test_counter.c"), kTest);
  s.races("test_counter.c", 1, true);
  s.client.open(s.project.uri("counter.c"), kCounterText);
  s.races("counter.c", 1, true);
  const std::string other = std::string(kCounterText) + "int more;\n";
  s.client.sendBytes(s.settledEdit("counter.c", other, 2) + s.edit("counter.c", kAtomicCounter, 3));
  s.verified("test_counter.c");
}

TEST(ProjectSession, AnEditTakenBackReachesTheProgramsThatUseTheFile) {
  Session s;
  s.mendedByAnUnsavedEdit();
  s.client.sendBytes(s.settledEdit("counter.c", kCounterText, 3));
  s.told("test_counter.c: violated");
}

TEST(ProjectSession, AFileClosedWithItsEditsUnsavedIsReadFromDiskAgain) {
  Session s;
  s.mendedByAnUnsavedEdit();
  s.client.notify("textDocument/didClose", {{"textDocument", {{"uri", s.project.uri("counter.c")}}}});
  s.told("test_counter.c: violated");
}

}  // namespace
}  // namespace heddle
