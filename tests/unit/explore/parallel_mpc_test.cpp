// Algorithm 3 of the MPC paper, scenarios of con2colic, and censuses: any number of workers explores the
// same.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "analysis/support/in_parallel.h"
#include "tests/paths/paths.h"
#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

TEST(InParallel, EachPieceOfWorkIsDoneOnce) {
  for (const unsigned workers : {0u, 1u, 2u, 3u, 16u}) {
    for (const size_t count : {size_t{0}, size_t{1}, size_t{2}, size_t{1000}}) {
      std::vector<std::atomic<int>> done(count);
      std::atomic<unsigned> most = 0;
      inParallel(workers, count, [&](unsigned worker, size_t i) {
        ++done[i];
        unsigned seen = most;
        while (worker > seen && !most.compare_exchange_weak(seen, worker)) {
        }
      });
      for (const std::atomic<int>& times : done) EXPECT_EQ(1, times);
      EXPECT_LT(most, std::max(1u, workers));
    }
  }
}

TEST(InParallel, TwoWorkersWorkAtTheSameTime) {
  // Each piece waits for the other one: a single worker would never get to the second.
  std::atomic<int> begun = 0;
  inParallel(2, 2, [&](unsigned, size_t) {
    ++begun;
    while (begun < 2) {
    }
  });
  EXPECT_EQ(2, begun);
}

TEST(InParallel, WhatAPauseLeavesIsDoneInTheEndAndOnce) {
  constexpr size_t kPieces = 300;
  BackgroundTurns turns(3);
  std::vector<std::atomic<int>> done(kPieces);
  const auto allDone = [&] {
    size_t count = 0;
    for (const std::atomic<int>& times : done) count += times;
    return count;
  };
  for (int round = 1; round <= 20; ++round) {
    std::atomic<size_t> begun = 0;
    const size_t doneBefore = allDone();
    turns.begin(kPieces, [&](unsigned, size_t i) {
      ++begun;
      ++done[i];
    });
    turns.pause();
    EXPECT_EQ(doneBefore + begun, allDone());  // whoever began has ended
    const size_t before = allDone();
    EXPECT_EQ(before, allDone());  // nobody works on
    turns.finish();
    for (const std::atomic<int>& times : done) EXPECT_EQ(round, times);
  }
}

TEST(InParallel, HelpersWorkBeforeTheCallerWaits) {
  BackgroundTurns turns(2);
  std::atomic<bool> isBegun = false;
  turns.begin(1, [&](unsigned worker, size_t) { isBegun = worker == 1; });
  while (!isBegun) {
  }
  turns.finish();
}

struct OfPapers {
  std::string name, file;
  std::vector<std::string> flags;
};

void PrintTo(const OfPapers& program, std::ostream* out) {
  *out << program.name;
}

class ParallelMpcOfPapers : public testing::TestWithParam<OfPapers> {};

INSTANTIATE_TEST_SUITE_P(
    Programs, ParallelMpcOfPapers,
    testing::Values(OfPapers{"M0", "bench/programs/m.c", {"-DEXTRA=0"}},
                    OfPapers{"M3", "bench/programs/m.c", {"-DEXTRA=3"}},
                    OfPapers{"M5", "bench/programs/m.c", {"-DEXTRA=5"}},
                    OfPapers{"Figure8a", "bench/programs/fig8a.c", {}},
                    OfPapers{"Racey", "bench/programs/racey.c", {"-DCHECKS=2", "-DLOOPS=0"}},
                    OfPapers{"Dekker", "bench/programs/dekker.c", {"-DP=5", "-DTURN=2"}},
                    OfPapers{"Spinlock", "bench/programs/spinlock.c", {"-DT=2", "-DK=3"}},
                    OfPapers{"Rwlock", "bench/programs/linuxrwlock.c", {"-DT=2", "-DK=2"}},
                    OfPapers{"Ctrace2", "bench/programs/ctrace2.c", {}},
                    OfPapers{"Micro", "bench/programs/micro.c", {"-DN=4"}}),
    [](const auto& test) { return test.param.name; });

void expectTheSameByAnyNumberOfWorkers(const std::string& file, const std::vector<std::string>& flags,
                                       const std::vector<uint64_t>& steps) {
  for (const std::string strategy : {"mpc-s1", "mpc-s2", "con2colic", "census"}) {
    for (uint64_t most : steps) {
      if (strategy == "con2colic") most = std::min<uint64_t>(most, 5'000);
      const ReachedByWorkers alone = reachedByWorkers(strategy, file, flags, 1, most);
      for (const unsigned workers : {2u, 3u}) {
        SCOPED_TRACE(file + ' ' + strategy + ' ' + std::to_string(workers) + ' ' + std::to_string(most));
        const ReachedByWorkers together = reachedByWorkers(strategy, file, flags, workers, most);
        EXPECT_EQ(alone.reached.globalPaths, together.reached.globalPaths);
        EXPECT_EQ(alone.reached.failures, together.reached.failures);
        EXPECT_EQ(alone.reached.executions, together.reached.executions);
        EXPECT_EQ(alone.reached.problem, together.reached.problem);
        EXPECT_EQ(alone.reached.complete, together.reached.complete);
        EXPECT_EQ(alone.queries, together.queries);
        EXPECT_EQ(alone.schedules, together.schedules);
      }
    }
  }
}

TEST_P(ParallelMpcOfPapers, PathsExecutionsQuestionsAndSchedulesAreTheSameForAnyNumberOfWorkers) {
  // With few steps the exploration ends somewhere on the way, and at the same place.
  expectTheSameByAnyNumberOfWorkers(GetParam().file, GetParam().flags, {300, 3'000, 2'000'000});
}

TEST(ParallelMpc, TestProgramsAreExploredTheSame) {
  size_t explored = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(sourceDirectory() + "/tests/programs/assert")) {
    if (entry.path().extension() != ".c") continue;
    ++explored;
    expectTheSameByAnyNumberOfWorkers("programs/assert/" + entry.path().filename().string(), {}, {20'000});
  }
  EXPECT_GT(explored, 50u);
}

}  // namespace
}  // namespace heddle::test
