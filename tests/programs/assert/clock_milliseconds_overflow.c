// EXPECT: assert=violated twin=clock_milliseconds_fit (32 bits hold 24 days of milliseconds)
#include <assert.h>
#include <time.h>

int main(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int milliseconds = (int)(now.tv_sec * 1000LL);
  assert(milliseconds >= 0);
  return 0;
}
