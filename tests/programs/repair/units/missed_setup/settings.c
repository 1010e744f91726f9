#include "settings.h"

#include <assert.h>

void use_limit(void) {
  assert(limit > 0);
}
