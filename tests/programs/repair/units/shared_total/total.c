#include "total.h"

void add_two(void) {
  int seen = total;
  if (seen > 5) return;
  total = seen + 2;
}
