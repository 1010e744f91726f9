// The commands for files without a main: what parses to what, and what they print of a small project on the
// disk.
#include <map>
#include <set>
#include <thread>

#include "lsp_client.h"
#include "project_fixture.h"
#include "server/driver/harness_command.h"
#include "server/driver/stubs.h"

namespace heddle {
namespace {

TEST_F(ProjectCommands, MissingHeadersAreListedWithTheFilesOfThatName) {
  write("include/counter.h", "");
  write("two.c", "#include \"gone.h\"\n#include \"config.h\"\n#include \"counter.h\"\nint x;\n");
  write("config.h.in", "");
  write("Makefile", "");
  // Flags that somebody gives are not added to, unless they only name folders.
  const std::string flag = "-I" + path("include");
  EXPECT_EQ(check({"check", path("two.c"), "--format", "json", "--", flag.c_str()}), kExitUsage);
  EXPECT_EQ(Json::parse(out_.str())["missing_headers"].size(), 1u) << "config.h is made";
  EXPECT_EQ(check({"check", path("two.c"), "--format", "json", "--", flag.c_str(), "-DX"}), kExitUsage);
  const Json report = Json::parse(out_.str());
  EXPECT_EQ(report["verdict"], "error");
  ASSERT_EQ(report["missing_headers"].size(), 2u);
  EXPECT_EQ(report["missing_headers"][0]["name"], "gone.h");
  EXPECT_EQ(report["missing_headers"][0]["candidates"], Json::array());
  EXPECT_EQ(report["missing_headers"][1]["name"], "config.h");
  EXPECT_EQ(report["missing_headers"][1]["line"], 2);
  EXPECT_EQ(report["missing_headers"][1]["candidates"], Json::array({path("config.h.in")}));
  EXPECT_EQ(report["problem"]["text"],
            "the file does not compile: 'gone.h' file not found, and 1 more: 'config.h'");
  // What lies in the tree is found without a word, and told.
  write("one.c", "#include \"counter.h\"\nint main(void) { return 0; }\n");
  EXPECT_EQ(check({"check", path("one.c"), "--format", "json"}), kExitNoBug) << out_.str();
  EXPECT_EQ(Json::parse(out_.str())["command_source"], "inferred (-idirafter " + path("include") + ")");
}

TEST_F(ProjectCommands, AHeaderThatIsMadeUpIsAnAssumption) {
  write("Makefile", "");
  write("config.h.in", "#undef HAVE_STDIO_H\n");
  write("one.c",
        "#include \"config.h\"\n#ifndef HAVE_STDIO_H\n#error unset\n#endif\n"
        "int main(void) { return 0; }\n");
  EXPECT_EQ(check({"check", path("one.c"), "--format", "json"}), kExitNoBug) << out_.str();
  const Json report = Json::parse(out_.str());
  EXPECT_EQ(report["verdict"], "verified-within-bounds");
  ASSERT_EQ(report["assumptions"].size(), 1u);
  EXPECT_EQ(report["assumptions"][0]["text"],
            "the build makes " + path("config.h") + " as its template or its names suggest");
  // With the header that the build made, nothing is assumed.
  write("config.h", "#define HAVE_STDIO_H 1\n");
  EXPECT_EQ(check({"check", path("one.c"), "--format", "json"}), kExitNoBug) << out_.str();
  EXPECT_EQ(Json::parse(out_.str())["verdict"], "verified");
}

TEST_F(ProjectCommands, CheckExploresAFileWithoutAMainAndItsFindingReplays) {
  write("counter.h", "");
  EXPECT_EQ(check({"check", path("counter.c"), "--steps", "20000", "--budget", "0", "--format", "json"}),
            kExitBug);
  std::istringstream lines(out_.str());
  std::string line;
  std::set<std::string> races;
  bool isClearRight = true;
  while (std::getline(lines, line)) {
    const Json report = Json::parse(line);
    EXPECT_NE(report["harness"], "");
    EXPECT_NE(report["verdict"], "verified");
    for (const Json& finding : report["findings"]) {
      races.insert(finding["message"].get<std::string>());
      EXPECT_FALSE(finding["assumes"].empty());
    }
    if (report["harness"] == "counter_add || counter_add") isClearRight = report["findings"].empty();
    if (report["harness"] == "counter_add || counter_clear") {
      EXPECT_EQ(report["unknown"][0]["name"], "log_value");
      EXPECT_EQ(report["unknown"][0]["effect"], "arguments");
    }
  }
  EXPECT_EQ(races, std::set<std::string>{"data race on 'made.value'"});
  EXPECT_TRUE(isClearRight);

  EXPECT_EQ(check({"check", path("counter.c"), "--harness", "counter_add || counter_clear", "--budget", "0"}),
            kExitBug);
  const std::string text = out_.str();
  const size_t at = text.find("replay: heddle ");
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_NE(text.find("--harness 'counter_add || counter_clear'", at), std::string::npos);
  const size_t quote = text.find("'T0", at);
  const std::string schedule = text.substr(quote + 1, text.find('\'', quote + 1) - quote - 1);
  const int code =
      run<ReplayCommand>({"replay", "--harness", "counter_add || counter_clear", path("counter.c"), schedule},
                         [&](const ReplayCommand& command) {
                           return runReplay(command, pipelineEngine(), {out_, err_}, {});
                         });
  EXPECT_EQ(code, kExitBug) << err_.str();
}

TEST_F(ProjectCommands, BehindTheBestHarnessesFurtherOnesHaveAPartOfTheTime) {
  std::string text =
      "#include <pthread.h>\nstruct box { pthread_mutex_t m; int n[5]; };\n"
      "void box_init(struct box *b) { *b = (struct box){PTHREAD_MUTEX_INITIALIZER}; }\n";
  for (const std::string n : {"0", "1", "2", "3", "4"})
    text += "void add" + n + "(struct box *b) { pthread_mutex_lock(&b->m); b->n[" + n +
            "]++; pthread_mutex_unlock(&b->m); }\n";
  write("box.c", text);
  EXPECT_EQ(check({"check", path("box.c"), "--budget", "20s"}), kExitNoBug) << out_.str();
  EXPECT_NE(out_.str().find("box.c: 15 further calls side by side: 15 verified-within-bounds\n"),
            std::string::npos)
      << out_.str();
  EXPECT_NE(out_.str().find("6 explorations: 6 verified-within-bounds"), std::string::npos) << out_.str();
}

TEST_F(ProjectCommands, AProgramIsLinkedWithWhatTheFilesOfItsTreeDefine) {
  write("app.c", "int limit(void);\nint main(void) {\n  int t[3] = {1, 2, 3};\n  return t[limit()];\n}\n");
  write("limit.c", "int limit(void) { return 2; }\n#ifdef TRY\nint main(void) { return limit(); }\n#endif\n");
  EXPECT_EQ(check({"check", path("app.c"), "--budget", "5s"}), kExitNoBug) << out_.str();
  EXPECT_EQ(out_.str().find("unknown: 'limit'"), std::string::npos) << out_.str();
  write("limit.c", "int limit(void) { return 3; }\n");
  EXPECT_EQ(check({"check", path("app.c"), "--budget", "5s"}), kExitBug) << out_.str();
  EXPECT_NE(out_.str().find("--only-needed " + path("app.c") + ' ' + path("limit.c") + " 'T0"),
            std::string::npos)
      << out_.str();
}

TEST_F(ProjectCommands, CheckLinksTheFilesOfTheTreeThatTheFileNeeds) {
  const auto useWith = [&](const std::string& wraps) {
    write("sum.c",
          "void wrap(int *v, int most);\nint total(int v) {\n  int t[3] = {1, 2, 3};\n  wrap(&v, 3);\n"
          "  return t[v];\n}\n");
    write("wrap.c", "void wrap(int *v, int most) { " + wraps + " }\n");
    write("broken.c", "int other(void) { return nowhere; }\nvoid wrap2(void) {}\n");
    return check({"check", path("sum.c"), "--budget", "5s", "--harness", "total"});
  };
  EXPECT_EQ(useWith("if (*v < 0 || *v >= most) *v = 0;"), kExitNoBug) << out_.str();
  EXPECT_EQ(useWith("if (*v < 0) *v = most;"), kExitIncomplete) << out_.str();
  EXPECT_NE(out_.str().find("possible: out-of-bounds read of 't'"), std::string::npos) << out_.str();
  EXPECT_NE(out_.str().find("--only-needed " + path("sum.c") + ' ' + path("wrap.c") + " 'T0"),
            std::string::npos)
      << "what replays it names the other file, and no further one: " << out_.str();
}

TEST_F(ProjectCommands, OfAFileThatDoesNotCompileWhatCompilesIsExplored) {
  const auto codeWith = [&](const std::string& lock, const std::string& unlock) {
    write("part.c",
          "#include <pthread.h>\n#include \"gone.h\"\nstatic pthread_mutex_t m;\nstatic int count;\n"
          "void add(void) { " +
              lock + " ++count; " + unlock +
              " }\n"
              "int get(void) { pthread_mutex_lock(&m); int v = count; pthread_mutex_unlock(&m); return v; }\n"
              "gone_t *open_gone(gone_t *g) { return g->next; }\n");
    return check({"check", path("part.c"), "--budget", "5s", "--", "-DX"});
  };
  EXPECT_EQ(codeWith("", ""), kExitUsage) << out_.str();
  const std::string text = out_.str();
  EXPECT_LT(text.find("does not compile: 'gone.h' file not found"), text.find("data race on 'count'"))
      << text;
  EXPECT_NE(text.find("--partial"), std::string::npos) << "it replays: " << text;
  EXPECT_EQ(codeWith("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"), kExitUsage) << out_.str();
  EXPECT_EQ(out_.str().find("data race"), std::string::npos) << out_.str();
}

/// What was explored instead of the harness that was chosen first is what replays.
TEST_F(ProjectCommands, AFindingOnObjectsThatAreMadeUpReplaysAsItIsPrinted) {
  write("keep.c",
        "#include <pthread.h>\nstruct room { int used; };\n"
        "struct house { pthread_mutex_t lock; struct room *room; };\nextern struct house house;\n"
        "static int kept;\nvoid keep(void) {\n  pthread_mutex_lock(&house.lock);\n"
        "  pthread_mutex_unlock(&house.lock);\n  house.room->used++;\n  kept++;\n}\n");
  check({"check", path("keep.c"), "--budget", "5s", "--format", "json", "--harness", "keep || keep"});
  const Json report = Json::parse(out_.str());
  EXPECT_EQ(report["harness"], "keep || keep, on global objects made up");
  ASSERT_FALSE(report["warnings"].empty());
  check({"check", path("keep.c"), "--budget", "5s", "--harness", "keep || keep"});
  EXPECT_NE(out_.str().find("--harness 'keep || keep, on global objects made up' "), std::string::npos)
      << out_.str();
  const int code = run<ReplayCommand>({"replay", "--harness", report["harness"].get<std::string>(),
                                       path("keep.c"), report["warnings"][0]["schedule"].get<std::string>()},
                                      [&](const ReplayCommand& command) {
                                        return runReplay(command, pipelineEngine(), {out_, err_}, {});
                                      });
  EXPECT_EQ(code, kExitBug) << err_.str();
}

TEST_F(ProjectCommands, CallsAloneHaveTheTimeOfOneExplorationAndOneLine) {
  write("three.c",
        "int one(int v) { return v + 1; }\nint two(int v) { return v + 2; }\n"
        "int of(int v) { int t[2] = {0}; return t[v & 3]; }\n");
  EXPECT_EQ(check({"check", path("three.c"), "--budget", "5s"}), kExitIncomplete);
  EXPECT_NE(out_.str().find("harness of\n"), std::string::npos) << out_.str();
  EXPECT_EQ(out_.str().find("harness one\n"), std::string::npos);
  EXPECT_NE(out_.str().find("2 other calls, each alone: 2 verified-within-bounds\n"), std::string::npos);
  // Green says how far it goes.
  write("parts.c",
        "static int limit = 2;\nint one(int v) { return v + 1; }\n"
        "int two(int v) { return limit > 2 ? v : v + 2; }\n");
  EXPECT_EQ(check({"check", path("parts.c"), "--budget", "5s"}), kExitNoBug);
  EXPECT_NE(out_.str().find("2 other calls, each alone: 2 verified-within-bounds; 1 of the verified took not "
                            "all sides of conditions\n"),
            std::string::npos)
      << out_.str();
}

TEST_F(ProjectCommands, PossibleAccessesBeyondOneObjectAreToldOnce) {
  write("ends.c",
        "#include <stdlib.h>\nint ends(unsigned n) {\n  char *t = malloc(1 + (n & 3));\n  if (!t) return 0;\n"
        "  t[1] = 1;\n  t[2] = 2;\n  free(t);\n  return 0;\n}\n");
  check({"check", path("ends.c"), "--budget", "5s", "--environment", "ordinary"});
  const std::string out = out_.str();
  const size_t first = out.find("warning: possible: out-of-bounds write");
  ASSERT_NE(first, std::string::npos) << out;
  EXPECT_EQ(out.find("warning: possible: out-of-bounds", first + 1), std::string::npos) << out;
  EXPECT_NE(out.find("note: also: out-of-bounds write"), std::string::npos) << out;
}

TEST_F(ProjectCommands, CallsAloneMeetFailingAllocationsToo) {
  const auto codeWith = [&](const std::string& test, std::vector<std::string> more) {
    write("copy.c", "#include <stdlib.h>\nint *copy(int v) {\n  int *p = malloc(sizeof *p);\n" + test +
                        "  *p = v;\n  return p;\n}\n");
    std::vector<std::string> words = {"check", path("copy.c"), "--budget", "5s"};
    words.insert(words.end(), more.begin(), more.end());
    return check(words);
  };
  EXPECT_EQ(codeWith("", {}), kExitIncomplete);
  EXPECT_NE(out_.str().find("if: an allocation fails"), std::string::npos) << out_.str();
  EXPECT_NE(out_.str().find("--malloc-may-fail"), std::string::npos) << out_.str();
  EXPECT_EQ(codeWith("", {"--environment", "ordinary"}), kExitNoBug) << "the user has said what fails";
  EXPECT_EQ(codeWith("  if (!p) return NULL;\n", {}), kExitNoBug) << out_.str();
}

TEST_F(ProjectCommands, ThreadsThatAreStartedMeetFailingAllocationsToo) {
  const auto codeWith = [&](const std::string& otherwise) {
    write("pool.c",
          "#include <pthread.h>\n#include <stdlib.h>\n"
          "struct pool { pthread_t t; pthread_mutex_t m; pthread_cond_t c; int running; };\n"
          "static void *work(void *arg) {\n  struct pool *p = arg;\n  char *b = malloc(8);\n  if (!b) " +
              otherwise +
              ";\n  free(b);\n  pthread_mutex_lock(&p->m);\n  p->running--;\n"
              "  pthread_cond_signal(&p->c);\n  pthread_mutex_unlock(&p->m);\n  return 0;\n}\n"
              "struct pool *pool_create(void) {\n  struct pool *p = malloc(sizeof *p);\n  if (!p) return 0;\n"
              "  pthread_mutex_init(&p->m, 0);\n  pthread_cond_init(&p->c, 0);\n  p->running = 1;\n"
              "  pthread_create(&p->t, 0, work, p);\n  return p;\n}\n"
              "void pool_destroy(struct pool *p) {\n  pthread_mutex_lock(&p->m);\n"
              "  while (p->running) pthread_cond_wait(&p->c, &p->m);\n  pthread_mutex_unlock(&p->m);\n"
              "  pthread_join(p->t, 0);\n  free(p);\n}\n");
    return check({"check", path("pool.c"), "--budget", "5s"});
  };
  codeWith("return 0");
  EXPECT_NE(out_.str().find("warning: possible: deadlock: T0 waits for a signal on 'p->c'"),
            std::string::npos)
      << out_.str();
  EXPECT_NE(out_.str().find("if: an allocation fails"), std::string::npos) << out_.str();
  // The thread does nothing that others see, and decides it.
  EXPECT_NE(out_.str().find("b = 1 (line 6, T1)"), std::string::npos) << out_.str();
  EXPECT_NE(out_.str().find("--malloc-may-fail --harness 'pool_create, pool_destroy'"), std::string::npos);
  codeWith("b = 0");
  EXPECT_EQ(out_.str().find("possible"), std::string::npos) << out_.str();
}

TEST_F(ProjectCommands, StubsPrintWhatIsMissing) {
  write("counter.h", "");
  const auto stubs = [&](std::vector<std::string> arguments) {
    return run<StubsCommand>(std::move(arguments), [&](const StubsCommand& command) {
      return runStubs(command, pipelineEngine(), {out_, err_});
    });
  };
  EXPECT_EQ(stubs({"stubs", path("counter.c")}), kExitNoBug);
  const std::string text = out_.str();
  EXPECT_NE(text.find("void log_value(int value, char *text) {"), std::string::npos) << text;
  EXPECT_NE(text.find(":15.\n"), std::string::npos) << text;
  // They are what they say they are: with them nothing is missing any more.
  write("stubs.c", text);
  EXPECT_EQ(stubs({"stubs", path("counter.c"), path("stubs.c")}), kExitNoBug);
  EXPECT_EQ(out_.str(), "");
}

TEST_F(ProjectCommands, AHarnessIsWrittenAsAProgram) {
  write("counter.h", "");
  const auto harness = [&](std::vector<std::string> arguments) {
    return run<HarnessCommand>(std::move(arguments), [&](const HarnessCommand& command) {
      return runHarness(command, pipelineEngine(), {out_, err_});
    });
  };
  EXPECT_EQ(harness({"harness", path("counter.c"), "--list"}), kExitNoBug);
  EXPECT_NE(out_.str().find("counter_add || counter_clear\n"), std::string::npos) << out_.str();
  EXPECT_EQ(harness({"harness", path("counter.c"), "counter_clear", "counter_add", "--comment"}), kExitNoBug);
  EXPECT_EQ(out_.str(), "// heddle: harness counter_add || counter_clear\n");
  EXPECT_EQ(harness({"harness", path("counter.c"), "counter_clear", "counter_add", "-o", path("kept.c")}),
            kExitNoBug);
  EXPECT_EQ(check({"check", path("kept.c"), "--budget", "0"}), kExitBug);
  EXPECT_EQ(harness({"harness", path("counter.c"), "nothing"}), kExitUsage);
  EXPECT_EQ(harness({"harness", path("kept.c")}), kExitUsage);
}

TEST_F(ProjectCommands, WhatATextFromElsewhereDecidesIsPossibleOnly) {
  const auto verdictOf = [&](const std::string& condition) {
    write("version.c", R"(#include <stdlib.h>
const char *libraryVersion(void);
void libraryInfo(int *kind);
int main(void) {
  const char *version = libraryVersion();
  int kind = 0, *gone = 0;
  libraryInfo(&kind);
)" + condition + "    *gone = version[0];\n  return 0;\n}\n");
    check({"check", path("version.c"), "--budget", "0", "--steps", "20000", "--format", "json"});
    return Json::parse(out_.str());
  };
  // None of a few other texts would pass, and some version does.
  const Json form = verdictOf("  if (version[0] != '1' || version[1] != '.' || version[2] != '3')\n");
  EXPECT_TRUE(form["findings"].empty()) << form;
  ASSERT_EQ(form["warnings"].size(), 1u) << form;
  EXPECT_EQ(form["warnings"][0]["possible"], true);
  // What is assumed of calls is named with the finding, and nothing else is.
  const std::string assumed = form["warnings"][0]["assumes"].dump();
  EXPECT_NE(assumed.find("'libraryVersion'"), std::string::npos) << assumed;
  EXPECT_NE(assumed.find("'libraryInfo'"), std::string::npos) << assumed;
  // What happens whatever the text is stays an error.
  const Json always = verdictOf("");
  EXPECT_EQ(always["findings"].size(), 1u) << always;
}

/// What another file's variable holds is assumed; one of the file's own holds what C says.
TEST_F(ProjectCommands, WhatFailsWithAVariableOfAnotherFileIsOnlyPossible) {
  const auto checked = [&](const std::string& storage) {
    write("share.c", storage + " int workers;\nint main(void) { return 100 / workers; }\n");
    check({"check", path("share.c"), "--format", "json"});
    return Json::parse(out_.str());
  };
  const Json elsewhere = checked("extern");
  EXPECT_EQ(elsewhere["findings"].size(), 0u);
  ASSERT_EQ(elsewhere["warnings"].size(), 1u) << out_.str();
  EXPECT_NE(elsewhere["warnings"][0]["assumes"].dump().find("'workers', defined elsewhere, taken as 0"),
            std::string::npos);
  EXPECT_EQ(checked("").at("findings").size(), 1u);
}

/// A function of another file may set up what is null; without one, nothing does.
TEST_F(ProjectCommands, ANullVariableMayBeSetUpElsewhere) {
  const auto checked = [&](const std::string& first) {
    write("logger.c",
          "struct config { char *logfile; } config;\nvoid config_init(void);\nvoid note(const char *);\n"
          "int main(void) {\n  " +
              first + "\n  return config.logfile[0];\n}\n");
    check({"check", path("logger.c"), "--format", "json"});
    return Json::parse(out_.str());
  };
  const Json elsewhere = checked("config_init();");
  ASSERT_EQ(elsewhere["warnings"].size(), 1u) << out_.str();
  EXPECT_EQ(elsewhere["warnings"][0]["possible"], true);
  EXPECT_NE(
      elsewhere["warnings"][0]["assumes"].dump().find("no function defined elsewhere sets 'config.logfile'"),
      std::string::npos)
      << elsewhere["warnings"][0]["assumes"];
  EXPECT_EQ(elsewhere["findings"].size(), 0u);
  EXPECT_EQ(checked("")["findings"].size(), 1u);
}

TEST_F(ProjectCommands, TheServerExploresTheSameHarness) {
  write("counter.h", "");
  ServerOptions options;
  options.engine = pipelineEngine();
  testing::LspClient client(std::move(options));
  client.initialize(testing::LspClient::fullCapabilities(), {{"budget", 0}, {"workers", 1}});
  const std::string uri = lsp::uriFromPath(path("counter.c"));
  client.open(uri, kCounterUnit);
  const Json published = client.waitForDiagnostics([](const Json& params) {
    return std::any_of(params["diagnostics"].begin(), params["diagnostics"].end(),
                       [](const Json& diagnostic) {
                         return diagnostic["code"] == "heddle-race" && diagnostic["severity"] == 1;
                       });
  });
  ASSERT_TRUE(published.contains("diagnostics"));
  for (const Json& diagnostic : published["diagnostics"]) {
    const std::string message = diagnostic["message"].get<std::string>();
    const bool isNamed =
        message.find("if 'counter_add' and 'counter_clear' may be called side by side") != std::string::npos;
    EXPECT_TRUE(isNamed || diagnostic["code"] != "heddle-race") << message;
  }
  // What was assumed can be written into the file.
  const Json whole = {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 40}, {"character", 0}}}};
  const auto actionNamed = [&](const std::string& title) {
    // A finding may be shown before the report that names its harness.
    for (int round = 0; round < 200; ++round) {
      const Json answer =
          client.call("textDocument/codeAction", {{"textDocument", {{"uri", uri}}},
                                                  {"range", whole},
                                                  {"context", {{"diagnostics", Json::array()}}}});
      for (const Json& action : answer["result"])
        if (action["title"].get<std::string>().starts_with(title)) return action;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return Json();
  };
  EXPECT_NE(actionNamed("Heddle: keep the harness 'counter_add || counter_clear'")
                .dump()
                .find("// heddle: harness counter_add || counter_clear"),
            std::string::npos);
  const Json stub = actionNamed("Heddle: say what 'log_value' does");
  EXPECT_NE(stub.dump().find("#ifdef __HEDDLE__"), std::string::npos) << stub;
  EXPECT_NE(stub.dump().find("void log_value(int value, char *text) {"), std::string::npos);
  EXPECT_EQ(client.exit(), 0);
}

TEST(ProjectOptions, UnknownCallsAreSaidInGeneralAndForOne) {
  const Command command =
      parseCommandLine({"check", "a.c", "--unknown", "nothing", "--unknown", "f=reachable,g=refused"});
  const auto* check = std::get_if<CheckCommand>(&command);
  ASSERT_NE(check, nullptr);
  EXPECT_EQ(check->environment.unknown, UnknownEffect::Nothing);
  EXPECT_EQ(unknownEffectOf(check->environment, "f"), UnknownEffect::Reachable);
  EXPECT_EQ(unknownEffectOf(check->environment, "g"), UnknownEffect::Refused);
  EXPECT_EQ(unknownEffectOf(check->environment, "h"), UnknownEffect::Nothing);
  const Command wrong = parseCommandLine({"check", "a.c", "--unknown", "f=everything"});
  const auto* exit = std::get_if<ExitNow>(&wrong);
  ASSERT_NE(exit, nullptr);
  EXPECT_NE(exit->text.find("'f=everything' is unknown; use nothing, arguments"), std::string::npos);
}

}  // namespace
}  // namespace heddle
