// EXPECT: assert=verified overflow=verified (small types wrap by conversion)
#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); unsigned char d = c + 1; assert(d == 0 || d == c + 1); signed char s = (signed char)c; s--; assert(s <= 127); return 0; }
