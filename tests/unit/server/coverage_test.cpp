// Coverage for editors: what the command heddle.server.cover answers, of texts that nobody has saved, and how
// it ends.
#include "fixes_fixture.h"

namespace heddle::testing {
namespace {

const std::string kUri = "file:///nowhere/cover.c";

// Two threads count: in line 7 nothing is above 2, in line 15 the counter is 2.
const std::string kLocked =
    "#include <pthread.h>\n"
    "static int x;\n"
    "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    "static void *work(void *arg) {\n"
    "  pthread_mutex_lock(&m);\n"
    "  x = x + 1;\n"
    "  /* \xC3\xA4 */ if (x > 2) x = 0;\n"
    "  pthread_mutex_unlock(&m);\n"
    "  return arg;\n"
    "}\n"
    "int main(void) {\n"
    "  pthread_t a, b;\n"
    "  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0);\n"
    "  if (x == 2) return 0;\n"
    "  return 1;\n"
    "}\n";

// Nobody comes to the end of it, and the sum is even.
const std::string kEndless =
    "unsigned heddle_input_unsigned(void);\n"
    "int main(void) {\n"
    "  unsigned n = heddle_input_unsigned(), i = 0, s = 0;\n"
    "  while (i < n) { s = s * 6 + 2 * heddle_input_unsigned(); i++; }\n"
    "  if (s == 77777) return 1;\n"
    "  return 0;\n"
    "}\n";

/// Nothing runs unless it is asked for.
json settings(int milliseconds) {
  return {{"trigger", "never"}, {"saveBudget", milliseconds}, {"workers", 1}};
}

json withCoverage() {
  json capabilities = withFixes();
  capabilities["experimental"] = {{"heddle", {{"coverage", true}}}};
  return capabilities;
}

json coverCommand(const std::string& uri) {
  return {{"command", "heddle.server.cover"}, {"arguments", {{{"uri", uri}}}}};
}

json branchAt(const json& coverage, int line) {
  for (const json& branch : coverage["branches"])
    if (branch["location"]["range"]["start"]["line"] == line - 1) return branch;
  return json();
}

std::string stateOf(const json& branch, const std::string& side) {
  for (const json& one : branch["sides"])
    if (one["side"] == side) return one["state"].get<std::string>();
  return "none";
}

TEST(Coverage, SaysOfEachSideWhetherItIsCoveredOrCannotBeInTheTextOnTheScreen) {
  LspClient client(optionsWith(pipelineEngine()));
  client.initialize(withCoverage(), settings(0));
  client.open(kUri, kLocked);
  const json answer = client.call("workspace/executeCommand", coverCommand(kUri));
  ASSERT_TRUE(answer.contains("result")) << answer;
  const json& coverage = answer["result"];
  EXPECT_EQ(coverage["uri"], kUri);
  EXPECT_EQ(coverage["version"], 1);
  EXPECT_EQ(coverage["covered"], 2) << coverage;
  EXPECT_EQ(coverage["cannotBe"], 2);
  EXPECT_EQ(coverage["open"], 0);
  EXPECT_EQ(coverage["text"], "covered 2 of 4 sides of branches, 2 cannot be, 0 open");
  const json inside = branchAt(coverage, 7), last = branchAt(coverage, 15);
  EXPECT_EQ(stateOf(inside, "true"), "cannot be");
  EXPECT_EQ(stateOf(inside, "false"), "covered");
  EXPECT_EQ(stateOf(last, "true"), "covered");
  EXPECT_EQ(stateOf(last, "false"), "cannot be");
  EXPECT_EQ(inside["function"], "work");
  EXPECT_EQ(inside["state"], "cannot be");
  EXPECT_EQ(inside["text"],
            "true side: no input and no schedule reaches it\nfalse side: covered by schedule 1");
  // In UTF-16 the letter is one unit.
  EXPECT_LE(inside["location"]["range"]["start"]["character"], 16) << inside;
  ASSERT_FALSE(coverage["suite"].empty());
  EXPECT_NE(coverage["suite"][0]["replay"].get<std::string>().find("heddle replay"), std::string::npos);

  // Unsaved, with another limit: now the side can be taken.
  std::string text = kLocked;
  text.replace(text.find("x > 2"), 5, "x > 1");
  client.replaceAll(kUri, text, 2);
  const json after = client.call("workspace/executeCommand", coverCommand(kUri))["result"];
  EXPECT_EQ(after["version"], 2);
  EXPECT_EQ(stateOf(branchAt(after, 7), "true"), "covered") << after;
  EXPECT_EQ(branchAt(after, 7)["state"], "covered");
  EXPECT_EQ(stateOf(branchAt(after, 15), "true"), "cannot be");
}

TEST(Coverage, WhatABudgetLeavesIsOpenAndNotImpossible) {
  LspClient client(optionsWith(pipelineEngine()));
  client.initialize(withCoverage(), settings(300));
  client.open(kUri, kEndless);
  const json coverage = client.call("workspace/executeCommand", coverCommand(kUri))["result"];
  ASSERT_TRUE(coverage.is_object());
  EXPECT_GT(coverage["open"], 0) << coverage;
  EXPECT_EQ(coverage["cannotBe"], 0);
  const json branch = branchAt(coverage, 5);
  EXPECT_EQ(branch["state"], "open");
  EXPECT_NE(branch["text"].get<std::string>().find("open because: "), std::string::npos) << branch;
  EXPECT_FALSE(coverage["limits"].empty());
}

TEST(Coverage, EndsWhenItIsCancelledStoppedOrOvertaken) {
  LspClient client(optionsWith(pipelineEngine()));
  client.initialize(withCoverage(), settings(0));
  client.open(kUri, kEndless);
  const auto ask = [&](int64_t id) {
    client.send(lsp::makeRequest(lsp::RequestId{id}, "workspace/executeCommand", coverCommand(kUri)));
  };
  const auto answerTo = [&](int64_t id) {
    return client.waitFor([&](const json& message) {
      return !message.contains("method") && message.value("id", json()) == id;
    });
  };
  ask(1001);
  client.notify("$/cancelRequest", {{"id", 1001}});
  EXPECT_EQ(answerTo(1001)["error"]["code"], -32800);

  ask(1002);
  const json begun = client.waitFor([](const json& message) {
    return message.value("method", "") == "$/progress" && message["params"]["value"]["kind"] == "begin";
  });
  EXPECT_EQ(begun["params"]["value"]["title"], "Heddle: coverage of cover.c");
  client.notify("window/workDoneProgress/cancel", {{"token", begun["params"]["token"]}});
  const json stopped = answerTo(1002);
  ASSERT_TRUE(stopped.contains("result")) << stopped;
  EXPECT_EQ(stopped["result"]["limits"], json::array({"cancelled"})) << "what is known by then is told";
  EXPECT_GT(stopped["result"]["open"], 0);

  ask(1003);
  client.replaceAll(kUri, kLocked, 2);
  EXPECT_EQ(answerTo(1003)["error"]["code"], -32801);
  const json coverage = client.call("workspace/executeCommand", coverCommand(kUri))["result"];
  EXPECT_EQ(coverage["version"], 2);
}

TEST(Coverage, APlainClientIsToldAndItsLensKeepsIt) {
  LspClient client(optionsWith(pipelineEngine()));
  const json answer = client.initialize(withFixes(), settings(0));
  const json commands = answer["result"]["capabilities"]["executeCommandProvider"]["commands"];
  EXPECT_NE(std::find(commands.begin(), commands.end(), "heddle.server.cover"), commands.end());
  client.open(kUri, kLocked);
  const auto lens = [&] {
    const json all = client.call("textDocument/codeLens", {{"textDocument", {{"uri", kUri}}}});
    for (const json& one : all["result"])
      if (one["command"]["command"] == "heddle.server.cover") return one;
    return json();
  };
  const json offered = lens();
  ASSERT_TRUE(offered.is_object());
  EXPECT_EQ(offered["command"]["title"], "coverage");
  client.call("workspace/executeCommand", offered["command"]);
  const auto told = client.waitForMethod("window/showMessage")["params"]["message"].get<std::string>();
  EXPECT_EQ(told,
            "heddle: cover.c: covered 2 of 4 sides of branches, 2 cannot be, 0 open\n"
            "line 7: true side: no input and no schedule reaches it; false side: covered by schedule 1\n"
            "line 15: true side: covered by schedule 1; false side: no input and no schedule reaches it");
  EXPECT_EQ(lens()["command"]["title"], "covered 2 of 4 sides of branches, 2 cannot be, 0 open");
  client.replaceAll(kUri, kLocked + "int more;\n", 2);
  EXPECT_EQ(lens()["command"]["title"], "coverage") << "of another text nothing is known";
}

TEST(Coverage, OfAHarnessTheUsersTextIsShownAndNothingElse) {
  LspClient client(optionsWith(pipelineEngine()));
  client.initialize(withCoverage(), settings(0));
  const std::string text =
      "#include <pthread.h>\nstatic int n;\nvoid up(void) { n++; if (n == 2) n = 0; }\n"
      "// heddle: harness up() || up()\n";
  client.open(kUri, text);
  const json coverage = client.call("workspace/executeCommand", coverCommand(kUri))["result"];
  ASSERT_TRUE(coverage.is_object());
  EXPECT_EQ(stateOf(branchAt(coverage, 3), "true"), "covered") << coverage;
  for (const json& branch : coverage["branches"])
    EXPECT_LT(branch["location"]["range"]["start"]["line"], 5) << branch;

  client.open(kUri, "int main(void) { return }\n", 2);
  const json broken = client.call("workspace/executeCommand", coverCommand(kUri));
  ASSERT_TRUE(broken.contains("error")) << broken;
  EXPECT_FALSE(broken["error"]["message"].get<std::string>().empty());
  EXPECT_TRUE(
      client.call("workspace/executeCommand", coverCommand("file:///nowhere/other.c")).contains("error"));
}

}  // namespace
}  // namespace heddle::testing
