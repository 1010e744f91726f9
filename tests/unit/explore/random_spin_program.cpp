// Small random programs with loops that only wait: flags, tests under a lock, compare-and-swap locks,
// conditions.
//
// The same program comes in a second form for an oracle that knows nothing of awaits: there a loop gives up
// after two rounds and waits for a mutex that is never free. Failures and races are the same: rounds that
// change nothing can be left out of an execution, so two of them show all there is.
#include <random>

#include "tests/unit/explore/random_program.h"

namespace heddle::test {

namespace {

const char* const kEndless =
    "#define AWAIT(c) while (!(c)) ;\n"
    "#define AWAIT_LOCKED(c) { pthread_mutex_lock(&m0); while (!(c)) { pthread_mutex_unlock(&m0); "
    "pthread_mutex_lock(&m0); } pthread_mutex_unlock(&m0); }\n"
    "#define AWAIT_SWAP(v, a, b) { int e_; do e_ = a; while (!__atomic_compare_exchange_n(&v, &e_, b, 0, 5, "
    "5)); }\n";
const char* const kBounded =
    "#define AWAIT(c) for (int k_ = 0; !(c);) if (++k_ == 2) pthread_mutex_lock(&never);\n"
    "#define AWAIT_LOCKED(c) { pthread_mutex_lock(&m0); for (int k_ = 0; !(c);) { pthread_mutex_unlock(&m0); "
    "if "
    "(++k_ == 2) pthread_mutex_lock(&never); pthread_mutex_lock(&m0); } pthread_mutex_unlock(&m0); }\n"
    "#define AWAIT_SWAP(v, a, b) { int e_, k_ = 0; do { e_ = a; if (++k_ == 3) pthread_mutex_lock(&never); } "
    "while "
    "(!__atomic_compare_exchange_n(&v, &e_, b, 0, 5, 5)); }\n";

class SpinGenerator {
 public:
  explicit SpinGenerator(uint64_t seed) : random_(seed * 3 + 2) {}

  RandomProgram make() {
    const int threads = 2 + (pick(4) == 0);
    std::string text = "int g0, g1, f0, f1; pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;\n";
    for (int t = 1; t <= threads; ++t) {
      text += "void *t" + std::to_string(t) + "(void *p) {\n  int r0 = 0, r1 = 0;\n";
      const int length = threads == 2 ? 2 + pick(4) : 1 + pick(3);
      waits_ = 2;
      for (int i = 0; i < length; ++i) text += statement();
      text += "  return p;\n}\n";
    }
    text += "int main(void) {\n  pthread_t t[4]; pthread_mutex_lock(&never);\n";
    for (int t = 1; t <= threads; ++t)
      text += "  pthread_create(&t[" + std::to_string(t) + "], 0, t" + std::to_string(t) + ", 0);\n";
    if (pick(3)) {
      for (int t = 1; t <= threads; ++t) text += "  pthread_join(t[" + std::to_string(t) + "], 0);\n";
      text += "  assert(" + global() + " != " + std::to_string(pick(4)) + ");\n";
    }
    text += "  pthread_exit(0);\n}\n";
    const std::string never = "pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;\n";
    return {never + kEndless + text, {{}}, never + kBounded + text};
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  std::string reg() { return pick(2) ? "r1" : "r0"; }
  std::string global() { return pick(2) ? "g1" : "g0"; }
  std::string flag() { return pick(2) ? "f1" : "f0"; }
  std::string number() { return std::to_string(pick(3)); }

  std::string plain() {
    switch (pick(6)) {
      case 0:
        return "  " + reg() + " = " + global() + ";\n";
      case 1:
        return "  " + global() + " = " + reg() + " + " + number() + ";\n";
      case 2:
        return "  " + global() + " = " + number() + ";\n";
      case 3:
      case 4:
        return "  " + flag() + " = " + std::to_string(pick(2)) + ";\n";
      default:
        return "  assert(" + reg() + " != " + number() + ");\n";
    }
  }

  std::string statement() {
    if (pick(2) || waits_ == 0) {
      if (pick(4) == 0)
        return "  pthread_mutex_lock(&m0);\n" + plain() + plain() + "  pthread_mutex_unlock(&m0);\n";
      if (pick(4) == 0) return "  if (" + reg() + " == " + number() + ") {\n" + plain() + "  }\n";
      return plain();
    }
    --waits_;
    switch (pick(6)) {
      case 0:
        return "  AWAIT(" + flag() + " == 1)\n";
      case 1:
        return "  AWAIT(" + flag() + " == " + std::to_string(pick(2)) + " || " + global() + " == 2)\n";
      case 2:
        return "  AWAIT((" + reg() + " = " + global() + ") != " + number() + ")\n";
      case 3:
        return "  AWAIT_LOCKED(" + flag() + " != 0)\n";
      case 4:
        return "  AWAIT_SWAP(f0, 0, 1)\n" + plain() + (pick(4) ? "  f0 = 0;\n" : "");
      default:
        return "  { int r2 = 0; AWAIT((r2 = " + flag() + ") || __atomic_load_n(&" + global() + ", 5)) " +
               reg() + " = r2; }\n";
    }
  }

  std::mt19937_64 random_;
  int waits_ = 0;  // that the thread may still do
};

}  // namespace

RandomProgram randomSpinProgram(uint64_t seed) {
  return SpinGenerator(seed).make();
}

}  // namespace heddle::test
