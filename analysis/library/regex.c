// Regular expressions: any pattern may be wrong, and any text may match anywhere.
#include <regex.h>
#include <stddef.h>
#include <string.h>

void heddle_assumption(const char *text);
int heddle_input(const char *name);
void __VERIFIER_assume(int condition);

int regcomp(regex_t *made, const char *pattern, int flags) {
  (void)flags;
  (void)strlen(pattern);
  made->re_nsub = 0;
  if (heddle_input("regcomp: the pattern is wrong") & 1) return REG_BADPAT;
  heddle_assumption("any text matches a regular expression, or none");
  return 0;
}

int regexec(const regex_t *made, const char *text, size_t count, regmatch_t *matches, int flags) {
  (void)made->re_nsub;
  (void)flags;
  int length = (int)strlen(text);
  if (heddle_input("regexec: the text does not match") & 1) return REG_NOMATCH;
  for (size_t i = 0; matches && i < count; ++i) {
    int begin = heddle_input("regexec: begin of the match");
    int end = heddle_input("regexec: end of the match");
    int isNone = i > 0 && begin == -1 && end == -1;
    __VERIFIER_assume(isNone || (begin >= 0 && begin <= end && end <= length));
    matches[i].rm_so = begin;
    matches[i].rm_eo = end;
  }
  return 0;
}

size_t regerror(int code, const regex_t *made, char *text, size_t size) {
  static const char kText[] = "Invalid regular expression";
  (void)code;
  (void)made;
  size_t put = size < sizeof kText ? size : sizeof kText;
  if (put > 0) {
    memcpy(text, kText, put - 1);
    text[put - 1] = 0;
  }
  return sizeof kText;
}

void regfree(regex_t *made) {
  made->re_nsub = 0;
}
