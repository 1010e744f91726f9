// Language features that the native comparison cannot show: what does not link, other targets, terms through
// wide values, the forms of assembly.
#include <gtest/gtest.h>

#include "tests/unit/interp/run_program.h"

namespace heddle::test {
namespace {

int exitCode(const std::string& text, const std::vector<std::string>& flags = {}) {
  RunOptions options;
  options.flags = flags;
  const ProgramRun r = run(text, options);
  EXPECT_EQ(r.result.unsupported, "");
  EXPECT_EQ(r.failure(), "");
  return r.result.exitCode;
}

TEST(InterpLanguage, InlineWithoutAnExternalDefinitionHasItsBody) {
  EXPECT_EQ(exitCode("inline int next(int n) { return n + 1; } int main(void) { return next(4); }"), 5);
}

TEST(InterpLanguage, VariableArgumentsOn32Bits) {
  EXPECT_EQ(exitCode(R"(
    typedef __builtin_va_list va_list;
    struct B { int n[5]; };
    struct P { short a; char c; };
    static long long sum(const char *k, ...) {
      va_list l; __builtin_va_start(l, k); long long t = 0;
      for (; *k; k++) switch (*k) {
        case 'i': t += __builtin_va_arg(l, int); break;
        case 'L': t += __builtin_va_arg(l, long long); break;
        case 'd': t += (long long)(__builtin_va_arg(l, double) * 10); break;
        case 'D': t += (long long)(__builtin_va_arg(l, long double) * 10); break;
        case 'b': { struct B b = __builtin_va_arg(l, struct B); t += b.n[4]; break; }
        case 'p': { struct P p = __builtin_va_arg(l, struct P); t += p.a; break; }
      }
      __builtin_va_end(l);
      return t;
    }
    int main(void) {
      struct B b = {{0, 0, 0, 0, 5}}; struct P p = {7, 'c'};
      if (sizeof(void *) != 4) return 1;
      return sum("iLdDbpi", 1, 30000000000LL, 0.5, 1.5L, b, p, 9) == 30000000000LL + 1 + 5 + 15 + 5 + 7 + 9 ? 42 : 2;
    })",
                     {"-m32"}),
            42);
}

TEST(InterpLanguage, LockedAssemblyIsAtomic) {
  const char* text = R"C(
    #include <pthread.h>
    int n = 5, m = 1; long w = 3;
    void *t(void *a) { return a; }
    int main(void) {
      pthread_t h; pthread_create(&h, 0, t, 0);
      int one = 1, old = 2, was;
      __asm__ volatile("lock; xaddl %0, %1" : "+r"(old), "+m"(n) : : "memory");
      __asm__ volatile("xchgl %0, %1" : "+r"(one), "+m"(m) : : "memory");
      __asm__ volatile("lock; cmpxchgl %2, %1" : "=a"(was), "+m"(n) : "r"(9), "0"(7) : "memory");
      __asm__ volatile("lock decq %0" : "+m"(w));
      __asm__ volatile("lock; addl $4, %0" : "+m"(m));
      __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory");
  __asm__ volatile("mfence" ::: "memory");
  pthread_join(h, 0);
  return old * 100 == 500 && n == 9 && was == 7 && w == 2 && m == 5 && one == 1 ? 42 : n;
})C";
  EXPECT_EQ(exitCode(text), 42);
}

TEST(InterpLanguage, TermsGoThroughWideValues) {
  RunOptions options;
  options.inputs[0] = {200, 77};
  // The sink compares every condition's term with its concrete value.
  const ProgramRun r = run(R"(
    extern unsigned char __VERIFIER_nondet_uchar(void);
    typedef unsigned __int128 u128;
    int main(void) {
      u128 a = (u128)__VERIFIER_nondet_uchar() << 61, b = __VERIFIER_nondet_uchar();
      u128 s = a + b - 3;
      if (s > a) b++;
      if ((s >> 60) == (a >> 60)) b += 2;
      if ((__int128)(s << 2) < 0) b += 4;
      if ((int)((s ^ a) & 0xff) == 74) b += 8;
      return (int)b;
    })",
                           options);
  EXPECT_EQ(r.result.unsupported, "");
  EXPECT_EQ(r.result.exitCode, 77 + 1 + 2 + 8);
  EXPECT_GE(r.sink->branches.size(), 4u);
  EXPECT_TRUE(r.result.assumptions.empty());
}

TEST(InterpLanguage, ALongjmpToAFunctionThatReturnedIsAMisuse) {
  const ProgramRun r = run(R"(
    #include <setjmp.h>
    static jmp_buf b; static int f(void) { return setjmp(b); }
    int main(void) { if (f() == 0) longjmp(b, 1); return 0; })");
  EXPECT_EQ(r.failure(), "longjmp to a function that has returned");
  EXPECT_EQ(run("#include <setjmp.h>\nint main(void) { jmp_buf b = {0}; longjmp(b, 1); }").failure(),
            "longjmp with a buffer that no setjmp of this thread has set");
}

TEST(InterpLanguage, InputsOfTheLibraryAreInputs) {
  RunOptions options;
  options.inputs[0] = {1, 12, 1, static_cast<uint64_t>(-5), 0};
  const ProgramRun r = run(R"(
    #include <stdio.h>
    int main(void) { int a = 0, b = 0, c = 0; int n = scanf("%d %d %d", &a, &b, &c); return n * 10 + a + b + c; })",
                           options);
  EXPECT_EQ(r.result.exitCode, 27);
  EXPECT_EQ(r.result.inputs.size(), 5u);
}

TEST(InterpLanguage, CharacterClassesOfInputsAreTerms) {
  RunOptions options;
  options.inputs[0] = {'7'};
  const ProgramRun r = run(R"(
    #include <ctype.h>
    extern unsigned char __VERIFIER_nondet_uchar(void);
    int main(void) { int c = __VERIFIER_nondet_uchar(); return (isdigit)(c) ? (isalpha)(c) ? 3 : (toupper)(c) - '0' : 2; })",
                           options);
  EXPECT_EQ(r.result.exitCode, 7);
  EXPECT_EQ(r.sink->branches.size(), 2u);
  EXPECT_TRUE(r.sink->choices.empty());
}

TEST(InterpLanguage, EveryWayInFromOutsideEndsWell) {
  const char* text = R"(
    #include <fcntl.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/stat.h>
    #include <sys/time.h>
    #include <time.h>
    #include <unistd.h>
    int main(void) {
      char b[40] = "x"; double d = 0; char w[20] = ""; float f = 0; char c = 0;
      FILE *s = fopen("a", "r"), *t = fdopen(3, "w"), *p = popen("ls", "r");
      if (s) { fgets(b, 8, s); fread(b, 2, 3, s); fgetc(s); ungetc(65, s); feof(s); ferror(s); fseek(s, 1, SEEK_SET); rewind(s);
               fscanf(s, "%lf %19s %f%c%*d", &d, w, &f, &c); clearerr(s); ftell(s); fileno(s); fclose(s); }
      if (t) { fwrite("abc", 1, 3, t); fputs("x", t); fprintf(t, "%d", 3); fclose(t); }
      if (p) pclose(p);
      int h = open("f", O_RDONLY); if (h >= 0) { read(h, b, sizeof b); write(h, "abc", 3); close(h); }
      char *e = getenv("HOME"); if (e && strlen(e) > 3) puts(e);
      struct timeval v; gettimeofday(&v, 0); struct timespec n; clock_gettime(CLOCK_MONOTONIC, &n);
      time_t now = time(0); struct tm *l = localtime(&now); strftime(b, sizeof b, "%F", l); puts(ctime(&now)); puts(asctime(l));
      now = mktime(l); clock(); getchar(); scanf("%d", &h); unlink("f"); access("f", 0); mkdir("d", 0777); remove("f");
      sigset_t g; sigemptyset(&g); sigaddset(&g, SIGINT); sigprocmask(SIG_BLOCK, &g, 0); signal(SIGPIPE, SIG_IGN); alarm(3);
      perror("x"); puts(strerror(3)); puts(strsignal(2)); getpid(); sysconf(_SC_NPROCESSORS_ONLN); isatty(0); rand(); random();
      return b[0] == v.tv_usec % 3;
    })";
  for (uint64_t value = 0; value < 4; ++value) {
    RunOptions options;
    options.inputs[0].assign(300, value == 3 ? ~0ull : value);
    const ProgramRun r = run(text, options);
    EXPECT_EQ(r.result.unsupported, "");
    EXPECT_EQ(r.result.outcome, RunOutcome::Quiescent);
    EXPECT_EQ(r.failure(), "");
  }
}

}  // namespace
}  // namespace heddle::test
