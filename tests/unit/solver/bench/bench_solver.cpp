// Measures the backends side by side: bench_solver [seconds per question]. CPU time, since the machine may be
// shared.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>

#include "analysis/solver/sat/sat_solver.h"
#include "tests/unit/solver/bench/problems.h"
#include "tests/unit/solver/bench/propagator_solver.h"

namespace {

using namespace heddle;

struct Row {
  std::string name;
  std::function<std::vector<Lit>(Solver&, TermTable&)> build;
};

double cpuSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

using MakeSolver = std::function<std::unique_ptr<Solver>(const TermTable&)>;

void measure(const Row& row, const MakeSolver& make, int seconds) {
  TermTable terms;
  const auto solver = make(terms);
  const double start = cpuSeconds();
  const std::vector<Lit> question = row.build(*solver, terms);
  const Budget budget = Budget::forDuration(std::chrono::seconds(seconds));
  const Answer answer = solver->check(question, budget);
  std::printf(" %7s %7.2f s %8llu |", toString(answer), cpuSeconds() - start,
              static_cast<unsigned long long>(solver->stats().conflicts));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int seconds = argc > 1 ? std::atoi(argv[1]) : 20;
  std::vector<Row> rows;
  for (const unsigned holes : {7u, 8u, 9u})
    rows.push_back({"pigeons " + std::to_string(holes),
                    [=](Solver& s, TermTable&) { return bench::pigeons(s, holes); }});
  for (const unsigned variables : {150u, 200u})
    for (const uint64_t seed : {1u, 2u, 3u})
      rows.push_back({"3-SAT " + std::to_string(variables) + " #" + std::to_string(seed),
                      [=](Solver& s, TermTable&) { return bench::random3Sat(s, variables, seed); }});
  const auto addCounter = [&](const char* name, bench::Counter shape) {
    rows.push_back({std::string(name) + " " + std::to_string(shape.threads) + "x" +
                        std::to_string(shape.increments) + " = " + std::to_string(shape.wanted),
                    [=](Solver& s, TermTable& t) { return bench::counter(s, t, shape); }});
  };
  for (const unsigned n : {3u, 5u}) addCounter("counter", {2, n, false, 1});
  for (const unsigned n : {5u, 10u, 20u}) addCounter("counter", {2, n, false, 2});
  addCounter("counter", {4, 5, false, 7});
  for (const unsigned n : {3u, 5u, 7u}) addCounter("locked", {2, n, true, 2 * n - 1});
  addCounter("locked", {3, 3, true, 8});
  addCounter("locked", {3, 10, true, 30});
  rows.push_back(
      {"square 32", [](Solver& s, TermTable& t) { return bench::squareRoot(s, t, 0x12345679, 32); }});

  const auto withPropagation = [](sat::OrderPropagation mode) -> MakeSolver {
    return [mode](const TermTable& terms) {
      sat::Options options;
      options.orderPropagation = mode;
      return makeSatSolver(terms, options);
    };
  };
  std::printf("%-20s | %-27s | %-27s | %-27s | %-27s | %-27s | %-27s |\n", "", "ours", "ours, adaptive",
              "ours, never implying", "z3, integer order", "z3, order by propagator",
              "... that implies atoms");
  for (const Row& row : rows) {
    std::printf("%-20s |", row.name.c_str());
    measure(row, withPropagation(sat::OrderPropagation::Always), seconds);
    measure(row, withPropagation(sat::OrderPropagation::Adaptive), seconds);
    measure(row, withPropagation(sat::OrderPropagation::Never), seconds);
    measure(
        row, [](const TermTable& t) { return makeSolver(SolverKind::Z3, t); }, seconds);
    for (const bool implied : {false, true})
      measure(
          row, [=](const TermTable& t) { return bench::makePropagatorSolver(t, implied); }, seconds);
    std::printf("\n");
  }
  return 0;
}
