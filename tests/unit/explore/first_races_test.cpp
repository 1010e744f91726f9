// Races that any run shows: found without a question, by happens-before over the executed events.
#include <gtest/gtest.h>

#include "tests/unit/explore/random_program.h"

namespace heddle::test {
namespace {

Options racesOnly() {
  Options options;
  options.properties = {Property::Race};
  return options;
}

const char* const kSections =
    "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n"
    "#define ATOMIC(s) { __VERIFIER_atomic_begin(); s; __VERIFIER_atomic_end(); }\n";

TEST(FirstRaces, AreFoundBeforeAnythingIsAsked) {
  // What follows the race takes seconds of questions.
  const std::string text = std::string(kSections) +
                           "int i = 1, j = 1;\n"
                           "void *f(void *u) { for (int p = 0; p < 10; p++) ATOMIC(i = i + j) return u; }\n"
                           "void *g(void *u) { for (int q = 0; q < 10; q++) ATOMIC(j = j + i) return u; }\n"
                           "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0);\n"
                           "pthread_create(&b, 0, g, 0); return i < 17711 && j < 17711; }\n";
  const Report report = check(text, racesOnly(), 20'000);
  ASSERT_EQ(report.properties.at(Property::Race), Verdict::Violated) << report.problem;
  for (const Finding& finding : report.findings) EXPECT_TRUE(replayed(text, finding.schedule).ok);
}

TEST(FirstRaces, OnlyWhatIsRealIsReported) {
  const char* const kOrdered[] = {
      // a lock, a join, an atomic flag, a condition, a semaphore
      "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;\n"
      "void *f(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return p; }\n"
      "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); f(0); return 0; }\n",
      "int x; void *f(void *p) { x++; return p; }\n"
      "int main(void) { pthread_t a; x = 1; pthread_create(&a, 0, f, 0); pthread_join(a, 0); x++; return 0; "
      "}\n",
      "_Atomic int set; int x; void *f(void *p) { x++; set = 1; return p; }\n"
      "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); while (!set) ; x++; return 0; }\n",
      "#include <semaphore.h>\nsem_t s; int x; void *f(void *p) { x++; sem_post(&s); return p; }\n"
      "int main(void) { pthread_t a; sem_init(&s, 0, 0); pthread_create(&a, 0, f, 0); sem_wait(&s); x++;\n"
      "return 0; }\n"};
  for (const char* text : kOrdered)
    EXPECT_EQ(check(text, racesOnly()).properties.at(Property::Race), Verdict::Verified) << text;
}

TEST(FirstRaces, AnAccessOfAnAtomicSectionThatCannotBeLeftIsNone) {
  // The section that writes x is never left, so it counts as not begun.
  const std::string cannot = std::string(kSections) +
                             "int x, y; void *f(void *p) { ATOMIC(x = 1; heddle_assume(y == 1)) return p; }\n"
                             "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); int seen = x;\n"
                             "return seen & 0; }\n";
  const Report none = check(cannot, racesOnly());
  EXPECT_EQ(none.properties.at(Property::Race), Verdict::Verified) << none.problem;
  std::string can = cannot;
  can.replace(can.find("y == 1"), 6, "y == 0");
  const Report some = check(can, racesOnly());
  ASSERT_EQ(some.properties.at(Property::Race), Verdict::Violated) << some.problem;
  for (const Finding& finding : some.findings) EXPECT_TRUE(replayed(can, finding.schedule).ok);
}

TEST(FirstRaces, AnAccessOfAnAtomicSectionThatEndsTheProcessIsOne) {
  for (const char* end : {"assert(y == 1)", "abort()", "exit(1)"}) {
    const std::string text = std::string(kSections) + "int x, y; void *f(void *p) { ATOMIC(x = 1; " + end +
                             ") return p; }\n"
                             "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); int seen = x;\n"
                             "return seen & 0; }\n";
    const Report report = check(text, racesOnly());
    ASSERT_EQ(report.properties.at(Property::Race), Verdict::Violated) << text << report.problem;
    for (const Finding& finding : report.findings) EXPECT_TRUE(replayed(text, finding.schedule).ok);
    EXPECT_FALSE(reachedByForest(text).races.empty()) << text;
    EXPECT_FALSE(reachedByOracle(text, Inputs{}).races.empty()) << text;
    EXPECT_FALSE(reachedByStates(text, {{}}).races.empty()) << text;
  }
}

TEST(FirstRaces, AnAtomicSectionThatOnlyTheOtherAccessLetsPassRacesWithIt) {
  for (const char* body : {"heddle_assume(x == 1)", "y = 2; heddle_assume(x == 1)"}) {
    const std::string text =
        std::string(kSections) + "int x, y; void *f(void *p) { ATOMIC(" + body +
        ") return p; }\n"
        "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); x = 1; return 0; }\n";
    const Report report = check(text, racesOnly());
    ASSERT_EQ(report.properties.at(Property::Race), Verdict::Violated) << report.problem;
    for (const Finding& finding : report.findings) EXPECT_TRUE(replayed(text, finding.schedule).ok);
    EXPECT_EQ(check(std::string(text).replace(text.find("x == 1"), 6, "x == 2"), racesOnly())
                  .properties.at(Property::Race),
              Verdict::Verified);
  }
}

/// The messages of what is found; all of it replays.
std::vector<std::string> messages(const std::string& text) {
  Options options;
  options.properties = {Property::Race, Property::Volatile};
  const Report report = check(text, options);
  std::vector<std::string> found;
  for (const Finding& finding : report.findings) {
    EXPECT_TRUE(replayed(text, finding.schedule).ok) << text << finding.message;
    found.push_back(finding.message);
  }
  return found;
}

std::string flagged(const std::string& flag, const std::string& produce, const std::string& consume) {
  return flag + " int data; void *f(void *p) { data = 42; " + produce +
         " return p; }\nint main(void) { pthread_t a; pthread_create(&a, 0, f, 0); " + consume +
         " pthread_join(a, 0); return 0; }\n";
}

TEST(FirstRaces, WhatOnlyARacyFlagOrdersIsReportedToo) {
  const std::string wait = "while (!ready) ; assert(data == 42);", look = "if (ready) assert(data == 42);";
  using Messages = std::vector<std::string>;
  const Messages expected{"data race on 'ready'", "data race on 'data' that only the racy 'ready' orders"};
  for (const std::string& consume : {wait, look})
    EXPECT_EQ(messages(flagged("int ready;", "ready = 1;", consume)), expected);
  // Half of the flag's accesses are atomic.
  EXPECT_EQ(messages(flagged("int ready;", "__atomic_store_n(&ready, 1, 5);", wait)), expected);
  // Not where something orders them.
  EXPECT_EQ(messages(flagged("_Atomic int ready;", "ready = 1;", wait)), Messages{});
  EXPECT_EQ(messages(flagged("int ready;", "ready = 1;",
                             "int seen = ready; pthread_join(a, 0); assert(data + seen);"
                             " return 0;")),
            Messages{"data race on 'ready'"});
  // Of volatile flags it is a matter of their own class.
  EXPECT_EQ(messages(flagged("volatile int ready;", "ready = 1;", wait)),
            (Messages{"volatile accesses to 'ready' that nothing orders",
                      "accesses to 'data' that only the volatile 'ready' orders"}));
  // What can come next to each other as well is an ordinary race.
  EXPECT_EQ(messages(flagged("int ready;", "ready = 1;", "if (ready) ; int seen = data;")),
            (Messages{"data race on 'ready'", "data race on 'data'"}));
}

/// Two sections were taken as in order although they share nothing, so what the exploration had found did not
/// replay where the data of one of them is used by one thread only.
TEST(FirstRaces, AtomicSectionsOrderWhatTheyShare) {
  const auto text = [](const std::string& shared, const std::string& wait) {
    return "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int data, ready, flag, "
           "other;\n"
           "void *f(void *p) { data = 1; __VERIFIER_atomic_begin(); ready = 1; " +
           shared +
           " = 1; __VERIFIER_atomic_end(); return p; }\n"
           "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0);\n"
           "while (!ready) ; __VERIFIER_atomic_begin(); " +
           wait + " __VERIFIER_atomic_end(); int seen = data; pthread_join(a, 0); return seen; }\n";
  };
  using Messages = std::vector<std::string>;
  EXPECT_EQ(messages(text("flag", "heddle_assume(flag == 1);")), Messages{"data race on 'ready'"});
  const Messages unordered{"data race on 'ready'", "data race on 'data' that only the racy 'ready' orders"};
  EXPECT_EQ(messages(text("flag", "other = 1;")), unordered);
  EXPECT_EQ(messages(text("other", "int mine = 0; mine++;")), unordered);
}

TEST(FirstRaces, AChainOfRacyFlagsOrdersAsOneDoes) {
  const std::string text =
      "int data, one, two; void *f(void *p) { data = 1; one = 1; return p; }\n"
      "void *g(void *p) { while (!one) ; two = 1; return p; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);\n"
      "while (!two) ; return data; }\n";
  const std::vector<std::string> found = messages(text);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found.back(), "data race on 'data' that only the racy 'two' orders");
}

}  // namespace
}  // namespace heddle::test
