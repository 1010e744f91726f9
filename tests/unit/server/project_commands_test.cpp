// The commands for files without a main and for whole folders: what parses to what, and what they print of a
// small project on the disk.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "lsp_client.h"
#include "server/driver/check.h"
#include "server/driver/cli_options.h"
#include "server/driver/harness_command.h"
#include "server/driver/scan.h"
#include "server/driver/stubs.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kCounter = R"(#include <pthread.h>
#include "counter.h"
struct counter { pthread_mutex_t lock; int value; };
void log_value(int value, char *text);
struct counter *counter_create(void) {
  static struct counter made;
  pthread_mutex_init(&made.lock, 0);
  return &made;
}
void counter_add(struct counter *c) {
  char text[8];
  pthread_mutex_lock(&c->lock);
  c->value++;
  pthread_mutex_unlock(&c->lock);
  log_value(1, text);
}
void counter_clear(struct counter *c) {
  c->value = 0;
  pthread_mutex_lock(&c->lock);
  pthread_mutex_unlock(&c->lock);
}
)";

/// A folder of its own for each test, which goes with it.
class ProjectCommands : public ::testing::Test {
 protected:
  ProjectCommands() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("heddle_project_" + std::string(test->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "include");
    write("counter.c", kCounter);
  }
  ~ProjectCommands() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const fs::path path = folder_ / name;
    std::ofstream(path) << text;
    return path.string();
  }

  template <typename Chosen, typename Run>
  int run(std::vector<std::string> arguments, Run&& command) {
    const Command parsed = parseCommandLine(arguments);
    const auto* chosen = std::get_if<Chosen>(&parsed);
    if (chosen == nullptr) {
      ADD_FAILURE() << "not accepted";
      return -1;
    }
    out_.str("");
    err_.str("");
    return command(*chosen);
  }
  int check(const std::vector<std::string>& arguments) {
    return run<CheckCommand>(arguments, [&](const CheckCommand& command) {
      return runCheck(command, pipelineEngine(), {out_, err_}, {});
    });
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
  std::ostringstream out_, err_;
};

TEST_F(ProjectCommands, MissingHeadersAreListedWithTheFilesOfThatName) {
  write("include/counter.h", "");
  write("two.c", "#include \"counter.h\"\n#include \"config.h\"\n#include \"counter.h\"\nint x;\n");
  write("config.h.in", "");
  write("Makefile", "");
  EXPECT_EQ(check({"check", path("two.c"), "--format", "json"}), kExitUsage);
  const Json report = Json::parse(out_.str());
  EXPECT_EQ(report["verdict"], "error");
  ASSERT_EQ(report["missing_headers"].size(), 2u);
  EXPECT_EQ(report["missing_headers"][0]["name"], "counter.h");
  EXPECT_EQ(report["missing_headers"][0]["candidates"], Json::array({path("include/counter.h")}));
  EXPECT_EQ(report["missing_headers"][1]["name"], "config.h");
  EXPECT_EQ(report["missing_headers"][1]["line"], 2);
  EXPECT_EQ(report["missing_headers"][1]["candidates"], Json::array({path("config.h.in")}));
  EXPECT_EQ(report["problem"]["text"],
            "the file does not compile: 'counter.h' file not found, and 1 more: 'config.h'");
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

TEST_F(ProjectCommands, ScanKeepsALedgerOfAllFunctions) {
  write("counter.h", "");
  write("alone.c", "int twice(int x) { return 2 * x; }\n");
  write("broken.c", "#include \"nowhere.h\"\n");
  const int code =
      run<ScanCommand>({"scan", folder_.string(), "--format", "json"}, [&](const ScanCommand& command) {
        return runScan(command, pipelineEngine(), {out_, err_}, {});
      });
  EXPECT_EQ(code, kExitBug);
  const Json scan = Json::parse(out_.str());
  EXPECT_EQ(scan["files"], 3);
  EXPECT_EQ(scan["broken"], 1);
  std::map<std::string, std::string> known;
  for (const Json& function : scan["functions"])
    known[function["name"].get<std::string>()] = function["known"].get<std::string>();
  EXPECT_EQ(known["counter_clear"], "violated");
  EXPECT_EQ(known["counter_create"], "proven");
  EXPECT_EQ(known["twice"], "unknown");  // nothing of it ran: no "no bug"
  ASSERT_GE(scan["findings"].size(), 1u);
  EXPECT_EQ(scan["findings"][0]["harness"], "counter_add || counter_clear");
  ASSERT_FALSE(scan["obstacles"].empty());
  EXPECT_EQ(scan["obstacles"][0]["text"], "header 'nowhere.h' is missing");
  EXPECT_EQ(run<ScanCommand>({"scan", path("include")},
                             [&](const ScanCommand& command) {
                               return runScan(command, pipelineEngine(), {out_, err_}, {});
                             }),
            kExitUsage);
}

TEST_F(ProjectCommands, TheServerExploresTheSameHarness) {
  write("counter.h", "");
  ServerOptions options;
  options.engine = pipelineEngine();
  testing::LspClient client(std::move(options));
  client.initialize(testing::LspClient::fullCapabilities(), {{"budget", 0}, {"workers", 1}});
  const std::string uri = lsp::uriFromPath(path("counter.c"));
  client.open(uri, kCounter);
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
