// Tasks of SV-COMP: property files, verdicts under its rules, witnesses written, read and looked for.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "server/driver/check.h"
#include "server/driver/cli_options.h"
#include "server/svcomp/specification.h"
#include "server/svcomp/witness.h"

namespace heddle {
namespace {

using svcomp::Specification;

constexpr const char* kReach = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
constexpr const char* kRaceProperty = "CHECK( init(main()), LTL(G ! data-race) )\n";
constexpr const char* kMemory =
    "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n"
    "CHECK( init(main()), LTL(G valid-memtrack) )\n";

/// A path of this process: the tests of the suite run side by side.
std::string pathInTemp(const std::string& name) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("svcomp_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  return folder / name;
}

std::string inTemp(const std::string& name, const std::string& text) {
  std::string path = pathInTemp(name);
  std::ofstream(path) << text;
  return path;
}

std::string textOfFile(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// What the command prints. `code`: its exit code.
std::string checkedAgainst(const std::string& property, const std::string& program,
                           const std::vector<std::string>& more = {}, int code = kExitNoBug) {
  std::vector<std::string> words = {"check", "--svcomp", inTemp("task.prp", property),
                                    inTemp("task.c", program)};
  words.insert(words.end(), more.begin(), more.end());
  const Command command = parseCommandLine(words);
  EXPECT_TRUE(std::holds_alternative<CheckCommand>(command));
  std::ostringstream out, err;
  EXPECT_EQ(runCheck(std::get<CheckCommand>(command), pipelineEngine(), {out, err}, {}), code)
      << out.str() << err.str();
  return out.str() + err.str();
}

/// Two threads add to a counter, under a lock or not; what main reads is at least `least`.
std::string adders(bool isLocked, const std::string& least) {
  const std::string lock = isLocked ? "pthread_mutex_lock(&m); " : "";
  const std::string unlock = isLocked ? " pthread_mutex_unlock(&m);" : "";
  return "#include <pthread.h>\n"
         "extern void abort(void);\n"
         "extern int __VERIFIER_nondet_int(void);\n"
         "void reach_error(void) { abort(); }\n"
         "void __VERIFIER_assert(int ok) {\n"
         "  if (!ok) { ERROR: reach_error(); abort(); }\n"
         "}\n"
         "int n;\n"
         "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
         "void *add(void *p) {\n"
         "  " +
         lock + "n = n + 1;" + unlock +
         "\n"
         "  return p;\n"
         "}\n"
         "int main(void) {\n"
         "  pthread_t a, b;\n"
         "  int more = __VERIFIER_nondet_int();\n"
         "  pthread_create(&a, 0, add, 0);\n"
         "  pthread_create(&b, 0, add, 0);\n"
         "  pthread_join(a, 0);\n"
         "  pthread_join(b, 0);\n"
         "  if (more == 7) __VERIFIER_assert(n >= " +
         least +
         ");\n"
         "  return 0;\n"
         "}\n";
}

TEST(SvcompSpecification, IsReadFromPropertyFiles) {
  std::string problem;
  EXPECT_EQ(svcomp::parseSpecification(kReach, problem), Specification::UnreachCall);
  EXPECT_EQ(svcomp::parseSpecification(kRaceProperty, problem), Specification::NoDataRace);
  EXPECT_EQ(svcomp::parseSpecification(kMemory, problem), Specification::MemSafety);
  EXPECT_EQ(svcomp::parseSpecification("CHECK(init(main()),LTL(G!overflow))", problem),
            Specification::NoOverflow);
  EXPECT_EQ(svcomp::parseSpecification("CHECK( init(main()), LTL(F end) )", problem), std::nullopt);
  EXPECT_NE(problem.find("not decided here"), std::string::npos) << problem;
  // One of three does not ask for the whole property.
  EXPECT_EQ(svcomp::parseSpecification("CHECK( init(main()), LTL(G valid-free) )", problem), std::nullopt);
  EXPECT_EQ(svcomp::parseSpecification("int main;", problem), std::nullopt);
  EXPECT_NE(problem.find("give a property file"), std::string::npos) << problem;
}

TEST(Svcomp, AnErrorThatSomeScheduleAndInputReachIsFalse) {
  const std::string witness = pathInTemp("reach.yml");
  const std::string out =
      checkedAgainst(kReach, adders(false, "2"), {"--witness", witness, "--data-model", "LP64"}, kExitBug);
  EXPECT_NE(out.find("\nverdict: false(unreach-call)\n"), std::string::npos) << out;

  std::string problem;
  const auto read = svcomp::parseWitness(textOfFile(witness), problem);
  ASSERT_TRUE(read) << problem << textOfFile(witness);
  EXPECT_TRUE(read->isViolation);
  EXPECT_EQ(read->version, "2.2");
  EXPECT_EQ(read->dataModel, "LP64");
  EXPECT_EQ(read->files.front().hash.size(), 64u);
  EXPECT_EQ(read->specification + "\n", kReach);
  ASSERT_FALSE(read->segments.empty());
  // The target is the statement that calls reach_error, and not the check that stands for it.
  const svcomp::Waypoint& target = read->segments.back().back();
  EXPECT_EQ(target.type, "target");
  EXPECT_EQ(target.line, 6u);
  EXPECT_EQ(target.thread, 0u);
  // The input, behind the parenthesis of its call; both creations; both threads switch.
  size_t inputs = 0, creations = 0;
  std::set<uint32_t> threads;
  for (const auto& segment : read->segments)
    for (const svcomp::Waypoint& point : segment) {
      threads.insert(point.thread);
      creations += point.type == "function_enter" ? 1 : 0;
      if (point.type != "function_return") continue;
      ++inputs;
      EXPECT_EQ(point.constraint, "\\result == 7");
      EXPECT_EQ(point.line, 16u);
      EXPECT_EQ(point.column, 36u);
    }
  EXPECT_EQ(inputs, 1u);
  EXPECT_EQ(creations, 2u);
  EXPECT_EQ(threads, (std::set<uint32_t>{0, 1, 2}));
}

TEST(Svcomp, WhatNoScheduleReachesIsTrue) {
  const std::string witness = pathInTemp("correct.yml");
  const std::string out = checkedAgainst(kReach, adders(true, "2"), {"--witness", witness});
  EXPECT_EQ(out, "verdict: true\n");
  std::string problem;
  const auto read = svcomp::parseWitness(textOfFile(witness), problem);
  ASSERT_TRUE(read) << problem;
  EXPECT_FALSE(read->isViolation);
  EXPECT_EQ(read->invariants, 0u);
}

TEST(Svcomp, ARaceHasItsTwoAccessesAsTargets) {
  const std::string witness = pathInTemp("race.yml");
  const std::string out = checkedAgainst(kRaceProperty, adders(false, "0"), {"--witness", witness}, kExitBug);
  EXPECT_NE(out.find("\nverdict: false(no-data-race)\n"), std::string::npos) << out;
  std::string problem;
  const auto read = svcomp::parseWitness(textOfFile(witness), problem);
  ASSERT_TRUE(read) << problem;
  const std::vector<svcomp::Waypoint>& last = read->segments.back();
  ASSERT_EQ(last.size(), 2u);
  EXPECT_EQ(last[0].line, 11u);
  EXPECT_EQ(last[1].line, 11u);
  EXPECT_NE(last[0].thread, last[1].thread);
  EXPECT_EQ(checkedAgainst(kRaceProperty, adders(true, "0")), "verdict: true\n");
}

TEST(Svcomp, OtherFailuresAreNoViolation) {
  const std::string failing =
      "#include <assert.h>\n#include <stdlib.h>\n"
      "int main(void) { int *p = malloc(sizeof *p); *p = 1; assert(*p == 2); free(p); return 0; }\n";
  const std::string out = checkedAgainst(kReach, failing, {}, kExitIncomplete);
  EXPECT_NE(out.find("no violation of unreach-call"), std::string::npos) << out;
  EXPECT_NE(out.find("\nverdict: unknown\n"), std::string::npos) << out;
}

TEST(Svcomp, MemoryErrorsAreToldApart) {
  const auto verdict = [](const std::string& body, const char* property, int code) {
    const std::string out = checkedAgainst(
        property, "#include <stdlib.h>\nint main(void) { int *p = malloc(4); " + body + " }\n", {}, code);
    return out.substr(out.rfind("verdict: "));
  };
  EXPECT_EQ(verdict("free(p); free(p); return 0;", kMemory, kExitBug), "verdict: false(valid-free)\n");
  EXPECT_EQ(verdict("free(p + 1); return 0;", kMemory, kExitBug), "verdict: false(valid-free)\n");
  EXPECT_EQ(verdict("free(p); return *p;", kMemory, kExitBug), "verdict: false(valid-deref)\n");
  EXPECT_EQ(verdict("free(p); return 0;", kMemory, kExitNoBug), "verdict: true\n");
  // Undefined, and the memory is valid.
  EXPECT_EQ(verdict("free(p); struct { int a[2], b; } x = {{0}, 0}; x.a[2] = 1; return x.b;", kMemory,
                    kExitIncomplete),
            "verdict: unknown\n");
  // What is left over at the end may still be pointed to.
  EXPECT_EQ(verdict("p[0] = 1; return 0;", kMemory, kExitIncomplete), "verdict: unknown\n");
  EXPECT_EQ(verdict("p[0] = 1; return 0;", "CHECK( init(main()), LTL(G valid-memcleanup) )", kExitBug),
            "verdict: false(valid-memcleanup)\n");
}

TEST(Svcomp, WhatHoldsWithinBoundsIsUnknown) {
  const std::string out = checkedAgainst(kReach,
                                         "extern void reach_error(void);\n"
                                         "int main(int argc, char **argv) { if (argv[0] == 0) reach_error(); "
                                         "return argc; }\n",
                                         {}, kExitIncomplete);
  EXPECT_NE(out.find("verdict: unknown"), std::string::npos) << out;
}

TEST(Svcomp, AWitnessOfAnotherToolIsLookedFor) {
  const auto withTarget = [](const std::string& type, uint32_t line) {
    return "- entry_type: " + type +
           "\n  metadata:\n    format_version: \"2.0\"\n    task:\n"
           "      input_files: [\"task.c\"]\n      input_file_hashes: {\"task.c\": \"00\"}\n  content:\n"
           "  - segment:\n    - waypoint:\n        type: target\n        action: follow\n"
           "        location: {file_name: \"task.c\", line: " +
           std::to_string(line) + "}\n";
  };
  const auto validated = [&](const std::string& witness, bool isLocked, int code) {
    return checkedAgainst(kReach, adders(isLocked, "2"), {"--validate", inTemp("other.yml", witness)}, code);
  };
  const std::string there = validated(withTarget("violation_sequence", 6), false, kExitBug);
  EXPECT_NE(there.find("witness: confirmed: an execution ends at its target (it was made for another text"),
            std::string::npos)
      << there;
  const std::string elsewhere = validated(withTarget("violation_sequence", 21), false, kExitBug);
  EXPECT_NE(elsewhere.find("witness: unknown: the specification is violated, but elsewhere"),
            std::string::npos)
      << elsewhere;
  const std::string none = validated(withTarget("violation_sequence", 6), true, kExitNoBug);
  EXPECT_NE(none.find("witness: refuted: no execution violates"), std::string::npos) << none;
  const std::string correct = validated("- entry_type: invariant_set\n  content: []\n", true, kExitNoBug);
  EXPECT_NE(correct.find("witness: confirmed: the program is correct"), std::string::npos) << correct;
  const std::string wrong = validated("- entry_type: invariant_set\n  content: []\n", false, kExitBug);
  EXPECT_NE(wrong.find("witness: refuted: the program violates"), std::string::npos) << wrong;

  const std::string broken = validated("- entry_type: [\n", false, kExitUsage);
  EXPECT_NE(broken.find("other.yml: line "), std::string::npos) << broken;
  const std::string empty = validated("[]\n", false, kExitUsage);
  EXPECT_NE(empty.find("no entry 'violation_sequence'"), std::string::npos) << empty;
}

TEST(Svcomp, OptionsBelongTogether) {
  const Command command = parseCommandLine({"check", "a.c", "--witness", "w.yml"});
  ASSERT_TRUE(std::holds_alternative<ExitNow>(command));
  EXPECT_EQ(std::get<ExitNow>(command).code, kExitUsage);
}

}  // namespace
}  // namespace heddle
