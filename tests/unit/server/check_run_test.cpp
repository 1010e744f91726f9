// `heddle check` and `heddle replay` over a scripted engine: exit codes, what is printed where, files that
// cannot be read, baselines, and what `heddle init` writes.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sample_reports.h"
#include "server/config/config_file.h"
#include "server/driver/check.h"
#include "server/driver/cli_options.h"
#include "server/driver/harness_times.h"
#include "server/driver/init.h"

namespace heddle {
namespace {

using testing::sampleReport;

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

TEST_F(CheckRun, StrictlyWhatTheTimeBoundedIsUnfinished) {
  Report report;
  report.verdict = Verdict::VerifiedWithinBounds;
  report.bounds = {{BoundKind::LoopIterations, "loop cut after 3 iterations (--unroll)", {}}};
  verdicts_["t"] = report;
  const std::string file = write("a.c", "t");
  EXPECT_EQ(run({file, "--strict"}), 0) << "the user's own bound";
  verdicts_["t"].bounds.push_back({BoundKind::LoopRounds, "loop cut after 8 rounds", {}});
  EXPECT_EQ(run({file, "--strict"}), 2);
  EXPECT_EQ(run({file}), 0);
  setVerdict("t", Verdict::Unsupported);
  EXPECT_EQ(run({file, "--strict"}), 3);
}

TEST_F(CheckRun, QuietSaysNothingOfWhatIsWell) {
  setVerdict("t", Verdict::Verified);
  const std::string good = write("good.c", "t");
  EXPECT_EQ(run({good, "--quiet"}), 0);
  EXPECT_EQ(out_.str() + err_.str(), "");
  verdicts_["bad"] = sampleReport();
  EXPECT_EQ(run({good, write("bad.c", "bad"), "-q"}), 1);
  EXPECT_NE(out_.str().find("[heddle-assert]"), std::string::npos);
  EXPECT_EQ(out_.str().find("verified"), std::string::npos) << out_.str();
  EXPECT_EQ(out_.str().find("explorations"), std::string::npos) << out_.str();
}

TEST_F(CheckRun, SeveralFilesEndWithASummary) {
  setVerdict("t", Verdict::Verified);
  verdicts_["bad"] = sampleReport();
  const std::string good = write("good.c", "t"), bad = write("bad.c", "bad");
  EXPECT_EQ(run({good, good, bad}), 1);
  EXPECT_TRUE(out_.str().ends_with("\n3 explorations: 1 violated, 2 verified; 1 finding\n")) << out_.str();
  EXPECT_EQ(run({bad}), 1);
  EXPECT_EQ(out_.str().find("explorations"), std::string::npos);
}

TEST_F(CheckRun, ABaselineTakesWhatIsThere) {
  verdicts_["bad"] = sampleReport();
  const std::string bad = write("bad.c", "bad"), baseline = folder_ + "/.heddle-baseline";
  EXPECT_EQ(run({bad, "--write-baseline", baseline}), 2) << "race was not decided";
  EXPECT_NE(out_.str().find("note: suppressed"), std::string::npos) << out_.str();
  EXPECT_EQ(run({bad}), 2) << "the project's own is read from then on";
  std::ifstream first(baseline);
  const std::string once((std::istreambuf_iterator<char>(first)), {});
  EXPECT_EQ(run({bad, "--write-baseline", baseline}), 2);
  std::ifstream second(baseline);
  EXPECT_EQ(std::string((std::istreambuf_iterator<char>(second)), {}), once) << "each once";
  EXPECT_EQ(run({bad, "--write-baseline", folder_ + "/none/b"}), 3);
}

TEST_F(CheckRun, OnATerminalPlacesShowTheirLine) {
  const std::string text = "int x;\n\tx = 1; // \u00e9\n";
  verdicts_[text] = sampleReport();
  verdicts_[text].findings[0].place = {"", 2, 2, "main"};
  const std::string file = write("bad.c", text);
  EXPECT_EQ(run({file, "--color", "always"}), 1);
  const std::string red = "\033[1;31m", green = "\033[1;32m", plain = "\033[0m";
  EXPECT_NE(out_.str().find(red + "error:" + plain), std::string::npos) << out_.str();
  EXPECT_NE(out_.str().find("  2 | \tx = 1; // \u00e9\n    | \t" + green + "^" + plain + "\n"),
            std::string::npos)
      << out_.str();
  EXPECT_EQ(run({file, "--color", "never"}), 1);
  EXPECT_EQ(out_.str().find('\033'), std::string::npos);
  EXPECT_EQ(run({file}), 1);
  EXPECT_EQ(out_.str().find('\033'), std::string::npos) << "a stream is no terminal";
}

TEST_F(CheckRun, InitWritesWhatIsNotThere) {
  const std::string settings = folder_ + "/.heddle.yaml";
  const auto init = [&](const std::vector<std::string>& arguments) {
    out_.str("");
    return runInit(std::get<InitCommand>(parseCommandLine(arguments)), {out_, err_});
  };
  EXPECT_EQ(init({"init", folder_, "--ci", "github"}), 0);
  std::ifstream stream(settings);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  EXPECT_TRUE(parseConfig(text).problems.empty());
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/.github/workflows/heddle.yml"));
  // What is commented out is right, too.
  std::string open = text;
  for (size_t at = open.find("\n# "); at != std::string::npos; at = open.find("\n# ", at + 1))
    if (open.find(':', at) < open.find(' ', at + 3)) open.erase(at + 1, 2);
  EXPECT_TRUE(parseConfig(open).problems.empty()) << open;
  EXPECT_NE(open, text);

  std::ofstream(settings) << "budget: 5s\n";
  EXPECT_EQ(init({"init", folder_}), 0);
  EXPECT_NE(out_.str().find("stays as it is"), std::string::npos);
  std::ifstream kept(settings);
  EXPECT_EQ(std::string((std::istreambuf_iterator<char>(kept)), {}), "budget: 5s\n");
  EXPECT_EQ(init({"init", folder_ + "/none"}), 3);
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

/// Calls that cannot be decided must not take the time of all others.
TEST(HarnessTimes, BehindTwoThatRanOutOfTimeOthersHaveHalf) {
  const SourceFile file{"pool.c", "/pool.c", ""};
  ExplorationInput input;
  input.files.first = &file;
  input.generated = 6;
  input.options.budget = std::chrono::seconds(3600);
  HarnessTimes times({});
  const auto given = [&] {
    return std::chrono::duration_cast<std::chrono::minutes>(*times.of(input).deadline() -
                                                            Budget::Clock::now())
        .count();
  };
  const Budget spent = Budget::forDuration(std::chrono::milliseconds(1));
  while (spent.check() == StopReason::None) continue;
  EXPECT_GT(given(), 50);
  times.note(input, spent);
  times.note(input, Budget());
  EXPECT_GT(given(), 50);
  times.note(input, spent);
  EXPECT_LT(given(), 31);
  EXPECT_GT(given(), 25);
  input.generated = 0;
  EXPECT_GT(given(), 50) << "a program of its own has its time";
}

}  // namespace
}  // namespace heddle
