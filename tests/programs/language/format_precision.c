// EXPECT: assert=verified memory=verified race=verified twin=format_precision_too_long (no more bytes are read than the precision says)
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <wchar.h>

static const char bytes[2] = {'a', 'b'};  // without a terminator
static const wchar_t wide[2] = {L'c', L'd'};

static void *writer(void *unused) {
  char out[16];
  assert(snprintf(out, sizeof out, "%.2s", bytes) == 2 && out[0] == 'a' && out[1] == 'b' && out[2] == 0);
  assert(snprintf(out, sizeof out, "%.*s|", 1, bytes) == 2 && out[0] == 'a' && out[1] == '|');
  assert(snprintf(out, sizeof out, "%-4.2s|", bytes) == 5 && out[2] == ' ' && out[4] == '|');
  assert(snprintf(out, sizeof out, "%*.*s", 4, 2, bytes) == 4 && out[0] == ' ' && out[3] == 'b');
  assert(snprintf(out, sizeof out, "%.*s", -1, "xyz") == 3 && out[2] == 'z');
  assert(snprintf(out, sizeof out, "%.2ls", wide) == 2 && out[0] == 'c' && out[1] == 'd');
  assert(snprintf(out, sizeof out, "%.1000s", "long") == 4);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  writer(0);
  pthread_join(t, 0);
  return 0;
}
