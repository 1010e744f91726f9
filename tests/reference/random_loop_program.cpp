#include "tests/reference/random_loop_program.h"

#include <random>

namespace heddle::test {
namespace {

class LoopGenerator {
 public:
  LoopGenerator(uint64_t seed, bool waits)
      : random_(seed * 13 + 5), type_(pick(3) ? "unsigned char" : "signed char"), waits_(waits) {}

  std::string make() {
    std::string text = type_ + " n, x, y, z, at[4]; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
    if (waits_) text += "pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_barrier_t b;\n";
    for (int t = 1; t <= 2; ++t) text += thread(t);
    text += "int main(void) {\n  pthread_t t[2];\n  n = heddle_input_int() & " +
            std::string(pick(2) ? "1" : "3") + ";\n";
    if (waits_) text += "  pthread_barrier_init(&b, 0, 2);\n";
    if (pick(3) == 0) text += "  for (" + type_ + " i = 0; i < n; i++) at[i] = 1;\n";
    for (int t = 0; t < 2; ++t)
      text += "  pthread_create(&t[" + std::to_string(t) + "], 0, t" + std::to_string(t + 1) + ", 0);\n";
    if (pick(4) == 0) text += statement();
    for (int t = 0; t < 2; ++t) text += "  pthread_join(t[" + std::to_string(t) + "], 0);\n";
    return text + "  assert(" + claim() + ");\n  return 0;\n}\n";
  }

 private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<uint64_t>(count)); }
  std::string number() { return std::to_string(pick(3)); }
  std::string variable() { return std::string(1, "xyz"[pick(3)]); }

  std::string thread(int number) {
    const bool isLocked = pick(6) != 0;
    std::string body;
    for (int i = 1 + pick(2); i > 0; --i) body += statement();
    if (waits_ && isLocked) body += signalOrWait();
    if (waits_ && isLocked && pick(2)) body = signalOrWait() + body;
    if (isLocked) body = "    pthread_mutex_lock(&m);\n" + body + "    pthread_mutex_unlock(&m);\n";
    if (waits_ && pick(3) == 0) body += "    pthread_barrier_wait(&b);\n";
    std::string loop =
        pick(2) ? "  while (heddle_input_int() & 1) {\n" : "  for (" + type_ + " i = 0; i < n; i++) {\n";
    if (pick(5) == 0)
      loop = "  do {\n" + body + "  } while (heddle_input_int() & 1);\n";
    else
      loop += body + "  }\n";
    return "void *t" + std::to_string(number) + "(void *p) {\n" + loop + "  return p;\n}\n";
  }

  std::string statement() {
    const std::string a = variable(), b = variable();
    switch (pick(9)) {
      case 0:
        return "    if (" + a + " < " + number() + ") " + a + "++;\n";
      case 1:
        return "    if (" + a + " > 0) " + a + "--;\n";
      case 2:
        return "    if (" + a + " < 2) { " + a + "++; " + b + "++; }\n";
      case 3:
        return "    if (" + a + " > 0) { " + a + "--; " + b + (pick(2) ? "--" : "++") + "; }\n";
      case 4:
        return "    " + a + " = " + number() + ";\n";
      case 5:
        return "    if (" + a + " == " + b + ") " + a + " = " + number() + "; else " + a + " = " + b + ";\n";
      case 6:
        return "    at[" + a + " & 3] = " + number() + ";\n";
      case 7:
        return "    if (" + a + " < n) " + a + " += " + (pick(3) ? "1" : "at[" + b + " & 1] & 1") + ";\n";
      default:
        return "    assert(" + claim() + ");\n";
    }
  }

  std::string signalOrWait() {
    const std::string a = variable();
    const std::string waiting = pick(4) ? "    while (" : "    if (";
    switch (pick(4)) {
      case 0:
        return "    pthread_cond_broadcast(&c);\n";
      case 1:
        return "    " + a + " = " + number() + "; pthread_cond_signal(&c);\n";
      case 2:
        return waiting + a + " == " + number() + ") pthread_cond_wait(&c, &m);\n";
      default:
        return waiting + a + " == 0) pthread_cond_wait(&c, &m);\n    " + a + "--; pthread_cond_signal(&c);\n";
    }
  }

  std::string claim() {
    const std::string a = variable(), b = variable();
    switch (pick(6)) {
      case 0:
        return a + " <= " + number();
      case 1:
        return a + " == " + b;
      case 2:
        return a + " <= " + b;
      case 3:
        return a + " <= n";
      case 4:
        return a + " + " + b + " <= 4";
      default:
        return a + " >= 0 && " + a + " <= 2";
    }
  }

  std::mt19937_64 random_;
  const std::string type_;
  const bool waits_;
};

}  // namespace

std::string randomLoopProgram(uint64_t seed) {
  return LoopGenerator(seed, false).make();
}

std::string randomWaitProgram(uint64_t seed) {
  return LoopGenerator(seed, true).make();
}

}  // namespace heddle::test
