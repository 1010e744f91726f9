// EXPECT: memory=verified-within-bounds (a stream is used where fopen gave one, and no file has an empty name)
#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 2) return 1;
  assert(fopen("", "r") == NULL);
  FILE *file = fopen(argv[1], "rb");
  if (file == NULL) return 1;
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  fprintf(stderr, "%ld\n", size);
  fclose(file);
  return size < 0;
}
