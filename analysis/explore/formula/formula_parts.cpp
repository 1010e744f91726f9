#include "analysis/explore/formula/formula_parts.h"

#include <algorithm>

#include "analysis/support/in_parallel.h"

namespace heddle {

FormulaParts partsOf(Runner& runner) {
  return {runner.forest(), runner.builder().initialValues(), runner.terms(), runner.options().solver};
}

void askSideBySide(Runner& runner, size_t count,
                   const std::function<void(const FormulaParts& parts, size_t i)>& ask) {
  const unsigned workers = std::max(1u, runner.options().team.threads);
  const FormulaParts shared = partsOf(runner);
  std::vector<TermTable> terms(std::min<size_t>(workers, count));
  inParallel(workers, count, [&](unsigned worker, size_t i) {
    terms[worker] = shared.terms;
    ask({shared.forest, shared.initialValues, terms[worker], shared.solver}, i);
  });
}

}  // namespace heddle
