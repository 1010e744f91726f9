// Guesses from the text about the lives of locks: what is destroyed twice, or before it is set up, or set up
// behind its first use. Each stands beside text that is right.
#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

constexpr const char* kLifeHead = R"(#include <pthread.h>
#include <stdlib.h>
struct ctx { pthread_mutex_t lock; pthread_cond_t ready; int n; };
static pthread_mutex_t locks[4];
static void give_up(struct ctx *c) {
  if (c == NULL) return;
  pthread_mutex_destroy(&c->lock);
  free(c);
}
)";

/// "line 'lock' what" of each, by lines of `more`.
std::string lifeGuessesOf(const std::string& more) {
  std::string text;
  for (const LockGuess& guess : harnessesOf(kLifeHead + more).guesses)
    text += std::to_string(guess.line - 9) + " '" + guess.lock + "' " + guess.why + '\n';
  return text;
}

TEST(LockLifeGuesses, WhatIsGivenUpBeforeItIsSetUp) {
  const auto started = [](const std::string& first, const std::string& behind) {
    return lifeGuessesOf(
        "struct ctx *start(int n) {\n  struct ctx *c = calloc(1, sizeof *c);\n  if (!c) return NULL;\n  " +
        first + "\n  if (n < 0) { give_up(c); return NULL; }\n  " + behind + "\n  return c;\n}\n");
  };
  const std::string init = "pthread_mutex_init(&c->lock, NULL);";
  EXPECT_EQ(started("", init),
            "5 'c->lock' is destroyed in 'start' where it is not initialized yet (initialized in line 15)\n");
  EXPECT_EQ(started(init, ""), "");
  EXPECT_EQ(lifeGuessesOf(
                "struct ctx *get(void);\nstruct ctx *anew(void) {\n  struct ctx *c = get();\n  "
                "pthread_mutex_destroy(&c->lock);\n  pthread_mutex_init(&c->lock, NULL);\n  return c;\n}\n"),
            "")
      << "ended to begin anew";
}

TEST(LockLifeGuesses, WhatIsDestroyedTwice) {
  const auto down = [](const std::string& turn) {
    return lifeGuessesOf("void down(int n) {\n  for (int i = 0; i < n; ++i)\n    " + turn + "\n}\n");
  };
  EXPECT_EQ(down("pthread_mutex_destroy(locks);"),
            "3 'locks[0]' is destroyed in 'down' in each turn of a loop\n");
  EXPECT_EQ(down("pthread_mutex_destroy(&locks[i]);"), "");
  EXPECT_EQ(down("{ pthread_mutex_destroy(locks); break; }"), "");
  EXPECT_EQ(down("if (pthread_mutex_destroy(locks) == 0) return;"), "")
      << "who looks at the result tries again";
  EXPECT_EQ(
      lifeGuessesOf("void twice(struct ctx *c) {\n  pthread_mutex_destroy(&c->lock);\n  give_up(c);\n}\n"),
      "3 'c->lock' is destroyed again in 'twice' (destroyed in line 11)\n");
}

TEST(LockLifeGuesses, WhatIsSetUpBehindItsUse) {
  const std::string use = "pthread_mutex_lock(&c->lock); c->n = 0; pthread_mutex_unlock(&c->lock);\n  ";
  const std::string init = "pthread_mutex_init(&c->lock, NULL);\n  ";
  const auto made = [](const std::string& name, const std::string& body) {
    return lifeGuessesOf("struct ctx *" + name +
                         "(void) {\n  struct ctx *c = malloc(sizeof *c);\n  if (!c) return c;\n  " + body +
                         "return c;\n}\n");
  };
  EXPECT_EQ(made("make", use + init),
            "5 'c->lock' is initialized in 'make' after it was used (used in line 13)\n");
  EXPECT_EQ(made("make", init + use), "");
  EXPECT_EQ(made("after_fork", use + init), "") << "threads of the parent held it";
}

/// Found by a review: what leads to the lock, or the lock itself, may be another one by then.
TEST(LockLifeGuesses, WhatMayBeAnotherLockIsNotTold) {
  EXPECT_EQ(lifeGuessesOf(
                "struct list { struct ctx *head; };\nvoid pop(struct list *l);\nvoid all(struct list *l) {\n"
                "  while (l->head) { pthread_mutex_destroy(&l->head->lock); pop(l); }\n}\n"),
            "");
  EXPECT_EQ(lifeGuessesOf("int next(struct ctx **c);\nvoid all(void) {\n  struct ctx *c;\n"
                          "  while (next(&c)) { pthread_mutex_destroy(&c->lock); free(c); }\n}\n"),
            "");
  EXPECT_EQ(
      lifeGuessesOf("static int begin(struct ctx *c) {\n  if (c->n) return 1;\n  return "
                    "pthread_mutex_init(&c->lock, NULL);\n}\nvoid twice(struct ctx *c) {\n"
                    "  if (begin(c)) return;\n  pthread_mutex_destroy(&c->lock);\n  if (begin(c)) return;\n"
                    "  pthread_mutex_destroy(&c->lock);\n}\n"),
      "")
      << "begun again on some ways";
  EXPECT_EQ(
      lifeGuessesOf("static int begin(struct ctx *c) {\n  if (c->n) return 1;\n  return "
                    "pthread_mutex_init(&c->lock, NULL);\n}\nint first(struct ctx *c, struct ctx *other) {\n"
                    "  if (begin(c)) return 1;\n  c = other;\n  return begin(c);\n}\n"),
      "")
      << "nothing else is known of the lock";
  EXPECT_EQ(lifeGuessesOf("int event(void);\nvoid run(struct ctx *c) {\n  int on = 1;\n  while (on) {\n"
                          "    if (event() == 1) { on = 0; pthread_mutex_destroy(&c->lock); }\n  }\n}\n"),
            "");
  EXPECT_EQ(
      lifeGuessesOf("struct ctx *take(int id);\nvoid give(struct ctx *c);\nvoid run(int what, int id) {\n"
                    "  struct ctx *c;\n  if (what) {\n    c = malloc(sizeof *c);\n    if (!c) return;\n"
                    "    pthread_mutex_init(&c->lock, NULL);\n    give(c);\n  } else {\n    c = take(id);\n"
                    "    pthread_mutex_destroy(&c->lock);\n    free(c);\n  }\n}\n"),
      "")
      << "somebody else's, set up elsewhere";
  EXPECT_EQ(lifeGuessesOf(
                "static void enter(struct ctx *c) {\n  if (!c) return;\n  pthread_mutex_lock(&c->lock);\n}\n"
                "int get(struct ctx *c) {\n  enter(c);\n  if (!c) return -1;\n  const int n = c->n;\n"
                "  pthread_mutex_unlock(&c->lock);\n  return n;\n}\n"),
            "")
      << "where there is no object, there is no lock";
}

/// What a function returns says nothing of a lock that it has released.
TEST(LockLifeGuesses, AReleaseInAnAssignedCallCounts) {
  const auto found = [](const std::string& release) {
    return lifeGuessesOf(
        "struct ctx *find_locked(struct ctx *c) {\n  c->n++;\n  " + release +
        "\n  return c;\n}\nint get(struct ctx *c) {\n  pthread_mutex_lock(&c->lock);\n  "
        "struct ctx *f = find_locked(c);\n  pthread_mutex_unlock(&c->lock);\n  return f->n;\n}\n");
  };
  EXPECT_EQ(found("pthread_mutex_unlock(&c->lock);"),
            "9 'c->lock' is released again in 'get' (released in line 17)\n");
  EXPECT_EQ(found(""), "");
}

}  // namespace
}  // namespace heddle::testing
