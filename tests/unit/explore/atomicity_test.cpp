// Updates that can be lost between a read and a write are a warning; what only looks like them is none.
#include <gtest/gtest.h>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

/// Two threads that run `body`; what it updates is `x`.
Report twice(const std::string& type, const std::string& body) {
  return check("#include <stdatomic.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; " + type +
               " x; void *f(void *u) { int n = (int)(long)u; " + body +
               R"( return 0; }
    int main(void) { pthread_t a, b; pthread_create(&a, 0, f, (void *)1L); pthread_create(&b, 0, f, (void *)2L);
      pthread_join(a, 0); pthread_join(b, 0); return 0; })");
}

TEST(Atomicity, AnUpdateOfTwoAtomicAccessesCanBeLost) {
  const Report report = twice("_Atomic int", "int old = x; x = old + n;");
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings.front().kind, Property::Atomicity);
  EXPECT_EQ(report.warnings.front().related.size(), 3u);
  EXPECT_FALSE(report.warnings.front().schedule.empty());
}

TEST(Atomicity, SoCanOneInTwoCriticalSections) {
  const Report report = twice("int",
                              "pthread_mutex_lock(&m); int old = x; pthread_mutex_unlock(&m);"
                              "pthread_mutex_lock(&m); x = old + n; pthread_mutex_unlock(&m);");
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
  EXPECT_EQ(report.warnings.size(), 1u);
}

TEST(Atomicity, OneSectionOneOperationOrALoopLosesNothing) {
  for (const char* body : {"pthread_mutex_lock(&m); int old = x; x = old + n; pthread_mutex_unlock(&m);",
                           "pthread_mutex_lock(&m); x += n; pthread_mutex_unlock(&m);"})
    EXPECT_TRUE(twice("int", body).warnings.empty()) << body;
  for (const char* body : {"atomic_fetch_add(&x, n);", "x += n;",
                           "int old = x; while (!atomic_compare_exchange_weak(&x, &old, old + n)) {}",
                           "int old = x; if (old == 0) x = n;"})
    EXPECT_TRUE(twice("_Atomic int", body).warnings.empty()) << body;
}

TEST(Atomicity, ASecondLookUnderTheLockIsNone) {
  const Report report = twice("int",
                              "pthread_mutex_lock(&m); int old = x; pthread_mutex_unlock(&m);"
                              "pthread_mutex_lock(&m); if (x == old) x = old + n; pthread_mutex_unlock(&m);");
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
  EXPECT_TRUE(report.warnings.empty());
}

TEST(Atomicity, WhatRacesIsToldAsARace) {
  const Report report = twice("int", "int old = x; x = old + n;");
  EXPECT_EQ(report.properties.at(Property::Race), Verdict::Violated);
  EXPECT_TRUE(report.warnings.empty());
}

}  // namespace
}  // namespace heddle::test
