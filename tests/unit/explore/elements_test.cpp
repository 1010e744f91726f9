// Elements that every execution finds the same need no events. Random programs over one array larger than the
// least whose elements are told apart: whatever is left out, the verdicts and the places of findings are
// those of an exploration in which every access is an event.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

constexpr int kElements = 24;  // 96 bytes

class ElementGenerator {
 public:
  explicit ElementGenerator(uint64_t seed) : random_(seed) {}

  std::string program() {
    onHeap_ = chance(3);
    std::string text = onHeap_ ? "int *a; " : "int a[24]; ";
    text += "int flag; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
    const std::string first = body(0), second = body(8);
    text += "void *one(void *u) { int x = 0; " + first + " return u; }\n";
    text += "void *two(void *u) { int x = 0; " + second + " return u; }\n";
    text += "int main(void) { pthread_t p, q; int s = 0;\n";
    if (onHeap_) text += "  a = calloc(24, sizeof *a);\n";
    text += "  " + some(16) + " pthread_create(&p, 0, one, 0);\n";
    text += "  " + some(16) + some(8) + " pthread_create(&q, 0, two, 0);\n";
    text += "  " + (chance(3) ? "flag = 1; " : some(16)) + "pthread_join(p, 0);\n";
    text += "  " + sum(0) + some(0) + "\n";
    const bool early = onHeap_ && chance(3);
    if (early) text += "  free(a);\n";
    text += "  pthread_join(q, 0);\n";
    if (!early) text += "  " + sum(8) + sum(0) + "\n";
    if (onHeap_ && !early) text += "  free(a);\n";
    return text + "  assert(s != " + std::to_string(number(6)) + "); return 0; }\n";
  }

 private:
  int number(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  bool chance(int of) { return number(of) == 0; }
  /// An element of the part that begins there; now and then of any.
  std::string element(int from) {
    const int at = chance(6) ? number(kElements) : from + number(4);
    return "a[" + std::to_string(at) + "]";
  }
  std::string some(int from) {
    return chance(2) ? "" : element(from) + " = " + std::to_string(number(3)) + "; ";
  }
  std::string sum(int from) {
    std::string text;
    for (int i = 0; i < 2; ++i) text += "s += " + element(from) + "; ";
    return text;
  }
  std::string body(int from) {
    std::string text = some(from) + some(from);
    if (chance(4)) text += "pthread_mutex_lock(&m); flag++; pthread_mutex_unlock(&m); ";
    if (chance(3)) text += "if (flag) " + element(from) + " = 2; ";
    if (chance(3)) text += "x = flag; " + element(from) + " = x; ";
    if (chance(2)) text += element(from) + " += " + element(from) + "; ";
    return text + some(from);
  }

  std::mt19937_64 random_;
  bool onHeap_ = false;
};

struct Outcome {
  std::map<Property, Verdict> verdicts;
  std::set<std::string> findings;
  uint64_t events = 0;
};

Outcome explored(const std::string& text, bool everyAccess) {
  Options options;
  options.everyAccessIsEvent = everyAccess;
  const Report report = check(text, options, 20'000'000);
  Outcome outcome{report.properties, {}, report.stats.events};
  EXPECT_NE(report.problemKind, ProblemKind::Ours) << report.problem;
  for (const Finding& finding : report.findings)
    outcome.findings.insert(std::string(toString(finding.kind)) + ":" + std::to_string(finding.place.line));
  return outcome;
}

TEST(Elements, AreLeftOutOnlyWhereNothingIsLost) {
  size_t different = 0, violated = 0, verified = 0;
  uint64_t events = 0, allEvents = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    const std::string text = ElementGenerator(seed).program();
    const Outcome told = explored(text, false), all = explored(text, true);
    EXPECT_EQ(told.verdicts, all.verdicts) << "seed " << seed << "\n" << text;
    EXPECT_EQ(told.findings, all.findings) << "seed " << seed << "\n" << text;
    for (const auto& [property, verdict] : told.verdicts) {
      violated += verdict == Verdict::Violated;
      verified += verdict == Verdict::Verified;
    }
    different += told.events < all.events;
    events += told.events;
    allEvents += all.events;
  }
  EXPECT_GT(violated, 50u);
  EXPECT_GT(verified, 50u);
  EXPECT_GT(different, 100u);
  EXPECT_LT(events * 3, allEvents * 2);
}

// An execution with more than 4,000 events is cut, and that is a bound.

TEST(Elements, OfSlicesThatAreJoinedCostNoEvents) {
  const Report report = check(R"(
    int a[9000];
    void *w(void *p) { for (int i = 0; i < 3000; i++) a[(long)p * 3000 + i] = 1; return p; }
    int main(void) { pthread_t t[3]; int s = 0;
      for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, w, (void *)i);
      for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
      for (int i = 0; i < 9000; i++) s += a[i];
      assert(s == 9000); return 0; })");
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
}

TEST(Elements, OfAnObjectThatIsFreedAfterTheJoinsCostNoLooks) {
  const Report report = check(R"(
    int *a;
    void *w(void *p) { for (int i = 0; i < 5000; i++) a[(long)p * 10 + i % 10]++; return p; }
    int main(void) { pthread_t t, u; a = calloc(20, sizeof *a);
      pthread_create(&t, 0, w, (void *)0); pthread_create(&u, 0, w, (void *)1);
      pthread_join(t, 0); pthread_join(u, 0); assert(a[3] + a[13] == 1000); free(a); return 0; })");
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
}

}  // namespace
}  // namespace heddle::test
