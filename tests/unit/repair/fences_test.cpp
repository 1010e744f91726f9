// Fences: where no order of an atomic operation helps, or where one fence costs less than many orders.
#include <gtest/gtest.h>

#include "tests/unit/repair/repaired.h"

namespace heddle::testing {
namespace {

Snapshot program(const std::string& text) {
  Snapshot snapshot;
  snapshot.path = "/memory/fences.c";
  snapshot.text = text;
  snapshot.command = commandFromFlags(snapshot.path, {});
  return snapshot;
}

/// Two threads that each write and then look at what the other one writes; `first` and `second` write.
std::string storeBuffering(const std::string& head, const std::string& first, const std::string& second,
                           const std::string& readX, const std::string& readY) {
  return head +
         "int a, b;\n"
         "void *one(void *p) {\n  " +
         first + "\n  a = " + readY +
         ";\n  return p;\n}\n"
         "void *two(void *p) {\n  " +
         second + "\n  b = " + readX +
         ";\n  return p;\n}\n"
         "int main(void) {\n"
         "  pthread_t t, u;\n"
         "  pthread_create(&t, 0, one, 0);\n"
         "  pthread_create(&u, 0, two, 0);\n"
         "  pthread_join(t, 0);\n"
         "  pthread_join(u, 0);\n"
         "  assert(a == 1 || b == 1);\n"
         "  return 0;\n}\n";
}

const std::string kPlain = "#include <assert.h>\n#include <pthread.h>\nint x, y;\n";

RepairResult under(MemoryModelKind model, const std::string& text) {
  Options options;
  options.memoryModel = model;
  options.properties = {Property::Assert};
  options.summarizeAccesses = true;
  const Snapshot snapshot = program(text);
  const Budget budget = Budget().withSteps(kSteps);
  const Report report = analyze(snapshot, options, budget);
  EXPECT_EQ(report.verdict, Verdict::Violated);
  return repairFindings(snapshot, options, report, "", budget);
}

size_t occurrences(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Fences, StandBehindPlainWritesThatAreSeenLate) {
  for (const MemoryModelKind model : {MemoryModelKind::Tso, MemoryModelKind::Pso}) {
    const RepairResult result = under(model, storeBuffering(kPlain, "x = 1;", "y = 1;", "x", "y"));
    ASSERT_FALSE(result.patches.empty());
    const auto fences = std::find_if(result.patches.begin(), result.patches.end(),
                                     [](const Patch& patch) { return patch.repair.kind == "fences"; });
    ASSERT_NE(fences, result.patches.end()) << result.patches.front().repair.title;
    // The writes race, which was not asked for: an assumption stays.
    EXPECT_NE(fences->repair.title.find("paths within bounds"), std::string::npos) << fences->repair.title;
    EXPECT_TRUE(fences->after.findings.empty());
    const std::string& text = fences->texts.begin()->second;
    EXPECT_NE(text.find("x = 1;\n  __atomic_thread_fence(__ATOMIC_SEQ_CST);\n  a = y;"), std::string::npos)
        << text;
    EXPECT_NE(text.find("y = 1;\n  __atomic_thread_fence(__ATOMIC_SEQ_CST);\n  b = x;"), std::string::npos)
        << text;
  }
}

TEST(Fences, AreNoMoreThanAreNeeded) {
  // Under TSO the writes of one thread stay in order, so one fence behind the last one does.
  const RepairResult result = under(
      MemoryModelKind::Tso, storeBuffering(kPlain + "int z;\n", "z = 1;\n  x = 1;", "y = 1;", "x", "y"));
  const auto fences = std::find_if(result.patches.begin(), result.patches.end(),
                                   [](const Patch& patch) { return patch.repair.kind == "fences"; });
  ASSERT_NE(fences, result.patches.end());
  EXPECT_EQ(occurrences(fences->texts.begin()->second, "__atomic_thread_fence"), 2u);
}

TEST(Fences, AreNotOfferedWhereOrdersCostLess) {
  const std::string atomics =
      "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\n";
  const auto store = [](const std::string& name) {
    return "atomic_store_explicit(&" + name + ", 1, memory_order_relaxed);";
  };
  const auto load = [](const std::string& name) {
    return "atomic_load_explicit(&" + name + ", memory_order_relaxed)";
  };
  const RepairResult result =
      under(MemoryModelKind::C11, storeBuffering(atomics, store("x"), store("y"), load("x"), load("y")));
  ASSERT_FALSE(result.patches.empty());
  EXPECT_EQ(result.patches.front().repair.kind, "memory-orders");
  for (const Patch& patch : result.patches) EXPECT_NE(patch.repair.kind, "fences");
}

TEST(Fences, ServeSeveralAccessesAtOnce) {
  // Four stores would have to be sequentially consistent; a fence behind the last one of each thread does.
  const std::string atomics =
      "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y, v, w;\nint c, "
      "d;\n";
  const auto store = [](const std::string& name) {
    return "atomic_store_explicit(&" + name + ", 1, memory_order_relaxed);";
  };
  const auto load = [](const std::string& name) {
    return "atomic_load_explicit(&" + name + ", memory_order_relaxed)";
  };
  std::string text =
      storeBuffering(atomics, store("x") + "\n  " + store("v"), store("y") + "\n  " + store("w"),
                     load("x") + ";\n  d = " + load("v"), load("y") + ";\n  c = " + load("w"));
  text.replace(text.find("a == 1 || b == 1"), 16, "(a || b) && (a || d) && (c || b) && (c || d)");
  const RepairResult result = under(MemoryModelKind::C11, text);
  ASSERT_FALSE(result.patches.empty());
  EXPECT_EQ(result.patches.front().repair.kind, "fences") << result.patches.front().repair.title;
  EXPECT_EQ(
      occurrences(result.patches.front().texts.begin()->second, "atomic_thread_fence(memory_order_seq_cst);"),
      2u);
}

}  // namespace
}  // namespace heddle::testing
