// Atomic sections: what is known in them, and branches that become values, against the same program where
// neither is done (volatile variables are not straightened, and with every access an event all are read).
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

const char* const kSectionDeclared = R"(
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#define BEGIN __VERIFIER_atomic_begin();
#define END __VERIFIER_atomic_end();
)";

/// One thread beside main; QUALIFIED stands before the variables.
std::string program(const std::string& variables, const std::string& thread, const std::string& rest,
                    const char* qualifier) {
  return kSectionDeclared + (qualifier + (" int " + variables)) + ";\nvoid *run(void *u) { " + thread +
         " return u; }\nint main(void) { pthread_t t; pthread_create(&t, 0, run, 0);\n" + rest +
         "\npthread_join(t, 0); return 0; }\n";
}

Report checked(const std::string& text, bool everyAccess = false) {
  Options options;
  options.properties = {Property::Assert, Property::Race, Property::Volatile};
  options.everyAccessIsEvent = everyAccess;
  return check(text, options);
}

struct Sample {
  const char *variables, *thread, *rest;
  Verdict assertion, race;
};

// A buffered write: the value goes to memory when it is flushed.
const Sample kSamples[] = {
    {"x, buffer, used, mine",
     "BEGIN buffer = 1; used = 1; mine = 1; END BEGIN x = used && mine ? buffer : x; "
     "used = used && mine ? 0 : used; END",
     "BEGIN int v = x; int u = used; END assert(v == 0 || v == 1 && u == 0);", Verdict::Verified,
     Verdict::Verified},
    {"x, buffer, used, mine",
     "BEGIN buffer = 1; used = 1; mine = 1; END BEGIN x = used && mine ? buffer : x; END",
     "BEGIN int v = x; int u = used; END assert(v == 0 || u == 0);", Verdict::Violated, Verdict::Verified},
    // Read twice in one section: nobody comes between.
    {"x", "BEGIN x = x + 1; END BEGIN x = 2 * x; END",
     "BEGIN int a = x, b = x; END assert(a == b && a != 3);", Verdict::Verified, Verdict::Verified},
    // In two sections somebody may.
    {"x", "BEGIN x = x + 1; END", "BEGIN int a = x; END BEGIN int b = x; END assert(a == b);",
     Verdict::Violated, Verdict::Verified},
    // What is written outside of sections is not read ahead of time: x is only read when c was set.
    {"x, c, y", "x = 1;", "BEGIN y = c ? x : 0; END", Verdict::Verified, Verdict::Verified},
    {"x, c, y", "BEGIN c = 1; END x = 1;", "BEGIN y = c ? x : 0; END", Verdict::Verified, Verdict::Violated},
    // Read outside only: the sections are straightened, and the write in one races.
    {"x, c, y", "BEGIN c = 1; x = c ? 2 : y; END", "int a = x; assert(a == 0 || a == 2);", Verdict::Verified,
     Verdict::Violated},
    // One branch inside of another, with a part that cannot be straightened.
    {"a, b, c", "BEGIN a = 1; if (b) { c = a; } else { c = a ? b ? 7 : 8 : 9; } END",
     "BEGIN b = c == 8; int v = c; END assert(v == 0 || v == 8);", Verdict::Verified, Verdict::Verified},
};

TEST(Section, MeansTheSameHoweverItIsTaken) {
  for (const Sample& sample : kSamples)
    for (const char* qualifier : {"", "volatile"})
      for (const bool everyAccess : {false, true}) {
        const Report report =
            checked(program(sample.variables, sample.thread, sample.rest, qualifier), everyAccess);
        const std::string what = std::string(qualifier) + sample.thread + sample.rest;
        EXPECT_EQ(report.properties.at(Property::Assert), sample.assertion) << what << report.problem;
        // Of volatile variables the same accesses are a finding of their own kind.
        Verdict race = report.properties.at(Property::Race);
        if (report.properties.at(Property::Volatile) == Verdict::Violated) race = Verdict::Violated;
        EXPECT_EQ(race, sample.race) << what << report.problem;
      }
}

TEST(Section, ChoicesBetweenValuesAreOnePath) {
  std::string choices;
  for (int i = 0; i < 12; ++i) choices += "x = a && b ? x + 1 : c || x == 3 ? 0 : x;\n";
  const std::string other = "BEGIN a = 1; END BEGIN b = 1; END BEGIN c = 1; END";
  const Report report = checked(program("a, b, c, x", other, "BEGIN " + choices + " END", ""));
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
  EXPECT_EQ(report.stats.paths, 1u);
}

TEST(Section, ABranchIsDecidedOnce) {
  // The stores keep it from being straightened.
  std::string branches;
  for (int i = 0; i < 12; ++i) branches += "if (a) x++; else y++;\n";
  const Report report = checked(program("a, x, y", "BEGIN a = 1; END",
                                        "BEGIN " + branches + " int v = x + y; END assert(v == 12);", ""));
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
  EXPECT_EQ(report.stats.paths, 2u);
}

}  // namespace
}  // namespace heddle::test
