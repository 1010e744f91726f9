// Structures, unions, arrays, pointers, function pointers, recursion, switch, varargs.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Point { int x, y; };
struct Big { long a[5]; char name[16]; struct Point p; };
struct Small { char c; short s; int i; };
struct Mixed { double d; int i; };
union Pun { unsigned u; unsigned char b[4]; short h[2]; };

struct Point global = {3, 4};
struct Big table[2] = {{{1, 2, 3, 4, 5}, "first", {6, 7}}, {{0}, "second", {8, 9}}};
int matrix[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
int *middle = &matrix[1][2];
const char *names[] = {"zero", "one", "two"};
int (*operations[3])(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static struct Point swap(struct Point p) { return (struct Point){p.y, p.x}; }
static struct Big change(struct Big b, int k) { b.a[k] = 100; b.p.x += k; strcpy(b.name, "changed"); return b; }
static struct Small small(struct Small s) { s.c++; s.s *= 2; s.i -= 3; return s; }
static struct Mixed mixed(struct Mixed m) { m.d *= 1.5; m.i += 1; return m; }

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }

static long sum(int count, ...) {
  va_list list, copy;
  va_start(list, count);
  va_copy(copy, list);
  long total = 0;
  for (int i = 0; i < count; i++) total += i % 2 ? va_arg(list, long) : va_arg(list, int);
  for (int i = 0; i < count; i++) total += 1000 * (i % 2 ? va_arg(copy, long) : va_arg(copy, int));
  va_end(list);
  va_end(copy);
  return total;
}
static void log_(const char *format, ...) {
  char buffer[100];
  va_list list;
  va_start(list, format);
  int n = vsnprintf(buffer, sizeof buffer, format, list);
  va_end(list);
  printf("[%d] %s\n", n, buffer);
}
static double average(int n, ...) {
  va_list list;
  double total = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++) total += va_arg(list, double);
  va_end(list);
  return total / n;
}

static const char *kind(int n) {
  switch (n) {
    case 0: return "none";
    case 1: case 2: case 3: return "few";
    case 10: n++;
    case 11: return n == 11 ? "ten or eleven" : "eleven";
    case -5: return "negative";
    default: return "many";
  }
}

struct Node { int value; struct Node *next; };

int main(void) {
  operations[0] = add; operations[1] = sub; operations[2] = mul;
  for (int i = 0; i < 3; i++) printf("%s %d\n", names[i], operations[i](7, 5));
  struct Point p = swap(global);
  printf("%d %d %d\n", p.x, p.y, *middle);
  struct Big b = change(table[0], 2);
  printf("%ld %ld %s %d | %ld %s\n", b.a[2], b.a[4], b.name, b.p.x, table[0].a[2], table[0].name);
  struct Small s = small((struct Small){'a', 21, 10});
  printf("%c %d %d\n", s.c, s.s, s.i);
  struct Mixed m = mixed((struct Mixed){2.5, 7});
  printf("%g %d\n", m.d, m.i);
  union Pun pun = {0x12345678};
  pun.b[1] = 0xff;
  printf("%x %d %d\n", pun.u, pun.h[0], pun.h[1]);
  printf("%d %d\n", fib(15), ackermann(2, 3));
  printf("%ld %g\n", sum(5, 1, 2L, 3, 4L, 5), average(3, 1.0, 2.5, 4.0));
  log_("%d %s %5.2f %c %ld %x", 42, "text", 3.14159, 'z', 123456789012L, 255u);
  for (int i = -6; i < 13; i++) printf("%s ", kind(i));
  printf("\n");
  struct Node *head = NULL;
  for (int i = 0; i < 5; i++) {
    struct Node *n = malloc(sizeof *n);
    n->value = i * i;
    n->next = head;
    head = n;
  }
  for (struct Node *n = head; n;) {
    printf("%d ", n->value);
    struct Node *next = n->next;
    free(n);
    n = next;
  }
  printf("\n");
  int *a = calloc(4, sizeof(int));
  a[2] = 9;
  a = realloc(a, 8 * sizeof(int));
  a[7] = 1;
  printf("%d %d %d\n", a[0], a[2], a[7]);
  free(a);
  int size = 5;
  int vla[size];
  for (int i = 0; i < size; i++) vla[i] = i;
  printf("%d %zu\n", vla[4], sizeof vla);
  char text[32] = "abc";
  strcat(text, "def");
  printf("%s %zu %d %d %s\n", text, strlen(text), strcmp(text, "abcdef"), strcmp("a", "b") < 0, strchr(text, 'd'));
  char moved[16];
  memset(moved, 'x', sizeof moved);
  memcpy(moved + 2, text, 4);
  memmove(moved + 3, moved, 8);
  moved[15] = 0;
  printf("%s %d\n", moved, memcmp(moved, text, 3) > 0);
  int i = 0;
loop:
  if (i++ < 3) goto loop;
  do i += 2; while (i < 20);
  printf("%d %d\n", i, i > 3 ? (i, 5) : 6);
  printf("%5d|%-5d|%05d|%+d|%x|%X|%o|%#x|%5s|%-5s|%.2s|%%|%c\n", 42, 42, 42, 42, 255, 255, 8, 255, "ab", "ab", "abcdef", 'c');
  printf("%ld %lld %hd %hhd %zu %u %*d %.*f\n", 1L << 40, 1LL << 50, (short)70000, (char)300, (size_t)9, 4000000000u, 6, 12, 2, 1.0 / 3);
  return 0;
}
