// The command line: what parses to what, which mistakes are said how, exit codes, files that cannot be read.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sample_reports.h"
#include "server/driver/check.h"
#include "server/driver/cli_options.h"

namespace heddle {
namespace {

using testing::sampleReport;

ExitNow refused(const std::vector<std::string>& arguments) {
  const Command command = parseCommandLine(arguments);
  const auto* exit = std::get_if<ExitNow>(&command);
  return exit != nullptr ? *exit : ExitNow{-1, "accepted"};
}

CheckCommand checkOf(const std::vector<std::string>& arguments) {
  const Command command = parseCommandLine(arguments);
  EXPECT_TRUE(std::holds_alternative<CheckCommand>(command)) << refused(arguments).text;
  const auto* check = std::get_if<CheckCommand>(&command);
  return check != nullptr ? *check : CheckCommand{};
}

TEST(CommandLine, BareIsTheLanguageServer) {
  EXPECT_TRUE(std::holds_alternative<LspCommand>(parseCommandLine({})));
  EXPECT_TRUE(std::holds_alternative<LspCommand>(parseCommandLine({"--stdio"})));
  EXPECT_TRUE(std::holds_alternative<LspCommand>(parseCommandLine({"lsp"})));
  EXPECT_TRUE(std::holds_alternative<LspCommand>(parseCommandLine({"lsp", "--stdio"})));
}

TEST(CommandLine, CheckDefaultsFollowTheContract) {
  const CheckCommand check = checkOf({"check", "a.c"});
  EXPECT_EQ(check.files, std::vector<std::string>{"a.c"});
  EXPECT_EQ(check.options.entry, "main");
  EXPECT_EQ(check.options.strategy, "forest");
  EXPECT_EQ(check.options.solver, "sat");
  EXPECT_EQ(check.options.properties,
            (std::set<Property>{Property::Assert, Property::Race, Property::Deadlock, Property::Memory,
                                Property::Misuse, Property::Uninitialized, Property::Volatile,
                                Property::Atomicity}));
  EXPECT_EQ(check.options.unroll, 0u);
  EXPECT_GE(check.options.workers, 1u);
  EXPECT_EQ(check.budget, std::chrono::seconds(10));
  EXPECT_FALSE(check.steps);
  EXPECT_FALSE(check.flagsGiven);
  EXPECT_EQ(check.format, Format::Text);
}

TEST(CommandLine, CheckTakesEveryOption) {
  const CheckCommand check = checkOf(
      {"check",    "--entry",    "start",           "--budget",  "2m",    "--steps",  "500", "--strategy",
       "forest",   "--property", "assert,overflow", "--unroll",  "7",     "-j",       "3",   "--no-signals",
       "--format", "json",       "--output",        "r.json",    "--all", "--solver", "z3",  "a.c",
       "b.c",      "--",         "-DX=1",           "--property"});
  EXPECT_EQ(check.files, (std::vector<std::string>{"a.c", "b.c"}));
  EXPECT_EQ(check.options.entry, "start");
  EXPECT_EQ(check.budget, std::chrono::minutes(2));
  EXPECT_EQ(check.steps, 500u);
  EXPECT_EQ(check.options.strategy, "forest");
  EXPECT_EQ(check.options.properties, (std::set<Property>{Property::Assert, Property::Overflow}));
  EXPECT_EQ(check.options.unroll, 7u);
  EXPECT_EQ(check.options.workers, 3u);
  EXPECT_EQ(check.environment, Environment{.noSignals = true});
  EXPECT_EQ(check.options.solver, "z3");
  EXPECT_EQ(check.format, Format::Json);
  EXPECT_EQ(check.output, "r.json");
  EXPECT_TRUE(check.flagsGiven);
  EXPECT_EQ(check.flags, (std::vector<std::string>{"-DX=1", "--property"}));
}

TEST(CommandLine, ReplayTakesAScheduleAsOneWord) {
  const Command command = parseCommandLine({"replay", "a.c", "T0*2 T1 | T1=-3", "--", "-DX"});
  const auto* replay = std::get_if<ReplayCommand>(&command);
  ASSERT_NE(replay, nullptr);
  EXPECT_EQ(replay->files, std::vector<std::string>{"a.c"});
  EXPECT_EQ(replay->schedule, "T0*2 T1 | T1=-3");
  EXPECT_EQ(replay->flags, std::vector<std::string>{"-DX"});
}

TEST(CommandLine, HelpAndVersionSucceed) {
  EXPECT_EQ(refused({"--version"}).code, 0);
  EXPECT_TRUE(refused({"--version"}).text.starts_with("heddle "));
  EXPECT_EQ(refused({"--help"}).code, 0);
  for (const char* offered : {"check", "explain", "replay", "repair", "lsp"})
    EXPECT_NE(refused({"--help"}).text.find(offered), std::string::npos);
  EXPECT_NE(refused({"check", "--help"}).text.find("--budget"), std::string::npos);
}

TEST(CommandLine, MistakesAreOneLineAndExitThree) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes = {
      {{"check"}, "FILE"},
      {{"check", "a.c", "--nonsense"}, "--nonsense"},
      {{"chekc", "a.c"}, "chekc"},
      {{"repair"}, "FILE"},
      {{"repair", "a.c", "--apply", "0"}, "--apply"},
      {{"check", "a.c", "--budget", "10"}, "10s"},
      {{"check", "a.c", "--budget", "-1s"}, "-1s"},
      {{"check", "a.c", "--budget", "nan"}, "nan"},
      {{"check", "a.c", "--steps", "many"}, "--steps"},
      {{"check", "a.c", "--steps", "-1"}, "--steps"},
      {{"check", "a.c", "--unroll", "-1"}, "--unroll"},
      {{"check", "a.c", "-j", "0"}, "-j"},
      {{"check", "a.c", "--strategy", "mcr2"}, "unknown"},
      {{"check", "a.c", "--without", "cores"}, "con2colic"},
      {{"check", "a.c", "--strategy", "con2colic", "--without", "luck"}, "'luck' is unknown"},
      {{"check", "a.c", "--strategy", "mcr", "--inputs", "T0:3"}, "is not a list"},
      {{"check", "a.c", "--strategy", "magic"}, "magic"},
      {{"check", "a.c", "--property", "assert,speed"}, "speed"},
      {{"check", "a.c", "--property", ","}, "empty"},
      {{"replay", "a.c", "T0*1", "--format", "sarif"}, "text or json"},
      {{"check", "a.c", "--format", "xml"}, "xml"},
      {{"check", "a.c", "--solver", "yices"}, "yices"},
      {{"check", "a.c", "--entry", ""}, "--entry"},
      {{"replay", "a.c"}, "FILE"},
      {{"--", "-DX"}, "check, explain, replay, repair, reproduce, build, cover, stubs, harness and scan"},
  };
  for (const auto& [arguments, mentions] : mistakes) {
    const ExitNow exit = refused(arguments);
    EXPECT_EQ(exit.code, kExitUsage) << mentions;
    EXPECT_TRUE(exit.text.starts_with("heddle: error: ")) << exit.text;
    EXPECT_NE(exit.text.find(mentions), std::string::npos) << exit.text;
    EXPECT_EQ(std::count(exit.text.begin(), exit.text.end(), '\n'), 1) << exit.text;
  }
}

TEST(CommandLine, ReproduceTakesFilesThenTheFinding) {
  const Command command = parseCommandLine(
      {"reproduce", "a.c", "b.c", "2", "-o", "prog", "--cc-option=-O2", "--cc-option=-g0", "--", "-DX"});
  const auto* reproduce = std::get_if<ReproduceCommand>(&command);
  ASSERT_NE(reproduce, nullptr) << refused({"reproduce", "a.c", "2"}).text;
  EXPECT_EQ(reproduce->files, (std::vector<std::string>{"a.c", "b.c"}));
  EXPECT_EQ(reproduce->finding, "2");
  EXPECT_EQ(reproduce->output, "prog");
  EXPECT_EQ(reproduce->compilerOptions, (std::vector<std::string>{"-O2", "-g0"}));
  EXPECT_EQ(reproduce->flags, std::vector<std::string>{"-DX"});
  EXPECT_EQ(refused({"reproduce", "a.c"}).code, kExitUsage);
}

TEST(CommandLine, CoverTakesAFolderAndAFileForLcov) {
  const Command command = parseCommandLine(
      {"cover", "a.c", "b.c", "-o", "suite", "--lcov", "out.info", "--steps", "9", "--", "-DX"});
  const auto* cover = std::get_if<CoverCommand>(&command);
  ASSERT_NE(cover, nullptr) << refused({"cover", "a.c"}).text;
  EXPECT_EQ(cover->files, (std::vector<std::string>{"a.c", "b.c"}));
  EXPECT_EQ(cover->output, "suite");
  EXPECT_EQ(cover->lcov, "out.info");
  EXPECT_EQ(cover->steps, 9u);
  EXPECT_EQ(cover->flags, std::vector<std::string>{"-DX"});
  EXPECT_EQ(refused({"cover"}).code, kExitUsage);
  EXPECT_EQ(refused({"cover", "a.c", "--format", "sarif"}).code, kExitUsage);
}

TEST(CommandLine, BuildEnforcesWhenItIsTold) {
  const Command command =
      parseCommandLine({"build", "a.c", "--prefix", "p", "--at-least", "3", "--order", "in-turn"});
  const auto* build = std::get_if<BuildCommand>(&command);
  ASSERT_NE(build, nullptr) << refused({"build", "a.c"}).text;
  EXPECT_TRUE(build->enforce);  // constraints are given, so they are to be kept to
  EXPECT_EQ(build->output, "a.out");
  EXPECT_EQ(build->atLeast, 3u);
  EXPECT_EQ(build->order, "in-turn");
  const Command plain = parseCommandLine({"build", "a.c"});
  ASSERT_NE(std::get_if<BuildCommand>(&plain), nullptr);
  EXPECT_FALSE(std::get_if<BuildCommand>(&plain)->enforce);
  EXPECT_EQ(refused({"build", "a.c", "--order", "sideways"}).code, kExitUsage);
}

TEST(CommandLine, Durations) {
  using std::chrono::milliseconds;
  EXPECT_EQ(parseDuration("500ms"), milliseconds(500));
  EXPECT_EQ(parseDuration("0.5s"), milliseconds(500));
  EXPECT_EQ(parseDuration("1.5m"), milliseconds(90'000));
  EXPECT_EQ(parseDuration("0"), milliseconds(0));
  EXPECT_EQ(parseDuration("0s"), milliseconds(0));
  EXPECT_EQ(parseDuration("0.01ms"), milliseconds(1)) << "a tiny box is not no box";
  for (const char* bad : {"", "s", "10", "10 s", "10h", "inf", "1e30s", "-1s", "1ss"})
    EXPECT_EQ(parseDuration(bad), std::nullopt) << bad;
}

/// A folder of its own that goes with the test.
class CheckRun : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "heddle-cli-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    engine_.findCommand = [](const std::string&, std::string*) { return CompileCommand{}; };
    engine_.commandFromFlags = [](const std::string&, const std::vector<std::string>& flags) {
      CompileCommand command;
      command.arguments = flags;
      return command;
    };
    engine_.analyze = [this](const Snapshot& snapshot, const Options&, const Budget&, const Observer&) {
      snapshots_.push_back(snapshot);
      Report report = verdicts_.contains(snapshot.text) ? verdicts_[snapshot.text] : Report{};
      report.file = snapshot.path;
      for (Finding& finding : report.findings) finding.place.file = snapshot.path;
      return report;
    };
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  void setVerdict(const std::string& text, Verdict verdict) { verdicts_[text].verdict = verdict; }

  int run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "check");
    out_.str("");
    err_.str("");
    const Command command = parseCommandLine(arguments);
    if (const auto* exit = std::get_if<ExitNow>(&command)) return exit->code;
    return runCheck(std::get<CheckCommand>(command), engine_, {out_, err_}, {});
  }

  std::string folder_;
  Engine engine_;
  std::map<std::string, Report> verdicts_;
  std::vector<Snapshot> snapshots_;
  std::ostringstream out_, err_;
};

TEST_F(CheckRun, ExitCodesOfVerdicts) {
  const std::vector<std::pair<Verdict, int>> expected = {
      {Verdict::Violated, 1},   {Verdict::Verified, 0},  {Verdict::VerifiedWithinBounds, 0},
      {Verdict::Incomplete, 2}, {Verdict::Cancelled, 2}, {Verdict::Unsupported, 3},
      {Verdict::Error, 3}};
  const std::string file = write("a.c", "text");
  for (const auto& [verdict, code] : expected) {
    setVerdict("text", verdict);
    EXPECT_EQ(run({file}), code) << toString(verdict);
  }
}

TEST_F(CheckRun, FilesWithoutTheEntryPointBelongToTheOneThatHasIt) {
  const std::string a = write("a.c", "int f(void);\nint main(void) { return f(); }\n");
  const std::string b = write("b.c", "int f(void) { return 0; }\n"), c = write("c.c", "int main(void) {}\n");
  run({b, a});
  ASSERT_EQ(snapshots_.size(), 1u);
  EXPECT_EQ(snapshots_[0].path, a);
  ASSERT_EQ(snapshots_[0].units.size(), 1u);
  EXPECT_EQ(snapshots_[0].units[0].path, b);
  EXPECT_FALSE(snapshots_[0].onlyNeededUnits);
  run({a, b, c});
  ASSERT_EQ(snapshots_.size(), 3u) << "two programs";
  EXPECT_TRUE(snapshots_[2].onlyNeededUnits);
  EXPECT_EQ(snapshots_[2].units.size(), 1u);
}

TEST_F(CheckRun, SeveralFilesGiveTheWorstCode) {
  setVerdict("good", Verdict::Verified);
  setVerdict("late", Verdict::Incomplete);
  setVerdict("odd", Verdict::Unsupported);
  setVerdict("bug", Verdict::Violated);
  const std::string good = write("good.c", "good"), late = write("late.c", "late"),
                    odd = write("odd.c", "odd"), bug = write("bug.c", "bug");
  EXPECT_EQ(run({good, good}), 0);
  EXPECT_EQ(run({late, good}), 2);
  EXPECT_EQ(run({late, odd, good}), 3);
  EXPECT_EQ(run({late, odd, bug, good}), 1);
}

TEST_F(CheckRun, FindingsGiveOneEvenWhenTheRunIsUnfinished) {
  verdicts_["t"] = sampleReport();
  verdicts_["t"].verdict = Verdict::Incomplete;
  EXPECT_EQ(run({write("a.c", "t")}), 1);
}

TEST_F(CheckRun, SuppressedFindingsAreShownAndDoNotCount) {
  Report report = sampleReport();
  report.properties = {{Property::Assert, Verdict::Violated}, {Property::Race, Verdict::Verified}};
  verdicts_["t"] = report;
  const std::string file = write("a.c", "t");
  EXPECT_EQ(run({file}), 1);
  const std::string known = write("known", "# looked at\nassert-1a2b the tester's own\n");
  EXPECT_EQ(run({file, "--baseline", known}), 0);
  EXPECT_NE(out_.str().find("note: suppressed: assertion 'x != 3' failed [heddle-assert]: the tester's own"),
            std::string::npos)
      << out_.str();
  EXPECT_EQ(run({file, "--baseline", known, "--format", "json"}), 0);
  EXPECT_EQ(nlohmann::json::parse(out_.str())["findings"][0]["suppressed"], "the tester's own");

  // What is not suppressed, and what was not decided, counts as before.
  EXPECT_EQ(run({file, "--baseline", write("other", "race-77 not this one\n")}), 1);
  report.properties[Property::Race] = Verdict::Incomplete;
  verdicts_["t"] = report;
  EXPECT_EQ(run({file, "--baseline", known}), 2);
  EXPECT_EQ(run({file, "--baseline", folder_ + "/none"}), 1);
  EXPECT_NE(err_.str().find("none"), std::string::npos) << "a baseline that cannot be read is told";

  write(".heddle-baseline", "assert-1a2b of the project\n");
  EXPECT_EQ(run({file}), 2) << "the project's own is found";
}

TEST_F(CheckRun, ShowsTheFileAsTheUserNamedItAndAnalysesTheAbsoluteOne) {
  verdicts_["t"] = sampleReport();
  write("a.c", "t");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  EXPECT_EQ(run({"a.c", "--", "-DX"}), 1);
  std::filesystem::current_path(before);
  ASSERT_EQ(snapshots_.size(), 1u);
  EXPECT_TRUE(snapshots_[0].path.starts_with("/"));
  EXPECT_EQ(snapshots_[0].command.arguments, std::vector<std::string>{"-DX"});
  EXPECT_TRUE(out_.str().starts_with("a.c:12:3: error: ")) << out_.str();
  EXPECT_NE(out_.str().find("heddle replay a.c 'T0*1 T1*1 T0*1 | T1=3' -- -DX"), std::string::npos)
      << out_.str();
}

TEST_F(CheckRun, JsonIsOneObjectALine) {
  verdicts_["t"] = sampleReport();
  const std::string file = write("a.c", "t");
  EXPECT_EQ(run({file, file, "--format", "json"}), 1);
  std::istringstream lines(out_.str());
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) {
    EXPECT_EQ(nlohmann::json::parse(line)["verdict"], "violated");
    count++;
  }
  EXPECT_EQ(count, 2);
}

TEST_F(CheckRun, OutputTakesTheReportAndStdoutTheText) {
  verdicts_["t"] = sampleReport();
  const std::string file = write("a.c", "t");
  EXPECT_EQ(run({file, "--format", "json", "--output", folder_ + "/r.json"}), 1);
  EXPECT_NE(out_.str().find("[heddle-assert]"), std::string::npos);
  std::ifstream written(folder_ + "/r.json");
  EXPECT_EQ(nlohmann::json::parse(written)["findings"].size(), 1u);
}

TEST_F(CheckRun, FilesThatCannotBeReadAreOneLineEach) {
  const std::string good = write("good.c", "good");
  const std::string locked = write("locked.c", "x");
  mkfifo((folder_ + "/pipe.c").c_str(), 0600);
  const std::vector<std::pair<std::string, std::string>> bad = {{folder_ + "/none.c", "no such file"},
                                                                {folder_, "is a directory"},
                                                                {folder_ + "/pipe.c", "not a regular file"}};
  for (const auto& [path, says] : bad) {
    EXPECT_EQ(run({good, path}), 3);
    EXPECT_NE(err_.str().find("heddle: error: " + path + ": "), std::string::npos) << err_.str();
    EXPECT_NE(err_.str().find(says), std::string::npos) << err_.str();
    EXPECT_EQ(out_.str(), "");
  }
  chmod(locked.c_str(), 0);
  if (access(locked.c_str(), R_OK) != 0) {  // root may read everything
    EXPECT_EQ(run({locked}), 3);
    EXPECT_NE(err_.str().find("cannot be read"), std::string::npos) << err_.str();
  }
  EXPECT_EQ(run({good, "--output", folder_ + "/none/r.txt"}), 3);
  EXPECT_NE(err_.str().find("cannot be written"), std::string::npos) << err_.str();
}

TEST_F(CheckRun, ProblemsGoToStderrAndEmptyFilesAreFiles) {
  setVerdict("", Verdict::Unsupported);
  verdicts_[""].problem = "no function 'main'";
  const std::string file = write("empty.c", "");
  EXPECT_EQ(run({file}), 3);
  EXPECT_EQ(err_.str(), file + ": error: no function 'main' [heddle-unsupported]\n");
}

TEST_F(CheckRun, ReplayPrintsTheInterleavingAndFailsLoudlyOnDivergence) {
  ReplayResult result;
  const Finding finding = testing::sampleFinding();
  engine_.replay = [&](const Snapshot&, const Options&, const std::string& schedule, const Budget&) {
    EXPECT_EQ(schedule, "T0 T1");
    return result;
  };
  ReplayCommand command;
  command.files = {write("a.c", "t")};
  command.schedule = "T0 T1";
  result = {true, "", finding.steps, finding.threads, finding.inputs, {finding}, "hello"};
  EXPECT_EQ(runReplay(command, engine_, {out_, err_}, {}), 1);
  for (const char* part :
       {"n = 3 (line 6, T1)", "T1 worker", "write x = 3", "output:\nhello\n", "[heddle-assert]"})
    EXPECT_NE(out_.str().find(part), std::string::npos) << out_.str();
  EXPECT_EQ(err_.str(), "");

  result.failures.clear();
  EXPECT_EQ(runReplay(command, engine_, {out_, err_}, {}), 0);
  result.ok = false;
  result.error = "T1 is not enabled at operation 2";
  EXPECT_EQ(runReplay(command, engine_, {out_, err_}, {}), 3);
  EXPECT_NE(err_.str().find("T1 is not enabled at operation 2"), std::string::npos);
}

TEST(CommandLine, ExplainIsACheckThatSaysWhy) {
  const Command command = parseCommandLine({"explain", "a.c", "--steps", "9", "--property", "race"});
  const auto* explain = std::get_if<CheckCommand>(&command);
  ASSERT_NE(explain, nullptr);
  EXPECT_TRUE(explain->explain);
  EXPECT_FALSE(explain->full);
  EXPECT_TRUE(explain->options.diagnose);
  EXPECT_EQ(explain->options.properties, (std::set<Property>{Property::Race}));
  const Command check = parseCommandLine({"check", "a.c"});
  EXPECT_FALSE(std::get<CheckCommand>(check).options.diagnose) << "the short text does not show it";
  const Command json = parseCommandLine({"check", "a.c", "--format", "json"});
  EXPECT_TRUE(std::get<CheckCommand>(json).options.diagnose);
}

}  // namespace
}  // namespace heddle
