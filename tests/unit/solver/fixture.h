// What the solver tests share: every test runs on every backend, and random choices are reproducible.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "analysis/solver/solver.h"

namespace heddle::test {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull + 1) {}
  uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 0x2545F4914F6CDD1Dull;
  }
  uint64_t below(uint64_t n) { return (next() >> 11) % n; }
  bool chance(uint64_t percent) { return below(100) < percent; }

 private:
  uint64_t state_;
};

class SolverTest : public testing::TestWithParam<SolverKind> {
 protected:
  std::unique_ptr<Solver> make() { return makeSolver(GetParam(), terms_); }
  /// Z3 is slow to set up, so it gets a smaller share of the random cases.
  unsigned rounds(unsigned n) const { return GetParam() == SolverKind::Z3 ? n / 10 : n; }

  TermTable terms_;
  Budget budget_;
};

inline std::string kindName(const testing::TestParamInfo<SolverKind>& info) {
  return info.param == SolverKind::Z3 ? "Z3" : "Sat";
}

}  // namespace heddle::test

#define HEDDLE_ALL_BACKENDS(suite)                                                           \
  INSTANTIATE_TEST_SUITE_P(Backends, suite,                                                  \
                           testing::Values(heddle::SolverKind::Sat, heddle::SolverKind::Z3), \
                           heddle::test::kindName)
