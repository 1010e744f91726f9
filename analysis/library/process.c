// Variables of the C library that say something of the process.
#include <stddef.h>

static char process_name[] = "program";
static char process_zone[] = "UTC";
static char *process_environment[1];

char *__progname = process_name;
char *program_invocation_name = process_name;
char *program_invocation_short_name = process_name;
char **environ = process_environment;
char *optarg = NULL;
int optind = 1;
int opterr = 1;
int optopt = '?';
char *tzname[2] = {process_zone, process_zone};
long timezone = 0;
int daylight = 0;
