// What no caller does who keeps to what the text shows of an object's life and of threads is only possible.
// Each stands beside a twin that is wrong whoever calls.
#include <gtest/gtest.h>

#include <algorithm>

#include "server/source/counterpart.h"
#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

/// The error of the calls, or "possible: " and what it rests on; "": nothing was found.
std::string brokenBeside(const std::string& text, const std::string& title) {
  const Report report = exploredIn("#include <pthread.h>\n#include <stdlib.h>\n" + text, title);
  EXPECT_NE(report.verdict, Verdict::Unsupported) << report.problem;
  if (!report.findings.empty()) return report.findings.front().message;
  return report.warnings.empty() ? "" : "possible: " + report.warnings.front().assumes.back();
}

/// A job that `job_run` may free, by `end`.
std::string jobText(const std::string& end) {
  return "struct job { pthread_mutex_t lock; int runs, rounds; };\nint jobs;\n"
         "struct job *job_create(void) {\n  struct job *j = calloc(1, sizeof *j);\n  if (!j) return 0;\n"
         "  pthread_mutex_init(&j->lock, 0);\n  return j;\n}\n"
         "void job_cancel(struct job *j) {\n  pthread_mutex_lock(&j->lock);\n  j->runs = 0;\n"
         "  pthread_mutex_unlock(&j->lock);\n}\n"
         "static void finish(struct job *job, int last) { if (last) free(job); }\n"
         "void job_run(struct job *j) {\n  pthread_mutex_lock(&j->lock);\n  j->runs++;\n"
         "  pthread_mutex_unlock(&j->lock);\n" +
         end + "}\n";
}

TEST(HarnessContract, NobodyUsesAnObjectBesideTheCallThatFreesIt) {
  const std::string title = "job_cancel || job_run";
  const std::string possible = "possible: the object that 'job_run' frees is still used";
  for (const char* end :
       {"  free(j);\n", "  finish(j, 1);\n", "  if (!j) return;\n  finish(j, 2);\n  j = 0;\n",
        "  void *end = j;\n  free(end);\n", "  j->rounds = j->runs;\n  free(j);\n"})
    EXPECT_EQ(brokenBeside(jobText(end), title), possible) << end;
  // What it does on some ways only, its callers cannot know.
  for (const char* end :
       {"  if (jobs == 0) free(j);\n", "  finish(j, jobs == 0);\n", "  if (jobs > 0) return;\n  free(j);\n"})
    EXPECT_NE(brokenBeside(jobText(end), title).find("use after free"), std::string::npos) << end;
}

TEST(HarnessContract, BesideTheCallThatFreesItsObjectARaceForAVariableIsAnError) {
  const auto text = [](const std::string& count) {
    return "static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;\n" +
           jobText("  pthread_mutex_lock(&all);\n  jobs++;\n  pthread_mutex_unlock(&all);\n  free(j);\n") +
           "int job_count(struct job *j) {\n  pthread_mutex_lock(&j->lock);\n  int n = j->rounds;\n"
           "  pthread_mutex_unlock(&j->lock);\n  " +
           count + "\n}\n";
  };
  const Report report = exploredIn("#include <pthread.h>\n#include <stdlib.h>\n" + text("return n + jobs;"),
                                   "job_run || job_count");
  ASSERT_FALSE(report.findings.empty()) << report.problem;
  for (const Finding& finding : report.findings) EXPECT_EQ(finding.message, "data race on 'jobs'");
  EXPECT_TRUE(
      exploredIn("#include <pthread.h>\n#include <stdlib.h>\n" + text("return n;"), "job_run || job_count")
          .findings.empty());
}

/// A library whose helper thread `start` starts; `more` stands behind it.
std::string helperText(const std::string& start, const std::string& more = "") {
  return "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\nstatic pthread_t helper;\n"
         "static int stop, tags;\nstatic long wait_end;\n"
         "void *help(void *arg) {\n  wait_end = wait_end + 1;\n  pthread_mutex_lock(&lock);\n"
         "  if (tags > 2) wait_end = 2;\n  pthread_mutex_unlock(&lock);\n  return arg;\n}\n"
         "void lib_init(void) { " +
         start +
         " }\n"
         "int tag_create(void) {\n  pthread_mutex_lock(&lock);\n  int n = ++tags;\n"
         "  pthread_mutex_unlock(&lock);\n  return n;\n}\n"
         "int tag_wake(void) {\n  pthread_mutex_lock(&lock);\n  int n = tags;\n"
         "  pthread_mutex_unlock(&lock);\n  wait_end = 0;\n  return n;\n}\n" +
         more;
}

TEST(HarnessContract, AnAllocatorIsGivenWhatItHasAllocated) {
  const auto isCertainly = [](const std::string& name, const std::string& type = "void *") {
    const std::string text =
        "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic long n;\n"
        "void " +
        name + "(" + type + "p) { pthread_mutex_lock(&m); n += p != 0; pthread_mutex_unlock(&m); }\n";
    const HarnessPlan plan = harnessesOf(text);
    const GeneratedHarness* harness = harnessNamed(plan, name + " || " + name);
    EXPECT_NE(harness, nullptr) << name;
    return harness && harness->isCertain;
  };
  EXPECT_FALSE(isCertainly("box_realloc"));
  EXPECT_FALSE(isCertainly("sallocm"));
  EXPECT_FALSE(isCertainly("rallocm", "void **"));
  EXPECT_TRUE(isCertainly("allocm", "void **"));
  EXPECT_TRUE(isCertainly("box_note"));
}

TEST(HarnessContract, AnArrayWithoutElementsIsOneThatABuildFills) {
  const Report report = exploredIn(
      "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int n;\n"
      "int table[0];\nvoid sum(void) { pthread_mutex_lock(&m); n += table[n]; pthread_mutex_unlock(&m); }\n",
      "sum || sum");
  EXPECT_TRUE(report.findings.empty());
  ASSERT_FALSE(report.warnings.empty()) << report.problem;
  const std::vector<std::string>& assumes = report.warnings.front().assumes;
  EXPECT_TRUE(std::any_of(assumes.begin(), assumes.end(), [](const std::string& assumed) {
    return assumed.starts_with("the array has no elements");
  }));
}

TEST(HarnessContract, AParentAndItsChildShareNoMemory) {
  const auto behindFork = [](const std::string& name) {
    return brokenBeside(
        "int turns;\nstatic pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = "
        "PTHREAD_MUTEX_INITIALIZER;\n"
        "void count(void) { pthread_mutex_lock(&lock); turns++; pthread_mutex_unlock(&lock); }\n"
        "void " +
            name + "(void) { pthread_mutex_lock(&other); turns = 0; pthread_mutex_unlock(&other); }\n",
        "count || " + name);
  };
  EXPECT_EQ(behindFork("turns_postfork_child"), "possible: the calls are made in one process");
  EXPECT_EQ(behindFork("turns_clear"), "data race on 'turns'");
}

TEST(HarnessContract, WhatAFunctionDoesThatDoesNotCompileIsNotKnown) {
  const auto counting = [](const std::string& amount) {
    Snapshot snapshot = harnessSnapshot(
        "#include <pthread.h>\nint turns;\n"
        "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;\n"
        "static int amount(void) { return " +
        amount +
        "; }\n"
        "void count(void) { pthread_mutex_lock(&lock); turns += amount(); pthread_mutex_unlock(&lock); }\n"
        "void clear(void) { pthread_mutex_lock(&other); turns = 0; pthread_mutex_unlock(&other); }\n");
    snapshot.command.isPartial = true;
    Options options;
    options.harness = "count || clear";
    const Report report =
        pipelineEngine().analyze(snapshot, options, Budget().withSteps(200'000), Observer{});
    EXPECT_FALSE(report.findings.empty() && report.warnings.empty()) << report.problem;
    return report.findings.empty() && !report.warnings.empty() ? report.warnings.front().assumes.back()
                                                               : std::string("an error");
  };
  EXPECT_EQ(counting("1"), "an error");
  EXPECT_EQ(counting("no_such_thing"), "functions that do not compile do nothing that matters there");
}

TEST(HarnessContract, OneThreadRunsWhatTheFileStartsOnce) {
  const std::string possible = "possible: two threads run 'help', of which the file starts one";
  const auto isSaid = [&](const std::string& text, const std::string& title = "help || help") {
    const Report report = exploredIn("#include <pthread.h>\n" + text, title);
    const std::string reason = possible.substr(possible.find("two"));
    bool isFound = false;
    for (const Finding& finding : report.warnings)
      isFound |= std::find(finding.assumes.begin(), finding.assumes.end(), reason) != finding.assumes.end();
    return isFound;
  };
  EXPECT_TRUE(isSaid(helperText("pthread_create(&helper, 0, help, 0);")));
  // Several threads, in a loop or by others, or nobody knows which.
  EXPECT_FALSE(isSaid(helperText("for (int i = 0; i < 2; i++) pthread_create(&helper, 0, help, 0);")));
  EXPECT_FALSE(isSaid(helperText("pthread_t t; pthread_create(&t, 0, help, 0);")));
  EXPECT_FALSE(isSaid(helperText("pthread_create(&helper, 0, help, 0); pthread_detach(helper);")));
  EXPECT_FALSE(
      isSaid(helperText("pthread_create(&helper, 0, help, 0);", "void *(*helpers[])(void *) = {help};\n")));
}

TEST(HarnessContract, BesideTheOneThreadAnotherCallIsAnError) {
  const Report report = exploredIn(
      "#include <pthread.h>\n" + helperText("pthread_create(&helper, 0, help, 0);"), "tag_wake || tag_wake");
  ASSERT_FALSE(report.findings.empty()) << report.problem;
  EXPECT_EQ(report.findings.front().message, "data race on 'wait_end'");
}

/// A lock made of atomic operations, around which `more` puts another.
std::string spinText(const std::string& more) {
  return "typedef struct { unsigned word; } spin_t;\n"
         "void spin_init(spin_t *s) { s->word = 0; }\n"
         "void spin_acquire(spin_t *s) {\n  unsigned none = 0;\n"
         "  while (!__atomic_compare_exchange_n(&s->word, &none, 1, 0, 2, 0)) none = 0;\n}\n"
         "void spin_release(spin_t *s) { __atomic_store_n(&s->word, 0, 3); }\n"
         "typedef struct { spin_t spin; int uses; } rec_t;\n"
         "void rec_init(rec_t *r) {\n  spin_init(&r->spin);\n  r->uses = 0;\n}\n" +
         more;
}

TEST(HarnessContract, NobodyReleasesTheLockThatACallHasTakenForItsCaller) {
  const std::string possible = "possible: nobody releases what a call before left locked";
  const std::string acquire = "void rec_acquire(rec_t *r) { spin_acquire(&r->spin); }\n";
  EXPECT_EQ(brokenBeside(spinText(acquire + "void rec_release(rec_t *r) { spin_release(&r->spin); }\n"),
                         "rec_acquire || rec_acquire"),
            possible);
  // With tickets, nobody has written yet what is waited for.
  EXPECT_EQ(brokenBeside("typedef struct { unsigned next, now; } ticket_t;\n"
                         "void ticket_init(ticket_t *t) { t->next = t->now = 0; }\n"
                         "void ticket_acquire(ticket_t *t) {\n"
                         "  unsigned mine = __atomic_fetch_add(&t->next, 1, 5);\n"
                         "  while (__atomic_load_n(&t->now, 2) != mine) { }\n}\n"
                         "void ticket_release(ticket_t *t) { __atomic_fetch_add(&t->now, 1, 5); }\n"
                         "typedef struct { ticket_t lock; int uses; } rec_t;\n"
                         "void rec_init(rec_t *r) { ticket_init(&r->lock); }\n"
                         "void rec_acquire(rec_t *r) { ticket_acquire(&r->lock); }\n"
                         "void rec_release(rec_t *r) { ticket_release(&r->lock); }\n",
                         "rec_acquire || rec_acquire"),
            possible);
  // Another file may have the release.
  EXPECT_EQ(brokenBeside("typedef struct { pthread_mutex_t m; int uses; } rec_t;\n"
                         "void rec_init(rec_t *r) { pthread_mutex_init(&r->m, 0); }\n"
                         "void rec_acquire(rec_t *r) {\n  pthread_mutex_lock(&r->m);\n  r->uses++;\n}\n",
                         "rec_acquire || rec_acquire"),
            possible);
  // A call that releases it as a rule, and one whose name does not say that it keeps it, have forgotten it.
  EXPECT_TRUE(
      brokenBeside(spinText("int rec_use(rec_t *r) {\n  spin_acquire(&r->spin);\n"
                            "  if (r->uses == 0) return -1;\n  spin_release(&r->spin);\n  return 0;\n}\n"),
                   "rec_use || rec_use")
          .starts_with("deadlock"));
  EXPECT_TRUE(brokenBeside("typedef struct { pthread_mutex_t m; int uses; } rec_t;\n"
                           "void rec_init(rec_t *r) { pthread_mutex_init(&r->m, 0); }\n"
                           "void rec_add(rec_t *r) {\n  pthread_mutex_lock(&r->m);\n  r->uses++;\n}\n",
                           "rec_add || rec_add")
                  .starts_with("deadlock"));
}

/// A pool of detached threads, with `more` between what adds one and what frees the pool.
std::string detachedText(const std::string& more, const std::string& end = "") {
  return "struct pool { pthread_mutex_t m; pthread_cond_t c; int count; };\n"
         "struct pool *pool_new(void) {\n  struct pool *p = calloc(1, sizeof *p);\n  if (!p) return 0;\n"
         "  pthread_mutex_init(&p->m, 0);\n  pthread_cond_init(&p->c, 0);\n  return p;\n}\n"
         "static void gone(struct pool *p) {\n  pthread_mutex_lock(&p->m);\n  p->count--;\n"
         "  pthread_cond_signal(&p->c);\n  pthread_mutex_unlock(&p->m);\n}\n"
         "static void *body(void *v) {\n  gone(v);\n  return 0;\n}\n"
         "int pool_add(struct pool *p) {\n  pthread_t t;\n  pthread_mutex_lock(&p->m);\n  p->count++;\n"
         "  pthread_mutex_unlock(&p->m);\n  if (pthread_create(&t, 0, body, p)) return -1;\n"
         "  pthread_detach(t);\n  return 0;\n}\n" +
         more + "void pool_destroy(struct pool *p) {\n" + end +
         "  pthread_mutex_destroy(&p->m);\n  pthread_cond_destroy(&p->c);\n  free(p);\n}\n";
}

TEST(HarnessContract, WhoWaitsForTheThreadsOfAnObjectIsCalledBeforeItsEnd) {
  const auto wait = [](const std::string& name) {
    return "void " + name +
           "(struct pool *p) {\n  pthread_mutex_lock(&p->m);\n"
           "  while (p->count) pthread_cond_wait(&p->c, &p->m);\n  pthread_mutex_unlock(&p->m);\n}\n";
  };
  const std::string title = "pool_add || pool_add";
  EXPECT_EQ(brokenBeside(detachedText(wait("pool_stop")), title),
            "possible: 'pool_stop' is not called before the object is taken down");
  // Nobody could wait, or what takes the pool down waits for something else.
  const auto isError = [&](const std::string& text) {
    return !brokenBeside(text, title).starts_with("possible");
  };
  EXPECT_TRUE(isError(detachedText("")));
  EXPECT_TRUE(
      isError(detachedText("void pool_stop(struct pool *p) {\n  pthread_mutex_lock(&p->m);\n"
                           "  p->count = 0;\n  pthread_mutex_unlock(&p->m);\n}\n")));
  EXPECT_TRUE(isError(
      detachedText(wait("pool_stop"),
                   "  pthread_mutex_lock(&p->m);\n  if (p->count > 1) pthread_cond_wait(&p->c, &p->m);\n"
                   "  pthread_mutex_unlock(&p->m);\n")));
}

/// A client with a count of its users; `done` stands in what handles an answer.
std::string clientText(const std::string& done, const std::string& more = "") {
  return "struct client { pthread_mutex_t m; int users, code, extra; };\n"
         "struct client *client_create(void) {\n  struct client *c = calloc(1, sizeof *c);\n"
         "  if (!c) return 0;\n  c->users = 1;\n  pthread_mutex_init(&c->m, 0);\n  return c;\n}\n"
         "void client_release(struct client *c) {\n"
         "  if (__sync_sub_and_fetch(&c->users, 1) == 0) {\n    pthread_mutex_destroy(&c->m);\n"
         "    free(c);\n  }\n}\n"
         "static void done(struct client *c, int code) {\n  pthread_mutex_lock(&c->m);\n  c->code = code;\n"
         "  pthread_mutex_unlock(&c->m);\n  " +
         done +
         "\n}\n"
         "void client_handle(struct client *c, int code) {\n  for (int i = 0; i < 1; i++) done(c, "
         "code);\n}\n" +
         more;
}

TEST(HarnessContract, AReferenceThatACalleeGivesBackIsTheCallersToo) {
  const auto wrong = [](const std::string& text, const std::string& title) {
    const Report report = exploredIn("#include <pthread.h>\n#include <stdlib.h>\n" + text, title);
    EXPECT_FALSE(report.findings.empty() && report.warnings.empty()) << report.problem;
    return report.findings.empty() ? "" : report.findings.front().message;
  };
  const std::string title = "client_handle || client_handle";
  EXPECT_EQ(wrong(clientText("client_release(c);"), title), "");
  // Nothing counts, or a callee frees it besides.
  EXPECT_NE(wrong(clientText("if (c->code > 0) free(c);"), title), "");
  EXPECT_NE(wrong(clientText("if (c->code > 0) free(c); else client_release(c);"), title), "");
  // It takes the reference itself, and gives back one too many.
  EXPECT_NE(
      wrong(clientText("__sync_add_and_fetch(&c->users, 1); client_release(c); client_release(c);"), title),
      "");
  const std::string bytes =
      "void client_more(struct client *c) {\n  pthread_mutex_lock(&c->m);\n  c->code++;\n  c->extra++;\n"
      "  pthread_mutex_unlock(&c->m);\n}\n"
      "int client_sum(struct client *c) {\n  int n = c->code;\n  pthread_mutex_lock(&c->m);\n  n += "
      "c->extra;\n"
      "  pthread_mutex_unlock(&c->m);\n  return n;\n}\n";
  EXPECT_TRUE(
      wrong(clientText("client_release(c);", bytes), "client_more || client_sum").starts_with("data race"));
}

TEST(HarnessContract, WhoLocksByItsNameMayKeepTheLockForItsCaller) {
  const auto text = [](const std::string& name) {
    return "struct cache { pthread_mutex_t lock; int loads; };\n"
           "void cache_init(struct cache *c) { pthread_mutex_init(&c->lock, 0); c->loads = 0; }\n"
           "void cache_done(struct cache *c) { pthread_mutex_unlock(&c->lock); }\n"
           "int " +
           name +
           "(struct cache *c) {\n  pthread_mutex_lock(&c->lock);\n"
           "  if (c->loads > 3) {\n    pthread_mutex_unlock(&c->lock);\n    return -1;\n  }\n"
           "  c->loads++;\n  return 0;\n}\n";
  };
  EXPECT_EQ(brokenBeside(text("cache_lockandload"), "cache_lockandload || cache_lockandload"),
            "possible: nobody releases what a call before left locked");
  EXPECT_TRUE(
      brokenBeside(text("cache_unlocked"), "cache_unlocked || cache_unlocked").starts_with("deadlock"));
}

/// Jobs that are counted, and looked up by their number.
std::string countedText(const std::string& more) {
  return "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic unsigned jobs, names[4];\n"
         "void jobs_decrement(void) {\n  pthread_mutex_lock(&m);\n  jobs--;\n  pthread_mutex_unlock(&m);\n}\n"
         "unsigned jobs_last(void) {\n  pthread_mutex_lock(&m);\n  unsigned name = jobs ? names[jobs - 1] : "
         "0;\n"
         "  pthread_mutex_unlock(&m);\n  return name;\n}\n" +
         more;
}

TEST(HarnessContract, NobodyUndoesWhatWasNotDone) {
  const std::string increment =
      "void jobs_increment(void) {\n  pthread_mutex_lock(&m);\n  jobs++;\n  pthread_mutex_unlock(&m);\n}\n";
  EXPECT_EQ(brokenBeside(countedText(increment), "jobs_decrement || jobs_last"),
            "possible: 'jobs_decrement' is called without 'jobs_increment' before");
  // Nothing says that there is such a call.
  EXPECT_TRUE(brokenBeside(countedText(""), "jobs_decrement || jobs_last").starts_with("out-of-bounds"));
}

TEST(HarnessContract, WhoRegistersItsThreadLeavesTheListBeforeItsEnd) {
  const auto text = [](const std::string& more) {
    return "struct reader { struct reader *next; int depth; };\nstatic __thread struct reader own;\n"
           "static struct reader *readers;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
           "void register_reader(void) {\n  pthread_mutex_lock(&m);\n  own.next = readers;\n  readers = "
           "&own;\n"
           "  pthread_mutex_unlock(&m);\n}\n"
           "int count(void) {\n  int n = 0;\n  pthread_mutex_lock(&m);\n"
           "  for (struct reader *r = readers; r; r = r->next) n += r->depth;\n"
           "  pthread_mutex_unlock(&m);\n  return n;\n}\n" +
           more;
  };
  const std::string leave =
      "void unregister_reader(void) { pthread_mutex_lock(&m); readers = 0; pthread_mutex_unlock(&m); }\n";
  EXPECT_EQ(brokenBeside(text(leave), "register_reader || count"),
            "possible: a thread ends that has called 'register_reader' and not 'unregister_reader'");
  EXPECT_EQ(brokenBeside(text(""), "register_reader || count").find("possible"), std::string::npos);
}

TEST(Counterpart, IsFoundByWholeWords) {
  const auto find = [](const std::string& name, const std::string& other) {
    return counterpartOf(name, [&](const std::string& asked) { return asked == other; });
  };
  EXPECT_EQ(find("rcu_unregister_thread", "rcu_register_thread"), "rcu_register_thread");
  EXPECT_EQ(find("RwLockReleaseRead", "RwLockAcquireRead"), "RwLockAcquireRead");
  EXPECT_EQ(find("queue_append", "queue_appbegin"), "") << "'end' is a part of a word";
  EXPECT_EQ(find("list_remove", "list_add"), "") << "who removes from an empty list makes no error";
}

}  // namespace
}  // namespace heddle::testing
