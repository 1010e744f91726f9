#include "tests/unit/explore/random_program.h"

#include <random>

namespace heddle::test {

namespace {

class PlainGenerator {
 public:
  PlainGenerator(uint64_t seed, bool assumes) : random_(seed), assumes_(assumes) {}

  RandomProgram make() {
    const int threads = 2 + pick(2);
    shared_ = 2 + pick(2);
    std::string text;
    for (int v = 0; v < shared_; ++v) text += "int g" + std::to_string(v) + ";\n";
    text += "int a[2]; pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;\n";
    for (int t = 1; t <= threads; ++t) {
      label_ = "T" + std::to_string(t);
      held_.clear();
      text += "void *t" + std::to_string(t) + "(void *p) {\n  int r0 = 0, r1 = 0, r2 = 0;\n";
      const int length = threads == 2 ? 3 + pick(6) : 2 + pick(4);
      for (int i = 0; i < length; ++i) text += statement(2);
      while (!held_.empty()) text += unlock();
      text += "  return p;\n}\n";
    }
    text += "int main(void) {\n  pthread_t t[4];\n";
    const bool conditional = pick(6) == 0;
    for (int t = 1; t <= threads; ++t) {
      if (conditional && t == threads) text += "  if (g0 == 0)\n  ";
      text += "  pthread_create(&t[" + std::to_string(t) + "], 0, t" + std::to_string(t) + ", 0);\n";
    }
    if (!conditional && pick(2)) {
      for (int t = 1; t <= threads; ++t) text += "  pthread_join(t[" + std::to_string(t) + "], 0);\n";
      text += "  assert(g" + std::to_string(pick(shared_)) + " != " + std::to_string(pick(4)) + ");\n";
    }
    text += "  return 0;\n}\n";
    return {text, assignments()};
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  std::string reg() { return "r" + std::to_string(pick(3)); }
  std::string global() { return "g" + std::to_string(pick(shared_)); }
  std::string number() { return std::to_string(pick(3)); }
  std::string condition() {
    static const char* const kOperators[] = {"==", "<", "!=", ">"};
    return reg() + " " + kOperators[pick(4)] + " " + number();
  }

  std::string lock() {
    const std::string mutex = pick(2) ? "m0" : "m1";
    for (const std::string& held : held_)
      if (held == mutex) return "";
    if (pick(5) == 0) {
      // A try-lock guards one statement, whichever way it goes.
      return "  if (pthread_mutex_trylock(&" + mutex + ") == 0) { " + global() + " = " + number() +
             "; pthread_mutex_unlock(&" + mutex + "); }\n";
    }
    held_.push_back(mutex);
    return "  pthread_mutex_lock(&" + mutex + ");\n";
  }
  std::string unlock() {
    const std::string mutex = held_.back();
    held_.pop_back();
    return "  pthread_mutex_unlock(&" + mutex + ");\n";
  }

  std::string statement(int depth) {
    if (assumes_ && pick(4) == 0) return "  heddle_assume(" + condition() + ");\n";
    switch (pick(depth > 0 ? 16 : 10)) {
      case 0:
      case 1:
      case 2:
        return "  " + reg() + " = " + global() + ";\n";
      case 3:
      case 4:
        return "  " + global() + " = " + reg() + " + " + number() + ";\n";
      case 5:
        return "  " + global() + " = " + number() + ";\n";
      case 6:
        return "  " + reg() + " += " + reg() + ";\n";
      case 7:
        return "  " + reg() + " = __atomic_fetch_add(&" + global() + ", " + std::to_string(1 + pick(2)) +
               ", __ATOMIC_SEQ_CST);\n";
      case 8: {
        const std::string r = reg();
        return "  { int expected = " + number() + "; " + r + " = __atomic_compare_exchange_n(&" + global() +
               ", &expected, " + std::to_string(1 + pick(2)) +
               ", 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); }\n";
      }
      case 9:
        if (inputs_.size() >= 3) return "  " + reg() + " += 1;\n";
        inputs_.push_back(label_);
        return "  " + reg() + " = heddle_input_int() & 3;\n";
      case 10:
      case 11:
        return "  if (" + condition() + ") {\n" + plain() + plain() + "  }\n";
      case 12:
        return "  if (" + condition() + ") {\n" + plain() + "  } else {\n" + plain() + "  }\n";
      case 13:
        return held_.empty() || pick(3) ? lock() : unlock();
      case 14: {
        const std::string access = "a[" + reg() + " & 1]";
        return pick(2) ? "  " + reg() + " = " + access + ";\n" : "  " + access + " = " + number() + ";\n";
      }
      default:
        if (pick(2)) return "  assert(" + condition() + ");\n";
        return "  for (int i = 0; i < 2; i++) {\n" + plain() + "  }\n";
    }
  }
  /// A statement that takes no lock and asks for no input.
  std::string plain() {
    switch (pick(4)) {
      case 0:
        return "    " + reg() + " = " + global() + ";\n";
      case 1:
        return "    " + global() + " = " + reg() + " + " + number() + ";\n";
      case 2:
        return "    " + global() + " = " + number() + ";\n";
      default:
        return "    " + reg() + " += " + number() + ";\n";
    }
  }

  std::vector<Inputs> assignments() const {
    std::vector<Inputs> all;
    const size_t count = 1ull << (2 * inputs_.size());
    for (size_t code = 0; code < count; ++code) {
      Inputs inputs;
      for (size_t i = 0; i < inputs_.size(); ++i)
        inputs[inputs_[i]].push_back(static_cast<int64_t>(code >> (2 * i) & 3));
      all.push_back(inputs);
    }
    return all;
  }

  std::mt19937_64 random_;
  const bool assumes_;
  int shared_ = 2;
  std::string label_;
  std::vector<std::string> held_;
  std::vector<std::string> inputs_;  // the threads that ask for them, in order
};

}  // namespace

RandomProgram randomProgram(uint64_t seed, bool assumes) {
  return PlainGenerator(seed, assumes).make();
}

}  // namespace heddle::test
