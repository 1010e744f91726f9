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
                         ::testing::Values("bounded_queue", "connection_pool", "pipeline_stage",
                                           "rate_limiter", "rw_settings", "session_store", "shared_config",
                                           "slab_allocator", "table_store", "upload_gate"),
                         [](const auto& module) { return std::string(module.param); });

TEST(ModuleRuns, WhatReadsMemoryInPartsIsRunBeforeItIsJudged) {
  const RepairResult result = repairsOf(moduleNamed("async_logger"));
  ASSERT_FALSE(result.patches.empty());
  EXPECT_NE(result.patches.front().repair.title.find("'log->lock'"), std::string::npos)
      << result.patches.front().repair.title;
}

}  // namespace
}  // namespace heddle::testing
