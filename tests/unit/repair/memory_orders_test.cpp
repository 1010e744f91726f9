// Memory orders in the text: found, weakened as far as a program stays verified, strengthened where it fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "analysis/repair/memory_orders.h"
#include "tests/paths/paths.h"
#include "tests/unit/repair/repaired.h"

namespace heddle::testing {
namespace {

namespace fs = std::filesystem;
using Of = NamedOrder::Of;

std::vector<MemoryOrder> ordersIn(const std::vector<NamedOrder>& named) {
  std::vector<MemoryOrder> orders;
  for (const NamedOrder& name : named) orders.push_back(name.order);
  return orders;
}

TEST(MemoryOrders, AreThoseOfAtomicOperationsAndFences) {
  const std::string text =
      "// atomic_load_explicit(&x, memory_order_acquire)\n"
      "const char *s = \"atomic_load_explicit(&x, memory_order_acquire)\";\n"
      "int a = atomic_load_explicit(&x[(1)], memory_order_consume);\n"
      "__atomic_store_n(&x, f(a, (b)), __ATOMIC_RELEASE);\n"
      "atomic_compare_exchange_weak_explicit(&x, &a, 1,\n  memory_order_acq_rel, memory_order_relaxed);\n"
      "atomic_thread_fence /* here */ (memory_order_seq_cst);\n"
      "atomic_signal_fence(memory_order_seq_cst); log(memory_order_relaxed); (memory_order_relaxed);\n"
      "atomic_fetch_add_explicit(&x, 1, memory_order_release);\n";
  const std::vector<NamedOrder> named = namedOrders(text);
  ASSERT_EQ(named.size(), 6u);
  const std::vector<Of> ofs = {Of::Load, Of::Store, Of::Update, Of::Failure, Of::Fence, Of::Update};
  const std::vector<uint32_t> lines = {3, 4, 6, 6, 7, 9};
  for (size_t i = 0; i < named.size(); ++i) {
    EXPECT_EQ(named[i].of, ofs[i]) << i;
    EXPECT_EQ(named[i].line, lines[i]) << i;
  }
  EXPECT_TRUE(named[1].isBuiltin);
  EXPECT_EQ(withOrders(text, named, ordersIn(named)), text);
  std::vector<MemoryOrder> other = ordersIn(named);
  other[1] = MemoryOrder::Relaxed;
  std::string expected = text;
  expected.replace(expected.find("__ATOMIC_RELEASE"), 16, "__ATOMIC_RELAXED");
  EXPECT_EQ(withOrders(text, named, other), expected);
}

TEST(MemoryOrders, AreWeakenedNoFurtherThanIsAskedAndGood) {
  const std::vector<NamedOrder> named = namedOrders(
      "atomic_store_explicit(&x, 1, memory_order_seq_cst); atomic_load_explicit(&x, memory_order_seq_cst);"
      "atomic_compare_exchange_strong_explicit(&x, &e, 1, memory_order_seq_cst, memory_order_seq_cst);");
  const std::vector<MemoryOrder> strong = ordersIn(named);
  const std::vector<MemoryOrder> least(4, MemoryOrder::Relaxed);
  const auto always = [](const std::vector<MemoryOrder>&) { return true; };
  EXPECT_EQ(weakestOrders(named, strong, least, always), least);
  EXPECT_EQ(weakestOrders(named, strong, strong, always), strong);
  // The load must acquire; the failure must be sequentially consistent, and so the success.
  const auto isGood = [](const std::vector<MemoryOrder>& orders) {
    return isAcquire(orders[1]) && orders[3] == MemoryOrder::SeqCst;
  };
  EXPECT_EQ(weakestOrders(named, strong, least, isGood),
            (std::vector<MemoryOrder>{MemoryOrder::Relaxed, MemoryOrder::Acquire, MemoryOrder::SeqCst,
                                      MemoryOrder::SeqCst}));
}

Snapshot lockFree(const std::string& name) {
  Snapshot snapshot;
  snapshot.path = sourceDirectory() + "/tests/programs/weak/" + name + ".c";
  std::ifstream stream(snapshot.path, std::ios::binary);
  snapshot.text.assign(std::istreambuf_iterator<char>(stream), {});
  snapshot.command = commandFromFlags(snapshot.path, {});
  return snapshot;
}

bool isAsWeak(const std::vector<MemoryOrder>& a, const std::vector<MemoryOrder>& b) {
  const auto rank = [](MemoryOrder order) {
    return isAcquire(order) + isRelease(order) + (order == MemoryOrder::SeqCst ? 1 : 0);
  };
  for (size_t i = 0; i < a.size(); ++i)
    if (rank(a[i]) > rank(b[i])) return false;
  return true;
}

class PublishedOrders : public ::testing::TestWithParam<const char*> {};

TEST_P(PublishedOrders, AreReachedFromSequentiallyConsistentOnes) {
  const Snapshot snapshot = lockFree(std::string(GetParam()) + "_fixed");
  const std::vector<NamedOrder> named = namedOrders(snapshot.text);
  const auto isVerified = [&](const std::vector<MemoryOrder>& orders) {
    Snapshot changed = snapshot;
    changed.text = withOrders(snapshot.text, named, orders);
    return analyze(changed, {}, Budget().withSteps(kSteps)).verdict == Verdict::Verified;
  };
  const std::vector<MemoryOrder> strong(named.size(), MemoryOrder::SeqCst);
  const std::vector<MemoryOrder> least(named.size(), MemoryOrder::Relaxed);
  ASSERT_TRUE(isVerified(strong));
  EXPECT_TRUE(isAsWeak(weakestOrders(named, strong, least, isVerified), ordersIn(named)));
}

TEST_P(PublishedOrders, AreWhatIsOfferedWhereOneIsTooWeak) {
  const Snapshot snapshot = lockFree(GetParam());
  const RepairResult result = repairsOf(snapshot);
  ASSERT_FALSE(result.patches.empty());
  const Patch& first = result.patches.front();
  // What was taken away of Peterson's lock is a fence.
  EXPECT_EQ(first.repair.kind, GetParam() == std::string("peterson_fences") ? "fences" : "memory-orders")
      << first.repair.title;
  EXPECT_EQ(first.repair.status, RepairStatus::Verified);
  EXPECT_TRUE(first.after.findings.empty());
}

INSTANTIATE_TEST_SUITE_P(All, PublishedOrders,
                         ::testing::Values("barrier", "clh_lock", "flag_publish", "mcs_lock", "once",
                                           "mpmc_ring", "rcu_pointer", "reference_count", "spsc_ring",
                                           "ticket_lock", "treiber_stack", "ttas_lock", "dekker_fences",
                                           "seqlock", "peterson_fences", "hazard_stack", "michael_scott",
                                           "chase_lev"),
                         [](const auto& program) { return std::string(program.param); });

TEST(MemoryOrders, OfAProgramThatFailsAnywayAreLeftAlone) {
  Snapshot snapshot = lockFree("flag_publish_fixed");
  snapshot.text.replace(snapshot.text.find("return 0;"), 9, "assert(0); return 0;");
  for (const Patch& patch : repairsOf(snapshot).patches) EXPECT_NE(patch.repair.kind, "memory-orders");
}

}  // namespace
}  // namespace heddle::testing
