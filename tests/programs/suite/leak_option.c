// EXPECT: memory=verified (what is still reachable at the end is fine here)
#include <stdlib.h>
int *p;
int main(void) { p = malloc(4); if (!p) return 1; *p = 1; return *p - 1; }
