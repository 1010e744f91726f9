#include "tests/reference/random_loop_program.h"

#include <random>

namespace heddle::test {
namespace {

class LoopGenerator {
 public:
  explicit LoopGenerator(uint64_t seed)
      : random_(seed * 13 + 5), type_(pick(3) ? "unsigned char" : "signed char") {}

  std::string make() {
    std::string text = type_ + " n, x, y, z, at[4]; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
    for (int t = 1; t <= 2; ++t) text += thread(t);
    text += "int main(void) {\n  pthread_t t[2];\n  n = heddle_input_int() & " +
            std::string(pick(2) ? "1" : "3") + ";\n";
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
    if (isLocked) body = "    pthread_mutex_lock(&m);\n" + body + "    pthread_mutex_unlock(&m);\n";
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
};

}  // namespace

std::string randomLoopProgram(uint64_t seed) {
  return LoopGenerator(seed).make();
}

}  // namespace heddle::test
