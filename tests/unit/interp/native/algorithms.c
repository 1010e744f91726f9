// Some longer computations: sorting, primes, hashing, matrices, string building.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned seed = 1;
static unsigned rnd(void) { return (seed = seed * 1103515245u + 12345u) >> 8; }

static void quicksort(int *a, int lo, int hi) {
  if (lo >= hi) return;
  int pivot = a[(lo + hi) / 2], i = lo, j = hi;
  while (i <= j) {
    while (a[i] < pivot) i++;
    while (a[j] > pivot) j--;
    if (i <= j) { int t = a[i]; a[i] = a[j]; a[j] = t; i++; j--; }
  }
  quicksort(a, lo, j);
  quicksort(a, i, hi);
}

static unsigned hash(const char *s) {
  unsigned h = 2166136261u;
  while (*s) { h ^= (unsigned char)*s++; h *= 16777619u; }
  return h;
}

static int queens(int n, int row, unsigned cols, unsigned d1, unsigned d2) {
  if (row == n) return 1;
  int count = 0;
  for (int c = 0; c < n; c++) {
    unsigned bit = 1u << c, b1 = 1u << (row + c), b2 = 1u << (row - c + n);
    if (cols & bit || d1 & b1 || d2 & b2) continue;
    count += queens(n, row + 1, cols | bit, d1 | b1, d2 | b2);
  }
  return count;
}

int main(void) {
  enum { N = 200 };
  int a[N];
  for (int i = 0; i < N; i++) a[i] = (int)(rnd() % 1000) - 500;
  quicksort(a, 0, N - 1);
  for (int i = 0; i < N; i += 20) printf("%d ", a[i]);
  printf("\n");
  static char sieve[1000];
  int primes = 0;
  for (int i = 2; i < 1000; i++) {
    if (sieve[i]) continue;
    primes++;
    for (int k = i * i; k < 1000; k += i) sieve[k] = 1;
  }
  printf("%d primes, queens %d\n", primes, queens(6, 0, 0, 0, 0));
  printf("%u %u\n", hash("hello"), hash("schedule"));
  double m[3][3] = {{2, 1, 0}, {1, 3, 1}, {0, 1, 4}}, p[3][3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      p[i][k] = 0;
      for (int j = 0; j < 3; j++) p[i][k] += m[i][j] * m[j][k];
    }
  printf("%g %g %g\n", p[0][0], p[1][1], p[2][1]);
  char *text = malloc(1);
  size_t length = 0;
  text[0] = 0;
  for (int i = 0; i < 10; i++) {
    char piece[16];
    int n = snprintf(piece, sizeof piece, "%d,", i * i);
    text = realloc(text, length + (size_t)n + 1);
    strcpy(text + length, piece);
    length += (size_t)n;
  }
  puts(text);
  free(text);
  long long collatz = 27, steps = 0;
  while (collatz != 1) { collatz = collatz % 2 ? 3 * collatz + 1 : collatz / 2; steps++; }
  printf("%lld\n", steps);
  return 0;
}
