// EXPECT: assert=verified (bits)
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) { unsigned x = __VERIFIER_nondet_uint(); unsigned r = (x << 16) | (x >> 16); assert(((r << 16) | (r >> 16)) == x); assert((x & (x - 1)) != 0 || x == 0 || __builtin_popcount(x) == 1); return 0; }
