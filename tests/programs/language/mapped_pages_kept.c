// EXPECT: assert=violated twin=mapped_pages (a part is mapped anew, and taken for what it was)
#define _GNU_SOURCE
#include <assert.h>
#include <sys/mman.h>

int main(void) {
  char *pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return 1;
  pages[0] = 1;
  pages[4096] = 2;
  char *anew = mmap(pages + 4096, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (anew == MAP_FAILED) return 1;
  assert(anew == pages + 4096);
  assert(pages[0] == 1 && pages[4096] == 2);
  munmap(pages, 8192);
  return 0;
}
