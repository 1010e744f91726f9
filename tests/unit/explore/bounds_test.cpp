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

TEST(Bounds, WeakAtomicsAreNamed) {
  const Report weak = reportOn(flagWith("__ATOMIC_RELAXED"), Property::Assert);
  EXPECT_EQ(weak.verdict, Verdict::VerifiedWithinBounds);
  EXPECT_TRUE(names(weak, "sequentially consistent"));
  const Report strong = reportOn(flagWith("__ATOMIC_SEQ_CST"), Property::Assert);
  EXPECT_EQ(strong.verdict, Verdict::Verified);
  EXPECT_TRUE(strong.bounds.empty());
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
