// The program of the self-contained archive: starts Heddle with the C library and the other libraries that lie
// beside it, so that it runs whatever the machine has. Linked statically; children of Heddle see none of it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINKER "/lib/heddle/ld-linux-x86-64.so.2"
#define LIBRARIES "/lib/heddle"
#define PROGRAM "/lib/heddle/heddle"

// Returns `folder` followed by `rest`, to be freed by nobody.
static char *join(const char *folder, const char *rest) {
  const size_t length = strlen(folder) + strlen(rest) + 1;
  char *path = malloc(length);
  if (path != NULL) snprintf(path, length, "%s%s", folder, rest);
  return path;
}

int main(int argc, char **argv) {
  char here[4096];
  const ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
  if (length <= 0) {
    fputs("heddle: cannot tell where it lies: mount /proc\n", stderr);
    return 3;
  }
  here[length] = 0;
  for (int up = 0; up < 2; ++up) {  // from bin/heddle to the archive's folder
    char *slash = strrchr(here, '/');
    if (slash != NULL) *slash = 0;
  }
  char **arguments = calloc((size_t)argc + 5, sizeof *arguments);
  char *linker = join(here, LINKER);
  if (arguments == NULL || linker == NULL) return 3;
  int count = 0;
  arguments[count++] = linker;
  arguments[count++] = "--library-path";
  arguments[count++] = join(here, LIBRARIES);
  arguments[count++] = join(here, PROGRAM);
  for (int i = 1; i < argc; ++i) arguments[count++] = argv[i];
  execv(linker, arguments);
  fprintf(stderr, "heddle: cannot start %s: unpack the archive again, whole\n", linker);
  return 3;
}
