// Floating point: arithmetic, comparisons, conversions, printing.
#include <math.h>
#include <stdio.h>

static float half(float x) { return x / 2; }

int main(void) {
  double values[] = {0.0, 1.0, -1.5, 3.25e10, 1e-300, -7.75, 255.9, 1e18};
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 8; k++) {
      double x = values[i], y = values[k];
      printf("%g %g %g %g %d%d%d%d%d%d\n", x + y, x - y, x * y, y != 0 ? x / y : 0.0, x < y, x <= y, x > y, x >= y, x == y, x != y);
    }
  for (int i = 0; i < 7; i++) {
    float f = (float)values[i];
    printf("%g %g %d %ld %g\n", f, half(f), values[i] < 1e9 && values[i] > -1e9 ? (int)values[i] : 0, (long)f, (double)(f * 1.1f));
  }
  double nan = values[0] / values[0];
  printf("%d %d %d %d\n", nan < 1, nan > 1, nan == nan, nan != nan);
  int n = -7;
  unsigned u = 4000000000u;
  printf("%g %g %g %g\n", (double)n, (double)u, (float)u, (double)(1ull << 63));
  printf("%u %d %.3f %e\n", (unsigned)3.9e9, (signed char)-3.9, 2.0 / 3.0, 12345.678);
  printf("%g %g\n", __builtin_fabs(-2.5), __builtin_copysign(3.0, -1.0));
  return 0;
}
