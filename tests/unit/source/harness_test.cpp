// Harness comments: what they become, and what is wrong with those that become nothing.
#include "server/source/harness.h"

#include <gtest/gtest.h>

#include "analysis/compile/command_database.h"
#include "analysis/pipeline/pipeline.h"

namespace heddle {
namespace {

const std::string kCounter =
    "#include <pthread.h>\n"
    "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n"
    "static int total;\n"
    "void add(int amount) { total = total + amount; }\n"
    "void addLocked(int amount) { pthread_mutex_lock(&lock); total += amount; pthread_mutex_unlock(&lock); "
    "}\n";

std::vector<Harness> harnesses(const std::string& text) {
  const CText lexed = lexC(text);
  return harnessesOf(text, lexed, outlineOf(text, lexed));
}

std::string problemOf(const std::string& words) {
  const std::vector<Harness> found = harnesses(kCounter + "// heddle: " + words + "\n");
  return found.size() == 1 ? found[0].problem : "not one harness";
}

Report explore(const std::string& text) {
  const std::optional<HarnessText> with = harnessText(text, "main");
  EXPECT_TRUE(with);
  Snapshot snapshot;
  snapshot.path = "/p/counter.c";
  snapshot.text = with ? with->text : text;
  snapshot.command = findCompileCommand(snapshot.path);
  Options options;
  options.entry = kHarnessEntry;
  return analyze(snapshot, options, Budget().withSteps(2'000'000));
}

TEST(Harness, CallsAreParsedWithTheirArguments) {
  const std::vector<Harness> found =
      harnesses(kCounter + "/* heddle: harness add((1, 2)) || addLocked(x) */\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].problem, "");
  ASSERT_EQ(found[0].calls.size(), 2u);
  EXPECT_EQ(found[0].calls[0].arguments, std::vector<std::string>{"(1, 2)"});
  EXPECT_EQ(found[0].calls[1].function, "addLocked");
}

TEST(Harness, MistakesAreNamed) {
  EXPECT_NE(problemOf("harness add(1) || gone()").find("'gone'"), std::string::npos);
  EXPECT_NE(problemOf("harness add() || add(1)").find("takes 1 arguments, not 0"), std::string::npos);
  EXPECT_NE(problemOf("harness add(1) || ").find("is no call"), std::string::npos);
  EXPECT_NE(problemOf("harness").find("is no call"), std::string::npos);
}

TEST(Harness, IsExploredLikeAProgram) {
  const Report racy = explore(kCounter + "// heddle: harness add(x) || add(1)\n");
  EXPECT_EQ(racy.verdict, Verdict::Violated) << racy.problem;
  ASSERT_FALSE(racy.findings.empty());
  EXPECT_EQ(racy.findings[0].kind, Property::Race);
  EXPECT_EQ(racy.findings[0].place.line, 4u) << "lines of the text keep their numbers";
  const Report locked = explore(kCounter + "// heddle: harness addLocked(x) || addLocked(y)\n");
  EXPECT_EQ(locked.verdict, Verdict::Verified) << locked.problem;
}

TEST(Harness, OnlyForATextWithoutTheEntryPoint) {
  EXPECT_FALSE(harnessText(kCounter, "main"));
  EXPECT_FALSE(
      harnessText(kCounter + "int main(void) { return 0; } // heddle: harness add(1) || add(2)\n", "main"));
}

}  // namespace
}  // namespace heddle
