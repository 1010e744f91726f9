// Modules as engineers write them: the first patch is the reviewer's, which was written down before.
#include <fstream>
#include <iterator>

#include "tests/paths/paths.h"
#include "tests/unit/repair/repaired.h"

namespace heddle::testing {
namespace {

Snapshot moduleNamed(const std::string& name) {
  Snapshot snapshot;
  snapshot.path = sourceDirectory() + "/tests/modules/" + name + ".c";
  std::ifstream stream(snapshot.path, std::ios::binary);
  snapshot.text.assign(std::istreambuf_iterator<char>(stream), {});
  snapshot.command = commandFromFlags(snapshot.path, {"-std=gnu11"});
  return snapshot;
}

/// Without the comment that says what is wrong.
std::string codeOf(const std::string& text) {
  return text.substr(text.find("#include"));
}

class Modules : public ::testing::TestWithParam<const char*> {};

TEST_P(Modules, AreMendedAsTheirReviewerWould) {
  const Snapshot snapshot = moduleNamed(GetParam());
  const RepairResult result = repairsOf(snapshot);
  ASSERT_FALSE(result.patches.empty());
  const Patch& first = result.patches.front();
  EXPECT_EQ(codeOf(first.texts.at(snapshot.path)),
            codeOf(moduleNamed(std::string(GetParam()) + "_fixed").text))
      << first.repair.title;
}

INSTANTIATE_TEST_SUITE_P(All, Modules,
                         ::testing::Values("bounded_queue", "connection_pool", "heartbeat", "hook_list",
                                           "import_rows", "label_text", "linked_index", "mail_slots",
                                           "name_cache", "peer_close", "quota_meter", "route_table",
                                           "span_ring", "tile_smooth", "phase_runner", "pipeline_stage",
                                           "rate_limiter", "rw_settings", "sampler", "session_store",
                                           "shared_config", "slab_allocator", "table_store", "upload_gate",
                                           "weak_object", "work_count"),
                         [](const auto& module) { return std::string(module.param); });

/// The first patch and the text that it must hold.
struct Told {
  const char* name;
  const char* text;
  uint64_t toFind = 2 * kSteps;  // fewer where the buggy program takes all that it gets
};
class ModuleTexts : public ::testing::TestWithParam<Told> {};

TEST_P(ModuleTexts, AreInTheFirstPatch) {
  const Snapshot snapshot = moduleNamed(GetParam().name);
  const RepairResult result = repairsOf(snapshot, GetParam().toFind);
  ASSERT_FALSE(result.patches.empty());
  const std::string& text = result.patches.front().texts.at(snapshot.path);
  EXPECT_NE(text.find(GetParam().text), std::string::npos) << text;
  EXPECT_TRUE(result.patches.front().after.findings.empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, ModuleTexts,
    ::testing::Values(
        Told{"bank_accounts", "pthread_mutex_lock(&from->lock < &to->lock ? &from->lock : &to->lock);"},
        Told{"striped_map",
             "map_remove(struct map *map, int key) {\n  struct stripe* stripe = map_stripe(map, key);"},
        Told{"graph_links", "pthread_mutex_lock(&a->lock < &b->lock ? &b->lock : &a->lock);"},
        Told{"load_meter", "!atomic_compare_exchange_weak(&meter->highest, "},
        Told{"page_bitmap",
             "} while (!atomic_compare_exchange_weak(&bitmap->taken, &taken, taken | 1u << page));"},
        Told{"client_pool",
             "    pool->opened--;\n    pthread_cond_broadcast(&pool->available);\n    pthread_mutex_unlock",
             kSteps / 4},
        Told{"lru_cache", "  *value = e->value;\n  pthread_mutex_unlock(&c->lock);\n  return 0;\n"},
        Told{"resized_map", "  pthread_rwlock_rdlock(&m->resize);\n  int full = 0, added = 0, bucket = key"},
        Told{"idle_pool", "  while (pool->head || pool->running) pthread_cond_wait(&pool->idle"},
        Told{"frame_pool", "  int sum = f->data[0] + f->data[1];\n  pool_put(&pool, f);\n"},
        Told{"work_stealing", "  } while (!atomic_compare_exchange_weak(&deque->top, &top, top + 1));"},
        Told{"retained_buffer", "  if (atomic_fetch_sub(&buffer->holders, 1) == 1) {"}),
    [](const auto& module) { return std::string(module.param.name); });

TEST(ModuleRuns, ALockThatAnAtomicChangeElsewhereDoesNotTakeIsNotOffered) {
  const RepairResult result = repairsOf(moduleNamed("page_bitmap"));
  for (const Patch& patch : result.patches)
    EXPECT_EQ(patch.repair.title.find("'taken_mutex'"), std::string::npos) << patch.repair.title;
  EXPECT_TRUE(std::any_of(result.rejected.begin(), result.rejected.end(), [](const RejectedPatch& one) {
    return one.reason.find("'bitmap_give' changes the same object") != std::string::npos;
  }));
}

/// Which patch is first is told by other callers of the group, whom nobody asks here: a join in the driver is
/// shorter.
TEST(ModuleRuns, AReferenceTakenEarlierIsGivenBackWhereThereIsNoThread) {
  const Snapshot snapshot = moduleNamed("call_group");
  const RepairResult result = repairsOf(snapshot);
  const auto earlier = std::find_if(result.patches.begin(), result.patches.end(), [](const Patch& patch) {
    return patch.repair.kind == toString(RepairPlan::Kind::RetainEarlier);
  });
  ASSERT_NE(earlier, result.patches.end());
  EXPECT_EQ(earlier->repair.status, RepairStatus::Verified);
  EXPECT_NE(earlier->texts.at(snapshot.path)
                .find("  group_get(call->group);\n"
                      "  call->begun = pthread_create(&call->thread, NULL, call_main, call) == 0;\n"
                      "  if (!call->begun) group_put(call->group);\n"),
            std::string::npos);
}

TEST(ModuleRuns, WhatReadsMemoryInPartsIsRunBeforeItIsJudged) {
  const RepairResult result = repairsOf(moduleNamed("async_logger"));
  ASSERT_FALSE(result.patches.empty());
  EXPECT_NE(result.patches.front().repair.title.find("'log->lock'"), std::string::npos)
      << result.patches.front().repair.title;
}

}  // namespace
}  // namespace heddle::testing
