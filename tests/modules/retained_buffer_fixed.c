// EXPECT: assert=verified (retained_buffer as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH 4

struct buffer {
  atomic_int holders;
  size_t used;
  char *bytes;
};

static atomic_int living;

static struct buffer *buffer_new(const char *text) {
  struct buffer *buffer = malloc(sizeof *buffer);
  if (buffer == NULL)
    abort();
  buffer->bytes = calloc(LENGTH, 1);
  if (buffer->bytes == NULL)
    abort();
  buffer->used = strlen(text);
  if (buffer->used > LENGTH - 1)
    buffer->used = LENGTH - 1;
  memcpy(buffer->bytes, text, buffer->used);
  atomic_init(&buffer->holders, 1);
  atomic_fetch_add(&living, 1);
  return buffer;
}

/* The caller holds it already. */
static struct buffer *buffer_retain(struct buffer *buffer) {
  atomic_fetch_add(&buffer->holders, 1);
  return buffer;
}

static void buffer_release(struct buffer *buffer) {
  if (atomic_fetch_sub(&buffer->holders, 1) == 1) {
    free(buffer->bytes);
    free(buffer);
    atomic_fetch_sub(&living, 1);
  }
}

static size_t buffer_count(const struct buffer *buffer, char letter) {
  size_t count = 0;
  for (size_t i = 0; i < buffer->used; i++)
    count += buffer->bytes[i] == letter ? 1 : 0;
  return count;
}

struct search {
  struct buffer *buffer;
  size_t found;
};

static void *search_main(void *argument) {
  struct search *search = argument;
  search->found = buffer_count(search->buffer, 'a');
  buffer_release(search->buffer);
  return NULL;
}

int main(void) {
  struct buffer *buffer = buffer_new("aba");
  struct search search = {buffer_retain(buffer), 0};
  pthread_t thread;
  pthread_create(&thread, NULL, search_main, &search);
  const size_t others = buffer_count(buffer, 'b');
  buffer_release(buffer);
  pthread_join(thread, NULL);
  assert(others == 1 && search.found == 2);
  assert(atomic_load(&living) == 0);
  return 0;
}
