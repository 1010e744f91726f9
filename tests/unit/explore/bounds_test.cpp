// What a verdict does not cover is named in it.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

Report reportOn(const std::string& text, Property property) {
  Options options;
  options.properties = {property};
  return check(text, options);
}

bool names(const Report& report, const std::string& what) {
  return std::any_of(report.bounds.begin(), report.bounds.end(),
                     [&](const NamedBound& bound) { return bound.text.find(what) != std::string::npos; });
}

std::string flagWith(const std::string& order) {
  return "int flag, data;\nvoid *t1(void *p) { data = 1; __atomic_store_n(&flag, 1, " + order +
         "); return p; }\nint main(void) { pthread_t a; pthread_create(&a, 0, t1, 0);\n"
         "  if (__atomic_load_n(&flag, " +
         order + ")) assert(data == 1);\n  pthread_join(a, 0); return 0; }\n";
}

TEST(Bounds, WhatIsLeftIsNamedWithItsPlaces) {
  const std::string text =
      "int x;\nvoid *f(void *p) { for (int i = 0; i < 6; i++) if (x++ == heddle_input_int()) x += 2; return "
      "p; }\n"
      "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); f(0); pthread_join(a, 0); return 0; }\n";
  const Report report = check(text, {}, 3'000);
  ASSERT_FALSE(report.open.empty()) << report.problem;
  EXPECT_EQ(report.open[0].place.function, "f");
  EXPECT_EQ(report.open[0].place.line, kHeaderLines + 2);
  EXPECT_EQ(report.open[0].what, "condition");
  EXPECT_TRUE(check("int main(void) { return 0; }").open.empty());
}

TEST(Bounds, WeakAtomicsAreNamedWhereTheirExecutionsAreNotVisited) {
  // One path if everything is sequentially consistent, more orders than the budget visits if not.
  const std::string text =
      "int hits;\nvoid *t1(void *p) { for (int i = 0; i < 3; i++) __atomic_fetch_add(&hits, 1, "
      "__ATOMIC_RELAXED); return p; }\n"
      "int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, t1, 0);\n"
      "  for (int i = 0; i < 4; i++) pthread_join(t[i], 0); assert(hits == 12); return 0; }\n";
  Options options;
  options.properties = {Property::Assert};
  const Report weak = check(text, options, 60'000);
  EXPECT_EQ(weak.verdict, Verdict::VerifiedWithinBounds);
  EXPECT_TRUE(names(weak, "sequentially consistent"));
  EXPECT_NE(weak.memory.find("budget"), std::string::npos) << weak.memory;
}

TEST(Bounds, InputsWithManyValuesAreVisitedUnderWeakMemory) {
  const std::string text =
      "int flag;\nvoid *t1(void *p) { __atomic_store_n(&flag, 1, __ATOMIC_RELAXED); return p; }\n"
      "int main(void) { pthread_t a; pthread_create(&a, 0, t1, 0); int i = heddle_input_int();\n"
      "  if (__atomic_load_n(&flag, __ATOMIC_RELAXED)) assert(i == 3 || i != 3);\n"
      "  pthread_join(a, 0); return 0; }\n";
  const Report weak = reportOn(text, Property::Assert);
  EXPECT_EQ(weak.verdict, Verdict::Verified);
  EXPECT_TRUE(weak.bounds.empty());
}

TEST(Bounds, WeakAtomicsAreNoBoundWhereTheirExecutionsAreVisited) {
  const Report relaxed = reportOn(flagWith("__ATOMIC_RELAXED"), Property::Race);
  EXPECT_EQ(relaxed.verdict, Verdict::Violated);
  EXPECT_TRUE(relaxed.bounds.empty());
  const Report strong = reportOn(flagWith("__ATOMIC_SEQ_CST"), Property::Assert);
  EXPECT_EQ(strong.verdict, Verdict::Verified);
  EXPECT_TRUE(strong.bounds.empty());
  EXPECT_NE(strong.memory.find("suffices"), std::string::npos);
  Options options;
  options.properties = {Property::Assert};
  options.memoryModel = MemoryModelKind::Sc;
  const Report asAsked = check(flagWith("__ATOMIC_RELAXED"), options);
  EXPECT_EQ(asAsked.verdict, Verdict::Verified);
  EXPECT_TRUE(asAsked.bounds.empty());
}

TEST(Bounds, WhatSequentialConsistencyShowsBesideWeakAtomicsIsExplained) {
  const std::string text =
      "int hits, total;\nvoid *t1(void *p) { __atomic_fetch_add(&hits, 1, __ATOMIC_RELAXED); total++; return "
      "p; }\n"
      "int main(void) { pthread_t a; pthread_create(&a, 0, t1, 0); total++;\n"
      "  pthread_join(a, 0); assert(total == 2); return 0; }\n";
  Options options;
  options.properties = {Property::Assert, Property::Race};
  options.diagnose = true;
  const Report report = check(text, options);
  EXPECT_NE(report.memory.find("every execution visited"), std::string::npos) << report.memory;
  ASSERT_FALSE(report.findings.empty());
  for (const Finding& finding : report.findings) {
    EXPECT_EQ(finding.schedule.find("c11"), std::string::npos) << finding.message << ": " << finding.schedule;
    EXPECT_TRUE(finding.explanation) << finding.message;
    EXPECT_FALSE(finding.plans.empty()) << finding.message;
  }
  // Nothing races there, and the assertion fails only where the later store is seen first.
  const std::string relaxed =
      "_Atomic int flag, data;\nvoid *t1(void *p) { __c11_atomic_store(&data, 1, __ATOMIC_RELAXED);\n"
      "  __c11_atomic_store(&flag, 1, __ATOMIC_RELAXED); return p; }\n"
      "int main(void) { pthread_t a; pthread_create(&a, 0, t1, 0);\n"
      "  if (__c11_atomic_load(&flag, __ATOMIC_RELAXED)) assert(__c11_atomic_load(&data, __ATOMIC_RELAXED) "
      "== 1);\n"
      "  pthread_join(a, 0); return 0; }\n";
  const Report published = reportOn(relaxed, Property::Assert);
  ASSERT_EQ(published.findings.size(), 1U) << "which no sequentially consistent execution shows";
  EXPECT_NE(published.findings[0].schedule.find("c11"), std::string::npos);
}

std::string destroying(const std::string& beforeJoin, const std::string& afterJoin) {
  return "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;\n"
         "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
         "void *t1(void *p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return p; }\n"
         "int main(void) { pthread_t a; pthread_create(&a, 0, t1, 0); " +
         beforeJoin + " pthread_join(a, 0); " + afterJoin + " return 0; }\n";
}

TEST(Bounds, DestructionBesideOtherThreadsIsNamedForMisuseOnly) {
  const std::string beside = destroying("pthread_cond_destroy(&c);", "");
  const Report misuse = reportOn(beside, Property::Misuse);
  EXPECT_EQ(misuse.verdict, Verdict::VerifiedWithinBounds);
  EXPECT_TRUE(names(misuse, "destruction"));
  EXPECT_EQ(reportOn(beside, Property::Assert).verdict, Verdict::Verified);
  EXPECT_EQ(reportOn(destroying("pthread_mutex_destroy(&own);", ""), Property::Misuse).verdict,
            Verdict::Verified);
  EXPECT_EQ(reportOn(destroying("", "pthread_mutex_destroy(&m);"), Property::Misuse).verdict,
            Verdict::Verified);
}

}  // namespace
}  // namespace heddle::test
