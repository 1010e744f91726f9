// Small random programs over semaphores, condition variables, barriers, read-write locks and atomic sections.
#include <random>

#include "tests/unit/explore/random_program.h"

namespace heddle::test {

namespace {

class SyncGenerator {
 public:
  explicit SyncGenerator(uint64_t seed) : random_(seed * 2 + 1) {}

  RandomProgram make() {
    const int threads = 2 + (pick(3) == 0);
    parties_ = 2 + pick(2);
    // Two or three kinds a program: they are to meet each other.
    for (int i = 0; i < 3; ++i) kinds_.push_back(pick(6));
    std::string text =
        "#include <semaphore.h>\n"
        "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n"
        "int g0, g1; pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;\n"
        "sem_t s0; pthread_cond_t c0 = PTHREAD_COND_INITIALIZER; pthread_barrier_t b0;\n"
        "pthread_rwlock_t w0 = PTHREAD_RWLOCK_INITIALIZER; struct timespec ts;\n";
    for (int t = 1; t <= threads; ++t) {
      label_ = "T" + std::to_string(t);
      text += "void *t" + std::to_string(t) + "(void *p) {\n  int r0 = 0, r1 = 0;\n";
      const int length = threads == 2 ? 2 + pick(4) : 1 + pick(3);
      for (int i = 0; i < length; ++i) text += statement();
      text += "  return p;\n}\n";
    }
    text += "int main(void) {\n  pthread_t t[4];\n";
    text += "  sem_init(&s0, 0, " + std::to_string(pick(3)) + "); pthread_barrier_init(&b0, 0, " +
            std::to_string(parties_) + ");\n";
    for (int t = 1; t <= threads; ++t)
      text += "  pthread_create(&t[" + std::to_string(t) + "], 0, t" + std::to_string(t) + ", 0);\n";
    if (pick(3)) {
      for (int t = 1; t <= threads; ++t) text += "  pthread_join(t[" + std::to_string(t) + "], 0);\n";
      text += "  assert(" + global() + " != " + std::to_string(pick(4)) + ");\n  return 0;\n}\n";
    } else {
      text += statement2() + "  pthread_exit(0);\n}\n";
    }
    return {text, assignments()};
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  std::string reg() { return pick(2) ? "r1" : "r0"; }
  std::string global() { return pick(2) ? "g1" : "g0"; }
  std::string number() { return std::to_string(pick(3)); }

  /// Of main, which has no registers.
  std::string statement2() {
    return pick(2) ? "  sem_post(&s0);\n" : "  pthread_cond_signal(&c0); " + global() + " = 1;\n";
  }

  std::string plain() {
    switch (pick(5)) {
      case 0:
      case 1:
        return "  " + reg() + " = " + global() + ";\n";
      case 2:
        return "  " + global() + " = " + reg() + " + " + number() + ";\n";
      case 3:
        return "  " + global() + " = " + number() + ";\n";
      default:
        return "  assert(" + reg() + " != " + number() + ");\n";
    }
  }

  std::string statement() {
    if (pick(4) == 0) return plain();
    if (pick(5) == 0) return "  if (" + reg() + " == " + number() + ") {\n" + operation() + "  }\n";
    return operation();
  }
  std::string operation() {
    switch (kinds_[static_cast<size_t>(pick(3))]) {
      case 0:
        return semaphore();
      case 1:
        return condition();
      case 2:
        return pick(2) ? "  pthread_barrier_wait(&b0);\n"
                       : "  " + reg() + " = pthread_barrier_wait(&b0) != 0;\n";
      case 3:
        return rwlock();
      case 4:
        return section();
      default:
        return "  pthread_mutex_lock(&m0);\n" + plain() + plain() + "  pthread_mutex_unlock(&m0);\n";
    }
  }
  std::string semaphore() {
    switch (pick(6)) {
      case 0:
        return "  if (sem_trywait(&s0) == 0) { " + global() + " = " + number() + "; }\n";
      case 1:
        return "  { int v; sem_getvalue(&s0, &v); " + reg() + " = v; }\n";
      case 2:
      case 3:
        return "  sem_wait(&s0);\n" + plain();
      default:
        return plain() + "  sem_post(&s0);\n";
    }
  }
  std::string condition() {
    const std::string variable = global();
    switch (pick(7)) {
      case 0:
        return "  pthread_cond_signal(&c0);\n";
      case 1:
        return "  pthread_mutex_lock(&m0); " + variable + " = 1; pthread_cond_signal(&c0); " +
               "pthread_mutex_unlock(&m0);\n";
      case 2:
        return "  pthread_mutex_lock(&m0); " + variable + " = 1; pthread_cond_broadcast(&c0); " +
               "pthread_mutex_unlock(&m0);\n";
      case 3:
        if (inputs_.size() < 2) {
          inputs_.push_back(label_);
          return "  pthread_mutex_lock(&m0); " + reg() + " = pthread_cond_timedwait(&c0, &m0, &ts) != 0; " +
                 "pthread_mutex_unlock(&m0);\n";
        }
        return "  pthread_cond_signal(&c0);\n";
      case 4:
        return "  pthread_mutex_lock(&m0);\n  pthread_cond_wait(&c0, &m0);\n" + plain() +
               "  pthread_mutex_unlock(&m0);\n";
      default:
        return "  pthread_mutex_lock(&m0);\n  if (" + variable + " == 0) pthread_cond_wait(&c0, &m0);\n" +
               plain() + "  pthread_mutex_unlock(&m0);\n";
    }
  }
  std::string rwlock() {
    switch (pick(4)) {
      case 0:
        return "  pthread_rwlock_wrlock(&w0);\n" + plain() + plain() + "  pthread_rwlock_unlock(&w0);\n";
      case 1:
        return "  if (pthread_rwlock_trywrlock(&w0) == 0) { " + global() +
               " = 2; pthread_rwlock_unlock(&w0); }\n";
      default:
        return "  pthread_rwlock_rdlock(&w0);\n" + plain() + "  pthread_rwlock_unlock(&w0);\n";
    }
  }
  std::string section() {
    std::string text = "  __VERIFIER_atomic_begin();\n" + plain();
    if (pick(3) == 0) text += "  heddle_assume(" + reg() + " != " + number() + ");\n";
    if (pick(6) == 0) text += "  sem_wait(&s0);\n";
    if (pick(2)) text += "  if (" + reg() + " == " + number() + ") { " + global() + " = 2; }\n";
    return text + plain() + "  __VERIFIER_atomic_end();\n";
  }

  std::vector<Inputs> assignments() const {
    std::vector<Inputs> all;
    const size_t count = size_t{1} << inputs_.size();
    for (size_t code = 0; code < count; ++code) {
      Inputs inputs;
      for (size_t i = 0; i < inputs_.size(); ++i)
        inputs[inputs_[i]].push_back(static_cast<int64_t>(code >> i & 1));
      all.push_back(inputs);
    }
    return all;
  }

  std::mt19937_64 random_;
  int parties_ = 2;
  std::vector<int> kinds_;
  std::string label_;
  std::vector<std::string> inputs_;  // the threads that ask for them, in order
};

}  // namespace

RandomProgram randomSyncProgram(uint64_t seed) {
  return SyncGenerator(seed).make();
}

}  // namespace heddle::test
