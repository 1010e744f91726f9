// String, number, character and time functions of the library.
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static void number(const char *text, int base) {
  char *end; errno = 0;
  long l = strtol(text, &end, base); printf("%ld %ld %d; ", l, (long)(end - text), errno);
  errno = 0; unsigned long u = strtoul(text, &end, base); printf("%lu %ld %d; ", u, (long)(end - text), errno);
  printf("%.6g %d\n", strtod(text, &end), (int)(end - text));
}
static void letters(int c) {
  printf("%d:%d%d%d%d%d%d%d%d%d%d%d%d %d %d ", c, !!isalpha(c), !!isdigit(c), !!isalnum(c), !!isspace(c), !!isupper(c),
         !!islower(c), !!ispunct(c), !!isprint(c), !!isgraph(c), !!iscntrl(c), !!isxdigit(c), !!isblank(c), toupper(c), tolower(c));
  printf("%d %d\n", !!(isalpha)(c), (toupper)(c));
}
int main(void) {
  number("123", 10); number("  -42abc", 10); number("0x1fz", 0); number("zz", 36); number("077", 0); number("", 10);
  number("99999999999999999999", 10); number("-99999999999999999999", 10); number("1e3", 10); number("+7", 8); number("-1", 10);
  printf("%d %ld %lld %g %d %ld\n", atoi(" 12x"), atol("-3"), atoll("123456789012"), atof("2.5e1"), abs(-4), labs(-5L));
  div_t d = div(17, -5); ldiv_t ld = ldiv(-17L, 5L); printf("%d %d %ld %ld\n", d.quot, d.rem, ld.quot, ld.rem);
  printf("%d %d %d\n", ffs(0), ffs(8), ffsll(1ll << 40));
  for (int c = 0; c < 128; c += 3) letters(c);
  letters(EOF); letters(200);
  char buffer[64], other[64];
  strcpy(buffer, "hello, world"); strcat(buffer, "!"); strncpy(other, buffer, 5); other[5] = 0; strncat(other, buffer + 7, 3);
  printf("%s %s %zu %zu\n", buffer, other, strlen(buffer), strnlen(buffer, 4));
  printf("%d %d %d %d\n", strcmp("a", "b") < 0, strcmp("b", "a") > 0, strncmp("abc", "abd", 2), strcasecmp("HeLLo", "hEllO"));
  printf("%s %s %s %d\n", strchr(buffer, 'o'), strrchr(buffer, 'o'), strstr(buffer, "wor"), strstr(buffer, "xyz") == NULL);
  printf("%zu %zu %s %s\n", strspn("aabbc", "ab"), strcspn("hello", "lo"), strpbrk("hello", "xl"), (char *)memchr("abcdef", 'd', 6));
  char list[] = "one,two;;three"; for (char *t = strtok(list, ",;"); t; t = strtok(NULL, ",;")) printf("<%s>", t);
  char more[] = "a b  c", *state; for (char *t = strtok_r(more, " ", &state); t; t = strtok_r(NULL, " ", &state)) printf("(%s)", t);
  char fields[] = "x::y", *rest = fields, *field; while ((field = strsep(&rest, ":"))) printf("[%s]", field);
  printf("\n%s %s\n", strerror(2), strerror(0));
  memset(buffer, 'x', 10); memmove(buffer + 2, "abc", 3); memcpy(buffer + 10, "end", 4); printf("%s %d\n", buffer, memcmp("abc", "abd", 3) < 0);
  char *copy = strdup("duplicate"), *part = strndup("duplicate", 3); printf("%s %s\n", copy, part); free(copy); free(part);
  int *grown = malloc(4); *grown = 7; grown = realloc(grown, 400); grown[99] = 8; printf("%d %d\n", grown[0], grown[99]); free(grown);
  long *zeros = calloc(5, sizeof *zeros); printf("%ld\n", zeros[4]); free(zeros);
  int a, b, got; char word[20], c; double real; unsigned hex; float small; long wide;
  got = sscanf("12 -7 abc 3.5 ff", "%d %d %s %lf %x", &a, &b, word, &real, &hex); printf("%d %d %d %s %.2f %u\n", got, a, b, word, real, hex);
  got = sscanf("key=value", "%[^=]=%c%n", word, &c, &a); printf("%d %s %c %d\n", got, word, c, a);
  got = sscanf("1,2", "%d,%f", &a, &small); printf("%d %d %.1f\n", got, a, (double)small);
  got = sscanf("x", "%d", &a); printf("%d ", got); got = sscanf("", "%d", &a); printf("%d ", got);
  got = sscanf("99 123456789012", "%*d %ld", &wide); printf("%d %ld\n", got, wide);
  printf("%5d|%-5d|%05d|%+d|%x|%#o|%c|%10.3f|%e|%g|%s|%.2s|%%|%5s|%-6s|\n", 42, 42, 42, 42, 255, 8, 'c', 3.14159, 12345.678, 0.0001, "text", "text", "ab", "cd");
  printf("%hhd %hd %ld %lld %zu %jd %p %*d %.*f\n", 300, 70000, 1L << 40, -1LL, sizeof(int), (intmax_t)5, (void *)0, 6, 7, 2, 1.005);
  int length = snprintf(buffer, 8, "%d-%s", 12345, "abcdef"); printf("%d %s\n", length, buffer); sprintf(buffer, "%03d", 7); puts(buffer);
  printf("%" PRId64 " %" PRIu32 " %" PRIx8 "\n", INT64_MIN, UINT32_MAX, (uint8_t)200);
  time_t moment = 86400 * 365; struct tm *t = gmtime(&moment); printf("%d-%d-%d %d\n", t->tm_year + 1900, t->tm_mon + 1, t->tm_mday, t->tm_wday);
  strftime(buffer, sizeof buffer, "%Y/%m/%d %H:%M", t); printf("%s %.1f\n", buffer, difftime(10, 4));
  printf("%.6f %.6f %.6f %.6f %.3f\n", sin(1), pow(2, 0.5), log(10), atan2(1, 2), fmod(7.5, 2));
  printf("%.3f %.3f %ld %d %d %.4f\n", floor(-1.5), ceil(1.2), lround(2.5), isnan(NAN) != 0, isinf(INFINITY) != 0, (double)sqrtf(2));
  int exponent; double whole, mantissa = frexp(10, &exponent), fraction = modf(3.75, &whole); printf("%.4f %d %.2f %.0f %.1f\n", mantissa, exponent, fraction, whole, ldexp(0.5, 4));
  fprintf(stdout, "%s", "to stdout\n"); fputs("fputs\n", stdout); putchar('z'); putc('\n', stdout); fwrite("block\n", 1, 6, stdout); fflush(stdout);
  return strcmp(buffer, "1971/01/01 00:00") == 0 ? 17 : 1;
}
