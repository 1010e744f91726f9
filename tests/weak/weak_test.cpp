// The engine under memory models: beside published answers, beside the enumerator, and replayed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <tuple>

#include "analysis/explore/weak/weak_search.h"
#include "analysis/model/schedule.h"
#include "analysis/pipeline/outcomes.h"
#include "analysis/pipeline/prepare.h"
#include "tests/paths/paths.h"
#include "tests/weak/compare.h"

namespace heddle::weak {
namespace {

bool matches(const Outcome& pattern, const Outcome& outcome) {
  for (size_t i = 0; i < outcome.size(); ++i)
    if (pattern[i] >= 0 && pattern[i] != outcome[i]) return false;
  return true;
}

class Litmus : public ::testing::TestWithParam<Model> {};

TEST_P(Litmus, IsAsPublished) {
  const Model model = GetParam();
  size_t allowed = 0;
  for (const LitmusTest& test : litmusTests()) {
    const EngineAnswer answer = askEngine(test.program, model);
    EXPECT_EQ(answer.problem, "") << test.name;
    std::string schedule;
    for (const auto& [outcome, found] : answer.schedules)
      if (matches(test.outcome, outcome)) schedule = found;
    EXPECT_EQ(!schedule.empty(), test.isAllowed[static_cast<int>(model)]) << test.name;
    if (schedule.empty()) continue;
    ++allowed;
    const Outcome again = replayOutcome(test.program, schedule);
    EXPECT_TRUE(!again.empty() && matches(test.outcome, again)) << test.name << ": " << schedule;
  }
  EXPECT_EQ(allowed == 0, model == Model::Sc);
}

INSTANTIATE_TEST_SUITE_P(Models, Litmus, ::testing::ValuesIn(kModels),
                         [](const auto& model) { return nameOf(model.param); });

TEST(Litmus, TableIsLargeAndItsNamesDiffer) {
  std::set<std::string> names;
  for (const LitmusTest& test : litmusTests()) names.insert(test.name);
  EXPECT_EQ(names.size(), litmusTests().size());
  EXPECT_GE(names.size(), 120u);
}

TEST(WeakRandom, OutcomesAreThoseOfTheEnumerator) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const LitmusProgram program = randomLitmus(seed, {});
    for (const Model model : kModels) EXPECT_EQ(compare(program, model), "") << textOf(program);
  }
}

TEST(WeakRandom, RacesAreThoseOfTheEnumerator) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const LitmusProgram program = randomLitmus(seed, {.withPlain = true});
    for (const Model model : kModels) EXPECT_EQ(compare(program, model), "") << textOf(program);
  }
}

TEST(WeakRandom, LoopsAndExchangesThatFailByThemselvesAreThoseOfTheEnumerator) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const LitmusProgram program = randomLitmus(seed, {.withPlain = seed % 3 == 0, .withLoops = true});
    for (const Model model : kModels) EXPECT_EQ(compare(program, model), "") << textOf(program);
  }
}

TEST(WeakRandom, ProgramsWithInputsAreThoseOfTheEnumerator) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const LitmusProgram program =
        randomLitmus(seed, {.withPlain = seed % 3 == 0, .withLoops = seed % 4 == 0, .withInputs = true});
    for (const Model model : kModels) EXPECT_EQ(compare(program, model), "") << textOf(program);
  }
}

TEST(WeakRandom, WhatOneThreadAloneAccessesPutsOthersInOrder) {
  // A sequentially consistent store, and a release store, to memory of one thread: under PSO they keep the
  // stores around them in order.
  EXPECT_EQ(compare(randomLitmus(6752, {.withPlain = true}), Model::Pso), "");
  EXPECT_EQ(compare(randomLitmus(8439, {}), Model::Pso), "");
}

TEST(WeakReplay, AReadThatTheModelForbidsIsNotFollowed) {
  // Message passing with release and acquire, and a schedule that wants the stale value all the same.
  LitmusProgram program;
  program.locations = 2;
  program.registers = 2;
  for (const LitmusTest& test : litmusTests())
    if (test.name == "MP+rel+acq") program = test.program;
  const EngineAnswer strong = askEngine(program, Model::C11);
  for (const auto& [outcome, schedule] : strong.schedules)
    EXPECT_EQ(replayOutcome(program, schedule), outcome) << schedule;
  LitmusProgram relaxed = program;
  for (auto& thread : relaxed.threads)
    for (Operation& op : thread) op.order = Order::Relaxed;
  const EngineAnswer weak = askEngine(relaxed, Model::C11);
  const Outcome stale = {1, 0, 1, 1};
  ASSERT_TRUE(weak.schedules.contains(stale));
  EXPECT_EQ(replayOutcome(relaxed, weak.schedules.at(stale)), stale);
  // Also where a single write is left to read, the name of another one is a divergence.
  EXPECT_EQ(replayOutcome(program, weak.schedules.at(stale)), Outcome{});
}

Snapshot snapshotOf(const std::string& text) {
  Snapshot snapshot;
  snapshot.path = "/nowhere/test.c";
  snapshot.text = text;
  snapshot.command = commandFromFlags(snapshot.path, {});
  return snapshot;
}

struct Explored {
  bool isComplete = false;
  uint64_t executions = 0, graphs = 0;
  std::set<std::tuple<WeakKind, PlaceId, std::string>> found;
};

Explored exploredBy(const PreparedProgram& program, MemoryModelKind model, bool readsFirst) {
  WeakOptions options;
  options.entry = program.entry;
  options.model = model;
  options.readsFirst = readsFirst;
  Explored explored;
  const WeakResult result =
      searchWeakly(*program.program, options, Budget().withSteps(400'000), [&](const WeakWitness& witness) {
        explored.found.insert({witness.kind, witness.failure.place, witness.failure.message});
      });
  explored.isComplete = result.complete;
  explored.executions = result.executions;
  explored.graphs = result.graphs;
  return explored;
}

// The proof is in docs/memory-models.md. Locks, failures, exits and threads that wait are here, and not in
// the random programs.
TEST(WeakReduction, WritesAndReadsFirstShowsWhatAllOrdersShow) {
  namespace fs = std::filesystem;
  size_t compared = 0, smaller = 0;
  for (const char* folder : {"weak", "sync", "await", "assert"})
    for (const auto& entry : fs::directory_iterator(sourceDirectory() + "/tests/programs/" + folder)) {
      if (entry.path().extension() != ".c") continue;
      std::ifstream stream(entry.path());
      Snapshot snapshot = snapshotOf({std::istreambuf_iterator<char>(stream), {}});
      snapshot.path = entry.path().string();
      snapshot.command = commandFromFlags(snapshot.path, {"-std=gnu11"});
      const PreparedProgram program = prepare(snapshot, "main");
      if (!program.program) continue;
      for (const MemoryModelKind model : {MemoryModelKind::C11, MemoryModelKind::Tso}) {
        const Explored all = exploredBy(program, model, false);
        if (!all.isComplete) continue;
        const Explored first = exploredBy(program, model, true);
        EXPECT_TRUE(first.isComplete) << snapshot.path;
        // An input may decide a fork of an exchange that then reads another write, where that write is there.
        if (snapshot.text.find("nondet") == std::string::npos) {
          EXPECT_EQ(first.executions, all.executions) << snapshot.path << " " << toString(model);
        }
        EXPECT_EQ(first.found, all.found) << snapshot.path << " " << toString(model);
        EXPECT_LE(first.graphs, all.graphs) << snapshot.path;
        ++compared;
        smaller += first.graphs < all.graphs ? 1 : 0;
      }
    }
  EXPECT_GE(compared, 100u);
  EXPECT_GE(smaller, 20u);
}

TEST(WeakSchedule, TextIsReadAsItIsWritten) {
  const std::string text = "T0*5 T1*3 | T1=1 c11 T1@2<init T1@3<T0@4";
  std::string error;
  const std::optional<Schedule> schedule = Schedule::parse(text, error);
  ASSERT_TRUE(schedule) << error;
  EXPECT_EQ(schedule->toString(), text);
  EXPECT_EQ(schedule->model, MemoryModelKind::C11);
  EXPECT_EQ(schedule->writes.at({"T1", 3}), (OperationName{"T0", 4}));
  for (const char* wrong :
       {"T0 | c12", "T0 | T1@2<init", "T0 | c11 T1<init", "T0 | c11 init<T1@2", "T0 | c11 T1@0<init"})
    EXPECT_FALSE(Schedule::parse(wrong, error)) << wrong;
}

TEST(WeakOutcomes, AreThoseOfTheModelAndReplay) {
  const Snapshot snapshot = snapshotOf(
      "#include <pthread.h>\nint x, y; short a, b;\n"
      "void *t(void *p) { __atomic_store_n(&x, 1, __ATOMIC_RELAXED); a = __atomic_load_n(&y, "
      "__ATOMIC_RELAXED) - 1;"
      " return p; }\n"
      "int main(void) { pthread_t i; pthread_create(&i, 0, t, 0); __atomic_store_n(&y, 1, "
      "__ATOMIC_RELAXED);\n"
      "  b = __atomic_load_n(&x, __ATOMIC_RELAXED); pthread_join(i, 0); return 0; }\n");
  for (const MemoryModelKind model : {MemoryModelKind::Sc, MemoryModelKind::Tso, MemoryModelKind::C11}) {
    Options options;
    options.memoryModel = model;
    const OutcomeReport report = findOutcomes(snapshot, options, {"a", "b"}, Budget().withSteps(1'000'000));
    EXPECT_TRUE(report.complete) << report.problem;
    EXPECT_TRUE(report.failures.empty());
    // Both zero (here -1 and 0) only with buffers.
    EXPECT_EQ(report.outcomes.size(), model == MemoryModelKind::Sc ? 3u : 4u);
    const bool hasBoth =
        std::any_of(report.outcomes.begin(), report.outcomes.end(), [](const ProgramOutcome& o) {
          return o.values == std::vector<int64_t>{-1, 0};
        });
    EXPECT_EQ(hasBoth, model != MemoryModelKind::Sc);
  }
  EXPECT_NE(findOutcomes(snapshot, {}, {"z"}, {}).problem.find("'z'"), std::string::npos);
}

TEST(WeakUnsupported, NothingIsDecidedWhereTheModelsDoNotReach) {
  // An outcome for each of very many values; the same memory in pieces of different sizes; an atomic section.
  const std::string begin =
      "#include <pthread.h>\nint nondet(void); void __VERIFIER_atomic_begin(void);\n"
      "void __VERIFIER_atomic_end(void); int __VERIFIER_nondet_int(void); int x;\n"
      "void *t(void *p) { ";
  const std::string end =
      " return p; }\nint main(void) { pthread_t i; pthread_create(&i, 0, t, 0);\n"
      "  __atomic_store_n(&x, 1, __ATOMIC_RELAXED); pthread_join(i, 0); return 0; }\n";
  for (const char* middle :
       {"__atomic_store_n(&x, __VERIFIER_nondet_int(), __ATOMIC_RELAXED);",
        "__atomic_store_n((char *)&x, 1, __ATOMIC_RELAXED);",
        "__VERIFIER_atomic_begin(); __atomic_store_n(&x, 2, __ATOMIC_RELAXED); __VERIFIER_atomic_end();"}) {
    const OutcomeReport report =
        findOutcomes(snapshotOf(begin + middle + end), {}, {"x"}, Budget().withSteps(20'000));
    EXPECT_FALSE(report.complete) << middle;
    EXPECT_NE(report.problem, "") << middle;
  }
}

}  // namespace
}  // namespace heddle::weak
