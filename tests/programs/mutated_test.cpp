// No crash and no hang: C programs, mutilated at random, go through the whole pipeline. Most do not compile;
// the others mean something nobody intended. Whatever they are, the answer is a report.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "tests/paths/paths.h"
#include "tests/programs/program_file.h"

namespace heddle::programs {
namespace {

/// Words, numbers, single signs and blanks.
std::vector<std::string> tokensOf(const std::string& text) {
  std::vector<std::string> tokens;
  const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    while (isWord(text[i]) && end < text.size() && isWord(text[end])) ++end;
    tokens.push_back(text.substr(i, end - i));
    i = end;
  }
  return tokens;
}

std::string mutate(const std::string& text, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::string> tokens = tokensOf(text);
  const auto at = [&] { return static_cast<size_t>(random() % tokens.size()); };
  static const char* const kNumbers[] = {"0",           "-1",         "1",   "2147483647",
                                         "0x80000000u", "1000000000", "3.5", "99999999999"};
  static const char* const kWords[] = {
      "*",    "&",    "++",     "--",        "0 ? 1 : 2", "(void *)", "!",      "~", "struct", "volatile",
      "long", "char", "return", "while (1)", "break",     "goto",     "[1000]", ";", "}"};
  const unsigned count = 1 + static_cast<unsigned>(random() % 4);
  for (unsigned i = 0; i < count && !tokens.empty(); ++i) {
    const size_t where = at();
    switch (random() % 7) {
      case 0:
        tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(where));
        break;
      case 1:
        std::swap(tokens[where], tokens[at()]);
        break;
      case 2:
        tokens[where] = tokens[at()];
        break;
      case 3:
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(where),
                      kWords[random() % std::size(kWords)]);
        break;
      case 4: {  // a number, if one follows
        size_t k = where;
        while (k < tokens.size() && !std::isdigit(static_cast<unsigned char>(tokens[k][0]))) ++k;
        if (k < tokens.size()) tokens[k] = kNumbers[random() % std::size(kNumbers)];
        break;
      }
      case 5: {  // a part of the program once more, elsewhere
        const size_t length = std::min<size_t>(tokens.size() - where, 1 + random() % 20);
        const std::vector<std::string> part(tokens.begin() + static_cast<std::ptrdiff_t>(where),
                                            tokens.begin() + static_cast<std::ptrdiff_t>(where + length));
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at()), part.begin(), part.end());
        break;
      }
      default:
        tokens[where] += static_cast<char>(random() % 255 + 1);
        break;
    }
  }
  std::string out;
  for (const std::string& token : tokens) out += token;
  return out;
}

using Words = std::vector<std::string>;

const std::vector<Words> kStrategies = {{},
                                        {"--strategy", "mpc-s1"},
                                        {"--strategy", "mpc-s2"},
                                        {"--strategy", "mpc-s2-fixed"},
                                        {"--strategy", "mcr"},
                                        {"--strategy", "con2colic"},
                                        {"--strategy", "random"}};

const std::vector<Words> kOptionSets = {
    {},
    {"--every-access"},
    {"--solver", "z3"},
    {"--unroll", "2"},
    {"--undefined-any", "--malloc-may-fail", "--check-leaks"},
    {"--no-spurious-wakeups", "--no-weak-failures", "--volatile-atomic"},
    {"--property", "overflow", "--property", "assert,race,deadlock,memory,misuse,uninitialized,volatile"},
    {"--args", "1 x"},
    {"--", "-m32"}};

/// Consecutive seeds go through all strategies, and through the option sets with each of them.
Words optionsOf(uint64_t seed) {
  const Words& strategy = kStrategies[seed % kStrategies.size()];
  const Words& others = kOptionSets[seed / kStrategies.size() % kOptionSets.size()];
  Words options = strategy;
  if (strategy.empty() && seed % 2 == 0) options.emplace_back("--census");
  options.insert(options.end(), others.begin(), others.end());
  return options;
}

void checkMutants(uint64_t first, uint64_t count) {
  const auto programs = allPrograms();
  ASSERT_GT(programs.size(), 40u);
  size_t analysed = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const auto& program = programs[seed * 7 % programs.size()];
    std::ifstream source(sourceDirectory() + "/" + program.path);
    std::stringstream text;
    text << source.rdbuf();
    const std::string path = testing::TempDir() + "heddle_mutant_" + std::to_string(seed) + ".c";
    std::ofstream(path) << mutate(text.str(), seed);
    Words command = {"check", path, "--budget", "1s", "--steps", "10000", "-j", "1", "--format", "json"};
    std::string options;
    for (const std::string& option : optionsOf(seed)) {
      command.push_back(option);
      options += " " + option;
    }
    SCOPED_TRACE("with" + options);
    const Outcome check = runHeddle(command);
    EXPECT_GE(check.exitCode, 0) << "seed " << seed;
    EXPECT_LE(check.exitCode, 3) << "seed " << seed;
    // One report a line: a file without main has one for each of its harnesses.
    std::istringstream lines(check.out);
    size_t reports = 0;
    for (std::string line; std::getline(lines, line); ++reports) {
      const nlohmann::json report = nlohmann::json::parse(line, nullptr, false);
      EXPECT_TRUE(report.is_object()) << "seed " << seed << ", exit code " << check.exitCode << ": " << line;
      if (!report.is_object()) continue;
      // What is called internal is a bug of ours.
      if (report.contains("problem")) {
        EXPECT_NE(report.at("problem").at("kind"), "internal")
            << "seed " << seed << ": " << report.at("problem");
      }
      // An array of some gigabytes is Clang's to hold; it is stopped, and the report says so.
      const bool isClangStopped = report.at("stats").at("compile_seconds").get<double>() > 30;
      if (!isClangStopped) {
        EXPECT_LT(report.at("stats").at("peak_rss_mb").get<double>(), 2048) << "seed " << seed;
      }
      analysed += report.at("verdict") != "error";
    }
    EXPECT_GT(reports, 0u) << "seed " << seed << ", exit code " << check.exitCode;
    if (!testing::Test::HasFailure()) std::filesystem::remove(path);  // else it is there to be looked at
  }
  EXPECT_GT(analysed, count / 20) << "the mutants should not all fail to compile";
}

TEST(Mutants, GetAReport) {
  checkMutants(1, 60);
}

/// The long run: test_programs --gtest_filter='*TwoThousand*' --gtest_also_run_disabled_tests
TEST(Mutants, DISABLED_TwoThousandGetAReport) {
  checkMutants(10000, 2000);
}

}  // namespace
}  // namespace heddle::programs
