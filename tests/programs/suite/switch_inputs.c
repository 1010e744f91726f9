// EXPECT: assert=violated twin=switch_inputs_bounded (one of many cases)
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) { int s = 0; for (int i = 0; i < 3; i++) switch (__VERIFIER_nondet_int()) { case 1: s += 1; break; case 2: s += 2; break; case 3: s *= 2; break; default: s -= 1; } assert(s != 12 && s != 8); assert(s != 6); return 0; }
