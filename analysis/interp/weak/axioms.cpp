#include "analysis/interp/weak/axioms.h"

#include <cassert>

#include "analysis/interp/weak/rc11.h"
#include "analysis/interp/weak/store_buffers.h"

namespace heddle {

const Axioms& Axioms::of(MemoryModelKind kind) {
  static const StoreBuffers sc(Buffers::None), tso(Buffers::OnePerThread), pso(Buffers::OnePerLocation);
  static const Rc11 c11;
  switch (kind) {
    case MemoryModelKind::Sc:
      return sc;
    case MemoryModelKind::Tso:
      return tso;
    case MemoryModelKind::Pso:
      return pso;
    case MemoryModelKind::C11:
      return c11;
  }
  assert(false);
  return c11;
}

}  // namespace heddle
