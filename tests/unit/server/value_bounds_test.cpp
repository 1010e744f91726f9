// Guesses from the text about bounds that a check lets through, and about what is given or read without a
// value; each wrong text beside a right one.
#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

using Kind = ValueSlip::Kind;

std::string passed(const std::string& body) {
  return slipsBehind(
      "struct s { int index; char text[8]; int on; }; int list[8], pair[2], table[9]; int rest(int "
      "*), get(void); void put(int *, int), *memset(void *, int, unsigned long);int use(int n, int k, struct "
      "s *s) {\n" +
          body + "\nreturn 0;\n}\n",
      {Kind::BoundPassed}, 1);
}

TEST(ValueBounds, ACheckThatLetsTheSizeThrough) {
  EXPECT_EQ(passed("if (n > 8) return 1;\nlist[n] = k;"), "2 n list 1\n");
  EXPECT_EQ(passed("if (n >= 8) return 1;\nlist[n] = k;"), "");
  EXPECT_EQ(passed("if (n <= 8)\nreturn list[n];"), "2 n list 1\n");
  EXPECT_EQ(passed("if (8 < n) return 1;\nreturn list[n++];"), "2 n++ list 1\n");
  EXPECT_EQ(passed("if (n > 8) return 1;\nreturn list[--n];"), "");
  EXPECT_EQ(passed("if (n > 8) return 1;\nreturn list[n - 1];"), "");
  EXPECT_EQ(passed("if (n >= 8) return 1;\nreturn list[n + 1];"), "2 n + 1 list 1\n");
  EXPECT_EQ(passed("for (n = 0; n <= 8; n++)\nlist[n] = k;"), "2 n list 1\n");
  EXPECT_EQ(passed("if ((unsigned)n > sizeof(s->text)) return 1;\nreturn s->text[n];"), "2 n text 1\n");
  EXPECT_EQ(passed("if ((unsigned)n >= sizeof(list)) return 1;\nreturn list[n];"), "2 n list 1\n")
      << "bytes, not elements";
  EXPECT_EQ(passed("if (n > 8) return 1;\nput(&list[n], 0);"), "2 n list 1\n");
}

TEST(ValueBounds, AnEndBehindTheLastByte) {
  EXPECT_EQ(passed("if (s->index < 8) {\ns->text[s->index] = n;\ns->index++;\ns->text[s->index] = 0;\n}"),
            "4 s->index text 1\n");
  EXPECT_EQ(passed("if (s->index < 7) {\ns->text[s->index] = n;\ns->index++;\ns->text[s->index] = 0;\n}"),
            "");
  EXPECT_EQ(passed("if (s->index <= 8) {\nget();\ns->text[s->index] = 0;\n}"), "") << "it may be another one";
  EXPECT_EQ(passed("if (n > 8)\nn = 8;\ns->text[n] = 0;"), "3 n text 1\n");
  EXPECT_EQ(passed("n = n < 8 ? n : 8;\ns->text[n] = 0;"), "2 n text 1\n");
  EXPECT_EQ(passed("n = n < 8 ? n : 7;\ns->text[n] = 0;"), "");
  EXPECT_EQ(passed("for (n = 0; n < 8; n++)\nif (!list[n]) break;\nlist[n] = k;"), "3 n list 1\n");
  EXPECT_EQ(passed("for (n = 0; n < 8; n++)\nif (!list[n]) break;\nif (n == 8) return 1;\nlist[n] = k;"), "");
}

TEST(ValueBounds, AMaskThatIsAsLargeAsTheArray) {
  EXPECT_EQ(passed("int *other = &pair[(n + 1) & 2];\nreturn *other;"), "1 (n + 1) & 2 pair 1\n");
  EXPECT_EQ(passed("int *other = &pair[(n + 1) & 1];\nreturn *other;"), "");
  EXPECT_EQ(passed("return table[n & 15];"), "") << "the field may have nine values";
  EXPECT_EQ(passed("return list[(unsigned)n % 9];"), "1 (unsigned)n % 9 list 1\n");
}

TEST(ValueBounds, WhatElseBoundsTheIndex) {
  EXPECT_EQ(passed("if (n > 8 || n >= k) return 1;\nlist[n] = k;"), "");
  EXPECT_EQ(passed("if (n > 8 || (n == 8 && k)) return 1;\nif (k) list[n] = k;"), "");
  EXPECT_EQ(passed("if (n > 8) return 1;\nn = get();\nlist[n] = k;"), "");
  EXPECT_EQ(passed("if (n > 8) return 1;\nrest(&n);\nlist[n] = k;"), "");
  EXPECT_EQ(passed("if (n > 8) return 1;\nif (n == 8) n = 0;\nlist[n] = k;"), "");
  EXPECT_EQ(passed("if (n > 64) return 1;\nlist[n] = k;"), "") << "a bound of something else";
  EXPECT_EQ(passed("if (n > 8) return 1;\nmemset(&list[n], 0, 8 - n);"), "") << "it may be none";
  EXPECT_EQ(passed("if (n > 8) return 1;\nint *end = &list[n];\nreturn end == list;"), "");
  EXPECT_EQ(passed("if (n > 8) return 1;\nreturn sizeof(list[n]);"), "");
}

TEST(ValueBounds, AnArrayThatACallerGives) {
  const auto text = [](const std::string& check, const std::string& more) {
    return "struct t { void *cache[8]; };\nstatic void fill(void **cache, int n, void *p) {\nif (" + check +
           ") return;\ncache[n] = p;\n}\nvoid use(struct t *t, int n, void **other) {\nvoid **cache = "
           "t->cache;\n"
           "fill(cache, n, t);\n(void)other;" +
           more + "\n}\n";
  };
  EXPECT_EQ(slipsBehind(text("n > 8", ""), {Kind::BoundPassed}), "4 n cache 3\n");
  EXPECT_EQ(slipsBehind(text("n >= 8", ""), {Kind::BoundPassed}), "");
  EXPECT_EQ(slipsBehind(text("n > 8", "fill(other, n, t);"), {Kind::BoundPassed}), "")
      << "others may be longer";
  EXPECT_EQ(
      slipsBehind(text("n > 8", "void (*f)(void **, int, void *) = fill; (void)f;"), {Kind::BoundPassed}),
      "");
}

std::string unset(const std::string& body) {
  return slipsBehind(
      "#include <sys/socket.h>\n#include <sys/stat.h>\n#include <signal.h>\n#include <unistd.h>\n"
      "#include <pthread.h>\n#include <sys/epoll.h>\n#include <errno.h>\nvoid *run(void *);\n"
      "int use(int s, int k, struct sockaddr *to, pthread_t *t) {\n" +
          body + "\nreturn 0;\n}\n",
      {Kind::UnsetGiven, Kind::UnsetFailed}, 9);
}

TEST(UnsetArguments, ALengthThatIsReadFirst) {
  EXPECT_EQ(unset("socklen_t n;\nreturn getsockname(s, to, &n);"), "2 n getsockname\n");
  EXPECT_EQ(unset("socklen_t n = 16;\nreturn getsockname(s, to, &n);"), "");
  EXPECT_EQ(unset("socklen_t n;\nif (k) n = 16;\nreturn getsockname(s, to, &n);"), "") << "on one way";
  EXPECT_EQ(unset("socklen_t n;\nreturn accept(s, NULL, &n);"), "") << "there is nothing to fill";
  EXPECT_EQ(unset("sigset_t set;\nsigaddset(&set, SIGINT);"), "2 set sigaddset\n");
  EXPECT_EQ(unset("sigset_t set;\nsigemptyset(&set);\nsigaddset(&set, SIGINT);"), "");
}

TEST(UnsetArguments, AStructureThatIsFilledInPart) {
  const std::string begin = "struct sigaction act;\nact.sa_handler = SIG_IGN;\n";
  EXPECT_EQ(unset(begin + "sigaction(SIGINT, &act, 0);"), "3 act.sa_flags sigaction\n");
  EXPECT_EQ(unset(begin + "act.sa_flags = 0;\nsigaction(SIGINT, &act, 0);"), "4 act.sa_mask sigaction\n");
  EXPECT_EQ(unset(begin + "act.sa_flags = 0;\nsigemptyset(&act.sa_mask);\nsigaction(SIGINT, &act, 0);"), "");
  EXPECT_EQ(unset("struct sigaction act = {.sa_handler = SIG_IGN};\nsigaction(SIGINT, &act, 0);"), "");
  EXPECT_EQ(unset("struct sigaction act;\nsigaction(SIGINT, 0, &act);\nact.sa_handler = SIG_IGN;\n"
                  "sigaction(SIGINT, &act, 0);"),
            "");
  EXPECT_EQ(unset("struct epoll_event e;\ne.data.fd = s;\nepoll_ctl(k, EPOLL_CTL_ADD, s, &e);"),
            "3 e.events epoll_ctl\n");
  EXPECT_EQ(unset("struct epoll_event e;\nepoll_ctl(k, EPOLL_CTL_DEL, s, &e);"), "") << "it is not read";
}

TEST(UnsetArguments, ResultsOfCallsThatMayHaveFailed) {
  EXPECT_EQ(unset("pthread_t id;\nint e = pthread_create(&id, 0, run, 0);\n*t = id;\nreturn e;"),
            "3 id pthread_create 2\n");
  EXPECT_EQ(unset("pthread_t id;\nint e = pthread_create(&id, 0, run, 0);\nif (!e) *t = id;\nreturn e;"), "");
  EXPECT_EQ(unset("struct stat st;\nstat(\"a\", &st);\nreturn st.st_size;"), "3 st stat 2\n");
  EXPECT_EQ(unset("struct stat st;\nif (stat(\"a\", &st)) return 1;\nreturn st.st_size;"), "");
  EXPECT_EQ(unset("struct stat st = {0};\nstat(\"a\", &st);\nreturn st.st_size;"), "");
  EXPECT_EQ(unset("struct stat st;\nst.st_size = 0;\nstat(\"a\", &st);\nreturn st.st_size;"), "");
  EXPECT_EQ(unset("struct stat st;\nstat(\"a\", &st);\nif (errno) return 1;\nreturn st.st_size;"), "");
  EXPECT_EQ(unset("struct stat st;\n(void)stat(\"a\", &st);\nreturn st.st_size;"), "") << "so be it";
  EXPECT_EQ(unset("int ends[2];\n(void)!pipe(ends);\nreturn ends[0];"), "");
  EXPECT_EQ(unset("int ends[2];\npipe(ends);\nreturn ends[0];"), "3 ends pipe 2\n");
}

TEST(UnsetArguments, AResultThatIsGivenToWhatReadsIt) {
  const auto given = [](const std::string& reader, const std::string& test) {
    return slipsBehind(
        "#include <sys/stat.h>\nvoid elsewhere(struct stat *from, long *to);\n" + reader +
            "\nint use(const char *path, long *to) {\nstruct stat st;\nint e = stat(path, &st);\n" + test +
            "copy(&st, to);\nreturn e;\n}\n",
        {Kind::UnsetFailed}, 4);
  };
  const std::string reads = "static void copy(struct stat *from, long *to) { *to = from->st_size; }";
  EXPECT_EQ(given(reads, ""), "3 st stat 2\n");
  EXPECT_EQ(given(reads, "if (e) return e;\n"), "");
  EXPECT_EQ(given("static void copy(struct stat *from, long *to) { from->st_size = *to; }", ""), "");
  EXPECT_EQ(given("static void copy(struct stat *from, long *to) { elsewhere(from, to); }", ""), "");
}

}  // namespace
}  // namespace heddle::testing
