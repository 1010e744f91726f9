#include "tests/reference/random_section_program.h"

#include <random>

namespace heddle::test {
namespace {

class SectionGenerator {
 public:
  explicit SectionGenerator(uint64_t seed) : random_(seed * 7 + 1) {}

  std::string make() {
    const int threads = 2 + (pick(5) == 0);
    std::string text =
        "int g0, g1, n, f1, f2, f3;\npthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;\n"
        "pthread_cond_t c0 = PTHREAD_COND_INITIALIZER;\n";
    for (int t = 1; t <= threads; ++t) {
      text += "void *t" + std::to_string(t) + "(void *p) {\n";
      self_ = t;
      threads_ = threads;
      waits_ = 1;
      const int sections = threads == 2 ? 1 + pick(2) : 1;
      for (int i = 0; i < sections; ++i) text += section();
      // Most threads let the others go on at their end.
      if (pick(4)) text += "  pthread_mutex_lock(&m0);\n" + wakes() + "  pthread_mutex_unlock(&m0);\n";
      text += "  return p;\n}\n";
    }
    text += "int main(void) {\n  pthread_t t[4];\n  n = heddle_input_int() & 3;\n";
    for (int t = 1; t <= threads; ++t)
      text += "  pthread_create(&t[" + std::to_string(t) + "], 0, t" + std::to_string(t) + ", 0);\n";
    for (int t = 1; t <= threads; ++t) text += "  pthread_join(t[" + std::to_string(t) + "], 0);\n";
    return text + "  return 0;\n}\n";
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  std::string global() { return pick(3) == 0 ? "n" : pick(2) ? "g0" : "g1"; }
  std::string target() { return pick(2) ? "g0" : "g1"; }
  std::string other() { return std::to_string(1 + (self_ + pick(threads_ - 1)) % threads_); }
  std::string wakes() { return "  f" + other() + " = 1;\n  pthread_cond_broadcast(&c0);\n"; }
  std::string number() { return std::to_string(pick(3)); }

  std::string section() {
    std::string text = "  pthread_mutex_lock(&m0);\n";
    const int length = 2 + pick(2);
    for (int i = 0; i < length; ++i) text += waits_ > 0 && pick(3) == 0 ? wait() : step();
    return text + "  pthread_mutex_unlock(&m0);\n";
  }

  std::string step() {
    switch (pick(6)) {
      case 5:
        return "  if (" + global() + " == " + number() + ") f" + other() + " = 1;\n";
      case 0:
        return "  assert(" + global() + " != " + number() + " || " + global() + " != " + number() + ");\n";
      case 1:
        return "  if (" + global() + " == " + number() + ") " + target() + " = " + number() + ";\n";
      case 2:
        return "  pthread_cond_broadcast(&c0);\n";
      default:
        return "  " + target() + " = " + number() + ";\n";
    }
  }

  std::string wait() {
    --waits_;
    return "  while (!f" + std::to_string(self_) + ") " +
           (pick(2) ? "{ pthread_mutex_unlock(&m0); pthread_mutex_lock(&m0); }\n"
                    : "pthread_cond_wait(&c0, &m0);\n");
  }

  std::mt19937_64 random_;
  int self_ = 1, threads_ = 2;
  int waits_ = 0;  // that the thread may still do
};

}  // namespace

std::string randomSectionProgram(uint64_t seed) {
  return SectionGenerator(seed).make();
}

}  // namespace heddle::test
