// EXPECT: memory=violated twin=stream_checked (fopen may fail, and fseek uses a null pointer then)
#include <stdio.h>

int main(void) {
  FILE *file = fopen("data", "rb");
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  fclose(file);
  return size < 0;
}
