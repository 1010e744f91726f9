// EXPECT: assert=violated twin=parsed_input_checked (a digit too many is accepted)
#include <assert.h>
#include <ctype.h>
#include <pthread.h>

extern char __VERIFIER_nondet_char(void);
static int slot = -1;

static void *parse(void *unused) {
  unsigned char c = (unsigned char)__VERIFIER_nondet_char();
  if ((isdigit)(c)) slot = c - '0';
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, parse, NULL);
  pthread_join(a, NULL);
  assert(slot < 8);
  return 0;
}
