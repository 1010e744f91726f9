// Lock guesses of a lock's life: initialized again while in use, and used after its end.
#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

constexpr const char* kGateHead = R"(#include <pthread.h>
#include <stdlib.h>
struct gate { pthread_mutex_t lock; pthread_cond_t ready; int open; };
void gate_init(struct gate *g) {
  pthread_mutex_init(&g->lock, 0);
  g->open = 0;
}
struct gate *gate_new(void) {
  struct gate *g = malloc(sizeof *g);
  gate_init(g);
  return g;
}
void pass(struct gate *g) {
  pthread_mutex_lock(&g->lock);
  g->open--;
  pthread_mutex_unlock(&g->lock);
}
)";

std::string gateGuessesOf(const std::string& more) {
  std::string text;
  for (const LockGuess& guess : harnessesOf(kGateHead + more).guesses)
    text += std::to_string(guess.line - 17) + " '" + guess.lock + "' " + guess.why + '\n';
  return text;
}

TEST(LockLife, ALockInAStructureOfTheFileIsInitializedSomewhere) {
  const auto use = [](const std::string& more) {
    return gateGuessesOf(
        "struct door { int open; pthread_mutex_t lock; };\nint look(struct door *d) {\n"
        "  pthread_mutex_lock(&d->lock);\n  int open = d->open;\n"
        "  pthread_mutex_unlock(&d->lock);\n  return open;\n}\n"
        "struct door *door_new(void) { return calloc(1, sizeof(struct door)); }\n" +
        more);
  };
  EXPECT_EQ(use(""), "1 'door.lock' is used in 'look' and initialized nowhere\n");
  EXPECT_EQ(use("void door_init(struct door *d) { pthread_mutex_init(&d->lock, NULL); }\n"), "");
  EXPECT_EQ(use("static struct door front = {1, PTHREAD_MUTEX_INITIALIZER};\n"
                "int enter(void) { return look(&front); }\n"),
            "");
  EXPECT_EQ(use("void set_up(pthread_mutex_t *m);\nvoid door_init(struct door *d) { set_up(&d->lock); }\n"),
            "");
}

TEST(LockLife, AConditionThatIsWaitedForIsSignalled) {
  const auto use = [](const std::string& more, const std::string& wait = "wait(&ready, &one)") {
    return gateGuessesOf(
        "static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;\nstatic int jobs;\n"
        "static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;\nvoid work(void) {\n"
        "  pthread_mutex_lock(&one);\n  while (!jobs)\n    pthread_cond_" +
        wait + ";\n  pthread_mutex_unlock(&one);\n}\n" + more);
  };
  EXPECT_EQ(use(""), "7 'ready' is waited for in 'work', and nothing signals it\n");
  EXPECT_EQ(use("void add(void) { pthread_cond_signal(&ready); }\n"), "");
  EXPECT_EQ(use("void tell(pthread_cond_t *c);\nvoid add(void) { tell(&ready); }\n"), "");
  EXPECT_EQ(use("static pthread_cond_t *const all[] = {&ready};\n"
                "void add(int i) { pthread_cond_broadcast(all[i]); }\n"),
            "");
  EXPECT_EQ(use("", "timedwait(&ready, &one, &(struct timespec){1})"), "") << "it sleeps";
}

TEST(LockLife, ALockThatIsInitializedWhileItIsInUseIsTold) {
  EXPECT_EQ(gateGuessesOf("static void reset(struct gate *g) {\n"
                          "  gate_init(g);\n"
                          "}\n"
                          "void clear(struct gate *g) { reset(g); }\n"),
            "2 'gate.lock' is initialized again in 'reset', and nothing destroys it before\n");
  // It is destroyed before; the object is new; only set-ups call it.
  EXPECT_EQ(gateGuessesOf("void reset(struct gate *g) {\n"
                          "  pthread_mutex_destroy(&g->lock);\n"
                          "  gate_init(g);\n"
                          "}\n"),
            "");
  EXPECT_EQ(gateGuessesOf("void renew(struct gate **g) {\n"
                          "  *g = malloc(sizeof **g);\n"
                          "  gate_init(*g);\n"
                          "}\n"),
            "");
  EXPECT_EQ(gateGuessesOf("static void fill(struct gate *g) { gate_init(g); }\n"
                          "void gate_open(struct gate *g) { fill(g); }\n"),
            "");
}

TEST(LockLife, ALockThatIsUsedAfterItsEndIsTold) {
  EXPECT_EQ(gateGuessesOf("void close_gate(struct gate *g) {\n"
                          "  pthread_mutex_destroy(&g->lock);\n"
                          "  pthread_mutex_lock(&g->lock);\n"
                          "  g->open = 0;\n"
                          "  pthread_mutex_unlock(&g->lock);\n"
                          "}\n"),
            "3 'g->lock' is used in 'close_gate' after its end (destroyed in line 19)\n");
  // Of another object, initialized again, or on another way.
  EXPECT_EQ(gateGuessesOf("void close_gates(struct gate *g, struct gate *other, int all) {\n"
                          "  if (all) {\n"
                          "    pthread_mutex_destroy(&g->lock);\n"
                          "    g = other;\n"
                          "    pass(g);\n"
                          "    pthread_mutex_destroy(&g->lock);\n"
                          "    pthread_mutex_init(&g->lock, 0);\n"
                          "  }\n"
                          "  pthread_mutex_lock(&g->lock);\n"
                          "  g->open = 0;\n"
                          "  pthread_mutex_unlock(&g->lock);\n"
                          "}\n"),
            "");
}

}  // namespace
}  // namespace heddle::testing
