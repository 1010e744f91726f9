// Integer operators on all widths, conversions, bit-fields, shifts.
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t state = 12345;
static uint32_t next(void) { return state = state * 1664525u + 1013904223u; }

struct Bits {
  unsigned a : 3;
  int b : 5;
  unsigned long long c : 33;
  _Bool d : 1;
};

#define OPS(T, name, fmt)                                                                       \
  static void name(void) {                                                                      \
    for (int i = 0; i < 12; i++) {                                                              \
      T x = (T)(((uint64_t)next() << 32) | next()), y = (T)(((uint64_t)next() << 32) | next()); \
      if (i < 3) y = (T)(i - 1);                                                                \
      printf(#T " " fmt " " fmt ":", x, y);                                                     \
      printf(" " fmt " " fmt " " fmt, (T)(x + y), (T)(x - y), (T)(x * y));                      \
      if (y != 0 && y != (T)-1) printf(" " fmt " " fmt, (T)(x / y), (T)(x % y));                \
      printf(" " fmt " " fmt " " fmt " " fmt, (T)(x & y), (T)(x | y), (T)(x ^ y), (T)~x);       \
      printf(" " fmt " " fmt, (T)(x << (i % 7)), (T)(x >> (i % 7)));                            \
      printf(" %d%d%d%d%d%d\n", x < y, x <= y, x > y, x >= y, x == y, x != y);                  \
    }                                                                                           \
  }
OPS(int8_t, i8, "%d")
OPS(uint8_t, u8, "%u")
OPS(int16_t, i16, "%d")
OPS(uint16_t, u16, "%u")
OPS(uint32_t, u32, "%u")
OPS(uint64_t, u64, "%lu")

static void signedOps(void) {
  for (int i = 0; i < 20; i++) {
    int x = (int)next() >> 3, y = ((int)next() >> 18) | 1;
    long lx = ((long)x << 20) + y, ly = y * 3L;
    printf("%d %d: %d %d %d %d %d | %ld %ld %ld %ld\n", x, y, x + y, x - y, x / y, x % y, x >> (i % 31), lx / ly,
           lx % ly, lx + ly, lx >> (i % 60));
  }
}

static void conversions(void) {
  for (int i = 0; i < 10; i++) {
    int64_t v = (int64_t)(((uint64_t)next() << 32) | next());
    printf("%ld %d %d %d %u %u %u %d\n", v, (int8_t)v, (int16_t)v, (int32_t)v, (uint8_t)v, (uint16_t)v, (uint32_t)v,
           (bool)(v & 0x100));
    int8_t small = (int8_t)v;
    uint8_t usmall = (uint8_t)v;
    printf("%d %u %ld %lu %d %u\n", (int)small, (unsigned)small, (long)small, (unsigned long)small, (int)usmall,
           (unsigned)usmall);
  }
}

int main(void) {
  i8(); u8(); i16(); u16(); u32(); u64();
  signedOps();
  conversions();
  struct Bits bits = {5, -7, 0x123456789ull, 1};
  for (int i = 0; i < 10; i++) {
    bits.a += 3;
    bits.b -= 5;
    bits.c = bits.c * 3 + i;
    bits.d = !bits.d;
    printf("%u %d %llu %d\n", bits.a, bits.b, (unsigned long long)bits.c, bits.d);
  }
  printf("%d %d %d\n", __builtin_popcount(0xf0f0u), __builtin_clz(0x1000u), __builtin_ctz(0x1000u));
  printf("%x %llx %d\n", __builtin_bswap32(0x12345678u), (unsigned long long)__builtin_bswap64(0x123456789abcdefull), __builtin_bswap16(0x1234));
  int r;
  unsigned ur;
  long lr;
  int o = __builtin_add_overflow(INT_MAX, 1, &r);
  printf("%d %d\n", o, r);
  o = __builtin_sub_overflow(1u, 2u, &ur);
  printf("%d %u\n", o, ur);
  o = __builtin_mul_overflow(65536, 65536, &r);
  printf("%d %d\n", o, r);
  o = __builtin_mul_overflow(65536L, 65536L, &lr);
  printf("%d %ld\n", o, lr);
  o = __builtin_mul_overflow(-1, INT_MIN, &r);
  printf("%d %d\n", o, r);
  return 0;
}
