// Programs of several units: linked in memory, by the rules of a linker.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/pipeline/pipeline.h"

namespace heddle {
namespace {

const char* const kMain =
    "#include <pthread.h>\n#include <assert.h>\n"
    "extern int count; void add(void);\n"
    "static int calls; static void note(void) { calls = 1; }\n"
    "void *work(void *p) { add(); return p; }\n"
    "int main(void) {\n"
    "  pthread_t a, b; note();\n"
    "  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0);\n"
    "  assert(count == 2 && calls == 1);\n  return 0;\n}\n";
const char* const kUnlocked =
    "int count;\nstatic int calls; static void note(void) { calls = 2; }\n"
    "void add(void) { note(); int now = count; count = now + 1; }\n";
const char* const kOtherUnit =
    "#include <pthread.h>\nint count;\nstatic _Thread_local int calls; static void note(void) { calls = 2; "
    "}\n"
    "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    "void add(void) { note(); pthread_mutex_lock(&m); count++; pthread_mutex_unlock(&m); }\n";

Unit unitOf(const std::string& path, const std::string& text, const std::vector<std::string>& flags = {}) {
  return {path, text, commandFromFlags(path, flags)};
}

Snapshot programOf(const std::vector<std::string>& texts, const std::vector<std::string>& flags = {}) {
  Snapshot snapshot;
  snapshot.path = "/nowhere/main.c";
  snapshot.text = texts.front();
  snapshot.command = commandFromFlags(snapshot.path, flags);
  for (size_t i = 1; i < texts.size(); ++i)
    snapshot.units.push_back(unitOf("/nowhere/unit" + std::to_string(i) + ".c", texts[i], flags));
  return snapshot;
}

Report checked(const Snapshot& snapshot) {
  return analyze(snapshot, {}, Budget().withSteps(1'000'000));
}

TEST(Units, AFailureInAnotherFileSaysWhoCalls) {
  const Report report = checked(programOf(
      {"int second(const int *p); int first(const int *p);\nint main(void) {\n  return first(0);\n}\n",
       "int second(const int *p) { return *p; }\nint first(const int *p) { return second(p); }\n"}));
  ASSERT_EQ(report.findings.size(), 1u) << report.problem;
  const std::vector<RelatedPlace>& related = report.findings[0].related;
  ASSERT_EQ(related.size(), 1u);
  EXPECT_EQ(related[0].message, "called here, in 'main'");
  EXPECT_EQ(related[0].place.file, "/nowhere/main.c");
  EXPECT_EQ(related[0].place.line, 3u);
  EXPECT_TRUE(
      checked(programOf({"int main(void) { int *p = 0; return *p; }\n"})).findings[0].related.empty());
}

TEST(Units, BugsAcrossUnitsAreFoundAndReplay) {
  const Snapshot snapshot = programOf({kMain, kUnlocked});
  const Report report = checked(snapshot);
  EXPECT_EQ(report.properties.at(Property::Assert), Verdict::Violated) << report.problem;
  EXPECT_EQ(report.properties.at(Property::Race), Verdict::Violated);
  bool raceInUnit = false;
  for (const Finding& finding : report.findings) {
    raceInUnit |= finding.kind == Property::Race && finding.place.file == "/nowhere/unit1.c";
    const ReplayResult again = replay(snapshot, {}, finding.schedule, Budget().withSteps(100'000));
    EXPECT_TRUE(again.ok) << again.error;
  }
  EXPECT_TRUE(raceInUnit);
}

TEST(Units, StaticNamesStayApartAndLocksOfAUnitCount) {
  const Report report = checked(programOf({kMain, kOtherUnit}));
  for (const auto& [property, verdict] : report.properties)
    EXPECT_EQ(verdict, Verdict::Verified) << property << report.problem;
}

TEST(Units, AnUnsavedTextOfAUnitCounts) {
  Snapshot snapshot = programOf({kMain, kUnlocked});
  snapshot.overlays["/nowhere/unit1.c"] = kOtherUnit;
  EXPECT_EQ(checked(snapshot).verdict, Verdict::Verified);
}

TEST(Units, WeakAndCommonDefinitionsGiveWay) {
  const std::string use =
      "#include <assert.h>\nint shared; int tune(void) __attribute__((weak));\n"
      "int tune(void) { return 1; }\n"
      "int main(void) { assert(tune() == 2); assert(shared == 7); return 0; }\n";
  const std::string strong = "int shared = 7; int tune(void) { return 2; }\n";
  EXPECT_EQ(checked(programOf({use, strong}, {"-fcommon"})).verdict, Verdict::Verified);
}

TEST(Units, TwoDefinitionsAreAnErrorThatNamesBoth) {
  const Report report = checked(programOf({kMain, kUnlocked, "\n\nvoid add(void) {}\n"}));
  EXPECT_EQ(report.verdict, Verdict::Error);
  EXPECT_NE(report.problem.find("'add' is defined here and at unit1.c:3"), std::string::npos)
      << report.problem;
  EXPECT_EQ(report.problemPlace.file, "/nowhere/unit2.c");
  EXPECT_EQ(report.problemPlace.line, 3u);
}

/// As headers of old C do it.
TEST(Units, WhereNothingSaysHowVariablesWithoutAValueAreOneAndNamed) {
  const std::string use =
      "#include <assert.h>\nint level; void raise_it(void);\n"
      "int main(void) { raise_it(); assert(level == 3); return 0; }\n";
  Snapshot snapshot = programOf({use, "int level;\nvoid raise_it(void) { level = 3; }\n"});
  EXPECT_EQ(checked(snapshot).verdict, Verdict::Error) << "a compiler of today does not link it";
  snapshot.command.source = snapshot.units[0].command.source = "inferred";
  const Report report = checked(snapshot);
  EXPECT_EQ(report.properties.at(Property::Assert), Verdict::VerifiedWithinBounds) << report.problem;
  EXPECT_TRUE(std::any_of(report.assumptions.begin(), report.assumptions.end(), [](const auto& assumption) {
    return assumption.text == "variables that several files define without a value are one each: 'level'";
  }));
}

TEST(Units, AVariableWithoutAValueHasThatOfAnotherFile) {
  Snapshot snapshot =
      programOf({"#include <assert.h>\nint level; int main(void) { assert(level == 3); return 0; }\n",
                 "int level = 3;\n"});
  snapshot.command.source = snapshot.units[0].command.source = "inferred";
  snapshot.onlyNeededUnits = true;
  EXPECT_EQ(checked(snapshot).verdict, Verdict::VerifiedWithinBounds) << "which is named";
}

TEST(Units, NoUnitIsLinkedForWhatTheLibraryDefines) {
  for (const std::string call : {"poll(0, 0, 0)", "getpid()"}) {
    const std::string name = call.substr(0, call.find('('));
    Snapshot snapshot = programOf(
        {"#include <poll.h>\n#include <unistd.h>\nint zero; int main(void) { return " + call + " < 0; }\n",
         "extern int zero; int " + name + "() { return 1 / zero; }\n"});
    snapshot.onlyNeededUnits = true;
    EXPECT_TRUE(checked(snapshot).findings.empty()) << call;
  }
}

TEST(Units, AMainOfAnotherFileIsNoPartOfTheProgramWhereOnlyWhatIsNeededIs) {
  Snapshot snapshot = programOf({"int shared(void); int main(void) { return shared(); }\n",
                                 "int shared(void) { return 0; } int main(void) { return 1 / shared(); }\n"});
  EXPECT_EQ(checked(snapshot).verdict, Verdict::Error);
  snapshot.onlyNeededUnits = true;
  EXPECT_EQ(checked(snapshot).verdict, Verdict::Verified);
}

TEST(Units, OnlyWhatIsNeededIsLinkedWhenAsked) {
  Snapshot snapshot = programOf({kMain, "int unused; void add(void);\nint main2(void) { add(); return 0; }\n",
                                 "void add(void) {} int count = 2, unused;\n", "int count = 5;\n"});
  snapshot.onlyNeededUnits = true;
  EXPECT_EQ(checked(snapshot).verdict, Verdict::Verified);
  snapshot.onlyNeededUnits = false;
  EXPECT_EQ(checked(snapshot).verdict, Verdict::Error);
}

/// One file for each system: the second one that defines a function is not linked.
TEST(Units, OfTwoUnitsThatDefineAFunctionTheFirstOneIsLinkedWhereOnlyWhatIsNeededIs) {
  Snapshot snapshot = programOf(
      {"#include <assert.h>\nint now(void); int sleeps(void);\n"
       "int main(void) { assert(now() == 1); return sleeps() == 7; }\n",
       "int now(void) { return 1; }\n", "int now(void) { return 2; } int sleeps(void) { return 7; }\n"});
  EXPECT_EQ(checked(snapshot).verdict, Verdict::Error);
  snapshot.onlyNeededUnits = true;
  const Report report = checked(snapshot);
  EXPECT_EQ(report.verdict, Verdict::VerifiedWithinBounds) << report.problem;
  ASSERT_EQ(report.unknownCalls.size(), 1u);
  EXPECT_EQ(report.unknownCalls[0].name, "sleeps");
  EXPECT_TRUE(std::any_of(report.assumptions.begin(), report.assumptions.end(), [](const auto& assumption) {
    return assumption.text == "unit2.c is no part of the program: 'now' is defined here and at unit1.c:1";
  }));
}

TEST(Units, WhatIsMissingOrBrokenIsNamed) {
  const std::string pointer = "int *find(void); int main(void) { return *find(); }\n";
  Snapshot refusing = programOf({pointer, "int other;\n"});
  EXPECT_EQ(checked(refusing).verdict, Verdict::VerifiedWithinBounds);
  refusing.environment.unknown = UnknownEffect::Refused;
  const Report missing = checked(refusing);
  EXPECT_EQ(missing.verdict, Verdict::Unsupported);
  EXPECT_NE(missing.problem.find("'find'"), std::string::npos) << missing.problem;
  const Report broken = checked(programOf({kMain, "int count = ;\n"}));
  EXPECT_EQ(broken.verdict, Verdict::Error);
  EXPECT_EQ(broken.problemPlace.file, "/nowhere/unit1.c");
  Snapshot mixed = programOf({kMain, kUnlocked});
  mixed.units[0].command = commandFromFlags(mixed.units[0].path, {"-m32"});
  EXPECT_NE(checked(mixed).problem.find("another target"), std::string::npos);
}

}  // namespace
}  // namespace heddle
