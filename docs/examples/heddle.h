/* heddle.h: inputs and assumptions for programs that Heddle checks.
 *
 * heddle_input_int() and its sisters return a value that may be anything: `heddle check` explores them all.
 * heddle_assume(condition) says which are of interest: executions in which it is false do not count.
 *
 *     int amount = heddle_input_int();
 *     heddle_assume(1 <= amount && amount <= 100);
 *
 * The program also builds without Heddle. Link it with your own definitions of these functions (say, that read test
 * data), or define HEDDLE_PLAIN before the include to get ones that take every input from the environment variable
 * HEDDLE_INPUT (default 0) and end the program when an assumption does not hold:
 *
 *     gcc -DHEDDLE_PLAIN -pthread program.c && HEDDLE_INPUT=3 ./a.out
 */
#ifndef HEDDLE_H
#define HEDDLE_H

#ifdef HEDDLE_PLAIN

#include <stdlib.h>

#define HEDDLE_DEFINE_INPUT(type, name)               \
  static inline type heddle_input_##name(void) {      \
    const char *text = getenv("HEDDLE_INPUT");        \
    return (type)(text ? strtoll(text, NULL, 0) : 0); \
  }

static inline void heddle_assume(int condition) {
  if (!condition) exit(0);
}

#else

#define HEDDLE_DEFINE_INPUT(type, name) type heddle_input_##name(void);

void heddle_assume(int condition);

#endif

HEDDLE_DEFINE_INPUT(int, int)
HEDDLE_DEFINE_INPUT(unsigned, uint)
HEDDLE_DEFINE_INPUT(long, long)
HEDDLE_DEFINE_INPUT(unsigned long, ulong)
HEDDLE_DEFINE_INPUT(short, short)
HEDDLE_DEFINE_INPUT(unsigned short, ushort)
HEDDLE_DEFINE_INPUT(char, char)
HEDDLE_DEFINE_INPUT(unsigned char, uchar)
HEDDLE_DEFINE_INPUT(_Bool, bool)

#endif
