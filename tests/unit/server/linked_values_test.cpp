// Guesses from the text about memory that is left or left too short: copies behind the end, pointers that
// realloc moves, links of freed objects, objects whose reference has been given back.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/survey/survey.h"
#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

constexpr const char* kLinkedHead = R"(#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <stdint.h>
#include <unistd.h>
#include <pthread.h>
struct item { int n; }; struct vec { int *a; int n, most; };
struct pool { struct item *items; int n, most; void (*on)(struct pool *pool); };
struct queue { struct queue *prev, *next; };
struct job { struct queue link; int id, refs; pthread_mutex_t lock; void *name; };
#define QUEUE_INSERT_TAIL(h, q) do { (q)->prev = (h)->prev; (q)->next = (h); (h)->prev->next = (q); (h)->prev = (q); } while (0)
#define QUEUE_REMOVE(q) do { (q)->prev->next = (q)->next; (q)->next->prev = (q)->prev; } while (0)
#define QUEUE_INIT(q) do { (q)->prev = (q); (q)->next = (q); } while (0)
#define QUEUE_HEAD(h) ((h)->next)
#define QUEUE_DATA(q, type, link) ((type *)((char *)(q) - offsetof(type, link)))
void use(const void *p); void fill(char *to, size_t size); int log_job(const struct job *j);
)";

/// "line value other callee" of each, by lines of `more`.
std::string linkedIn(ValueSlip::Kind kind, const std::string& more) {
  std::vector<std::string> lines;
  for (const ValueSlip& slip : surveyOf(harnessSnapshot(kLinkedHead + more)).valueSlips)
    if (slip.kind == kind)
      lines.push_back(std::to_string(slip.line - 16) + " " + slip.value + " " +
                      (slip.other == 0 ? "0" : std::to_string(slip.other - 16)) + " " + slip.callee + "\n");
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

std::string copiesIn(ValueSlip::Kind kind, const std::string& body) {
  return linkedIn(
      kind,
      "void f(const char *s, const char *t, size_t n, int fd, char *to, size_t to_len) {\n" + body + "\n}\n");
}

TEST(LinkedValues, AnAllocationThatForgetsTheEnd) {
  EXPECT_EQ(copiesIn(ValueSlip::Kind::RoomShort, "char *p = malloc(strlen(s));\nif (p) strcpy(p, s);"),
            "3 p 2 1\n");
  EXPECT_EQ(copiesIn(ValueSlip::Kind::RoomShort,
                     "size_t k = strlen(s); char *p = malloc(k);\nmemcpy(p, s, k);\np[k] = 0;"),
            "4 p 2 1\n");
  EXPECT_EQ(copiesIn(ValueSlip::Kind::RoomShort, "char *p = malloc(strlen(s) + 1);\nif (p) strcpy(p, s);"),
            "");
  EXPECT_EQ(
      copiesIn(ValueSlip::Kind::RoomShort, "char *p = malloc(n);\nn = strlen(s);\nmemcpy(p, s, n + 1);"), "")
      << "another value";
  EXPECT_EQ(copiesIn(ValueSlip::Kind::RoomShort,
                     "struct { int k; char name[]; } *p = malloc(sizeof(*p) + strlen(s) + 1);\n"
                     "strcpy(p->name, s);"),
            "");
}

TEST(LinkedValues, AnAllocatorWhoseNumberIsNoSize) {
  const auto made = [](const std::string& allocator, const std::string& call) {
    return linkedIn(ValueSlip::Kind::RoomShort, allocator + "\nvoid f(void *c, const char *s) {\nchar *p = " +
                                                    call + ";\nmemcpy(p, s, 9);\nuse(p);\n}\n");
  };
  EXPECT_EQ(made("void *my_alloc(size_t size);", "my_alloc(8)"), "4 p 3 1\n");
  EXPECT_EQ(made("void *my_alloc(void *of, int nbytes);", "my_alloc(c, 8)"), "4 p 3 1\n");
  EXPECT_EQ(made("void *my_malloc_of(int a, void *of);", "my_malloc_of(8, c)"), "4 p 3 1\n");
  EXPECT_EQ(made("void *node_alloc(int kind);", "node_alloc(8)"), "");
  EXPECT_EQ(made("void *kmem_cache_alloc(void *cache, unsigned flags);", "kmem_cache_alloc(c, 8)"), "");
  EXPECT_EQ(made("void *cache_alloc(void *of, size_t size);", "cache_alloc(c, 8)"), "");
  EXPECT_EQ(made("void *xmallocz(size_t size);", "xmallocz(8)"), "") << "it adds the end";
}

TEST(LinkedValues, ManyLengthsOfLengths) {
  std::string body = "size_t a0 = strlen(s), a1 = strlen(s + a0);\n";
  for (int i = 2; i < 40; ++i)
    body += "size_t a" + std::to_string(i) + " = strlen(s + a" + std::to_string(i - 1) + " + a" +
            std::to_string(i - 2) + ");\n";
  EXPECT_EQ(copiesIn(ValueSlip::Kind::RoomShort, body + "char *p = malloc(n);\nmemcpy(p, s, n + 1);"),
            "42 p 41 1\n");
}

TEST(LinkedValues, ACheckThatForgetsWhatTheCopyAdds) {
  EXPECT_EQ(copiesIn(ValueSlip::Kind::GuardShort,
                     "size_t k = strlen(to);\nif (n > to_len - k) return;\n"
                     "memcpy(to + k + 1, s, n + 1);"),
            "4 to + k + 1 3 2\n");
  EXPECT_EQ(copiesIn(ValueSlip::Kind::GuardShort,
                     "size_t k = strlen(to);\nif (n + 2 > to_len - k) return;\n"
                     "memcpy(to + k + 1, s, n + 1);"),
            "");
  EXPECT_EQ(copiesIn(ValueSlip::Kind::GuardShort, "if (n > to_len) return;\nmemcpy(to, s, n);\nto[n] = 0;"),
            "")
      << "the length may leave out the end";
  EXPECT_EQ(copiesIn(ValueSlip::Kind::GuardShort,
                     "size_t k = strlen(t);\nif (n + k > to_len) return;\nmemcpy(to, s, n);\n"
                     "memcpy(to + n, t, k);\nto[n + k] = 0;"),
            "")
      << "that of two, too";
  EXPECT_EQ(copiesIn(ValueSlip::Kind::GuardShort,
                     "int *a = malloc(n * sizeof(int));\nfor (size_t i = 0; i <= n; ++i) a[i] = 0;"),
            "3 a 3 4\n");
  EXPECT_EQ(copiesIn(ValueSlip::Kind::GuardShort,
                     "int *a = malloc(n * sizeof(int));\nfor (size_t i = 0; i < n; ++i) a[i] = 0;"),
            "");
  EXPECT_EQ(copiesIn(ValueSlip::Kind::GuardShort,
                     "int a[21];\nfor (int i = 1; i < 21; i += 2) a[i + 1] = 0;\nuse(a);"),
            "")
      << "it is never 20";
}

TEST(LinkedValues, ATextThatIsReadIntoAllOfItsBuffer) {
  const std::string read = "char b[64];\nssize_t k = read(fd, b, sizeof b);\nif (k < 0) return;\n";
  EXPECT_EQ(copiesIn(ValueSlip::Kind::GuardShort, read + "b[k] = 0;\nuse(b);"), "5 b 3 1\n");
  EXPECT_EQ(copiesIn(ValueSlip::Kind::GuardShort, read + "if (k == sizeof b) return;\nb[k] = 0;\nuse(b);"),
            "");
  EXPECT_EQ(copiesIn(ValueSlip::Kind::GuardShort,
                     read + "if (k >= (ssize_t)sizeof b) k = sizeof b - 1;\nb[k] = 0;\nuse(b);"),
            "");
  EXPECT_EQ(copiesIn(ValueSlip::Kind::GuardShort,
                     "char b[64];\nssize_t k = read(fd, b, sizeof b - 1);\nif (k < 0) return;\n"
                     "b[k] = 0;\nuse(b);"),
            "");
}

TEST(LinkedValues, ABoundThatIsForTheWholeBuffer) {
  const auto told = [](const std::string& body) {
    return copiesIn(ValueSlip::Kind::BoundWhole, "char b[64];\n" + body);
  };
  const std::string first = "snprintf(b, sizeof b, \"%s/\", s);\n";
  EXPECT_EQ(told(first + "strncat(b, t, sizeof b - 1);\nuse(b);"), "4 b 3 snprintf\n");
  EXPECT_EQ(told(first + "strncat(b, \"?\", sizeof b - 1);\nstrncat(b, t, sizeof b);\nuse(b);"),
            "5 b 4 strncat\n")
      << "a literal is short";
  EXPECT_EQ(told(first + "strncat(b, t, sizeof b - strlen(b) - 1);\nuse(b);"), "");
  EXPECT_EQ(told("b[0] = 0;\nstrncat(b, t, sizeof b - 1);\nuse(b);"), "") << "it is empty";
  EXPECT_EQ(told(first + "*b = 0;\nstrncat(b, t, sizeof b - 1);\nuse(b);"), "");
  EXPECT_EQ(told(first + "strncat(b, t, 8);\nuse(b);"), "") << "what is left may be that long";
}

TEST(LinkedValues, ACopyThatMayLeaveNoEnd) {
  const auto told = [](const std::string& body) {
    return copiesIn(ValueSlip::Kind::Unended, "char b[64];\n" + body);
  };
  EXPECT_EQ(told("strncpy(b, s, sizeof b);\nuse(b);"), "3 b 0 strncpy\n");
  EXPECT_EQ(told("strncpy(b, s, sizeof b - 1);\nuse(b);"), "") << "the last one may be 0 already";
  EXPECT_EQ(told("strncpy(b, s, sizeof b);\nb[sizeof b - 1] = 0;\nuse(b);"), "");
  EXPECT_EQ(told("if (strlen(s) >= sizeof b) return;\nstrncpy(b, s, sizeof b);\nuse(b);"), "");
  EXPECT_EQ(told("strncpy(b, \"none\", sizeof b);\nuse(b);"), "");
  EXPECT_EQ(told("strncpy(b, s, sizeof b);"), "") << "nobody reads it as a text";
  EXPECT_EQ(told("char a[64];\nuse(a);\nstrncpy(b, a, sizeof b);\nuse(b);"), "") << "it is no longer";
  EXPECT_EQ(copiesIn(ValueSlip::Kind::Unended, "strncpy(to, s, to_len);"), "2 to 0 strncpy\n");
  EXPECT_EQ(copiesIn(ValueSlip::Kind::Unended, "if (s)\nstrncpy(to, s, to_len);\nelse to[0] = 0;"),
            "3 to 0 strncpy\n")
      << "the empty text is the other one";
  EXPECT_EQ(copiesIn(ValueSlip::Kind::Unended, "strncpy(to, s, to_len);\nto[to_len - 1] = 0;"), "");
}

TEST(LinkedValues, ASizeThatWrapsToNothing) {
  const auto told = [](const std::string& body) { return copiesIn(ValueSlip::Kind::WrappedSum, body); };
  const std::string read = "struct { unsigned size; } h;\nread(fd, &h, sizeof h);\n";
  const std::string use = "char *b = malloc(h.size + 1);\nuse(b);";
  EXPECT_EQ(told(read + "if (h.size > 0) use(0);\n" + use), "5 h.size + 1 3 malloc\n");
  EXPECT_EQ(told(read + use + "if (read(fd, b, h.size) != h.size) return;"), "4 h.size + 1 3 malloc\n")
      << "too late";
  EXPECT_EQ(told(read + "if (h.size > 4096) return;\n" + use), "");
  EXPECT_EQ(told(read + "char *b = malloc((size_t)h.size + 1);\nuse(b);"), "") << "a sum of 64 bits";
  EXPECT_EQ(told("unsigned k = ntohl(n);\nuse(malloc(k + 1));"), "3 k + 1 2 malloc\n");
  EXPECT_EQ(told("unsigned k = n;\nuse(malloc(k + 1));"), "") << "callers may limit it";
}

TEST(LinkedValues, AFullBufferThatIsAppendedTo) {
  EXPECT_EQ(copiesIn(ValueSlip::Kind::TextAppended,
                     "char b[64];\nif (!getcwd(b, sizeof b)) return;\nstrcat(b, \"/\");\nuse(b);"),
            "4 b 3 getcwd\n");
  EXPECT_EQ(copiesIn(ValueSlip::Kind::TextAppended,
                     "char *b = malloc(n);\nfill(b, n - 1);\nstrcat(b, \"/\");\nstrcat(b, \"?\");"),
            "5 b 3 fill\n");
  EXPECT_EQ(copiesIn(ValueSlip::Kind::TextAppended,
                     "char b[64];\nfill(b, sizeof b - 1);\nstrcat(b, \"/\");\nuse(b);"),
            "");
  EXPECT_EQ(copiesIn(ValueSlip::Kind::TextAppended,
                     "char b[64];\nsnprintf(b, sizeof b, \"%d\", fd);\nstrcat(b, \"/\");\nuse(b);"),
            "")
      << "a number is short";
  EXPECT_EQ(copiesIn(ValueSlip::Kind::TextAppended,
                     "char b[64];\nint k = snprintf(b, sizeof b, \"%s\", s);\nif (k > 60) return;\n"
                     "strcat(b, \"/\");\nuse(b);"),
            "");
  EXPECT_EQ(copiesIn(ValueSlip::Kind::TextAppended,
                     "char b[64];\nif (snprintf(b, sizeof b, \"%s\", s) >= (int)sizeof b - 1) return;\n"
                     "strcat(b, \"/\");\nuse(b);"),
            "");
  EXPECT_EQ(copiesIn(ValueSlip::Kind::TextAppended,
                     "char b[64];\nif (!getcwd(b, sizeof b)) return;\nif (strlen(b) + 5 > sizeof b) return;\n"
                     "strcat(b, \"/\");\nuse(b);"),
            "");
}

TEST(LinkedValues, WhatSnprintfWouldHaveWritten) {
  const std::string print = "char b[64];\nint k = snprintf(b, sizeof b, \"%s\", s);\n";
  const std::string more = "snprintf(b + k, sizeof b - k, \"%s\", t);\nuse(b);";
  EXPECT_EQ(copiesIn(ValueSlip::Kind::WishTaken, print + more), "4 b + k 0 k\n");
  EXPECT_EQ(copiesIn(ValueSlip::Kind::WishTaken, print + "if (k >= (int)sizeof b) return;\n" + more), "");
  EXPECT_EQ(copiesIn(ValueSlip::Kind::WishTaken,
                     "char b[64];\nint k = snprintf(b, sizeof b, \"%d\", fd);\n" + more),
            "");
}

TEST(LinkedValues, AShiftByOneElementTooMany) {
  const auto shifted = [](const std::string& body) {
    return linkedIn(ValueSlip::Kind::ShiftLong, "void f(struct vec *v, int i, char *s) {\n" + body + "\n}\n");
  };
  EXPECT_EQ(shifted("memmove(&v->a[i], &v->a[i + 1], (v->n - i) * sizeof(v->a[0]));\nv->n--;"),
            "2 &v->a[i + 1] 0 v->n\n");
  EXPECT_EQ(shifted("v->n--;\nmemmove(&v->a[i], &v->a[i + 1], (v->n - i) * sizeof(v->a[0]));"), "");
  EXPECT_EQ(shifted("memmove(&v->a[i], &v->a[i + 1], (v->n - i - 1) * sizeof(v->a[0]));"), "");
  EXPECT_EQ(shifted("memmove(s + i, s + i + 1, v->n - i);"), "") << "a text has an end";
  const std::string node = "struct { int n, keys[8]; void *kids[9]; } *q = (void *)v;\n";
  EXPECT_EQ(shifted(node + "memmove(&q->keys[i], &q->keys[i + 1], (q->n - i) * sizeof(int));"),
            "3 &q->keys[i + 1] 0 q->n\n");
  EXPECT_EQ(shifted(node + "memmove(&q->keys[i], &q->keys[i + 1], (q->n - i - 1) * sizeof(int));"), "");
  EXPECT_EQ(shifted(node + "memmove(&q->kids[i], &q->kids[i + 1], (q->n - i) * sizeof(void *));"), "")
      << "there is one more";
  const std::string jobs = "struct { struct job **all; int n; } *q = (void *)v;\n";
  EXPECT_EQ(shifted(jobs + "memmove(&q->all[i], &q->all[i + 1], (q->n - i) * sizeof(void *));"),
            "3 &q->all[i + 1] 0 q->n\n");
  EXPECT_EQ(
      shifted("char **argv = (void *)s;\nmemmove(&argv[i], &argv[i + 1], (v->n - i) * sizeof(char *));"), "")
      << "null ends them";
}

TEST(LinkedValues, AReadThatIsWiderThanItsCheck) {
  const auto read = [](const std::string& check, const std::string& step = "++p",
                       const std::string& name = "end") {
    return linkedIn(ValueSlip::Kind::ReadWide,
                    "static int is64(void) { return sizeof(void *) == 8; }\n"
                    "static uint64_t r8(const void *p) { uint64_t v; memcpy(&v, p, 8); return v; }\n"
                    "static uint32_t r4(const void *p) { uint32_t v; memcpy(&v, p, 4); return v; }\n"
                    "static size_t word(const void *p) { if (is64()) return r8(p); return r4(p); }\n"
                    "size_t f(const char *p, size_t n) { const char *const " +
                        name + " = p + n; size_t h = 0;\nwhile (" + check + ")\n{ h += word(p); " + step +
                        "; }\nreturn h; }\n");
  };
  EXPECT_EQ(read("p <= end - 4"), "7 p 6 4\n");
  EXPECT_EQ(read("p <= end - 8"), "");
  EXPECT_EQ(read("n-- > 0"), "") << "nobody compares it with the end";
  EXPECT_EQ(read("p < end"), "7 p 6 7\n");
  EXPECT_EQ(read("p < end", "p += 8"), "") << "there are whole words";
  EXPECT_EQ(read("p <= end - 4", "p += 8"), "7 p 6 4\n") << "there is a rest";
  EXPECT_EQ(read("p <= bEnd - 4", "++p", "bEnd"), "7 p 6 4\n");
  EXPECT_EQ(read("p <= backend - 4", "++p", "backend"), "") << "no end";
}

TEST(LinkedValues, OneOfManyIsCleared) {
  const auto cleared = [](const std::string& body) {
    return linkedIn(ValueSlip::Kind::OneCleared, "void f(struct pool *pool, int n) {\n" + body + "\n}\n");
  };
  const std::string make = "pool->items = malloc(n * sizeof(struct item));\nif (!pool->items) return;\n";
  EXPECT_EQ(cleared(make + "memset(pool->items, 0, sizeof(struct item));"), "4 pool->items 2 \n");
  EXPECT_EQ(cleared(make + "memset(pool->items, 0, n * sizeof(struct item));"), "");
  EXPECT_EQ(cleared(make + "for (int i = 0; i < n; ++i) { struct item *p = &pool->items[i];\n"
                           "memset(p, 0, sizeof(struct item)); }"),
            "");
  EXPECT_EQ(cleared(make + "memset(&pool->items[0], 0, sizeof(struct item));"), "") << "the first one";
  EXPECT_EQ(cleared(make + "memset(pool->items, 0, sizeof(struct item));\n"
                           "struct item *next = pool->items + 1;\nuse(next);"),
            "")
      << "the first one is a sentinel";
}

TEST(LinkedValues, AnObjectWhoseReferenceIsGivenBack) {
  const auto given = [](const std::string& body) {
    return linkedIn(ValueSlip::Kind::UsedGiven,
                    "void f(struct job *j) { int last;\npthread_mutex_lock(&j->lock);\n" + body + "\n}\n");
  };
  EXPECT_EQ(
      given("last = --j->refs == 0;\npthread_mutex_unlock(&j->lock);\nif (!last) log_job(j);\nelse free(j);"),
      "5 j 3 j->lock\n");
  EXPECT_EQ(given("--j->refs;\nlast = !j->refs;\npthread_mutex_unlock(&j->lock);\nif (last) log_job(j);"),
            "");
  EXPECT_EQ(
      given("--j->refs;\nlast = !j->refs;\nlog_job(j);\npthread_mutex_unlock(&j->lock);\nif (last) free(j);"),
      "");
  EXPECT_EQ(given("last = --j->refs;\npthread_mutex_unlock(&j->lock);\nif (last > 0) j->id = 0;"),
            "5 j 3 j->lock\n");
}

TEST(LinkedValues, AnObjectThatIsFreedInAList) {
  const auto linked = [](const std::string& body) {
    return linkedIn(ValueSlip::Kind::FreedLinked,
                    "int f(struct queue *all, struct job *j) {\n" + body + "\n}\n");
  };
  EXPECT_EQ(
      linked(
          "QUEUE_INSERT_TAIL(all, &j->link);\nj->name = malloc(8);\nif (!j->name) goto failed;\nreturn 0;\n"
          "failed:\nfree(j);\nreturn 1;"),
      "7 j 2 j->link\n");
  EXPECT_EQ(
      linked(
          "QUEUE_INSERT_TAIL(all, &j->link);\nj->name = malloc(8);\nif (!j->name) goto failed;\nreturn 0;\n"
          "failed:\nQUEUE_REMOVE(&j->link);\nfree(j);\nreturn 1;"),
      "");
  EXPECT_EQ(
      linked("j->name = malloc(8);\nif (!j->name) { free(j); return 1; }\nQUEUE_INSERT_TAIL(all, &j->link);\n"
             "return 0;"),
      "");
  const auto ended = [](const std::string& end) {
    return linkedIn(ValueSlip::Kind::FreedLinked,
                    end +
                        "\nint f(struct queue *all) {\nstruct job *j = job_new();\n"
                        "QUEUE_INSERT_TAIL(all, &j->link);\nif (!log_job(0)) job_free(j);\nreturn 0;\n}\n");
  };
  const std::string make = "struct job *job_new(void); void job_free(struct job *j)";
  EXPECT_EQ(ended(make + " { free(j); }"), "5 j 4 j->link\n");
  EXPECT_EQ(ended(make + " { QUEUE_REMOVE(&j->link); free(j); }"), "");
  EXPECT_EQ(ended(make + ";"), "") << "of another file, which may take it out";
}

TEST(LinkedValues, AnObjectThatKeepsItsPlaceInALocalList) {
  const std::string begin =
      "#define QUEUE_FOREACH(q, h) for ((q) = QUEUE_HEAD(h); (q) != (h); (q) = (q)->next)\n"
      "void f(struct job *j) { struct queue pending, *q;\nQUEUE_INIT(&pending);\n"
      "QUEUE_INSERT_TAIL(&pending, &j->link);\nQUEUE_FOREACH(q, &pending) {\nQUEUE_REMOVE(q);\n";
  const std::string end = "}\n}\nvoid g(struct job *j) { QUEUE_REMOVE(&j->link); }\n";
  EXPECT_EQ(linkedIn(ValueSlip::Kind::LeftLocal, begin + end), "6 q 0 g\n");
  EXPECT_EQ(linkedIn(ValueSlip::Kind::LeftLocal, begin + "QUEUE_INIT(q);\n" + end), "");
  EXPECT_EQ(linkedIn(ValueSlip::Kind::LeftLocal, begin + "}\n}\n"), "") << "nobody takes it out again";
}

TEST(LinkedValues, APointerThatReallocMayMove) {
  const auto moved = [](ValueSlip::Kind kind, const std::string& body) {
    return linkedIn(
        kind,
        "int grow(struct pool *p) { struct item *more = realloc(p->items, 2 * p->most * sizeof *more);\n"
        "if (!more) return 1;\np->items = more;\nreturn 0; }\n"
        "int f(struct pool *p, int i) { struct item *at = &p->items[i]; struct item *more;\n" +
            body + "\n}\n");
  };
  EXPECT_EQ(moved(ValueSlip::Kind::UsedMoved, "if (p->n == p->most) grow(p);\nreturn at->n;"),
            "7 at 6 p->items by grow\n");
  EXPECT_EQ(
      moved(ValueSlip::Kind::UsedMoved, "if (p->n == p->most) grow(p);\nat = &p->items[i];\nreturn at->n;"),
      "");
  EXPECT_EQ(moved(ValueSlip::Kind::UsedMoved,
                  "more = realloc(p->items, 99);\nif (!more) return at->n;\np->items = more;\nreturn 0;"),
            "")
      << "where it has failed nothing has moved";
  EXPECT_EQ(moved(ValueSlip::Kind::UsedMoved,
                  "more = realloc(p->items, 99);\nif (!more) return 0;\np->items = more;\nreturn at->n;"),
            "9 at 6 p->items\n");
  EXPECT_EQ(
      moved(ValueSlip::Kind::UsedMoved, "i = at - p->items;\ngrow(p);\nat = p->items + i;\nreturn at->n;"),
      "");
  EXPECT_EQ(moved(ValueSlip::Kind::MovedCallback, "p->on(p);\nreturn at->n;"), "7 at 6 p->items by grow\n");
  EXPECT_EQ(moved(ValueSlip::Kind::MovedCallback, "p->on(p);\nat = &p->items[i];\nreturn at->n;"), "");
  EXPECT_EQ(moved(ValueSlip::Kind::UsedMoved,
                  "for (i = 0; i < p->n; ++i) { at = &p->items[i];\ngrow(p);\nat->n = 1; }\nreturn 0;"),
            "8 at 7 p->items by grow\n");
}

TEST(LinkedValues, APointerThatIsSetAgainOnTheWayThatMovesIt) {
  const auto moved = [](const std::string& body) {
    return linkedIn(
        ValueSlip::Kind::UsedMoved,
        "int grow(struct pool *p) { struct item *more = realloc(p->items, 2 * p->most * sizeof *more);\n"
        "if (!more) return 1;\np->items = more;\nreturn 0; }\n"
        "void put(struct pool *p) { if (p->n == p->most) grow(p); p->n++; }\n"
        "int f(struct pool *p, int i, int k) { struct item *at = &p->items[i]; int is = 0;\n" +
            body + "\n}\n");
  };
  EXPECT_EQ(moved("if (p->n == p->most) { grow(p); is = 1; }\nif (is) at = &p->items[i];\nreturn at->n;"),
            "");
  EXPECT_EQ(moved("if (p->n == p->most) { grow(p); is = 1; }\nif (!is) return at->n;\nreturn 0;"), "");
  EXPECT_EQ(moved("if (k & 4) grow(p);\nif (!(k & 4)) return at->n;\nreturn 0;"), "") << "the same condition";
  EXPECT_EQ(moved("if (p->n == p->most) { grow(p); is = 1; }\nif (k) return at->n;\nreturn is;"),
            "8 at 7 p->items by grow\n");
  EXPECT_EQ(moved("grow(p);\nat = &p->items[i];\nput(p);\nreturn at->n;"), "") << "there is room";
  EXPECT_EQ(moved("put(p);\nat = &p->items[i];\nput(p);\nreturn at->n;"), "10 at 9 p->items by put\n")
      << "the second one may need more";
}

}  // namespace
}  // namespace heddle::testing
