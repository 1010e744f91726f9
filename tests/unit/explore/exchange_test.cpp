// A compare-exchange that fails only reads (C11 7.17.7.4): it races with a plain write, and with a plain read
// only where it succeeds. Asked of every detector: the formula, the runs' vector clocks, the search of joint
// states, the oracle, the replay, and the warning of lost updates.
#include <gtest/gtest.h>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

struct ExchangeSample {
  const char *variables, *thread, *rest;
  bool races;
};

const char* const kExchangeDeclared =
    "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n"
    "#define BEGIN __VERIFIER_atomic_begin();\n#define END __VERIFIER_atomic_end();\n"
    "#define SWAP(from, to) __sync_val_compare_and_swap(&x, from, to)\n"
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";

const ExchangeSample kExchangeSamples[] = {
    {"int x;", "SWAP(5, 6);", "int seen = x;", false},
    {"int x;", "SWAP(0, 6);", "int seen = x;", true},
    // What it expects is written there all the same.
    {"int x;", "SWAP(0, 0);", "int seen = x;", true},
    {"int x;", "SWAP(5, 6);", "x = 1;", true},
    // It succeeds only after another write, atomic or ordered.
    {"int x;", "SWAP(5, 6);", "int seen = x; __sync_lock_test_and_set(&x, 5);", false},
    {"int x;", "SWAP(5, 6);", "__sync_lock_test_and_set(&x, 5); int seen = x;", true},
    {"int x, n;", "SWAP(n, 6);", "n = 1; int seen = x;", true},
    {"_Atomic int n = 1; int x;", "SWAP(n, 6);", "n = 2; int seen = x;", false},
    {"_Atomic int n = 1; int x;", "SWAP(n, 6);", "n = 0; int seen = x;", true},
    // By an input, and in a loop that waits.
    {"int x;", "int n = heddle_input_int(); heddle_assume(n > 3); SWAP(n, 6);", "int seen = x;", false},
    {"int x;", "int n = heddle_input_int(); heddle_assume(n < 3); SWAP(n, 6);", "int seen = x;", true},
    {"int x = 1;", "while (SWAP(0, 1) != 0) ;", "int seen = x;", false},
    {"int x = 1;", "while (SWAP(0, 1) != 0) ;", "__sync_lock_release(&x); int seen = x;", true},
    // In atomic sections, the exchange or the read.
    {"int x;", "BEGIN SWAP(5, 6); END", "int seen = x;", false},
    {"int x;", "BEGIN SWAP(0, 6); END", "int seen = x;", true},
    {"int x;", "SWAP(5, 6);", "BEGIN int seen = x; END", false},
    {"int x;", "SWAP(0, 6);", "BEGIN int seen = x; END", true},
    {"int x;", "SWAP(0, 6);", "pthread_mutex_lock(&m); int seen = x; pthread_mutex_unlock(&m);", true},
    {"int x;", "SWAP(3, 6);", "pthread_mutex_lock(&m); int seen = x; pthread_mutex_unlock(&m);", false},
    // Mixed widths: half of what is swapped.
    {"union { long whole; int half[2]; } u;", "__sync_val_compare_and_swap(&u.whole, 1L << 32, 2);",
     "int seen = u.half[0];", false},
    {"union { long whole; int half[2]; } u;", "__sync_val_compare_and_swap(&u.whole, 0, 1L << 32);",
     "int seen = u.half[0];", true},
};

std::string programOf(const ExchangeSample& sample) {
  return std::string(kExchangeDeclared) + sample.variables + "\nvoid *f(void *p) { " + sample.thread +
         " return p; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0);\n" + sample.rest +
         "\npthread_join(t, 0); return 0; }\n";
}

TEST(Exchange, ThatFailsIsARead) {
  for (const ExchangeSample& sample : kExchangeSamples)
    for (const bool everyAccess : {false, true}) {
      const std::string text = programOf(sample);
      Options options;
      options.everyAccessIsEvent = everyAccess;
      const Report report = check(text, options);
      EXPECT_EQ(report.properties.at(Property::Race), sample.races ? Verdict::Violated : Verdict::Verified)
          << text << report.problem;
      for (const Finding& finding : report.findings) {
        EXPECT_TRUE(replayed(text, finding.schedule).ok) << text << finding.message;
      }
    }
}

TEST(Exchange, ThatFailsIsAReadForEveryOtherDetector) {
  for (const ExchangeSample& sample : kExchangeSamples) {
    const std::string text = programOf(sample);
    const bool hasInput = text.find("heddle_input") != std::string::npos;
    std::vector<Inputs> inputs;
    for (const int64_t value : {0, 1, 5}) inputs.push_back({{"T1", {value}}});
    if (!hasInput) inputs = {{}};
    const Reached oracle = reachedByOracle(text, inputs);
    EXPECT_EQ(!oracle.races.empty(), sample.races) << text << oracle.problem;
    EXPECT_EQ(!reachedByForest(text).races.empty(), sample.races) << text;
    EXPECT_EQ(!reachedWithMerging(text).races.empty(), sample.races) << text;
    const Reached states = reachedByStates(text, inputs);
    if (states.complete) {
      EXPECT_EQ(!states.races.empty(), sample.races) << text;
    }
  }
}

TEST(Exchange, ThatFailsLosesNoUpdate) {
  const auto warned = [](const std::string& expected) {
    const std::string text = "_Atomic int x = 1; void *f(void *p) { int e = " + expected +
                             "; atomic_compare_exchange_strong(&x, &e, 7); return p; }\n"
                             "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = x + 1;\n"
                             "pthread_join(t, 0); return 0; }\n";
    return !check("#include <stdatomic.h>\n" + text).warnings.empty();
  };
  EXPECT_FALSE(warned("5"));
  EXPECT_TRUE(warned("1"));
}

}  // namespace
}  // namespace heddle::test
