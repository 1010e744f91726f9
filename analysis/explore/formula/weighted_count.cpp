#include "analysis/explore/formula/weighted_count.h"

namespace heddle {

std::vector<Lit> countWeights(Solver& solver, const std::vector<std::pair<Lit, int64_t>>& weights) {
  std::vector<Lit> sum;  // [k - 1]: at least k
  for (const auto& [lit, weight] : weights) {
    const size_t by = static_cast<size_t>(weight), most = sum.size() + by;
    std::vector<Lit> next;
    for (size_t k = 1; k <= most; ++k) {
      const Lit stays = k <= sum.size() ? sum[k - 1] : -Solver::kTrue;
      const Lit carried = k <= by ? Solver::kTrue : sum[k - by - 1];
      const Lit out = solver.newLit();
      solver.addClause({-stays, out});
      solver.addClause({-carried, -lit, out});
      solver.addClause({-out, stays, carried});
      solver.addClause({-out, stays, lit});
      next.push_back(out);
    }
    sum = std::move(next);
  }
  return sum;
}

}  // namespace heddle
