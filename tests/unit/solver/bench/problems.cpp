#include "tests/unit/solver/bench/problems.h"

namespace heddle::bench {

std::vector<Lit> pigeons(Solver& solver, unsigned holes) {
  const Lit on = solver.newLit();
  std::vector<std::vector<Lit>> in(holes + 1);
  for (auto& row : in) {
    for (unsigned h = 0; h < holes; ++h) row.push_back(solver.newLit());
    std::vector<Lit> somewhere = row;
    somewhere.push_back(-on);
    solver.addClause(somewhere);
  }
  for (unsigned h = 0; h < holes; ++h)
    for (unsigned p = 0; p <= holes; ++p)
      for (unsigned q = 0; q < p; ++q) solver.addClause({-in[p][h], -in[q][h]});
  return {on};
}

std::vector<Lit> random3Sat(Solver& solver, unsigned variables, uint64_t seed) {
  uint64_t state = seed * 0x9E3779B97F4A7C15ull + 1;
  const auto below = [&](uint64_t n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state * 0x2545F4914F6CDD1Dull >> 11) % n;
  };
  std::vector<Lit> lits;
  for (unsigned i = 0; i < variables; ++i) lits.push_back(solver.newLit());
  for (unsigned i = 0; i < variables * 426 / 100; ++i) {
    std::vector<Lit> clause;
    for (unsigned k = 0; k < 3; ++k) {
      const Lit l = lits[below(variables)];
      clause.push_back(below(2) ? l : -l);
    }
    solver.addClause(clause);
  }
  return {};
}

namespace {

struct Access {
  OrderNode node;
  Term value;  // read: its symbol; write: what is written
  unsigned thread;
};

}  // namespace

std::vector<Lit> counter(Solver& solver, TermTable& terms, const Counter& shape) {
  std::vector<Access> reads, writes;
  const auto event = [&](Term value, unsigned thread) {
    return Access{solver.newOrderNode(Solver::kTrue), value, thread};
  };
  const Access initial = event(terms.constant(0, 32), ~0u);
  const OrderNode end = solver.newOrderNode(Solver::kTrue);
  struct Region {
    OrderNode lock, unlock;
    unsigned thread;
  };
  std::vector<Region> regions;
  for (unsigned t = 0; t < shape.threads; ++t) {
    OrderNode last = initial.node;
    const auto then = [&](OrderNode n) {
      solver.addEdge(last, n);
      last = n;
    };
    for (unsigned i = 0; i < shape.increments; ++i) {
      Region region{0, 0, t};
      if (shape.locked) then(region.lock = solver.newOrderNode(Solver::kTrue));
      reads.push_back(event(terms.symbol(32), t));
      then(reads.back().node);
      const Term next = terms.binary(TermOp::Add, reads.back().value, terms.constant(1, 32));
      writes.push_back(event(next, t));
      then(writes.back().node);
      if (shape.locked) {
        then(region.unlock = solver.newOrderNode(Solver::kTrue));
        regions.push_back(region);
      }
    }
    then(end);
  }
  for (size_t i = 0; i < regions.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (regions[i].thread != regions[j].thread)
        solver.addClause({solver.before(regions[i].unlock, regions[j].lock),
                          solver.before(regions[j].unlock, regions[i].lock)});
  const Access last{end, terms.symbol(32), ~0u};
  std::vector<Access> all = reads;
  all.push_back(last);
  std::vector<Access> sources = writes;
  sources.push_back(initial);
  for (const Access& r : all) {
    std::vector<Lit> some;
    for (const Access& w : sources) {
      const Lit from = solver.newLit();
      some.push_back(from);
      solver.addClause({-from, solver.before(w.node, r.node)});
      solver.addEqualityIf(from, r.value, w.value);
      for (const Access& other : sources)
        if (other.node != w.node)
          solver.addClause({-from, solver.before(other.node, w.node), solver.before(r.node, other.node)});
    }
    solver.addClause(some);
  }
  return {solver.condition(terms.eq(last.value, terms.constant(shape.wanted, 32)))};
}

std::vector<Lit> squareRoot(Solver& solver, TermTable& terms, uint64_t value, unsigned width) {
  const Term x = terms.symbol(width);
  const Lit odd = solver.condition(terms.extract(x, 0, 1));
  return {odd, solver.condition(terms.eq(terms.binary(TermOp::Mul, x, x), terms.constant(value, width)))};
}

}  // namespace heddle::bench
