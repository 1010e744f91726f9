#include "analysis/model/problem.h"

namespace heddle {

const char* toString(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::None:
      return "";
    case ProblemKind::Ours:
      return "internal";
    case ProblemKind::Budget:
      return "budget";
    case ProblemKind::Strategy:
      return "strategy";
    case ProblemKind::Program:
      return "program";
    case ProblemKind::Checkpoint:
      return "checkpoint";
    case ProblemKind::NotReached:
      return "not-reached";
  }
  return "";
}

std::string toText(const Problem& problem) {
  return problem.kind == ProblemKind::Ours ? "internal: " + problem.text : problem.text;
}

}  // namespace heddle
