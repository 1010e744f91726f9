// Guesses that several files of a project show together; each wrong pair beside a right one.
#include <gtest/gtest.h>

#include "server/source/project_guesses.h"
#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

/// "a.c:3 lock why" of each guess about the files a.c and b.c.
std::vector<std::string> projectGuessed(const std::string& a, const std::string& b) {
  std::vector<HarnessPlan> plans;
  for (const auto& [name, text] : {std::pair("a", &a), std::pair("b", &b)}) {
    Snapshot snapshot =
        harnessSnapshot("#include <pthread.h>\n#include <signal.h>\n#include <stdio.h>\n" + *text);
    snapshot.path = std::string("/harness/") + name + ".c";
    plans.push_back(pipelineEngine().harnesses(snapshot, "main", Budget{}));
    EXPECT_EQ(plans.back().problem, "");
  }
  std::vector<std::string> found;
  for (const ProjectGuess& one : projectGuesses({&plans[0], &plans[1]}))
    found.push_back(std::string(one.plan == 0 ? "a" : "b") + ".c:" + std::to_string(one.guess.line) + ' ' +
                    one.guess.lock + ' ' + one.guess.why);
  return found;
}

constexpr const char* kGrowTable = "extern pthread_mutex_t table;\nint n;\n";

TEST(ProjectGuesses, ALockTakenAgainByAnotherFile) {
  const auto store = [](const std::string& before) {
    return std::string(
               "pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;\nvoid grow(void);\n"
               "void store(void) {\n  pthread_mutex_lock(&table);\n") +
           before + "  grow();\n" + (before.empty() ? "  pthread_mutex_unlock(&table);\n" : "") + "}\n";
  };
  const std::string grow = std::string(kGrowTable) +
                           "static void count(void) {\n  pthread_mutex_lock(&table);\n  n++;\n"
                           "  pthread_mutex_unlock(&table);\n}\nvoid grow(void) { count(); }\n";
  const auto found = projectGuessed(store(""), grow);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], "a.c:8 table is locked again in 'store' by 'grow', as 'count' locks it (b.c)");
  EXPECT_TRUE(projectGuessed(store("  pthread_mutex_unlock(&table);\n"), grow).empty());
  // A lock of the same name that the other file keeps to itself.
  EXPECT_TRUE(
      projectGuessed(store(""), "static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;\nint n;\n" +
                                    grow.substr(std::string(kGrowTable).size()))
          .empty());
  // Two files define it: they belong to two programs.
  EXPECT_TRUE(projectGuessed(store(""), "pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;\nint n;\n" +
                                            grow.substr(std::string(kGrowTable).size()))
                  .empty());
  // One that may be taken again.
  EXPECT_TRUE(projectGuessed(store("") + "int kind = PTHREAD_MUTEX_RECURSIVE;\n", grow).empty());
}

TEST(ProjectGuesses, TwoLocksInBothOrders) {
  const auto base = [](const std::string& inside) {
    return "static pthread_mutex_t base = PTHREAD_MUTEX_INITIALIZER;\nvoid *chunk(void);\nvoid *last;\n"
           "void *base_alloc(void) {\n  pthread_mutex_lock(&base);\n" +
           inside +
           "  pthread_mutex_unlock(&base);\n  return last;\n}\n"
           "void base_drop(void *p) {\n  pthread_mutex_lock(&base);\n  last = p;\n  "
           "pthread_mutex_unlock(&base);\n}\n";
  };
  const std::string chunk =
      "static pthread_mutex_t chunks = PTHREAD_MUTEX_INITIALIZER;\nvoid base_drop(void *p);\nstatic char "
      "room[8];\n"
      "void *chunk(void) {\n  pthread_mutex_lock(&chunks);\n  room[0]++;\n  pthread_mutex_unlock(&chunks);\n"
      "  return room;\n}\nvoid record(void *p) {\n  pthread_mutex_lock(&chunks);\n  base_drop(p);\n"
      "  pthread_mutex_unlock(&chunks);\n}\n";
  const auto found = projectGuessed(base("  last = chunk();\n"), chunk);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("is locked under "), std::string::npos) << found[0];
  EXPECT_TRUE(projectGuessed(base(""), chunk).empty());
}

TEST(ProjectGuesses, ACalleeMayGiveTheFirstLockUp) {
  const auto orders = [](const std::string& before, const std::string& behind) {
    const HarnessPlan plan = harnessesOf(
        "#include <pthread.h>\nstruct pool { pthread_mutex_t lock; int n; };\n"
        "pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;\n"
        "static void grow(struct pool *p) {\n" +
        before + "  pthread_mutex_lock(&all);\n  p->n++;\n  pthread_mutex_unlock(&all);\n" + behind +
        "}\nvoid put(struct pool *p) {\n  pthread_mutex_lock(&p->lock);\n  grow(p);\n"
        "  pthread_mutex_unlock(&p->lock);\n}\n"
        "void move(struct pool *p) {\n  pthread_mutex_lock(&all);\n  pthread_mutex_lock(&p->lock);\n  p->n = "
        "0;\n"
        "  pthread_mutex_unlock(&p->lock);\n  pthread_mutex_unlock(&all);\n}\n");
    return std::count_if(plan.guesses.begin(), plan.guesses.end(),
                         [](const LockGuess& guess) { return guess.why.starts_with("is locked under"); });
  };
  EXPECT_EQ(orders("", ""), 1);
  EXPECT_EQ(orders("  pthread_mutex_unlock(&p->lock);\n", "  pthread_mutex_lock(&p->lock);\n"), 0);
}

TEST(ProjectGuesses, WhatFreesALockTakesNone) {
  const auto guesses = [](const std::string& call) {
    return harnessesOf(
               "#include <pthread.h>\nstruct lock; void free_lock(struct lock *l); void take_lock(struct "
               "lock *l);\n"
               "void release(struct lock *l);\nstruct pool { struct lock *have, *use; };\n"
               "void drop(struct pool *p) {\n  take_lock(p->use);\n  take_lock(p->have);\n"
               "  release(p->have);\n  release(p->use);\n}\n"
               "void end(struct pool *p) {\n  take_lock(p->have);\n  " +
               call + "(p->use);\n  release(p->have);\n}\n")
        .guesses.size();
  };
  EXPECT_GT(guesses("take_lock"), guesses("free_lock"));
  EXPECT_EQ(guesses("free_lock"), 0u);
}

TEST(ProjectGuesses, WhatAHandlerComesToInAnotherFile) {
  const std::string handler =
      "void say(const char *what);\nstatic void stop(int s) { (void)s; say(\"stopped\"); }\n"
      "void begin(void) { signal(SIGTERM, stop); }\n";
  const auto say = [](const char* call) {
    return std::string("#include <unistd.h>\nvoid say(const char *what) {\n  ") + call + "\n}\n";
  };
  const auto found = projectGuessed(handler, say("printf(\"%s\", what);"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(
      found[0],
      "b.c:6 printf is called in 'say' while 'stop' (a.c) handles a signal: it is not async-signal-safe, "
      "and may wait for itself");
  EXPECT_TRUE(projectGuessed(handler, say("if (write(1, what, 1) < 0) _exit(1);")).empty());
}

TEST(ProjectGuesses, AUsersFunctionUnderALockThatAnotherFileTakes) {
  const std::string head =
      "struct client { pthread_mutex_t lock; void (*on_message)(struct client *); int n; };\n";
  const auto call = [&](const std::string& before, const std::string& behind) {
    return head + "void client_read(struct client *c) {\n  pthread_mutex_lock(&c->lock);\n  c->n++;\n" +
           before + "  if (c->on_message) c->on_message(c);\n" + behind + "}\n";
  };
  const std::string unlock = "  pthread_mutex_unlock(&c->lock);\n";
  const std::string set = "#include <pthread.h>\n" + head +
                          "void client_set(struct client *c, void (*f)(struct client *)) {\n"
                          "  pthread_mutex_lock(&c->lock);\n  c->on_message = f;\n" +
                          unlock + "}\n";
  const auto found = projectGuessed(call("", unlock), set);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].substr(found[0].find("is held")),
            "is held in 'client_read' where 'client.on_message' is called: what is called there cannot call "
            "'client_set', which locks it (b.c)");
  EXPECT_TRUE(projectGuessed(call(unlock, ""), set).empty());
  // A library that is given its locks.
  std::string locks = call("", unlock);
  const auto replaceAll = [](std::string& text, const std::string& from, const std::string& to) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  std::string setLocks = set;
  for (std::string* text : {&locks, &setLocks}) {
    replaceAll(*text, "on_message", "unlock");
    replaceAll(*text, "struct client", "struct lock_callbacks");
  }
  EXPECT_TRUE(projectGuessed(locks, setLocks).empty());
}

}  // namespace
}  // namespace heddle::testing
