// Guard guesses: where a lock is not held that the rest of the file says is needed.
#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

constexpr const char* kStoreHead = R"(#include <pthread.h>
struct store { pthread_mutex_t lock; int count, size; };
int store_lock(struct store *s) {
  if (s->size < 0) return -1;
  pthread_mutex_lock(&s->lock);
  return 0;
}
void store_unlock(struct store *s) { pthread_mutex_unlock(&s->lock); }
)";

std::string storeGuessesOf(const std::string& more, const std::string& wanted) {
  std::string text;
  for (const LockGuess& guess : harnessesOf(kStoreHead + more).guesses)
    if (guess.why.find(wanted) != std::string::npos)
      text += std::to_string(guess.line - 8) + " '" + guess.lock + "' " + guess.why + '\n';
  return text;
}

TEST(GuardGuesses, ALocksResultThatIsDroppedWhereOthersTestItIsTold) {
  const std::string tested =
      "int put(struct store *s) {\n"
      "  if (store_lock(s) < 0) return -1;\n"
      "  s->count++;\n"
      "  store_unlock(s);\n"
      "  return 0;\n"
      "}\n";
  const std::string dropped =
      "void clear(struct store *s) { store_lock(s); s->count = 0; store_unlock(s); }\n";
  EXPECT_EQ(
      storeGuessesOf(tested + dropped, "may fail"),
      "7 'store_lock' may fail to lock, and 'clear' goes on as if it had not; 1 other calls look at the "
      "result\n");
  EXPECT_EQ(storeGuessesOf(dropped, "may fail"), "");
  EXPECT_EQ(storeGuessesOf(tested + "void clear(struct store *s) { (void)store_lock(s); store_unlock(s); }\n",
                           "may"),
            "");
}

TEST(GuardGuesses, ACallWithoutTheLockThatTheNameAsksForIsTold) {
  const std::string head =
      "static void drop_locked(struct store *s) { s->count--; }\n"
      "void drop(struct store *s) { pthread_mutex_lock(&s->lock); drop_locked(s); "
      "pthread_mutex_unlock(&s->lock); }\n";
  EXPECT_EQ(storeGuessesOf(head + "void expire(struct store *s) { drop_locked(s); }\n", "with no lock held"),
            "3 'drop_locked' is called in 'expire' with no lock held, and expects one by its name\n");
  EXPECT_EQ(
      storeGuessesOf(head + "void expire_locked(struct store *s) { drop_locked(s); }\n", "with no lock"), "");
  EXPECT_EQ(storeGuessesOf(head + "void store_free(struct store *s) { drop_locked(s); }\n", "with no lock"),
            "");
}

}  // namespace
}  // namespace heddle::testing
