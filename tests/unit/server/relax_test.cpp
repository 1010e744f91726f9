// `heddle relax`: what it prints of programs that are verified, that fail, and of others.
#include <gtest/gtest.h>

#include <sstream>

#include "server/driver/relax.h"
#include "tests/paths/paths.h"

namespace heddle {
namespace {

struct Relaxed {
  int code = 0;
  std::string out, err;
};

Relaxed relaxed(const std::string& path, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"relax", path};
  words.insert(words.end(), more.begin(), more.end());
  const Command command = parseCommandLine(words);
  std::ostringstream out, err;
  Relaxed result;
  result.code = runRelax(std::get<RelaxCommand>(command), pipelineEngine(), {out, err}, {});
  result.out = out.str();
  result.err = err.str();
  return result;
}

std::string lockFree(const std::string& name) {
  return sourceDirectory() + "/tests/programs/weak/" + name;
}

TEST(Relax, PrintsWhatCanBeWeakerAndWhatMustBeStronger) {
  const Relaxed none = relaxed(lockFree("ticket_lock_fixed.c"));
  EXPECT_EQ(none.code, kExitNoBug) << none.err;
  EXPECT_EQ(none.out.find("# 0 of 4 memory orders can be weaker (c11: verified; "), 0u) << none.out;
  EXPECT_EQ(none.out.find("@@"), std::string::npos);

  const Relaxed stronger = relaxed(lockFree("ticket_lock.c"));
  EXPECT_EQ(stronger.code, kExitBug) << stronger.err;
  EXPECT_EQ(stronger.out.find("# 1 of 4 memory orders must be stronger (c11: verified; "), 0u)
      << stronger.out;
  EXPECT_NE(stronger.out.find("+  while (atomic_load_explicit(&serving, memory_order_acquire) != mine) {"),
            std::string::npos);

  // Loads and stores stay in order on x86.
  const Relaxed weaker = relaxed(lockFree("seqlock_fixed.c"), {"--memory-model", "tso"});
  EXPECT_EQ(weaker.code, kExitNoBug) << weaker.err;
  EXPECT_EQ(weaker.out.find("# 4 of 11 memory orders can be weaker (tso: verified; "), 0u) << weaker.out;
}

TEST(Relax, SaysWhyNothingIsRelaxed) {
  const Relaxed plain = relaxed(sourceDirectory() + "/docs/examples/bank_transfer.c");
  EXPECT_EQ(plain.code, kExitUsage);
  EXPECT_NE(plain.err.find("names no memory orders"), std::string::npos) << plain.err;
}

}  // namespace
}  // namespace heddle
