// EXPECT: memory=violated twin=page_of_stack (one past the end of the page)
#include <unistd.h>

int main(void) {
  long size = sysconf(_SC_PAGESIZE);
  char page[size];
  page[0] = 0;
  page[size] = 1;
  return page[0];
}
