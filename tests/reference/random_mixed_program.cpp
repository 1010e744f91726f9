#include "tests/reference/random_mixed_program.h"

#include <random>
#include <vector>

namespace heddle::test {
namespace {

const char* const kDeclarations =
    "#include <semaphore.h>\n#include <stdatomic.h>\n"
    "int sched_yield(void); void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n"
    "int g0, g1, f0, f1; atomic_int a0; union { struct { int low, high; } half; long whole; unsigned char "
    "bytes[8]; } u;\n"
    "struct pair { int x, y; } p0, p1; int *_Atomic shared; int *old;\n"
    "pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;\n"
    "pthread_cond_t c0 = PTHREAD_COND_INITIALIZER; pthread_rwlock_t w0 = PTHREAD_RWLOCK_INITIALIZER; sem_t "
    "s0;\nvoid touch(int *p) { (void)p; }\n";

class MixedGenerator {
 public:
  explicit MixedGenerator(uint64_t seed) : random_(seed * 5 + 3) {}

  std::string make() {
    const int threads = 2 + (pick(4) == 0);
    for (int i = 0; i < 3; ++i) kinds_.push_back(pick(10));
    std::string text = kDeclarations;
    for (int t = 1; t <= threads; ++t) {
      text += "void *t" + std::to_string(t) + "(void *p) {\n  int r0 = 0, r1 = 0;\n";
      const int length = threads == 2 ? 2 + pick(3) : 1 + pick(2);
      waits_ = 2;
      for (int i = 0; i < length; ++i) text += statement();
      text += "  return p;\n}\n";
    }
    text += "int main(void) {\n  pthread_t t[4]; sem_init(&s0, 0, " + number() + ");\n";
    for (int t = 1; t <= threads; ++t)
      text += "  pthread_create(&t[" + std::to_string(t) + "], 0, t" + std::to_string(t) + ", 0);\n";
    if (pick(3)) {
      for (int t = 1; t <= threads; ++t) text += "  pthread_join(t[" + std::to_string(t) + "], 0);\n";
      text += "  assert(" + global() + " != " + number() + ");\n  return 0;\n}\n";
    } else {
      text += pick(2) ? "  pthread_exit(0);\n}\n" : "  return 0;\n}\n";
    }
    return text;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  std::string reg() { return pick(2) ? "r1" : "r0"; }
  std::string global() { return pick(2) ? "g1" : "g0"; }
  std::string flag() { return pick(2) ? "f1" : "f0"; }
  std::string number() { return std::to_string(pick(3)); }

  std::string plain() {
    switch (pick(7)) {
      case 0:
      case 1:
        return "  " + reg() + " = " + global() + ";\n";
      case 2:
        return "  " + global() + " = " + reg() + " + " + number() + ";\n";
      case 3:
        return "  " + global() + " = " + number() + ";\n";
      case 4:
        return "  " + flag() + " = " + std::to_string(pick(2)) + ";\n";
      case 5:
        return "  " + reg() + " = a0++;\n";
      default:
        return "  assert(" + reg() + " != " + number() + ");\n";
    }
  }

  std::string statement() {
    if (pick(3) == 0) return plain();
    if (pick(6) == 0) return "  if (" + reg() + " == " + number() + ") {\n" + plain() + "  }\n";
    switch (kinds_[static_cast<size_t>(pick(3))]) {
      case 0:
        return polling();
      case 1:
        return "  " + reg() + " = heddle_input_int() & 3; " + global() + " = " + reg() + "; heddle_assume(" +
               reg() + " != " + number() + ");\n";
      case 2:
        return weakSwap();
      case 3:
        return widths();
      case 4:
        return heap();
      case 5:
        return condition();
      case 8:
        return undefinedMemory();
      case 9:
        return addressThatComesBack();
      case 6:
        return "  __VERIFIER_atomic_begin();\n" + plain() + (pick(3) ? plain() : assumption()) +
               "  __VERIFIER_atomic_end();\n";
      default:
        return "  pthread_mutex_lock(&m0);\n" + plain() + (pick(3) ? plain() : assumption()) +
               "  pthread_mutex_unlock(&m0);\n";
    }
  }
  std::string assumption() {
    return "  heddle_assume(" + (pick(2) ? reg() : global()) + " != " + number() + ");\n";
  }

  std::string polling() {
    if (waits_ == 0) return plain();
    --waits_;
    switch (pick(7)) {
      case 0:
        return "  while (!" + flag() + ") ;\n";
      case 1:
        return "  while (" + global() + " != " + number() + ") sched_yield();\n";
      case 2:
        return "  while (pthread_mutex_trylock(&m1)) ;\n" + plain() +
               (pick(4) ? "  pthread_mutex_unlock(&m1);\n" : "");
      case 3:
        return "  while (sem_trywait(&s0)) ;\n" + plain() + (pick(3) ? "  sem_post(&s0);\n" : "");
      case 4:
        return "  while (pthread_rwlock_trywrlock(&w0)) ;\n" + plain() +
               (pick(4) ? "  pthread_rwlock_unlock(&w0);\n" : "");
      case 5:
        return "  while (pthread_rwlock_tryrdlock(&w0)) ;\n" + plain() + "  pthread_rwlock_unlock(&w0);\n";
      default:
        return "  { int e = 0; while (!atomic_compare_exchange_weak(&a0, &e, 1)) e = 0; }\n" + plain() +
               (pick(4) ? "  atomic_store(&a0, 0);\n" : "");
    }
  }
  std::string weakSwap() {
    const std::string expected = number();
    return "  { int e = " + expected + "; " + reg() + " = atomic_compare_exchange_" +
           (pick(3) ? "weak" : "strong") + "(&a0, &e, " + number() + "); }\n";
  }
  std::string widths() {
    switch (pick(6)) {
      case 0:
        return "  u.half." + std::string(pick(2) ? "low" : "high") + " = " + number() + ";\n";
      case 1:
        return "  u.whole = " + number() + ";\n";
      case 2:
        return "  u.bytes[" + std::to_string(pick(8)) + "] = " + number() + ";\n";
      case 3:
        return "  " + reg() + " = u.half." + (pick(2) ? "low" : "high") + ";\n";
      case 4:
        return pick(2) ? "  p0 = p1;\n" : "  p1.x += 1;\n";
      default:
        return "  " + reg() + " = (int)u.whole;\n";
    }
  }
  std::string heap() {
    switch (pick(4)) {
      case 0:
        return "  { int *b = malloc(sizeof *b); if (b) { *b = " + number() + "; " + reg() +
               " = *b; free(b); } }\n";
      case 1:
        return "  { int *b = calloc(1, sizeof *b); if (b) { atomic_store(&shared, b); } }\n";
      case 2:
        return "  { int *b = atomic_load(&shared); if (b) " + reg() + " = *b; }\n";
      default:
        return "  { int *b = atomic_exchange(&shared, 0); if (b) free(b); }\n";
    }
  }
  /// Heap memory and variables that may never have been written. What is read decides at once: copied to
  /// shared memory it is 0 for the engine, which is a named assumption.
  std::string undefinedMemory() {
    const std::string write = pick(2) ? "b[" + std::to_string(pick(2)) + "] = " + number() + "; " : "";
    const std::string look = "if (b[" + std::to_string(pick(2)) + "] == " + number() + ") ";
    switch (pick(4)) {
      case 0:
        return "  { int *b = malloc(2 * sizeof *b); if (b) { " + write + look + global() + " = " + number() +
               "; free(b); } }\n";
      case 1:
        return "  { int b[2]; touch(b); " + write + look + global() + " = " + number() + "; }\n";
      case 2:
        return "  { int *b = malloc(2 * sizeof *b); if (b) { " + write + "atomic_store(&shared, b); } }\n";
      default:
        return "  { int *b = atomic_load(&shared); if (b && *b == " + number() + ") " + global() + " = " +
               number() + "; }\n";
    }
  }
  /// A block that a thread allocates after it has freed one of the same size may lie where that one lay.
  std::string addressThatComesBack() {
    const std::string exchange =
        "  { int *b = calloc(1, sizeof *b); if (b) { int *was = atomic_exchange(&shared, b); ";
    switch (pick(3)) {
      case 0:
        return "  { int *b = calloc(1, sizeof *b); free(b); int *c = calloc(1, sizeof *c); if (b && b == "
               "c) " +
               global() + " = " + number() + "; free(c); }\n";
      case 1:
        return exchange + "if (was == b) " + global() + " = " + number() + "; } }\n";
      default:
        return "  { int *b = atomic_load(&shared); " + plain() + "    if (b && b == atomic_load(&shared)) " +
               global() + " = " + number() + "; }\n";
    }
  }
  std::string condition() {
    const std::string variable = flag();
    switch (pick(5)) {
      case 0:
        return "  pthread_mutex_lock(&m0); " + variable +
               " = 1; pthread_cond_signal(&c0); pthread_mutex_unlock(&m0);\n";
      case 1:
        return "  pthread_mutex_lock(&m0); " + variable +
               " = 1; pthread_cond_broadcast(&c0); pthread_mutex_unlock(&m0);\n";
      case 2:
        return "  pthread_mutex_lock(&m0); if (!" + variable + ") pthread_cond_wait(&c0, &m0); " + plain() +
               "  pthread_mutex_unlock(&m0);\n";
      default:
        return "  pthread_mutex_lock(&m0); while (!" + variable + ") pthread_cond_wait(&c0, &m0); " +
               plain() + "  pthread_mutex_unlock(&m0);\n";
    }
  }

  std::mt19937_64 random_;
  std::vector<int> kinds_;
  int waits_ = 0;  // that the thread may still do
};

}  // namespace

std::string randomMixedProgram(uint64_t seed) {
  return MixedGenerator(seed).make();
}

}  // namespace heddle::test
