// 128-bit integers, long double, vectors, odd bit-fields.
#include <stdio.h>
#include <string.h>

typedef __int128 i128;
typedef unsigned __int128 u128;
typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef short s8 __attribute__((vector_size(16)));
struct Pair { float x, y; };
struct Three { float x, y, z; };
struct Bits { unsigned a : 3; int b : 7; unsigned long long c : 40; unsigned : 0; signed d : 1; _Bool e : 1; };
struct Packed { char c; int i; short s; } __attribute__((packed));
union Mixed { struct Bits bits; unsigned char bytes[sizeof(struct Bits)]; };

static void show(const char *name, u128 v) {
  printf("%s %016llx%016llx\n", name, (unsigned long long)(v >> 64), (unsigned long long)v);
}
static i128 power(i128 base, int n) { i128 r = 1; while (n-- > 0) r *= base; return r; }
static struct Pair scaled(struct Pair p, float k) { p.x *= k; p.y /= k; return p; }
static struct Three turned(struct Three t) { return (struct Three){t.z, t.x, t.y}; }
static long double mean(long double a, long double b) { return (a + b) / 2; }
static v4 twice(v4 v) { return v + v; }

int main(void) {
  u128 a = ((u128)0x0123456789abcdefull << 64) | 0xfedcba9876543210ull;
  i128 b = -(i128)12345678901234567ll * 1000000007;
  show("a", a); show("b", (u128)b);
  show("a+b", a + (u128)b); show("a-b", a - (u128)b); show("a*b", a * (u128)b);
  show("a/7", a / 7); show("a%1000", a % 1000); show("b/-13", (u128)(b / -13)); show("b%13", (u128)(b % 13));
  for (int s = 0; s < 128; s += 17) { show("shl", a << s); show("lshr", a >> s); show("ashr", (u128)(b >> s)); }
  show("xor", a ^ (u128)b); show("and", a & (u128)b); show("or", a | (u128)b); show("not", ~a);
  printf("%d %d %d %d %d\n", a < (u128)b, (i128)a < b, a == (u128)b, b <= b, a != 3);
  show("pow", (u128)power(3, 70)); show("neg", (u128)-power(7, 40));
  printf("%d %lld %u\n", (int)b, (long long)(b >> 3), (unsigned short)a);

  long double x = 1.0L / 3, y = 2.5L;
  printf("%.18Lf %.20Lg %Le %La\n", x, mean(x, y), x * y, y);
  printf("%d %d %d %ld %lu\n", x < y, x == x, (int)(y * 3), (long)(-y * 1000), (unsigned long)(y * 7));
  printf("%f %f %.10f\n", (double)x, (float)y, (double)(x - 0.25L));
  long double big = 1; for (int i = 0; i < 100; i++) big *= 1.5L;
  printf("%.5Lf %Lg\n", big, -big);

  v4 p = {1, 2, 3, 4}, q = {10, -20, 30, -40};
  v4 sum = p + q, product = p * q, compared = p < q, chosen = twice(p) - q / 3;
  for (int i = 0; i < 4; i++) printf("%d %d %d %d; ", sum[i], product[i], compared[i], chosen[i]);
  f4 f = {1.5f, 2.5f, -3.5f, 4}; f4 g = f * f - 1;
  for (int i = 0; i < 4; i++) printf("%.3f ", (double)g[i]);
  s8 narrow = (s8)p; int total = 0; for (int i = 0; i < 8; i++) total += narrow[i] << i;
  v4 mixed = __builtin_shufflevector(p, q, 0, 4, 3, 7); p[2] = 77;
  printf("\n%d %d %d %d %d %d\n", total, mixed[0], mixed[1], mixed[2], mixed[3], p[2]);

  struct Pair r = scaled((struct Pair){3, 8}, 2); struct Three t = turned((struct Three){1, 2, 3});
  printf("%.2f %.2f %.1f %.1f %.1f\n", (double)r.x, (double)r.y, (double)t.x, (double)t.y, (double)t.z);
  union Mixed m; memset(&m, 0, sizeof m);
  m.bits.a = 9; m.bits.b = -33; m.bits.c = 0x123456789aull; m.bits.d = 1; m.bits.e = 5;
  m.bits.b += 100; m.bits.c <<= 3; m.bits.a--;
  for (unsigned i = 0; i < sizeof m.bytes; i++) printf("%02x", m.bytes[i]);
  printf(" %u %d %llx %d %d\n", m.bits.a, m.bits.b, (unsigned long long)m.bits.c, m.bits.d, m.bits.e);
  struct Packed k = {'x', -5, 300}; struct Packed l = k; l.i *= 2;
  printf("%zu %c %d %d\n", sizeof k, l.c, l.i, l.s);
  return (int)(a % 200);
}
