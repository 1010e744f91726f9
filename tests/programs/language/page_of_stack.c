// EXPECT: memory=verified-within-bounds assert=verified-within-bounds (an array of one page)
#include <assert.h>
#include <unistd.h>

int main(void) {
  long size = sysconf(_SC_PAGESIZE);
  char page[size];
  page[size - 1] = 1;
  assert(page[size - 1] == 1);
  assert(sysconf(_SC_NPROCESSORS_ONLN) >= 1);
  return 0;
}
