// Locations that are only added to: what is read behind the joins is one sum, whatever the order. Each
// program has a twin in which a write is no addition, or can be divided.
#include <gtest/gtest.h>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

constexpr uint64_t kFewSteps = 20'000;

Verdict verdictOf(const std::string& text) {
  Options options;
  options.properties = {Property::Assert};
  const Report report = check(text, options, kFewSteps);
  EXPECT_TRUE(report.problem.empty()) << report.problem;
  EXPECT_TRUE(report.bounds.empty()) << report.bounds.front().text;
  return report.properties.at(Property::Assert);
}

/// Up to three threads with one input each; `prepare` makes `n`, how many.
std::string adders(const std::string& add, const std::string& prepare, const std::string& expected) {
  return "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;\n"
         "int sum = 5, part[3];\n"
         "void *f(void *p) { int i = (int)(long)p; (void)other;\n" +
         add +
         " return 0; }\n"
         "int main(void) { pthread_t t[3]; int want = 5;\n" +
         prepare +
         " for (long i = 0; i < n; i++) { part[i] = heddle_input_int(); want = want + part[i]; }\n"
         " for (long i = 0; i < n; i++) pthread_create(&t[i], 0, f, (void *)i);\n"
         " for (long i = 0; i < n; i++) pthread_join(t[i], 0);\n"
         " assert(" +
         expected + "); return 0; }\n";
}

const std::string kLocked = "pthread_mutex_lock(&m); sum += part[i]; pthread_mutex_unlock(&m);";

TEST(Counting, SumsOfInputsAreOneTermInAnyOrder) {
  EXPECT_EQ(verdictOf(adders(kLocked, "int n = 3;", "sum == want")), Verdict::Verified);
  EXPECT_EQ(verdictOf(adders(kLocked, "int n = 3;", "sum == want || part[1] == 7")), Verdict::Verified);
  EXPECT_EQ(verdictOf(adders(kLocked, "int n = 3;", "sum == want - 1")), Verdict::Violated);
}

TEST(Counting, SubtractionsAndSeveralAddendsToo) {
  const std::string twice =
      "pthread_mutex_lock(&m); sum = sum - 3 + part[i]; pthread_mutex_unlock(&m);"
      "pthread_mutex_lock(&m); sum += 3; pthread_mutex_unlock(&m);";
  EXPECT_EQ(verdictOf(adders(twice, "int n = 2;", "sum - want == 0 || n != 2")), Verdict::Verified);
}

TEST(Counting, HowManyThreadsAddMayBeAnInput) {
  const std::string some = "int n = heddle_input_int(); if (n < 1 || n > 3) return 0;";
  EXPECT_EQ(verdictOf(adders(kLocked, some, "sum == want")), Verdict::Verified);
  EXPECT_EQ(verdictOf(adders(kLocked, some, "sum == want && n != 3")), Verdict::Violated);
}

TEST(Counting, WhatCanBeDividedIsNoSum) {
  const std::string divided =
      "pthread_mutex_lock(&m); int v = sum; pthread_mutex_unlock(&m);"
      "pthread_mutex_lock(&m); sum = v + part[i]; pthread_mutex_unlock(&m);";
  EXPECT_EQ(verdictOf(adders(divided, "int n = 2;", "sum == want")), Verdict::Violated);
  const std::string twoMutexes =
      "pthread_mutex_t *l = i ? &m : &other; pthread_mutex_lock(l); sum += part[i]; pthread_mutex_unlock(l);";
  EXPECT_EQ(verdictOf(adders(twoMutexes, "int n = 2;", "sum == want")), Verdict::Violated);
}

TEST(Counting, AWriteThatSetsIsNoAddition) {
  const std::string sets =
      "pthread_mutex_lock(&m); if (i == 1) sum = 5 + part[0] + part[1]; else sum += part[i];"
      "pthread_mutex_unlock(&m);";
  EXPECT_EQ(verdictOf(adders(sets, "int n = 2;", "sum == want")), Verdict::Violated);
}

TEST(Counting, AdditionsThatNotAllHappenAreCountedWhereTheyDo) {
  const std::string some =
      "pthread_mutex_lock(&m); if (part[i] > 9) sum += 2; else if (part[i] < 3) sum += 1;"
      "pthread_mutex_unlock(&m);";
  EXPECT_EQ(verdictOf(adders(some, "int n = 3;", "sum >= 5 && sum <= 11")), Verdict::Verified);
  EXPECT_EQ(verdictOf(adders(some, "int n = 3;", "sum != 8")), Verdict::Violated);
}

}  // namespace
}  // namespace heddle::test
