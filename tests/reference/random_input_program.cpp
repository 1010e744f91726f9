#include "tests/reference/random_input_program.h"

#include <random>

namespace heddle::test {
namespace {

const char* const kInputDeclarations =
    "#include <semaphore.h>\n#include <stdlib.h>\n"
    "struct job { int amount; struct job *next; } *jobs;\n"
    "int n, g0, g1, done, sum, at[4]; pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = "
    "PTHREAD_MUTEX_INITIALIZER;\npthread_cond_t c0 = PTHREAD_COND_INITIALIZER; sem_t s0;\n"
    "void take(void) {\n  struct job *job = jobs;\n  if (job) {\n    jobs = job->next; done++; sum += "
    "job->amount;\n    free(job);\n  }\n}\nint polled(void) { return done ? sum : -1; }\n";

class InputGenerator {
 public:
  explicit InputGenerator(uint64_t seed) : random_(seed * 7 + 1), hasCounters_(seed % 4 == 0) {}

  /// A loop that waits in one that does: an input leads back to it. Small, as the
  /// reference visits all states.
  std::string makeLoops() {
    const std::string seen = pick(2) ? "sum" : "done";
    const std::string isSeen = "v > " + number(), isAsked = "(heddle_input_int() & 1)";
    // Some are left by an input, some only once another thread has written.
    const std::string leaves[] = {isSeen + " || " + isAsked, isSeen, isSeen + " && " + isAsked};
    std::string text = std::string(kInputDeclarations) + "void *t1(void *p) {\n  int r = 0;\n";
    if (pick(3)) text += locked("  r = g0;\n");
    text += "  for (int go = 1; go;) {\n    int again, v;\n";
    if (pick(3) == 0) text += "    g1 = 1;\n";
    text += "    do {\n      again = 0;\n      if (heddle_input_int() & 1) again = 1;\n  " +
            locked("  v = " + seen + ";\n") + "      if (" + leaves[pick(3)] +
            ") again = go = 0, r = v;\n    } while (again);\n  }\n" +
            (pick(2) ? locked("  g0 = r;\n") : "  g0 = r;\n") + "  return p;\n}\n";
    const std::string set = "  " + seen + " = " + std::to_string(1 + pick(2)) + ";\n";
    text += "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, t1, 0);\n" +
            (pick(4) ? locked(set) : set) + (pick(2) ? "  pthread_join(t, 0);\n" : "");
    return text + "  assert(g0 != " + number() + ");\n  return 0;\n}\n";
  }

  std::string make() {
    const bool hasJobs = pick(2), readsAgain = pick(3) == 0;
    most_ = 1 + pick(hasJobs ? 2 : 3);  // the reference visits all states
    std::string text = kInputDeclarations;
    for (int t = 1; t <= 2; ++t) {
      text += "void *t" + std::to_string(t) + "(void *p) {\n  int r = 0;\n";
      if (readsAgain && t == 1) text += "  r = heddle_input_int() & 1;\n";
      const int length = 1 + pick(2);
      for (int i = 0; i < length; ++i) {
        text += hasJobs && pick(2) ? job() : statement();
        if (hasCounters_) text += "  ++*(int *)p;\n";
      }
      text += "  return p;\n}\n";
    }
    text += "int main(void) {\n  pthread_t t[2]; int r = 0, own0 = 0, own1 = 0;\n" + input();
    if (hasJobs)
      text += "  for (int i = 0; i < n; i++) {\n    struct job *job = malloc(sizeof *job); job->amount = " +
              std::string(pick(2) ? "heddle_input_int() & 1" : "i") +
              "; job->next = jobs; jobs = job;\n  }\n";
    text += "  sem_init(&s0, 0, " + std::string(pick(2) ? "n" : "1") + ");\n";
    for (int t = 0; t < 2; ++t)
      text += "  pthread_create(&t[" + std::to_string(t) + "], 0, t" + std::to_string(t + 1) +
              (hasCounters_ ? ", &own" + std::to_string(t) + ");\n" : ", 0);\n");
    // Main comes to equal states again while the threads count on its stack.
    if (hasCounters_)
      text +=
          "  for (int i = 0; i < 2; i++) {\n    pthread_mutex_lock(&m0); int seen = sum; "
          "pthread_mutex_unlock(&m0);\n    if (seen) r = 1; else r = 1;\n  }\n";
    if (pick(3) == 0) text += statement();
    for (int t = 0; t < 2; ++t) text += "  pthread_join(t[" + std::to_string(t) + "], 0);\n";
    return text + "  assert(" + claim() + ");\n  return 0;\n}\n";
  }

 private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<uint64_t>(count)); }
  std::string number() { return std::to_string(pick(most_ + 1)); }
  std::string global() { return pick(2) ? "g1" : "g0"; }

  std::string input() {
    const std::string most = std::to_string(most_);
    switch (pick(4)) {
      case 0:
        return "  n = heddle_input_int(); heddle_assume(n >= 0 && n <= " + most + ");\n";
      case 1:
        return "  n = (int)((unsigned)heddle_input_int() % " + std::to_string(most_ + 1) + "u);\n";
      case 2:
        return "  int first = heddle_input_int(); if (first < 0 || first > " + most +
               ") return 0;\n  n = first;\n";
      default:
        return "  n = heddle_input_int() & " + std::string(most_ > 2 ? "3" : "1") + ";\n";
    }
  }

  std::string locked(const std::string& inside) {
    return "  pthread_mutex_lock(&m0);\n" + inside + "  pthread_mutex_unlock(&m0);\n";
  }

  std::string job() {
    const std::string loop = pick(2) ? "  for (int i = 0; i < n; i++) {\n" : "  {\n";
    return loop + (pick(5) ? locked("  take();\n") : "  take();\n") + "  }\n";
  }

  std::string statement() {
    switch (pick(10)) {
      case 0:
        return "  for (int i = 0; i < n; i++) " + global() + "++;\n";
      case 1:
        return locked("  for (int i = 0; i < n; i++) " + global() + " += i;\n");
      case 2:
        return "  at[n] = " + number() + ";\n";
      case 3:
        return "  " + global() + " = at[" + number() + "];\n";
      case 4:
        return "  if (n > " + number() +
               ") {\n    pthread_mutex_lock(&m0); pthread_mutex_lock(&m1);\n  } else {\n"
               "    pthread_mutex_lock(&m1); pthread_mutex_lock(&m0);\n  }\n  " +
               global() + "++; pthread_mutex_unlock(&m0); pthread_mutex_unlock(&m1);\n";
      case 5:
        return "  sem_wait(&s0); " + global() + " += r;" + (pick(3) ? " sem_post(&s0);\n" : "\n");
      case 6:
        return locked("  " + std::string(pick(3) ? "while" : "if") + " (done < n - " + number() +
                      ") pthread_cond_wait(&c0, &m0);\n  done++;\n");
      case 7:
        return locked("  done += n; pthread_cond_" + std::string(pick(2) ? "broadcast" : "signal") +
                      "(&c0);\n");
      case 8:
        return "  while ((r = polled()) < 0)\n    ;\n  " + global() + " += r;\n";
      default:
        return locked("  sum += n + r;\n");
    }
  }

  std::string claim() {
    switch (pick(4)) {
      case 0:
        return "done <= n";
      case 1:
        return "g0 != " + number();
      case 2:
        return "at[n] != " + number();
      default:
        return "sum < " + std::to_string(2 + pick(3));
    }
  }

  std::mt19937_64 random_;
  int most_ = 1;  // of the input
  /// Each thread counts in a variable on main's stack, which main never looks at.
  const bool hasCounters_;
};

}  // namespace

std::string randomInputProgram(uint64_t seed) {
  constexpr uint64_t kLoopsEach = 8;
  InputGenerator generator(seed);
  return seed % kLoopsEach == kLoopsEach - 1 ? generator.makeLoops() : generator.make();
}

}  // namespace heddle::test
