// FormulaParts: what a formula over a forest is made from, so that several formulas can be checked side by
// side.
//
// Threading: a formula only reads the forest and the initial values, and adds terms. Formulas with separate
// tables of terms may be made and checked at the same time, as long as nobody adds to the forest.
#pragma once

#include <functional>
#include <vector>

#include "analysis/explore/run/exploration.h"

namespace heddle {

struct FormulaParts {
  const Forest& forest;
  const std::vector<Term>& initialValues;
  TermTable& terms;
  SolverKind solver;
};
/// The parts of an exploration's runner.
FormulaParts partsOf(Runner& runner);

/// Calls ask(parts, i) once for each i below `count`, on the exploration's workers. Each question has its
/// own table of terms, so questions do not influence one another.
void askSideBySide(Runner& runner, size_t count,
                   const std::function<void(const FormulaParts& parts, size_t i)>& ask);

}  // namespace heddle
