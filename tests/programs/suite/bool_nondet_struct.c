// EXPECT: assert=verified (inputs of all kinds)
#include <assert.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void); extern unsigned char __VERIFIER_nondet_uchar(void); extern char __VERIFIER_nondet_char(void);
extern short __VERIFIER_nondet_short(void); extern unsigned short __VERIFIER_nondet_ushort(void); extern long long __VERIFIER_nondet_longlong(void); extern unsigned long long __VERIFIER_nondet_ulonglong(void); extern unsigned long __VERIFIER_nondet_ulong(void);
int main() {
  _Bool b = __VERIFIER_nondet_bool(); assert(b == 0 || b == 1);
  unsigned char c = __VERIFIER_nondet_uchar(); assert(c <= 255);
  char d = __VERIFIER_nondet_char(); assert(d >= -128 && d <= 127);
  short s = __VERIFIER_nondet_short(); assert(s < 32768);
  unsigned short t = __VERIFIER_nondet_ushort(); assert(t < 65536);
  long long ll = __VERIFIER_nondet_longlong(); unsigned long long ull = __VERIFIER_nondet_ulonglong(); unsigned long ul = __VERIFIER_nondet_ulong();
  assert(!(ll < 0) || (unsigned long long)ll > 9223372036854775807ull);
  assert(ull >= 0 && ul >= 0);
  return 0;
}
