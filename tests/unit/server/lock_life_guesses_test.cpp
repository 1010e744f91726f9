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
