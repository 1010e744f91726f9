// Locks that a file makes itself: what threads do between taking and releasing one is kept apart.
#include <gtest/gtest.h>

#include <algorithm>

#include "server/source/lock_sections.h"
#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

/// A lock for one writer or several readers. `BUSY`: what the writer takes for readers inside.
constexpr const char* kReaders = R"(#include <stdatomic.h>
#include <stdbool.h>
struct rw { atomic_uint readers; atomic_uint writer; };
void rw_init(struct rw *l) { l->readers = 0; l->writer = 0; }
void rw_write_lock(struct rw *l) {
  while (atomic_exchange(&l->writer, 1)) { }
  while (BUSY) { }
}
void rw_write_unlock(struct rw *l) { atomic_store(&l->writer, 0); }
bool rw_write_trylock(struct rw *l) {
  if (atomic_exchange(&l->writer, 1)) return false;
  if (BUSY) { atomic_store(&l->writer, 0); return false; }
  return true;
}
void rw_read_lock(struct rw *l) {
  for (;;) {
    while (atomic_load(&l->writer)) { }
    atomic_fetch_add(&l->readers, 1);
    if (!atomic_load(&l->writer)) return;
    atomic_fetch_sub(&l->readers, 1);
  }
}
void rw_read_unlock(struct rw *l) { atomic_fetch_sub(&l->readers, 1); }
)";

std::string readers(const std::string& busy) {
  std::string text = kReaders;
  for (size_t at = text.find("BUSY"); at != std::string::npos; at = text.find("BUSY"))
    text.replace(at, 4, busy);
  return text;
}

constexpr const char* kWrite = "rw_write_lock, rw_write_unlock";
constexpr const char* kRead = "rw_read_lock, rw_read_unlock";
constexpr const char* kTry = "rw_write_trylock, rw_write_unlock";

std::string besides(std::initializer_list<const char*> sections) {
  std::string title;
  for (const char* section : sections) title += (title.empty() ? "" : " || ") + std::string(section);
  return title;
}

TEST(LockSections, ALockThatLetsTwoThreadsInIsTold) {
  // With two readers inside the writer sees none.
  const std::string wrong = readers("atomic_load(&l->readers) & 1"),
                    right = readers("atomic_load(&l->readers)");
  const Report told = exploredIn(wrong, besides({kWrite, kRead, kRead}));
  ASSERT_FALSE(told.warnings.empty()) << told.problem;
  EXPECT_EQ(told.warnings.front().kind, Property::Race);
  EXPECT_EQ(told.warnings.front().message,
            "a thread is between 'rw_write_lock' and 'rw_write_unlock' while another one is between "
            "'rw_read_lock' and 'rw_read_unlock'");
  EXPECT_EQ(told.warnings.front().place.line, 5u);
  EXPECT_TRUE(told.findings.empty());

  for (const std::string& text : {wrong, right})
    for (const char* taken : {kWrite, kTry}) {
      // One reader it sees, and a writer.
      for (const char* other : {kRead, kWrite}) {
        const std::string title =
            taken == kTry && other == kWrite ? besides({kWrite, kTry}) : besides({taken, other});
        const HarnessPlan plan = harnessesOf(text);
        const std::string swapped = besides({other, taken});
        const Report report = exploredIn(text, harnessNamed(plan, title) ? title : swapped);
        EXPECT_EQ(report.verdict, Verdict::VerifiedWithinBounds) << title << report.problem;
        EXPECT_TRUE(report.warnings.empty()) << title;
      }
    }
}

TEST(LockSections, WhatALockIsForIsAskedFirst) {
  const HarnessPlan plan = harnessesOf(readers("atomic_load(&l->readers)"));
  ASSERT_FALSE(plan.harnesses.empty());
  EXPECT_FALSE(plan.harnesses.front().sections.between.empty()) << plan.harnesses.front().title;
}

TEST(LockSections, TwoReadersBesideAWriterAreKeptApart) {
  const Report report = exploredIn(readers("atomic_load(&l->readers)"), besides({kWrite, kRead, kRead}));
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_TRUE(report.findings.empty());
}

TEST(LockSections, WhatATryDoesNotTakeNobodyReleases) {
  // It says that it has the lock, and has it not.
  std::string text = readers("atomic_load(&l->readers)");
  const std::string failed = "if (atomic_exchange(&l->writer, 1)) return false;";
  text.replace(text.find(failed), failed.size(), "atomic_exchange(&l->writer, 1);");
  const HarnessPlan plan = harnessesOf(text);
  const std::string title = besides({kTry, kTry});
  ASSERT_TRUE(harnessNamed(plan, title));
  const Report report = exploredIn(text, title);
  ASSERT_FALSE(report.warnings.empty()) << report.problem;
  EXPECT_EQ(report.warnings.front().message,
            "two threads are between 'rw_write_trylock' and 'rw_write_unlock' at once");
}

/// A lock of which each thread has a ticket of its own.
constexpr const char* kTicketLock = R"(#include <stdatomic.h>
struct ticket { atomic_uint next; atomic_uint now; };
void ticket_lock(struct ticket *lock, unsigned *own) {
  *own = atomic_fetch_add(&lock->next, 1);
  while (atomic_load(&lock->now) != *own) { }
}
void ticket_unlock(struct ticket *lock, unsigned *own) { atomic_store(&lock->now, *own + 1); }
)";

TEST(LockSections, WhatBelongsToAThreadBothCallsAreGiven) {
  const std::string title = "ticket_lock, ticket_unlock || ticket_lock, ticket_unlock";
  const HarnessPlan plan = harnessesOf(kTicketLock);
  const GeneratedHarness* harness = harnessNamed(plan, title);
  ASSERT_TRUE(harness);
  EXPECT_NE(harness->text.find("ticket_lock(&heddle_object1, &heddle_own1);"), std::string::npos)
      << harness->text;
  EXPECT_NE(harness->text.find("ticket_unlock(&heddle_object1, &heddle_own2);"), std::string::npos)
      << harness->text;
  const Report report = exploredIn(kTicketLock, title);
  EXPECT_EQ(report.verdict, Verdict::VerifiedWithinBounds) << report.problem;
}

TEST(LockSections, ALockThatNothingSetsUpMayBeHeldFirst) {
  const Report report = exploredIn(R"(#include <stdatomic.h>
struct dec { atomic_int free; };
#define DEC_INITIALIZER { 1 }
void dec_lock(struct dec *l) { while (atomic_exchange(&l->free, 0) == 0) { } }
void dec_unlock(struct dec *l) { atomic_store(&l->free, 1); }
)",
                                   "dec_lock, dec_unlock || dec_lock, dec_unlock");
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.verdict, Verdict::Incomplete);
}

TEST(LockSections, ThreadsRunThoughTheProjectDefinesThemAway) {
  const std::string text =
      "#include <pthread.h>\nstatic int most;\nvoid limit_set(int n) { most = n; }\n"
      "#define pthread_create(a, b, c, d)\n#define pthread_join(a, b)\n";
  const Report report = exploredIn(text, "limit_set || limit_set");
  ASSERT_FALSE(report.warnings.empty()) << report.problem;
  EXPECT_EQ(report.warnings.front().kind, Property::Race);
}

/// A report in which nothing was found, as a harness makes of it.
Report appliedTo(const GeneratedHarness& harness, size_t threads, bool isWeak) {
  Report report;
  report.verdict = Verdict::VerifiedWithinBounds;
  report.properties[Property::Race] = Verdict::VerifiedWithinBounds;
  report.reach.emplace().threads.resize(threads);
  if (isWeak) report.bounds.push_back({BoundKind::WeakAtomics, "", {}});
  applyHarness(
      harness, [](Finding&) { return true; }, report);
  return report;
}

TEST(LockSections, NothingIsGreenWhereNoThreadStartedOrOrdersAreMissing) {
  GeneratedHarness harness;
  harness.isParallel = true;
  EXPECT_EQ(appliedTo(harness, 3, true).verdict, Verdict::VerifiedWithinBounds);
  const Report alone = appliedTo(harness, 1, false);
  EXPECT_EQ(alone.verdict, Verdict::Incomplete);
  EXPECT_EQ(alone.problem, "not reached: any thread beside the first");
  EXPECT_EQ(alone.properties.at(Property::Race), Verdict::Incomplete);

  harness.sections.between = {"'a' and 'b'", "'a' and 'b'"};
  EXPECT_EQ(appliedTo(harness, 3, false).verdict, Verdict::VerifiedWithinBounds);
  const Report weak = appliedTo(harness, 3, true);
  EXPECT_EQ(weak.verdict, Verdict::Incomplete);
  EXPECT_EQ(weak.properties.at(Property::Race), Verdict::Incomplete);
}

TEST(LockSections, LocksOfTheLibraryNeedNone) {
  const HarnessPlan plan = harnessesOf(R"(#include <pthread.h>
struct q { pthread_mutex_t m; int n; };
void q_lock(struct q *q) { pthread_mutex_lock(&q->m); __atomic_add_fetch(&q->n, 1, 5); }
void q_unlock(struct q *q) { pthread_mutex_unlock(&q->m); }
struct item { int users; };
void item_acquire(struct item *i) { __atomic_add_fetch(&i->users, 1, 5); }
void item_release(struct item *i) { __atomic_sub_fetch(&i->users, 1, 5); }
)");
  EXPECT_TRUE(std::all_of(plan.harnesses.begin(), plan.harnesses.end(),
                          [](const GeneratedHarness& harness) { return harness.sections.between.empty(); }));
  EXPECT_FALSE(plan.harnesses.empty());
}

TEST(LockSections, OneWriterAtATimeIsItsCallersBusiness) {
  std::string text = readers("atomic_load(&l->readers)");
  for (size_t at = text.find("rw_"); at != std::string::npos; at = text.find("rw_", at + 7))
    text.replace(at, 3, "swlock_");
  const HarnessPlan plan = harnessesOf(text);
  const std::string write = "swlock_write_lock, swlock_write_unlock";
  EXPECT_FALSE(harnessNamed(plan, write + " || " + write));
  EXPECT_TRUE(harnessNamed(plan, write + " || swlock_read_lock, swlock_read_unlock"));
}

/// Records of one registry. `LOAD`: how the others' counts are read.
constexpr const char* kRegistry = R"(#include <stdatomic.h>
struct record { struct record *next; atomic_uint done; unsigned seen; struct registry *of; };
struct registry { _Atomic(struct record *) first; atomic_uint rounds; };
void registry_init(struct registry *r) { r->first = 0; r->rounds = 0; }
void registry_register(struct registry *r, struct record *own) {
  own->of = r;
  own->done = 0;
  own->seen = 0;
  own->next = r->first;
  r->first = own;
}
void record_tick(struct record *own) {
  atomic_fetch_add(&own->done, 1);
  own->seen = own->seen + 1;
}
unsigned record_sum(struct record *own) {
  unsigned sum = own->seen;
  for (struct record *one = own->of->first; one; one = one->next) sum += READ;
  atomic_fetch_add(&own->done, sum);
  return sum;
}
)";

std::string registry(const std::string& read) {
  std::string text = kRegistry;
  return text.replace(text.find("READ"), 4, read);
}

TEST(LockSections, RecordsOfOneRegistryMeet) {
  const std::string title = "record_tick || record_sum, of one";
  const Report wrong = exploredIn(registry("one->seen"), title);
  ASSERT_FALSE(wrong.warnings.empty()) << wrong.problem;
  EXPECT_EQ(wrong.warnings.front().kind, Property::Race);
  EXPECT_TRUE(wrong.findings.empty());
  const auto& assumes = wrong.warnings.front().assumes;
  EXPECT_NE(
      std::find(assumes.begin(), assumes.end(),
                "'record_tick' and 'record_sum' may be called side by side, each on an object of its own, "
                "made with one 'struct registry'"),
      assumes.end());

  const Report right = exploredIn(registry("atomic_load(&one->done)"), title);
  EXPECT_EQ(right.verdict, Verdict::VerifiedWithinBounds) << right.problem;
  EXPECT_TRUE(right.warnings.empty());
}

}  // namespace
}  // namespace heddle::testing
