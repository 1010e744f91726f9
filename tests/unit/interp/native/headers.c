// Functions that are inline without an external definition, K&R definitions, declarations inside functions.
#include <stdio.h>

inline int next(int n) { return n + 1; }
extern inline int previous(int n) { return n - 1; }
static inline int same(int n) { return n; }
extern int next(int n);
int sum(a, b) int a; short b; { return a + b; }
int noPrototype();
int noPrototype(a) char a; { return a * 2; }

int main(void) {
  extern int sum();
  int (*chosen)(int) = next;
  printf("%d %d %d %d\n", next(1), previous(1), same(1), chosen(41));
  printf("sum %d, without prototype %d\n", sum(3, 4), noPrototype('a'));
  for (int i = 0, k = 10; i < k; i++, k--) printf("%d,%d ", i, k);
  printf("\n%s %d %zu\n", __func__, '\xff' < 0, sizeof "text");
  return sum(1, 1);
}
