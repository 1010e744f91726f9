// Computed goto, setjmp, callbacks, constructors, exit handlers, statement expressions, cleanup, varargs, aliases.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int order;
__attribute__((constructor(200))) static void second(void) { printf("second %d\n", order++); }
__attribute__((constructor(150))) static void first(void) { printf("first %d\n", order++); }
__attribute__((destructor)) static void last(void) { printf("last %d\n", order++); }
static void handler(void) { printf("handler %d\n", order++); }
static void other(void) { printf("other %d\n", order++); }

static int run(const char *code) {
  static void *const table[] = {&&push, &&add, &&twice, &&stop};
  int stack[16], top = 0;
#define NEXT goto *table[*code++ - 'a']
  NEXT;
push: stack[top++] = *code++ - '0'; NEXT;
add: top--; stack[top - 1] += stack[top]; NEXT;
twice: stack[top - 1] *= 2; NEXT;
stop: return stack[top - 1];
}

static jmp_buf outer;
static void deep(int n) { if (n == 0) longjmp(outer, 42); deep(n - 1); }
static int protect(void) {
  volatile int count = 0;
  int code = setjmp(outer);
  if (code == 0) { count = 1; deep(20); }
  count++;
  if (code == 42) longjmp(outer, 0);
  return count * 100 + code;
}
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int byText(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int original(int n) { return n * 3; }
extern int renamed(int n) __attribute__((alias("original")));
extern int missing(int) __attribute__((weak));
int tentative;
int tentative;
static void drop(int *n) { printf("drop %d\n", *n); }
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define KIND(x) _Generic((x), int: "int", long: "long", double: "double", char *: "text", default: "other")
struct Big { int n[10]; };
static long mixed(const char *kinds, ...) {
  va_list list; long total = 0;
  va_start(list, kinds);
  for (; *kinds; kinds++) switch (*kinds) {
    case 'i': total += va_arg(list, int); break;
    case 'l': total += va_arg(list, long); break;
    case 'd': total += (long)(va_arg(list, double) * 10); break;
    case 's': total += (long)strlen(va_arg(list, char *)); break;
    case 'L': total += (long)(va_arg(list, long double) * 100); break;
    case 'b': { struct Big b = va_arg(list, struct Big); total += b.n[3]; break; }
    case 'p': { struct { int x, y; } p = {0, 0}; (void)p; total += va_arg(list, long) & 0xff; break; }
  }
  va_end(list);
  return total;
}
static int vlas(int n) { int a[n], sum = 0; for (int i = 0; i < n; i++) a[i] = i * i; for (int i = 0; i < n; i++) sum += a[i]; return sum; }
static int even(unsigned n); static int odd(unsigned n) { return n ? even(n - 1) : 0; }
static int even(unsigned n) { return n ? odd(n - 1) : 1; }
static inline int inlined(int n) { static int calls; return n + ++calls; }

int main(int argc, char **argv) {
  atexit(handler); atexit(other);
  printf("%d %d\n", run("a2a3bcd"), run("a9ccd"));
  printf("%d\n", protect());
  int numbers[] = {9, 3, 7, 1, 8, 2, 5, 6, 4, 0}; int key = 7, absent = 77;
  qsort(numbers, 10, sizeof *numbers, compare);
  for (int i = 0; i < 10; i++) printf("%d ", numbers[i]);
  int *found = bsearch(&key, numbers, 10, sizeof *numbers, compare);
  printf("%ld %d\n", (long)(found - numbers), bsearch(&absent, numbers, 10, sizeof *numbers, compare) == NULL);
  const char *words[] = {"pear", "apple", "fig", "orange"};
  qsort(words, 4, sizeof *words, byText);
  for (int i = 0; i < 4; i++) printf("%s ", words[i]);
  printf("\n%d %d %d\n", renamed(5), missing == NULL, tentative);
  for (int i = 0; i < 2; i++) { int guarded __attribute__((cleanup(drop))) = i + 10; printf("in %d\n", guarded); }
  printf("%d %s %s %s\n", MAX(3, order), KIND(1), KIND(2.0), KIND("x"));
  struct Big big = {{0, 1, 2, 333}};
  printf("%ld\n", mixed("ildsLb", 1, 20L, 0.5, "four", 1.25L, big));
  printf("%ld\n", mixed("LiLd", 2.5L, 7, 0.01L, 3.5));
  int *compound = (int[]){1, 2, [5] = 6}; struct Big copy = *&big; copy.n[3]++;
  printf("%d %d %d %d\n", compound[1], compound[4], compound[5], copy.n[3]);
  printf("%d %d %d %d\n", vlas(10), even(10), odd(7), inlined(3) + inlined(4));
  char *area = __builtin_alloca(32); strcpy(area, "alloca"); printf("%s %d %s\n", area, argc, argv[argc] ? "?" : "end");
  int n = 0; again: switch (n) { case 0: n = 5; goto again; case 1 ... 4: n = 100; break; case 5: n = 3; goto again; default: n = -1; }
  printf("%d\n", n);
  exit(order + 3);
}
