// The command line: what parses to what, and which mistakes are said how.
#include <gtest/gtest.h>

#include <algorithm>

#include "server/driver/cli_options.h"
#include "server/driver/suggestion.h"

namespace heddle {
namespace {

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
  const CheckCommand check = checkOf({"check",
                                      "--entry",
                                      "start",
                                      "--budget",
                                      "2m",
                                      "--steps",
                                      "500",
                                      "--strategy",
                                      "forest",
                                      "--property",
                                      "assert,overflow",
                                      "--unroll",
                                      "7",
                                      "-j",
                                      "3",
                                      "--refuse-signals",
                                      "--format",
                                      "json",
                                      "--output",
                                      "r.json",
                                      "--all",
                                      "--solver",
                                      "z3",
                                      "a.c",
                                      "b.c",
                                      "--",
                                      "-DX=1",
                                      "--property"});
  EXPECT_EQ(check.files, (std::vector<std::string>{"a.c", "b.c"}));
  EXPECT_EQ(check.options.entry, "start");
  EXPECT_EQ(check.budget, std::chrono::minutes(2));
  EXPECT_EQ(check.steps, 500u);
  EXPECT_EQ(check.options.strategy, "forest");
  EXPECT_EQ(check.options.properties, (std::set<Property>{Property::Assert, Property::Overflow}));
  EXPECT_EQ(check.options.unroll, 7u);
  EXPECT_EQ(check.options.workers, 3u);
  EXPECT_EQ(check.environment, Environment{.signals = Signals::Refused});
  EXPECT_EQ(check.options.solver, "z3");
  EXPECT_EQ(check.format, Format::Json);
  EXPECT_EQ(check.output, "r.json");
  EXPECT_TRUE(check.flagsGiven);
  EXPECT_EQ(check.flags, (std::vector<std::string>{"-DX=1", "--property"}));
}

TEST(CommandLine, WhatSignalsDoHasThreeFormsAndTwoOlderNames) {
  const auto signalsOf = [](const std::vector<std::string>& options) {
    std::vector<std::string> words = {"check"};
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back("a.c");
    return checkOf(words).environment.signals;
  };
  EXPECT_EQ(signalsOf({}), Signals::None);
  EXPECT_EQ(signalsOf({"--signals", "threads"}), Signals::Threads);
  EXPECT_EQ(signalsOf({"--signals", "refused"}), Signals::Refused);
  EXPECT_EQ(signalsOf({"--refuse-signals"}), Signals::Refused);
  EXPECT_EQ(signalsOf({"--signals", "threads", "--no-signals"}), Signals::None);
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
      {{"chekc", "a.c"}, "did you mean 'check'?"},
      {{"frobnicate"}, "frobnicate"},
      {{"check", "a.c", "--budgte", "1s"}, "did you mean '--budget'?"},
      {{"check", "a.c", "--color", "blue"}, "auto, always or never"},
      {{"check", "a.c", "-p", "build", "--", "-DX"}, "leave one out"},
      {{"completion", "tcsh"}, "bash, zsh or fish"},
      {{"init", "--ci", "jenkins"}, "github or gitlab"},
      {{"check", "a.c", "--size", "N"}, "NAME=N"},
      {{"check", "a.c", "--size", "N=0"}, "NAME=N"},
      {{"check", "a.c", "--size", "N=x"}, "NAME=N"},
      {{"capture"}, "heddle capture -- make"},
      {{"capture", "make"}, "make"},
      {{"capture", "-o", "out", "--"}, "heddle capture -- make"},
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
      {{"--", "-DX"},
       "check, explain, replay, repair, reproduce, save, build, cover, stubs, harness, scan, outcomes, "
       "relax and annotate"},
  };
  for (const auto& [arguments, mentions] : mistakes) {
    const ExitNow exit = refused(arguments);
    EXPECT_EQ(exit.code, kExitUsage) << mentions;
    EXPECT_TRUE(exit.text.starts_with("heddle: error: ")) << exit.text;
    EXPECT_NE(exit.text.find(mentions), std::string::npos) << exit.text;
    EXPECT_EQ(std::count(exit.text.begin(), exit.text.end(), '\n'), 1) << exit.text;
  }
}

TEST(CommandLine, CaptureTakesTheBuildAsItStands) {
  const Command command = parseCommandLine({"capture", "-o", "out", "--", "make", "-j2", "--", "CC=x y"});
  const auto* capture = std::get_if<CaptureCommand>(&command);
  ASSERT_NE(capture, nullptr);
  EXPECT_EQ(capture->folder, "out");
  EXPECT_EQ(capture->build, (std::vector<std::string>{"make", "-j2", "--", "CC=x y"}));
}

TEST(CommandLine, SuggestsOnlyWhatIsNear) {
  EXPECT_EQ(nearestWord("chekc", {"lsp", "check", "cover"}), "check");
  EXPECT_EQ(nearestWord("stub", {"stubs", "scan"}), "stubs");
  EXPECT_EQ(nearestWord("frobnicate", {"lsp", "check", "reproduce"}), std::nullopt);
  EXPECT_EQ(refused({"frobnicate"}).text.find("did you mean"), std::string::npos);
  EXPECT_EQ(refused({"check", "a.c", "--nonsense"}).text.find("did you mean"), std::string::npos);
}

TEST(CommandLine, ManualAndCompletionsKnowEveryCommandAndOption) {
  const std::string manual = refused({"man"}).text;
  EXPECT_TRUE(manual.starts_with(".TH HEDDLE 1")) << manual.substr(0, 80);
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const ExitNow script = refused({"completion", shell});
    EXPECT_EQ(script.code, 0);
    for (const char* word :
         {"check", "explain", "replay", "repair", "scan", "completion", "budget", "strict"})
      EXPECT_NE(script.text.find(word), std::string::npos) << shell << " " << word;
    EXPECT_EQ(script.text.find("worker"), script.text.find("workers")) << "what is not for people";
  }
  for (const char* section : {"HEDDLE CHECK", "HEDDLE SCAN", "\\-\\-compile\\-commands\\-dir", "EXIT STATUS"})
    EXPECT_NE(manual.find(section), std::string::npos) << section;
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
