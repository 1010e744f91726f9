// Functions, moved places and suppressions: what is read off a text without compiling it.
#include <gtest/gtest.h>

#include "server/source/moved_places.h"
#include "server/source/outline.h"
#include "server/source/suppressions.h"

namespace heddle {
namespace {

Outline outline(const std::string& text) {
  return outlineOf(text, lexC(text));
}

const char* const kProgram =
    "#include <pthread.h>\n"
    "struct S { int (*call)(int); };\n"
    "int table[2] = {1, 2};\n"
    "int later(void);\n"
    "static void *worker(void *arg) { if (arg) { } return 0; }\n"
    "void *other(void *a, int (*f)(int, int)) __attribute__((noinline)) { return a; }\n"
    "int main(void) {\n"
    "  pthread_t t, u;\n"
    "  pthread_create(&t, 0, worker, (void *)1);\n"
    "  pthread_create(&u, NULL, (void *(*)(void *))other, 0);\n"
    "  return 0;\n"
    "}\n";

TEST(Outline, DefinitionsNotDeclarations) {
  const Outline found = outline(kProgram);
  std::vector<std::string> names;
  for (const OutlineFunction& function : found.functions) names.push_back(function.name);
  EXPECT_EQ(names, (std::vector<std::string>{"worker", "other", "main"}));
  EXPECT_TRUE(found.find("worker")->isStatic);
  EXPECT_EQ(found.find("worker")->parameters, std::vector<std::string>{"void *arg"});
  EXPECT_EQ(found.find("other")->parameters, (std::vector<std::string>{"void *a", "int (*f)(int, int)"}));
  EXPECT_TRUE(found.find("main")->parameters.empty());
  EXPECT_EQ(found.find("later"), nullptr);
}

TEST(Outline, ThreadFunctionsAndTheFunctionAtAnOffset) {
  const std::string text = kProgram;
  const Outline found = outline(text);
  EXPECT_EQ(found.threadFunctions, (std::set<std::string>{"worker", "other"}));
  EXPECT_EQ(found.at(text.find("if (arg)"))->name, "worker");
  EXPECT_EQ(found.at(text.find("table")), nullptr);
}

TEST(Outline, BrokenTextGivesWhatIsThere) {
  EXPECT_EQ(outline("int f(void) { return 1; } int g(").functions.size(), 1u);
  EXPECT_EQ(outline("int f(void) { if (x {").functions.size(), 1u);
  EXPECT_TRUE(outline("){}{}(").functions.empty());
}

TEST(MovedPlaces, FollowTheTokens) {
  const PositionMap before("int x;\nvoid f(void) { x = 1; }\n");
  const PositionMap after("// a comment\nint   x;\n\nvoid f(void)\n{\n  x = /* */ 1;\n}\n");
  const MovedPlaces moved("a.c", before, after);
  SourcePlace place{"a.c", 2, 18, "f"};  // the '='
  moved.move(place);
  EXPECT_EQ(place.line, 6u);
  EXPECT_EQ(place.column, 5u);
  SourcePlace elsewhere{"b.h", 2, 18, "f"}, unknown;
  moved.move(elsewhere);
  moved.move(unknown);
  EXPECT_EQ(elsewhere.line, 2u);
  EXPECT_EQ(unknown.line, 0u);
}

bool sameFor(const std::string& before, const std::string& after, const std::set<std::string>& reached) {
  return sameProgram(before, withoutUnreached(before, lexC(before), reached), after,
                     withoutUnreached(after, lexC(after), reached));
}

TEST(Unreached, OnlyTheBodiesOfFunctionsThatNothingComesTo) {
  const std::string text = "int x;\nvoid idle(int a) { x = a; }\nint main(void) { x = 1; }\n";
  const std::string idle = "int x;\nvoid idle(int a) { x = a; x++; }\nint main(void) { x = 1; }\n";
  EXPECT_TRUE(sameFor(text, idle, {"main"}));
  EXPECT_FALSE(sameFor(text, idle, {"main", "idle"}));
  EXPECT_FALSE(sameFor(text, idle, {})) << "unknown";
  EXPECT_FALSE(sameFor(text, "int x;\nvoid idle(int a) { x = a; }\nint main(void) { x = 2; }\n", {"main"}));
  EXPECT_FALSE(sameFor(text, "int x;\nvoid idle(long a) { x = a; }\nint main(void) { x = 1; }\n", {"main"}))
      << "a type counts for who calls it";
  EXPECT_FALSE(
      sameFor(text, "int x;\nvoid idle(int a) {\n#define x y\n}\nint main(void) { x = 1; }\n", {"main"}))
      << "a macro counts behind the function too";
  EXPECT_FALSE(sameFor(text + "//", idle + "\n__attribute__((always_inline)) int f(void);", {"main"}));
}

TEST(MovedPlaces, PassOverFunctionsThatNothingComesTo) {
  const PositionMap before("void idle(void) { }\nint main(void) { f(); }\n");
  const PositionMap after("void idle(void) { a();\nb(); }\nint main(void) { f(); }\n");
  SourcePlace place{"a.c", 2, 18, "main"};
  MovedPlaces("a.c", before, after, {"main"}).move(place);
  EXPECT_EQ(place.line, 3u);
  EXPECT_EQ(place.column, 18u);
}

TEST(MovedPlaces, RepairsOfTheOldTextAreNotOffered) {
  Finding finding;
  finding.repairs.push_back({"lock it", RepairStatus::Verified, "critical-sections", 0, {}});
  const PositionMap before("int x;\n"), after("int x; // note\n");
  MovedPlaces("a.c", before, before).move(finding);
  EXPECT_EQ(finding.repairs.size(), 1u);
  MovedPlaces("a.c", before, after).move(finding);
  EXPECT_TRUE(finding.repairs.empty());
}

Finding raceAt(uint32_t line, uint32_t otherLine) {
  Finding finding;
  finding.id = "race-12";
  finding.kind = Property::Race;
  finding.place = {"a.c", line, 1, "f"};
  finding.related = {{{"a.c", otherLine, 1, "g"}, ""}, {finding.place, ""}};
  return finding;
}

std::optional<std::string> reason(const Finding& finding, const std::string& text,
                                  const Baseline& baseline = {}) {
  return suppressionOf(finding, linesOf(finding, "a.c"), ignoreComments(PositionMap(text)), baseline);
}

TEST(Suppressions, OnTheLineOrTheLineAbove) {
  EXPECT_EQ(reason(raceAt(1, 9), "x++; // heddle: ignore[race] statistics\n"), "statistics");
  EXPECT_EQ(reason(raceAt(2, 9), "// heddle: ignore[race] statistics\nx++;\n"), "statistics");
  EXPECT_EQ(reason(raceAt(9, 1), "x++; /* heddle: ignore any kind */\n"), "any kind")
      << "either place of a race";
  EXPECT_EQ(reason(raceAt(2, 9), "x++; // heddle: ignore[race] statistics\nx++;\n"), std::nullopt);
  EXPECT_EQ(reason(raceAt(1, 9), "x++; // heddle: ignore[deadlock] other\n"), std::nullopt);
  EXPECT_EQ(reason(raceAt(1, 9), "x++; // heddle: ignore[deadlock, race] both\n"), "both");
}

TEST(Suppressions, NothingWithoutAReasonOrWithAnUnknownKind) {
  EXPECT_EQ(reason(raceAt(1, 9), "x++; // heddle: ignore[race]\n"), std::nullopt);
  EXPECT_EQ(reason(raceAt(1, 9), "x++; // heddle: ignore[rice] why\n"), std::nullopt);
  EXPECT_NE(ignoreComments(PositionMap("// heddle: ignore[rice] why\n"))[0].problem.find("'rice'"),
            std::string::npos);
  EXPECT_FALSE(ignoreComments(PositionMap("// heddle: ignore[race why\n"))[0].problem.empty());
}

TEST(Suppressions, ABaselineNamesFindings) {
  std::string problem;
  const Baseline baseline = parseBaseline("# known\n\nrace-12  looked at in May\nassert-3\n", problem);
  EXPECT_EQ(reason(raceAt(1, 9), "x++;\n", baseline), "looked at in May");
  EXPECT_NE(problem.find("line 4"), std::string::npos);
  EXPECT_EQ(baseline.size(), 1u);
}

}  // namespace
}  // namespace heddle
