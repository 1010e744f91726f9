// EXPECT: race=violated assert=violated twin=codec_tables_fixed (the tables are called ready before they are filled)
// PATCH, written before the tool ran: in codec_prepare
//   -  if (tables.ready)
//   -    return;
//      pthread_mutex_lock(&tables.lock);
//      if (!tables.ready) {
//   -    tables.ready = true;
//        tables_fill();
//   +    tables.ready = true;
//      }
//    (or pthread_once(&tables.once, tables_fill); or an atomic `ready` that is stored behind tables_fill)
// Review: "a second thread sees ready and reads empty tables: fill them first, and look at ready with the lock
// held, or use pthread_once."
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define SYMBOLS 4
#define INVALID 0xff

/* Both directions of a code of two bits a symbol, made when the first message is encoded or decoded. */
struct tables {
  pthread_mutex_t lock;
  bool ready;
  unsigned char encode[SYMBOLS];
  unsigned char decode[SYMBOLS];
  int fills;
};

static struct tables tables = {PTHREAD_MUTEX_INITIALIZER, false, {0}, {0}, 0};

/* Bits that differ in one place only for neighbours. */
static unsigned char gray(unsigned symbol) {
  return (unsigned char)(symbol ^ (symbol >> 1));
}

static void tables_fill(void) {
  for (unsigned symbol = 0; symbol < SYMBOLS; symbol++) {
    const unsigned char code = gray(symbol);
    tables.encode[symbol] = (unsigned char)(code | 4);
    tables.decode[code] = (unsigned char)(symbol | 4);
  }
  tables.fills++;
}

/* Makes the tables where nobody has made them yet. */
static void codec_prepare(void) {
  if (tables.ready)
    return;
  pthread_mutex_lock(&tables.lock);
  if (!tables.ready) {
    tables.ready = true;
    tables_fill();
  }
  pthread_mutex_unlock(&tables.lock);
}

/* The code of a symbol; INVALID for what is none. */
static unsigned char codec_encode(unsigned symbol) {
  codec_prepare();
  if (symbol >= SYMBOLS)
    return INVALID;
  return tables.encode[symbol] & 3;
}

/* The symbol of a code; INVALID for what is none. */
static unsigned char codec_decode(unsigned char code) {
  codec_prepare();
  if (code >= SYMBOLS || (tables.decode[code] & 4) == 0)
    return INVALID;
  return tables.decode[code] & 3;
}

/* How many symbols come back as they were. */
static size_t codec_check(const unsigned char *symbols, size_t count) {
  size_t same = 0;
  for (size_t i = 0; i < count; i++)
    if (codec_decode(codec_encode(symbols[i])) == symbols[i])
      same++;
  return same;
}

struct message {
  unsigned char symbols[1];
  size_t same;
};

static void *channel_main(void *argument) {
  struct message *message = argument;
  message->same = codec_check(message->symbols, sizeof message->symbols);
  return NULL;
}

int main(void) {
  struct message message = {{2}, 0};
  pthread_t channel;
  pthread_create(&channel, NULL, channel_main, &message);
  const unsigned char symbol = codec_decode(3);
  pthread_join(channel, NULL);
  assert(symbol == 2);
  assert(message.same == sizeof message.symbols);
  assert(tables.fills == 1);
  assert(codec_encode(SYMBOLS) == INVALID);
  return 0;
}
