// `heddle scan`: its time, what it links, what it tells of each function, and its formats.
#include <map>
#include <set>
#include <thread>

#include "project_fixture.h"
#include "server/render/scan_html.h"

namespace heddle {
namespace {

TEST_F(ProjectCommands, ScanKeepsALedgerOfAllFunctions) {
  write("counter.h", "");
  write("alone.c", "int twice(int x) { return 2 * x; }\n");
  write("broken.c", "#include \"nowhere.h\"\n");
  const int code =
      run<ScanCommand>({"scan", folder_.string(), "--format", "json"}, [&](const ScanCommand& command) {
        return runScan(command, pipelineEngine(), {out_, err_}, {});
      });
  EXPECT_EQ(code, kExitBug);
  const Json told = Json::parse(out_.str());
  EXPECT_EQ(told["files"], 3);
  EXPECT_EQ(told["broken"], 1);
  std::map<std::string, std::string> known;
  for (const Json& function : told["functions"])
    known[function["name"].get<std::string>()] = function["known"].get<std::string>();
  EXPECT_EQ(known["counter_clear"], "violated");
  EXPECT_EQ(known["counter_create"], "explored");  // beside a race that is only possible
  EXPECT_EQ(known["twice"], "explored");           // alone; that is no proof
  ASSERT_EQ(told["suspects"].size(), 1u);
  EXPECT_EQ(told["suspects"][0]["data"], "counter.value");
  EXPECT_EQ(told["suspects"][0]["state"], "confirmed");
  ASSERT_GE(told["findings"].size(), 1u);
  EXPECT_EQ(told["findings"][0]["harness"], "counter_add || counter_clear");
  ASSERT_FALSE(told["obstacles"].empty());
  EXPECT_EQ(told["obstacles"][0]["text"], "header 'nowhere.h' is missing");
  std::filesystem::create_directories(folder_ / "empty");
  EXPECT_EQ(run<ScanCommand>({"scan", path("empty")},
                             [&](const ScanCommand& command) {
                               return runScan(command, pipelineEngine(), {out_, err_}, {});
                             }),
            kExitUsage);
}

TEST_F(ProjectCommands, ScanExploresWhatCompilesWithoutAMissingHeader) {
  write("counter.h", "#include <fancy/json.h>\nfancy_json *counter_show(struct counter *c);\n");
  write("show.c",
        "struct counter { int value; };\n#include \"counter.h\"\n"
        "fancy_json *counter_show(struct counter *c) { return fancy_number(c->value); }\n");
  EXPECT_EQ(scan({"--format", "json"}), kExitBug) << err_.str();
  const Json told = Json::parse(out_.str());
  EXPECT_EQ(told["broken"], 2);
  EXPECT_EQ(told["partial"], 2);
  ASSERT_FALSE(told["findings"].empty());
  EXPECT_NE(told["findings"][0]["replay"].get<std::string>().find(" --partial "), std::string::npos)
      << told["findings"][0];
  EXPECT_EQ(told["obstacles"][0]["text"], "header 'fancy/json.h' is missing");

  // `check` says why it is a part, and `--partial` that one knows.
  EXPECT_EQ(check({"check", path("counter.c"), "--format", "json"}), kExitBug);
  EXPECT_EQ(Json::parse(out_.str().substr(0, out_.str().find('\n')))["verdict"], "error");
  EXPECT_EQ(check({"check", path("counter.c"), "--partial", "--format", "json"}), kExitBug) << err_.str();
  EXPECT_NE(out_.str().find("headers that are missing are empty in counter.c: 'fancy/json.h'"),
            std::string::npos);
}

/// Where time is left, allocations fail; what a harness makes itself is there all the same.
TEST_F(ProjectCommands, ScanOfAFolderWithoutCFilesTakesItsHeaders) {
  std::filesystem::create_directories(folder_ / "headers");
  write("headers/box.h",
        "#include <pthread.h>\nstruct box { pthread_mutex_t lock; int n; };\n"
        "static inline void box_init(struct box *b) { pthread_mutex_init(&b->lock, 0); b->n = 0; }\n"
        "static inline void box_add(struct box *b) {\n  pthread_mutex_lock(&b->lock);\n  b->n++;\n"
        "  pthread_mutex_unlock(&b->lock);\n}\n"
        "static inline void box_clear(struct box *b) { b->n = 0; }\n");
  run<ScanCommand>({"scan", path("headers"), "--format", "json"}, [&](const ScanCommand& command) {
    return runScan(command, pipelineEngine(), {out_, err_}, {});
  });
  const Json told = Json::parse(out_.str());
  EXPECT_EQ(told["files"], 1);
  ASSERT_FALSE(told["findings"].empty());
  EXPECT_EQ(told["findings"][0]["harness"], "box_add || box_clear");
}

TEST_F(ProjectCommands, ScanExploresFailingAllocationsLast) {
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directories(folder_);
  const auto list = [](const std::string& test) {
    return "#include <pthread.h>\n#include <stdlib.h>\n"
           "struct item { int value; struct item *next; };\n"
           "struct list { pthread_mutex_t lock; struct item *first; };\n"
           "void list_push(struct list *l, int value) {\n"
           "  struct item *made = malloc(sizeof *made);\n" +
           test +
           "  made->value = value;\n"
           "  pthread_mutex_lock(&l->lock);\n  made->next = l->first;\n  l->first = made;\n"
           "  pthread_mutex_unlock(&l->lock);\n}\n";
  };
  write("list.c", list(""));
  EXPECT_NE(scan({"--format", "json"}), kExitBug) << err_.str();
  Json told = Json::parse(out_.str());
  EXPECT_GE(told["explored_without_memory"], 1);
  ASSERT_EQ(told["findings"].size(), 1u) << told["findings"];
  const Json& finding = told["findings"][0];
  EXPECT_EQ(finding["line"], 7);
  EXPECT_EQ(finding["possible"], true);
  EXPECT_NE(finding["assumes"].dump().find("an allocation fails"), std::string::npos);
  EXPECT_NE(finding["replay"].get<std::string>().find("--malloc-may-fail"), std::string::npos);

  write("list.c", list("  if (!made) return;\n"));
  scan({"--format", "json"});
  told = Json::parse(out_.str());
  EXPECT_GE(told["explored_without_memory"], 1);
  EXPECT_EQ(told["findings"].size(), 0u) << told["findings"];
}

TEST_F(ProjectCommands, ScanIsNoSuccessWhileAFileDoesNotCompile) {
  std::filesystem::create_directory(folder_ / "good");
  write("good/main.c",
        "#include <pthread.h>\nstatic void *work(void *p) { return p; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); return pthread_join(t, 0); }\n");
  const auto code = [&] {
    return run<ScanCommand>({"scan", path("good"), "--format", "json"}, [&](const ScanCommand& command) {
      return runScan(command, pipelineEngine(), {out_, err_}, {});
    });
  };
  EXPECT_EQ(code(), kExitNoBug) << out_.str();
  write("good/other.c", "#include \"nowhere.h\"\nint other(void) { return NOWHERE; }\n");
  EXPECT_EQ(code(), kExitIncomplete) << out_.str();
}

TEST_F(ProjectCommands, ScanCallsNothingProvenThatWasReachedInPart) {
  std::filesystem::create_directory(folder_ / "parts");
  const auto known = [&](const std::string& condition) {
    write(
        "parts/main.c",
        "#include <pthread.h>\n#include <string.h>\nstatic pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; "
        "static int count, limit = 2; static const char *const names[5] = {\"a\", \"b\", \"c\", \"d\"};\n"
        "static void add(int n) { pthread_mutex_lock(&lock); " +
            condition +
            "count += n; pthread_mutex_unlock(&lock); }\n"
            "static void *work(void *p) { add(1); return p; }\n"
            "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); add(limit); return "
            "pthread_join(t, 0); }\n");
    run<ScanCommand>({"scan", path("parts"), "--format", "json"}, [&](const ScanCommand& command) {
      return runScan(command, pipelineEngine(), {out_, err_}, {});
    });
    const Json told = Json::parse(out_.str());
    for (const Json& function : told["functions"])
      if (function["name"] == "add") return function;
    return Json();
  };
  const Json part = known("if (limit > 2) "), all = known("");
  EXPECT_EQ(part["known"], "explored") << part;
  EXPECT_EQ(part.value("why", ""), "not reached: the true side of the condition at main.c:4") << part;
  EXPECT_EQ(all["known"], "proven") << all;
  EXPECT_FALSE(all.contains("why")) << all;
  const Json suspected =
      known("const int most = 3 * n; for (int i = 0; names[i] && i < most; ++i) count++; ");
  EXPECT_EQ(suspected["known"], "explored") << suspected;
  EXPECT_EQ(suspected.value("why", ""), "'i' in line 4 looks wrong") << suspected;
  const Json unknown = known("extern void tell(int); tell(n); ");
  EXPECT_EQ(unknown["known"], "explored") << unknown;
  EXPECT_EQ(unknown.value("why", ""), "'tell' is not known") << unknown;
}

TEST_F(ProjectCommands, ScanLinksNoFileThatWrapsTheThreadLibrary) {
  std::filesystem::create_directory(folder_ / "wrapped");
  write("wrapped/main.c",
        "#include <pthread.h>\nstatic pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\nstatic int count;\n"
        "static void *work(void *p) { pthread_mutex_lock(&lock); count++; pthread_mutex_unlock(&lock); "
        "return p; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); work(0); return pthread_join(t, 0); "
        "}\n");
  write("wrapped/trace.c",
        "#include <pthread.h>\nextern int (*real_lock)(pthread_mutex_t *);\nint locks;\n"
        "int pthread_mutex_lock(pthread_mutex_t *m) { locks++; return real_lock(m); }\n");
  run<ScanCommand>({"scan", path("wrapped"), "--format", "json"}, [&](const ScanCommand& command) {
    return runScan(command, pipelineEngine(), {out_, err_}, {});
  });
  const Json told = Json::parse(out_.str());
  for (const Json& finding : told["findings"])
    EXPECT_TRUE(finding.value("possible", false)) << finding.dump(1);
}

TEST_F(ProjectCommands, ScanListsWhatFollowsFromOneFreeOnce) {
  std::filesystem::create_directory(folder_ / "early");
  write("early/main.c",
        "#include <pthread.h>\n#include <stdlib.h>\nstruct pool { pthread_mutex_t lock; int done, left; };\n"
        "static void *work(void *arg) { struct pool *p = arg; pthread_mutex_lock(&p->lock); p->done = 1;\n"
        " pthread_mutex_unlock(&p->lock);\n p->left = 2;\n return 0; }\n"
        "int main(void) { struct pool *p = calloc(1, sizeof *p), *q = malloc(4); pthread_t t;\n"
        " pthread_mutex_init(&p->lock, 0); pthread_create(&t, 0, work, p);\n free(p);\n"
        " pthread_join(t, 0); free(q);\n return *(int *)q; }\n");
  run<ScanCommand>({"scan", path("early"), "--format", "json"}, [&](const ScanCommand& command) {
    return runScan(command, pipelineEngine(), {out_, err_}, {});
  });
  const Json told = Json::parse(out_.str());
  // What is used after the one free, and what is used after the other.
  EXPECT_EQ(std::count_if(told["findings"].begin(), told["findings"].end(),
                          [](const Json& finding) { return !finding.value("possible", false); }),
            2)
      << told["findings"].dump(1);
  EXPECT_NE(out_.str().find("\"also: "), std::string::npos);
}

TEST_F(ProjectCommands, ScanKeepsToItsTimeWhileItLooksAtFiles) {
  constexpr int kFiles = 60;
  constexpr std::chrono::milliseconds kLook{100};
  write("counter.h", "");
  for (int i = 0; i < kFiles; ++i) write("alone" + std::to_string(i) + ".c", "int x;\n");
  Engine engine = pipelineEngine();
  engine.harnesses = [look = engine.harnesses, kLook](const Snapshot& snapshot, const std::string& entry,
                                                      const Budget& budget) {
    std::this_thread::sleep_for(kLook);
    return look(snapshot, entry, budget);
  };
  const auto started = std::chrono::steady_clock::now();
  run<ScanCommand>({"scan", folder_.string(), "--total", "2s", "--format", "json"},
                   [&](const ScanCommand& command) {
                     return runScan(command, engine, {out_, err_}, {});
                   });
  EXPECT_LT(std::chrono::steady_clock::now() - started, kFiles * kLook);
  const Json told = Json::parse(out_.str());
  EXPECT_GT(told["not_looked"], 0);
  // What speaks of threads comes first, so it is explored all the same.
  EXPECT_GT(told["explored"], 0);
  std::set<std::string> known;
  for (const Json& function : told["functions"]) known.insert(function["name"].get<std::string>());
  EXPECT_TRUE(known.contains("counter_add"));
}

TEST_F(ProjectCommands, ScanLinksWhatIsNeededAndTellsWhatItLeavesOut) {
  constexpr int kFiles = 30;
  std::string calls, declarations;
  for (int i = 0; i < kFiles; ++i) {
    const std::string name = "part" + std::to_string(i);
    write(name + ".c", "int " + name + "(void) { return " + std::to_string(i) + "; }\n");
    declarations += "int " + name + "(void);\n";
    calls += " + " + name + "()";
  }
  write("counter.h", declarations + "static int all(void) { return 0" + calls + "; }\n");
  const std::string text = kCounterUnit;
  // One function of the last part, which a limit in the order of names would not reach.
  write("counter.c", text + "int counter_part(struct counter *c) { counter_add(c); return part29(); }\n");
  const auto scanned = [&] {
    scan({"--format", "json"});
    return Json::parse(out_.str());
  };
  const Json one = scanned();
  ASSERT_FALSE(one["findings"].empty());
  const std::string replay = one["findings"][0]["replay"].get<std::string>();
  EXPECT_NE(replay.find("part29.c"), std::string::npos) << replay;
  EXPECT_EQ(replay.find("part3.c"), std::string::npos) << replay;
  EXPECT_TRUE(one["obstacles"].empty()) << one["obstacles"];

  write("counter.c", text + "int counter_sum(void) { return 0" + calls + "; }\n");
  const Json all = scanned();
  ASSERT_EQ(all["obstacles"].size(), 1u);
  EXPECT_NE(
      all["obstacles"][0]["text"].get<std::string>().find("the nearest 24 files that it needs, not with all"),
      std::string::npos);
}

TEST_F(ProjectCommands, AScanIsAlsoSarifAndAPage) {
  write("counter.h", "");
  EXPECT_EQ(scan({"--format", "sarif"}), kExitBug);
  const Json sarif = Json::parse(out_.str());
  bool isError = false;
  for (const Json& result : sarif["runs"][0]["results"])
    isError |= result["ruleId"] == "heddle-race" && result["level"] == "error";
  EXPECT_TRUE(isError) << out_.str();

  EXPECT_EQ(scan({"--format", "html", "-o", path("report.html")}), kExitBug);
  EXPECT_NE(out_.str().find("functions:"), std::string::npos);  // text beside it
  std::ifstream file(path("report.html"));
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_NE(page.find("data race on &#39;made.value&#39;"), std::string::npos);
  EXPECT_NE(page.find("class=walk"), std::string::npos);
  // It needs nothing else.
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("href="), std::string::npos);
  EXPECT_EQ(escapedHtml("<b a=\"1\" & 'c'>"), "&lt;b a=&quot;1&quot; &amp; &#39;c&#39;&gt;");
  const Command wrong = parseCommandLine({"scan", "--format", "pdf"});
  ASSERT_NE(std::get_if<ExitNow>(&wrong), nullptr);
  EXPECT_NE(std::get_if<ExitNow>(&wrong)->text.find("text, json, sarif or html"), std::string::npos);
}

TEST_F(ProjectCommands, ScanSinceARevisionExploresWhatAChangeTouches) {
  const auto git = [&](const std::string& words) {
    return std::system(
        ("git -C '" + folder_.string() + "' -c user.name=a -c user.email=a@b " + words + " >/dev/null 2>&1")
            .c_str());
  };
  write("counter.h", "");
  const auto explored = [&]() -> int {
    scan({"--since", "HEAD", "--format", "json"});
    return out_.str().empty() ? -1 : Json::parse(out_.str())["explored"].get<int>();
  };
  EXPECT_EQ(explored(), -1);  // no repository
  EXPECT_NE(err_.str().find("--since"), std::string::npos);
  write("log.c", "void log_value(int value, char *text) { text[0] = (char)value; }\n");
  if (git("init") != 0) GTEST_SKIP() << "git is not installed";
  git("add .");
  git("commit -m first");
  EXPECT_EQ(explored(), 0);
  // It is linked to the file whose functions are explored.
  write("log.c", "void log_value(int value, char *text) { (void)value; text[0] = 0; }\n");
  EXPECT_GT(explored(), 0);
}

TEST_F(ProjectCommands, ScanRunsTheProgramsThatComeToThreads) {
  fs::remove(path("counter.c"));
  write("lib.c", R"(#include <pthread.h>
int shared;
static void *body(void *unused) { shared++; return unused; }
void launch(void) { pthread_t t; pthread_create(&t, 0, body, 0); shared++; pthread_join(t, 0); }
)");
  write("tool.c",
        "void launch(void);\nstatic void go(void) { launch(); }\nint main(void) { go(); return 0; }\n");
  write("other.c", "int main(void) { return 0; }\n");
  write("kept.c", "static int n;\nvoid add(void) { n++; }\n// heddle: harness add() || add()\n");
  scan({"--format", "json"});
  const Json told = Json::parse(out_.str());
  EXPECT_EQ(told["programs"], 3) << "one of one thread, too";
  bool isByProgram = false;
  for (const Json& finding : told["findings"])
    isByProgram |= finding["harness"] == "" && finding["message"] == "data race on 'shared'";
  EXPECT_TRUE(isByProgram) << out_.str();
}

TEST_F(ProjectCommands, ScanTakesACommentForAllThatIsToRun) {
  fs::remove(path("counter.c"));
  write("kept.c", R"(#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;
void add(void) { pthread_mutex_lock(&lock); n++; pthread_mutex_unlock(&lock); }
// heddle: harness add() || add()
)");
  EXPECT_EQ(scan({"--format", "json"}), 0) << out_.str();
  EXPECT_EQ(Json::parse(out_.str())["harnesses"], 0);
}

TEST_F(ProjectCommands, ScanRunsProgramsOfOneThreadAndCallsWhatTheyLeaveOut) {
  fs::remove(path("counter.c"));
  write("tool.c", R"(#include <string.h>
static int last(int *p) { return *p; }
int find(const char *text) { return text[0] == 'x' ? strchr(text, 'y')[0] : 0; }
int main(int argc, char **argv) {
  if (argc == 7) return find(argv[1]);
  return last(argc > 1 ? 0 : &argc);
}
)");
  scan({"--format", "json"});
  const Json told = Json::parse(out_.str());
  bool isOfProgram = false, isOfCall = false;
  for (const Json& finding : told["findings"]) {
    isOfProgram |= finding["line"] == 2 && !finding.contains("possible");
    isOfCall |= finding["line"] == 3 && finding.contains("possible") && finding["harness"] == "find";
  }
  EXPECT_TRUE(isOfProgram && isOfCall) << out_.str();
}

}  // namespace
}  // namespace heddle
