#include "stock.h"

int take(int count) {
  if (stock < count) return 0;
  stock = stock - count;  // what is left
  return count;
}
