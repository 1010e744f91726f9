// EXPECT: assert=verified-within-bounds (a clock shows no time before its start, and none in which 64 bits overflow)
#include <assert.h>
#include <time.h>

int main(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  long long deadline = now.tv_sec * 1000LL + now.tv_nsec / 1000000 + 500;
  assert(deadline > 0);
  assert(time(NULL) >= 0);
  return 0;
}
