// Waits that end without a signal, on request.
#include <gtest/gtest.h>

#include "analysis/compile/compile_command.h"
#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

/// The waiter looks again when it wakes, or does not.
Report waiting(const std::string& look, bool spurious) {
  Snapshot snapshot;
  snapshot.path = "/test/a.c";
  snapshot.text = withHeaders(R"(
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    int ready;
    void *set(void *u) { pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return u; }
    int main(void) {
      pthread_t t; pthread_create(&t, 0, set, 0);
      pthread_mutex_lock(&m);
      )" + look + R"( (!ready) pthread_cond_wait(&c, &m);
      assert(ready);
      pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
  )");
  snapshot.command = commandFromFlags(snapshot.path, {});
  snapshot.environment.spuriousWakeups = spurious;
  Options options;
  options.properties = {Property::Assert, Property::Deadlock};
  return analyze(snapshot, options, Budget().withSteps(2'000'000));
}

TEST(Spurious, AWaitWithoutALoopIsFoundOnRequestOnly) {
  EXPECT_EQ(waiting("if", false).verdict, Verdict::Verified);
  const Report found = waiting("if", true);
  EXPECT_EQ(found.properties.at(Property::Assert), Verdict::Violated) << found.problem;
  EXPECT_EQ(found.properties.at(Property::Deadlock), Verdict::Verified) << found.problem;
}

TEST(Spurious, ALoopWithstandsThemAndTheBoundIsNamed) {
  const Report report = waiting("while", true);
  EXPECT_EQ(report.properties.at(Property::Assert), Verdict::VerifiedWithinBounds) << report.problem;
  ASSERT_EQ(report.bounds.size(), 1u);
  EXPECT_EQ(report.bounds.front().kind, BoundKind::SpuriousWakeups);
  EXPECT_NE(report.bounds.front().text.find("ends without a signal at most 3 times in a row"),
            std::string::npos)
      << report.bounds.front().text;
}

}  // namespace
}  // namespace heddle::test
