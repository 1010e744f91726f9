// Atomic sections: __VERIFIER_atomic_begin and _end, and what other verifiers call them. Functions named
// __VERIFIER_atomic_NAME are atomic as a whole (see Calls::enter).
#include "analysis/interp/core/call.h"

namespace heddle {

namespace atomic_calls {
namespace {

void begin(Call& call) {
  call.context.beginSection(call.thread);
}

void end(Call& call) {
  call.context.endSection(call.thread);
}

constexpr ModelledCall kModels[] = {
    {"__VERIFIER_atomic_begin", begin, nullptr}, {"__VERIFIER_atomic_end", end, nullptr},
    {"__ESBMC_atomic_begin", begin, nullptr},    {"__ESBMC_atomic_end", end, nullptr},
    {"__CPROVER_atomic_begin", begin, nullptr},  {"__CPROVER_atomic_end", end, nullptr},
};

}  // namespace
}  // namespace atomic_calls

std::span<const ModelledCall> sectionModels() {
  return atomic_calls::kModels;
}

}  // namespace heddle
